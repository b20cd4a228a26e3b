"""What the faces say. Short words that all of them say alike, English and Chinese: verdicts, stages, levels, kinds of
reading. And the voice in which each says its own sentences, which stand in files of its own.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from knowledge.text.language import Lang

Pair = tuple[str, str]


def _frozen(words: dict[str, Pair]) -> Mapping[str, Pair]:
    return MappingProxyType(words)


VERDICTS = _frozen(
    {
        "accepted": ("accepted", "通过"),
        "ran": ("ran", "已运行"),
        "compiled": ("compiled", "编译成功"),
        "wrong_answer": ("wrong answer", "答案错误"),
        "compile_error": ("compile error", "编译错误"),
        "launch_error": ("launch error", "启动错误"),
        "runtime_error": ("runtime error", "运行时错误"),
        "memory_error": ("memory error", "内存访问错误"),
        "race": ("race", "数据竞争"),
        "barrier": ("barrier error", "同步错误"),
        "uninitialized": ("uninitialized memory", "读取未初始化的内存"),
        "timeout": ("timeout", "超时"),
        "out_of_memory": ("out of memory", "内存不足"),
        "unsupported": ("not supported here", "此处不支持"),
        "held": ("held for review", "待复核"),
        "cancelled": ("cancelled", "已取消"),
        "infrastructure_error": ("trouble on our side", "系统故障（与你的代码无关）"),
    }
)
STAGES = _frozen(
    {
        "queued": ("waiting", "排队中"),
        "compiling": ("compiling", "编译中"),
        "checking": ("checking", "检查中"),
        "timing": ("timing", "计时中"),
        "diagnosing": ("looking for causes", "分析原因"),
    }
)
STATES = _frozen({"waiting": ("waiting", "排队中"), "running": ("running", "运行中"), "done": ("done", "已结束")})
FORMS = _frozen(
    {"kernel": ("kernel", "核函数"), "program": ("program", "完整程序"), "snippet": ("snippet", "代码片段")}
)
BACKENDS = _frozen(
    {
        "auto": ("automatic", "自动选择"),
        "gpu": ("GPU", "GPU"),
        "emulator": ("emulator", "模拟器"),
        "compile": ("compile only", "仅编译"),
    }
)
LEVELS = _frozen(
    {"beginner": ("beginner", "入门"), "intermediate": ("intermediate", "中级"), "advanced": ("advanced", "高级")}
)
LANGUAGES = _frozen({"en": ("English", "英文"), "zh": ("Chinese", "中文")})
READINGS = _frozen(
    {
        "article": ("article", "文章"),
        "blog": ("blog", "博客"),
        "book": ("book", "书"),
        "code": ("code", "代码"),
        "community": ("community", "社区"),
        "course": ("course", "课程"),
        "discussion": ("discussion", "讨论"),
        "docs": ("documentation", "文档"),
        "note": ("our note", "本组笔记"),
        "paper": ("paper", "论文"),
        "problem": ("problem", "题目"),
        "reference": ("reference", "参考手册"),
        "site": ("site", "网站"),
        "slides": ("slides", "幻灯片"),
        "task": ("task", "任务"),
        "tool": ("tool", "工具"),
        "video": ("video", "视频"),
    }
)
LINKS = _frozen(
    {
        "ok": ("link works", "链接有效"),
        "unknown": ("link not checked yet", "链接尚未检查"),
        "unreachable": ("did not answer lately", "最近无法访问"),
        "dead": ("link is dead", "链接已失效"),
    }
)
REASONS = _frozen(
    {
        "wrong": ("It is wrong", "内容有误"),
        "off_topic": ("It answers something else", "答非所问"),
        "incomplete": ("Something is missing", "不够完整"),
        "outdated": ("It is out of date", "已经过时"),
        "hard_to_read": ("It is hard to follow", "不好理解"),
    }
)


GROUPS: Mapping[str, Mapping[str, Pair]] = MappingProxyType(
    {
        "verdict": VERDICTS,
        "stage": STAGES,
        "state": STATES,
        "form": FORMS,
        "backend": BACKENDS,
        "level": LEVELS,
        "language": LANGUAGES,
        "kind": READINGS,
        "link": LINKS,
        "reason": REASONS,
    }
)


@dataclass(frozen=True, slots=True)
class Voice:
    """One language's sentences: `voice("ask.refused")`, and `voice.word("verdict", "race")` for the shared words."""

    lang: Lang
    sentences: Mapping[str, str]

    def __call__(self, name: str, /, **fields: object) -> str:
        return self.sentences[name].format(**fields) if fields else self.sentences[name]

    def word(self, group: str, name: object) -> str:
        return said(GROUPS[group], str(name), self.lang)

    @property
    def html_lang(self) -> str:
        return "zh-Hans" if self.lang == "zh" else "en"


@dataclass(frozen=True, slots=True)
class Voices:
    en: Voice
    zh: Voice

    def __getitem__(self, lang: str) -> Voice:
        return self.zh if lang == "zh" else self.en


def sentences(file: Path) -> dict[str, str]:
    """Of one language, by their dotted names."""
    return dict(_flat(tomllib.loads(file.read_text(encoding="utf-8"))))


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def said(words: Mapping[str, Pair], name: str, lang: str) -> str:
    """The word for a name in a language; a name from outside these lists stands for itself."""
    en, zh = words.get(name, (name, name))
    return zh if lang == "zh" else en
