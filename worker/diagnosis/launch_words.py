"""What is wrong with a launch line, in Chinese.

Every DirectiveError reads "expected WHAT, found WHAT ELSE; did you mean THIS?". The sentence is taken apart and each
part has its Chinese; a test holds every message of the parser against it.
"""

from __future__ import annotations

import re

from worker.diagnosis.phrases import translated

_SENTENCE = re.compile(
    r"expected (?P<wanted>.+?)(?:(?:, found|, but) (?P<found>.+?)(?: for (?P<sizes>\w+ = -?\d+.*?))?)?"
    r"(?:; did you mean (?P<near>'[^']*')\?)?(?:; write (?P<write>'.'))?"
)

_WANTED: tuple[tuple[str, str], ...] = (
    (r"at most (\d+) characters in a directive", r"一行指令最多 \1 个字符"),
    (r"at most (\d+) characters", r"表达式最多 \1 个字符"),
    (r"at most (\d+) nested parentheses or signs", r"括号或正负号最多嵌套 \1 层"),
    (r"at most (\d+) scratch buffers", r"临时缓冲区最多 \1 个"),
    (r"at most (\d+) launches", r"启动语句最多 \1 条"),
    (r"at most (\d+) threads in a block", r"每个线程块最多 \1 个线程"),
    (r"at most (\d+) bytes of scratch memory", r"临时内存最多 \1 字节"),
    (r"a kernel name of at most (\d+) characters", r"核函数名最多 \1 个字符"),
    (r"(\d+) to (\d+) threads along (.)", r"线程块的 \3 维应为 \1 到 \2 个线程"),
    (r"(\d+) to (\d+) blocks along (.)", r"网格的 \3 维应为 \1 到 \2 个线程块"),
    (r"(\d+) to (\d+) bytes of shared memory", r"共享内存应为 \1 到 \2 字节"),
    (r"elements from 0", "元素个数不能为负"),
    (r"a number, a size name or an operator", "此处应为数字、尺寸名或运算符"),
    (r"a number, a size name or '\('", "此处应为数字、尺寸名或 '('"),
    (r"an operator or the end", "此处应为运算符或表达式结尾"),
    (r"min, max or ceil_div before '\('", "'(' 前面应为 min、max 或 ceil_div"),
    (r"two arguments in (.+)", r"\1 应有两个参数"),
    (r"a whole number", "此处应为整数"),
    (r"a number that fits 64 bits", "数字超出了 64 位整数的范围"),
    (r"a result that fits 64 bits, (.+) makes (.+)", r"结果超出了 64 位整数的范围：\1 得到 \2"),
    (r"a divisor other than zero in (.+)", r"\1 的除数不能为零"),
    (r"one to three numbers in dim3\(\.\.\.\)", "dim3(...) 里应有一到三个数"),
    (r"one of the sizes (.+)", r"此处应为尺寸名 \1 之一"),
    (r"one of (.+)", r"此处应为 \1 之一"),
    (r"'launch' or 'scratch' after //!", "//! 后面应为 launch 或 scratch"),
    (r"plain ASCII", "指令里只能用 ASCII 字符"),
    (r"a `//! launch` line that uses the scratch buffer", "还需要一行使用该临时缓冲区的 //! launch"),
    (r"a name for the scratch buffer", "此处应为临时缓冲区的名字"),
    (r"a new name", "此处需要一个新名字"),
    (r"an element type such as float, int or half", "此处应为元素类型，例如 float、int 或 half"),
    (r"the name of a kernel", "此处应为核函数名"),
    (r"'>>>' behind the launch configuration", "启动配置后面缺少 '>>>'"),
    (r"'\)' behind the arguments", "参数后面缺少 ')'"),
    (
        r"grid, block and at most the shared memory between <<< and >>>",
        "<<< 与 >>> 之间应为网格、线程块，以及可选的共享内存大小",
    ),
    (r"the end of the line", "此处应为行尾"),
    (r"('.+')", r"此处应为 \1"),
)

_FOUND: tuple[tuple[str, str], ...] = (
    (r"the end of the line", "行尾"),
    (r"the end", "表达式结尾"),
    (r"a buffer, not a number", "数组，而不是数"),
    (r"(.+) is already a parameter or a scratch buffer", r"\1，它已经是参数或临时缓冲区"),
)


def in_chinese(what: str) -> str:
    """The sentence; as it is, should it be of another form."""
    match = _SENTENCE.fullmatch(what)
    if match is None:
        return what
    text = _put(_WANTED, match["wanted"])
    if match["found"]:
        text += f"，实际是 {_put(_FOUND, match['found'])}"
    if match["sizes"]:
        text += f"（{match['sizes']} 时）"
    if match["near"]:
        text += f"；是不是想写 {match['near']}"
    return text + (f"；请改成 {match['write']}" if match["write"] else "")


def _put(table: tuple[tuple[str, str], ...], text: str) -> str:
    return translated(table, text) or text
