"""Every command once, as members of both languages type it: what the tests run and what the captures show."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.discord import Channel, Exchange, Person, Shown, Upload
from tests.e2e.bot.stage import KERNEL, Stage, answered
from tests.integration.web.stage import tried
from worker.protocol import Form, Job, Try


def seen_in_a_try() -> dict[str, Any]:
    """Parts of the verdict on a try."""
    seen = tried(Job("x", Form.TRY, "", trying=Try("vector_add", {"n": 3})))
    return {
        "verdict": seen.verdict, "tried": seen.tried, "cases": seen.cases, "output": seen.output, "card": None,
        "compile": seen.compile, "score": None, "backend": seen.backend,
    }  # fmt: skip


@dataclass(frozen=True)
class Here:
    """The channel in which a command is typed."""

    name: str = "general"


HERE = Here()
QUESTION = "What is a bank conflict?"
QUESTION_ZH = "什么是存储体冲突？"


@dataclass(frozen=True)
class Scenario:
    """`typed` by language; `says` is a piece of the reply by language."""

    name: str
    typed: dict[str, str]
    says: dict[str, str]
    options: dict[str, Any] = field(default_factory=dict)
    options_zh: dict[str, Any] | None = None
    for_moderators: bool = False
    """Of a server, hence nowhere else."""
    of_message: bool = False
    """A command from the menu of a message instead of a typed one."""
    judged: dict[str, Any] = field(default_factory=dict)
    """What the judge says, where that is not the usual."""

    @property
    def places(self) -> tuple[str, ...]:
        return ("guild",) if self.for_moderators else ("guild", "dm", "user")

    def options_in(self, lang: str) -> dict[str, Any]:
        return self.options_zh if lang == "zh" and self.options_zh is not None else self.options

    def as_typed(self, lang: str) -> str:
        """The line in the client, or the entry of the menu."""
        given = " ".join(f"{name}:{getattr(value, 'name', value)}" for name, value in self.options_in(lang).items())
        return self.typed[lang] if self.of_message else f"/{self.typed[lang]} {given}".strip()

    async def shown(self, stage: Stage, member: Person, at: Channel, lang: str) -> Shown:
        """Typed by the member there, and awaited."""
        stage.asker.answers = {
            QUESTION: answered("Two lanes of a warp address one bank in different rows."),
            QUESTION_ZH: answered("同一线程束的两个线程访问同一个存储体的不同行。", lang="zh"),
        }
        stage.executor.parts = dict(self.judged)
        exchange = await self._typed_at(stage, member, at, lang)
        return await (await exchange.reply()).until(lambda text: self.says[lang] in text)

    async def _typed_at(self, stage: Stage, member: Person, at: Channel, lang: str) -> Exchange:
        if self.for_moderators:
            stage.discord.world.guilds[at.guild_id or 0].moderators.add(member.user.id)
        if self.of_message:
            said = await member.say(f"```cuda\n{KERNEL}\n```", at, mention=False)
            return await member.check(self.typed[lang], said)
        options = {name: at if value is HERE else value for name, value in self.options_in(lang).items()}
        return await member.run(self.typed[lang], at, **options)


def both(en: str, zh: str) -> dict[str, str]:
    return {"en": en, "zh": zh}


CODE = Upload("vector_add.cu", KERNEL.encode())

SCENARIOS = (
    Scenario(
        "ask", both("ask", "提问"), both("one bank", "同一个存储体"), {"question": QUESTION}, {"问题": QUESTION_ZH}
    ),
    Scenario(
        "ask-unknown",
        both("ask", "提问"),
        both("rather not guess", "不想乱猜"),
        {"question": "Best pizza?"},
        {"问题": "哪家披萨最好吃？"},
    ),
    Scenario(
        "recommend",
        both("recommend", "推荐"),
        both("beginner", "入门"),
        {"level": "beginner", "topic": "cuda"},
        {"级别": "beginner", "主题": "共享内存"},
    ),
    Scenario(
        "path", both("path", "学习路径"), both("The way to", "学习路径"), {"topic": "tiling"}, {"主题": "tiling"}
    ),
    Scenario(
        "plan-start",
        both("plan start", "计划 开始"),
        both("Week 1", "第 1 周"),
        {"goal": "path:tiling", "hours": 3, "level": "beginner"},
        {"目标": "path:tiling", "小时": 3, "级别": "beginner"},
    ),
    Scenario("plan-show", both("plan show", "计划 查看"), both("no plan yet", "还没有计划")),
    Scenario(
        "plan-hours", both("plan hours", "计划 时间"), both("no plan yet", "还没有计划"), {"hours": 5}, {"小时": 5}
    ),
    Scenario("plan-skip", both("plan skip", "计划 跳过"), both("no plan yet", "还没有计划")),
    Scenario("plan-stop", both("plan stop", "计划 停止"), both("no plan yet", "还没有计划")),
    Scenario(
        "group-start",
        both("group start", "小组 开始"),
        both("The plan has 4 weeks", "计划共 4 周"),
        {"goal": "path:tiling", "weeks": 4, "weekday": "monday"},
        {"目标": "path:tiling", "周数": 4, "星期": "monday"},
        for_moderators=True,
    ),
    Scenario("group-show", both("group show", "小组 查看"), both("has no plan", "还没有计划"), for_moderators=True),
    Scenario("group-stop", both("group stop", "小组 停止"), both("has no plan", "还没有计划"), for_moderators=True),
    Scenario(
        "group-named",
        both("group named", "小组 署名"),
        both("you are named", "会署名显示"),
        {"named": True},
        {"署名": True},
        for_moderators=True,
    ),
    Scenario("plan-review", both("plan review", "计划 复习"), both("No review question", "今天没有要复习")),
    Scenario("saved", both("saved", "收藏"), both("not saved anything", "还没有收藏")),
    Scenario("progress", both("progress", "进度"), both("Nothing yet", "还没有记录")),
    Scenario("level", both("level", "级别"), both("advanced", "高级"), {"topic": "cuda", "level": "advanced"}),
    Scenario("problems", both("problems", "题目"), both("Problems (", "题目（")),
    Scenario("problem", both("problems", "题目"), both("vector_add", "vector_add"), {"name": "vector_add"}),
    Scenario("hint", both("hint", "提示"), both("Hint 1 of 3", "提示 1 / 3"), {"problem": "vector_add"}),
    Scenario("editorial", both("editorial", "题解"), both("Give up", "要放弃"), {"problem": "vector_add"}),
    Scenario("submit", both("submit", "提交"), both("accepted", "通过"), {"problem": "vector_add", "file": CODE}),
    Scenario(
        "try",
        both("try", "试运行"),
        both("try", "试运行"),
        {"problem": "vector_add", "file": CODE, "sizes": "n=3", "element": "c[1]"},
        judged=seen_in_a_try(),
    ),
    Scenario("submit-snippet", both("submit", "提交"), both("compiled", "编译成功"), {"file": CODE}),
    Scenario(
        "check-this-kernel",
        both("Check this kernel", "检查这段核函数"),
        both("compiled", "编译成功"),
        of_message=True,
    ),
    Scenario("submissions", both("submissions", "我的提交"), both("not handed in", "还没有提交过")),
    Scenario("leaderboard", both("leaderboard", "排行榜"), both("Nobody", "还没有人"), {"problem": "vector_add"}),
    Scenario(
        "cancel", both("cancel", "取消"), both("no such submission", "没有你的这个提交"), {"submission": "01ABC"}
    ),
    Scenario(
        "resource-add",
        both("resource add", "资料 添加"),
        both("waits for a moderator", "等待管理员审核"),
        {"url": "https://example.org/page"},
    ),
    Scenario(
        "resource-info",
        both("resource info", "资料 详情"),
        both("in the library", "已收入资料库"),
        {"name": "CUDA Programming Course – High-Performance Computing with GPUs"},
    ),
    Scenario("resource-list", both("resource list", "资料 列表"), both("Resources (", "资料（"), {"topic": "cuda"}),
    Scenario("resource-review", both("resource review", "资料 审核"), both("Only moderators", "只有管理员")),
    Scenario(
        "resource-withdraw", both("resource withdraw", "资料 撤回"), both("Messages taken back: 0", "已撤回 0 条消息")
    ),
    Scenario(
        "keep-message",
        both("Keep for the library", "收入资料库"),
        both("a thread in a forum channel", "论坛频道里帖子的消息"),
        for_moderators=True,
        of_message=True,
    ),
    Scenario("gaps", both("gaps", "待补充"), both("No open questions", "没有待解答的问题")),
    Scenario("calc-conv", both("calc conv", "计算 卷积"), both("convolution", "卷积"), {"kernel": 3}),
    Scenario(
        "calc-gemm",
        both("calc gemm", "计算 矩阵乘"),
        both("matrix product", "矩阵乘法"),
        {"m": 512, "n": 512, "k": 512, "format": "fp16"},
    ),
    Scenario(
        "calc-field", both("calc receptive-field", "计算 感受野"), both("212×212", "212×212"), {"network": "vgg-16"}
    ),
    Scenario(
        "calc-occupancy",
        both("calc occupancy", "计算 占用率"),
        both("warps are resident", "个线程束中有"),
        {"threads": 256, "registers": 64},
    ),
    Scenario("define", both("define", "术语"), both("Coalesced access is", "合并访问（"), {"term": "访存合并"}),
    Scenario("card", both("card", "显卡"), both("3350 GB/s", "显存带宽"), {"name": "h100", "second": "a100"}),
    Scenario("language", both("language", "语言"), both("in English", "用中文"), {"choice": "en"}, {"选择": "zh"}),
    Scenario("privacy", both("privacy", "隐私"), both("stored about you", "关于你存了什么")),
    Scenario(
        "settings-show",
        both("settings show", "设置 查看"),
        both("Settings of this", "本服务器的设置"),
        for_moderators=True,
    ),
    Scenario(
        "settings-language",
        both("settings language", "设置 语言"),
        both("Saved", "已保存"),
        {"choice": "en"},
        {"选择": "zh"},
        for_moderators=True,
    ),
    Scenario(
        "settings-channels",
        both("settings channels", "设置 频道"),
        both("Public replies: <#", "公开回复的频道：<#"),
        {"add": HERE},
        {"添加": HERE},
        for_moderators=True,
    ),
    Scenario(
        "settings-defaults",
        both("settings defaults", "设置 默认"),
        both("Answers: private", "回答：默认仅提问者可见"),
        {"answers": "private"},
        {"回答": "private"},
        for_moderators=True,
    ),
    Scenario(
        "settings-digest",
        both("settings digest", "设置 摘要"),
        both("digest goes to", "每周摘要会发到"),
        {"channel": HERE},
        {"频道": HERE},
        for_moderators=True,
    ),
    Scenario("status", both("status", "状态"), both("test-generation", "test-generation")),
    Scenario("help", both("help", "帮助"), both("What I can do", "我能做什么")),
)
