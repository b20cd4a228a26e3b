"""Why something could not be checked here, in Chinese; a test holds every refusal of the emulator against it."""

from __future__ import annotations

from worker.diagnosis.phrases import translated

ACCESS = {"read": "读", "write": "写", "atomic": "原子操作", "copy": "拷贝"}
"""What a thread did to memory."""

_REASONS: tuple[tuple[str, str], ...] = (
    (r"this worker has none", "这个评测节点没有显卡"),
    (r"this worker does not know the problem (.*)", r"这个评测节点没有题目 \1"),
    (r"thread block clusters need a GPU", "线程块集群只能在显卡上运行"),
    (r"registers of (\d+) bits need a GPU", r"\1 位寄存器只能在显卡上使用"),
    (r"the register (.+) needs a GPU", r"寄存器 \1 只能在显卡上读取"),
    (r"(.+) needs a GPU", r"\1 只能在显卡上运行"),
    (r"(.+) is declared and not defined: .*", r"\1 只有声明，没有定义，在显卡上同样无法链接"),
    (r"a kernel of more than (\d+) instructions .*", r"核函数超过 \1 条指令，对模拟器来说太大"),
    (r"a function of more than (\d+) instructions .*", r"函数超过 \1 条指令，对模拟器来说太大"),
    (r"a function of more than (\d+) registers .*", r"函数使用的寄存器超过 \1 个，对模拟器来说太大"),
    (r"a grid of .+ is too large for the emulator", "网格的线程总数对模拟器来说太大"),
    (r"a call of (\S+), which is not in this file, .*", r"模拟器不支持调用 \1，它不在这个文件里"),
    (r"a call whose arguments .*", "模拟器不支持这种传参方式的函数调用"),
    (r"a function called (.+) is not supported by the emulator", r"模拟器不支持名为 \1 的函数"),
    (r"the extern array (.+) is not supported by the emulator", r"模拟器不支持外部数组 \1"),
    (r"an atomic on local memory .*", "模拟器不支持对局部内存做原子操作"),
    (r"function attributes .*", "模拟器不支持函数属性"),
    (r"a structure passed by value .*", "模拟器不支持以这种方式按值传递结构体"),
    (r".*\binitialiser\b.*", "模拟器不支持这种变量初始化方式"),
    (r"PTX nested too deeply", "编译结果嵌套过深"),
)

_OTHERWISE = "核函数用到了模拟器不支持的功能"


def in_chinese(reason: str) -> str:
    """One reason; a general one for what the table does not know, rather than English."""
    return translated(_REASONS, reason) or _OTHERWISE
