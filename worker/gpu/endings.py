"""What a CUDA error on the way through a member's launches says of the submission."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from worker.protocol import Kind


@dataclass(frozen=True, slots=True)
class Ending:
    kind: Kind
    what: str
    what_zh: str

    @property
    def remark(self) -> tuple[str, Mapping[str, str]]:
        """As a finding: what the card itself saw."""
        return "failed-on-card", {"what": self.what, "what_zh": self.what_zh}


_ENDINGS: Mapping[int, Ending] = MappingProxyType(
    {
        1: Ending(
            Kind.LAUNCH_ERROR,
            "the launch was refused: grid, block or shared memory are more than this card takes",
            "启动被拒绝：网格、线程块或共享内存超出了这张卡的限制",
        ),
        2: Ending(
            Kind.OUT_OF_MEMORY, "the kernel needs more memory than the card has", "核函数需要的显存超过了这张卡的容量"
        ),
        700: Ending(Kind.MEMORY_ERROR, "a thread went to an address that is nobody's", "有线程访问了不存在的地址"),
        701: Ending(
            Kind.LAUNCH_ERROR,
            "a block needs more registers or shared memory than a multiprocessor has",
            "一个线程块需要的寄存器或共享内存超过了一个流多处理器所拥有的",
        ),
        702: Ending(Kind.TIMEOUT, "the kernel ran too long", "核函数运行时间过长"),
        710: Ending(Kind.RUNTIME_ERROR, "an assertion of the kernel failed", "核函数中的断言失败"),
        714: Ending(Kind.MEMORY_ERROR, "a thread's stack overflowed or was corrupted", "线程的栈溢出或被破坏"),
        715: Ending(Kind.RUNTIME_ERROR, "the kernel came to an illegal instruction", "核函数执行了非法指令"),
        716: Ending(Kind.MEMORY_ERROR, "an access was not aligned to its size", "有一次访问没有按其大小对齐"),
        717: Ending(Kind.MEMORY_ERROR, "an instruction went to the wrong kind of memory", "指令访问了错误类型的内存"),
        718: Ending(Kind.MEMORY_ERROR, "the program counter left the kernel", "程序计数器跑出了核函数"),
        719: Ending(Kind.RUNTIME_ERROR, "the kernel stopped itself or broke down", "核函数主动中止或崩溃"),
    }
)
"""By CUresult."""


def ending_of(code: int) -> Ending | None:
    """None for an error that no kernel causes: it is ours."""
    return _ENDINGS.get(code)
