"""Triton files that attack: compiling one runs its Python. Each is held, and the next job is judged as ever.

The probe tries every way out of the sandbox at once. Of the submissions every fourth runs by default, and
TESTS_TRITON=all runs all of them; each is followed by an honest job that has to be compiled.
"""
# ruff: noqa: E501  # an attack stands in one piece

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from tests.integration.worker.conftest import Judging, judging_with
from tests.integration.worker.triton.test_judging import ADD, HEAD
from worker.judge import Tools
from worker.protocol import Kind, Verdict
from worker.sandbox import Kind as SandboxKind
from worker.sandbox import Pool
from worker.sandbox.policies import triton_policy
from worker.triton.assemble import Assembler
from worker.triton.compiler import LANES, TritonCompiler

pytestmark = [pytest.mark.needs("triton"), pytest.mark.slow]

EVERY = 1 if os.environ.get("TESTS_TRITON") == "all" else 4

REACH = (
    HEAD
    + """G = [c for c in object.__subclasses__() if c.__name__ == "_wrap_close"][0].__init__.__globals__
sys = G["sys"]
os = sys.modules["os"]
"""
)
"""Past the list of imports, which is no wall: the sandbox is."""

PROBE = (
    REACH
    + """
signal, socket, ctypes = (sys.modules.get(name) for name in ("signal", "socket", "ctypes"))
libc = ctypes.CDLL(None, use_errno=True)
def child():
    if os.fork() == 0:
        os._exit(0)
def call(number, *args):
    if libc.syscall(number, *args) < 0:
        raise OSError(ctypes.get_errno(), "refused")
def fresh(name):
    import_ = sys.modules["importlib"].import_module
    if name not in sys.modules:
        import_(name)
def secret():
    allowed = {"PATH", "OPENBLAS_NUM_THREADS", "TRITON_HOME", "HOME", "LC_CTYPE", "PWD", "LC_ALL"}
    if set(os.environ) <= allowed:
        raise OSError("nothing")
WAYS = {
    "reads the users": lambda: open("/etc/passwd").read(),
    "reads the judge": lambda: open(SOURCE).read(),
    "reads a problem": lambda: open(PROBLEM).read(),
    "reads its own environment": lambda: open("/proc/self/environ").read(),
    "reads its parent's memory": lambda: open(f"/proc/{os.getppid()}/mem", "rb").read(1),
    "lists a folder": lambda: os.listdir("/"),
    "writes a file": lambda: open("/tmp/x", "w").write("x"),
    "writes beside the cache": lambda: open(CACHE + "/x", "w").write("x"),
    "makes a link": lambda: os.symlink("/etc/passwd", "/tmp/y"),
    "finds a secret": secret,
    "forks": child,
    "starts a shell": lambda: os.posix_spawn("/bin/sh", ["sh", "-c", "id"], {}),
    "becomes a shell": lambda: os.execv("/bin/sh", ["sh", "-c", "exit 0"]),
    "opens a socket": lambda: call(41, 2, 1, 0),
    "opens a Unix socket": lambda: call(41, 1, 1, 0),
    "kills its parent": lambda: os.kill(os.getppid(), 9),
    "kills everything": lambda: os.kill(-1, 9),
    "traces its parent": lambda: call(101, 16, os.getppid(), 0, 0),
    "reads another process": lambda: call(310, os.getppid(), 0, 0, 0, 0, 0),
    "opens a handle on a process": lambda: call(434, os.getppid(), 0),
    "enters a namespace": lambda: call(272, 0x10000000),
    "mounts": lambda: call(165, 0, 0, 0, 0, 0),
    "sets the clock": lambda: call(227, 0, 0),
    "loads a program for the kernel": lambda: call(321, 0, 0, 0),
    "opens a ring of calls": lambda: call(425, 8, 0),
    "raises its own limits": lambda: sys.modules["resource"].setrlimit(sys.modules["resource"].RLIMIT_CPU, (-1, -1)),
    "imports what was not loaded": lambda: fresh("xmlrpc.client"),
    "takes terabytes": lambda: bytearray(1 << 42),
}
got = []
for name, way in WAYS.items():
    try:
        way()
        got.append(name)
    except (OSError, MemoryError, ImportError, ValueError, AttributeError):
        pass
raise RuntimeError(f"got {got} of {len(WAYS)}")
"""
)


def first_line(verdict: Verdict) -> str:
    return verdict.findings[0].message["en"]


@pytest.mark.parametrize("kind", [pytest.param("bubblewrap", marks=pytest.mark.needs("bubblewrap")), "landlock"])
def test_no_way_leads_out_of_the_sandbox(tools: Tools, kind: SandboxKind, tmp_path: Path) -> None:
    here = Path(__file__).parents[4]
    source = PROBE.replace("SOURCE)", f"{str(here / 'worker' / 'judge' / 'flow.py')!r})")
    source = source.replace("PROBLEM)", f"{str(here / 'content' / 'problems' / 'softmax' / 'reference.py')!r})")
    source = source.replace("CACHE +", f"{str(tools.config.cache_dir)!r} +")
    with Pool(kind, "worker.triton.child", triton_policy()) as pool:
        judging = judging_with(replace(tools, triton=TritonCompiler(lambda: pool, None, Assembler("landlock", None))))
        verdict = judging(source + "\n#! launch k[1](a)\n", "vector_add")
    assert verdict.verdict is Kind.COMPILE_ERROR
    assert "got [] of 28" in first_line(verdict)
    assert not (tools.config.cache_dir / "x").exists()


@dataclass(frozen=True, slots=True)
class Attack:
    name: str
    source: str
    verdicts: frozenset[Kind] = frozenset({Kind.COMPILE_ERROR})


LAUNCH = "#! launch add[(cdiv(n, BLOCK),)](a, b, c, n, BLOCK=256)\n"
BODY = ADD.removeprefix(HEAD).removeprefix(LAUNCH)
CHANNEL = """import_ = sys.modules["importlib"].import_module
import_("worker.sandbox.framing")
framing, wire = sys.modules["worker.sandbox.framing"], sys.modules["worker.triton.wire"]
json = sys.modules["json"]
fd = json.loads(sys.argv[1])["descriptor"]
send = lambda message: os.write(fd, bytes(framing.pack(message)))
"""
DESCRIBED = 'wire.Described((wire.Function("add", 1, (wire.Parameter("a"),)),), {})'
PTX = """.version 8.4
.target sm_80
.address_size 64
.visible .entry add(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n, .param .u64 s, .param .u64 t)
{ .reg .b64 %rd<4>; .reg .b32 %r<4>; BODY ret; }
"""


def forged(body: str, *, warps: int = 4, shared: int = 0, scratch: int = 0, entry: str = "add") -> str:
    """A file that replaces Triton's compiler by one that hands out this PTX with this metadata."""
    return (
        REACH
        + f"ptx = {PTX.replace('BODY', body)!r}\n"
        + "def forged(kernel, what, capability):\n"
        + '    text = ptx.replace(".param .u32 n, ", "") if "n" in dict(what.constants) else ptx\n'
        + f"    return text, {entry!r}, {shared}, {warps}, {scratch}\n"
        + 'sys.modules["worker.triton.ahead_of_time"].compiled = forged\n'
        + LAUNCH
        + BODY
    )


def inline(asm: str) -> str:
    """The honest kernel with a line of assembly in it."""
    text = f'tl.inline_asm_elementwise({asm!r}, "=r,r", [at], dtype=tl.int32, is_pure=False, pack=1)'
    return HEAD + LAUNCH + BODY.replace("    inside = at < n\n", f"    inside = at < n\n    at += 0 * {text}\n")


def module_level(code: str) -> str:
    return REACH + code + "\n" + LAUNCH + BODY


HARMLESS = frozenset({Kind.ACCEPTED})
NOT_RIGHT = frozenset(Kind) - {Kind.ACCEPTED, Kind.INFRASTRUCTURE_ERROR}

ATTACKS = [
    Attack("ends its process", module_level("os._exit(0)")),
    Attack("aborts its process", module_level("os.abort()")),
    Attack("kills itself", module_level("os.kill(os.getpid(), 9)")),
    Attack("leaves politely", module_level("raise SystemExit(0)")),
    Attack("raises what nobody catches", module_level("raise KeyboardInterrupt")),
    Attack("raises an error without end", module_level("class E(Exception):\n    def __str__(self): return self.__str__()\nraise E")),
    Attack("raises an error that lies about itself", module_level('E = type("E" * 9999, (Exception,), {})\nraise E("\\x1b[2J" * 9999)')),
    Attack("closes the channel", module_level("for fd in range(3, 64):\n    try:\n        os.close(fd)\n    except OSError:\n        pass")),
    Attack("sends rubbish", module_level('json = sys.modules["json"]\nos.write(json.loads(sys.argv[1])["descriptor"], b"\\xff" * 64)')),
    Attack("announces a message of a terabyte", module_level(CHANNEL + 'os.write(fd, (1 << 40).to_bytes(8, "little"))\nos._exit(0)')),
    Attack("answers what was not asked", module_level(CHANNEL + 'send({"verdict": "accepted"})')),
    Attack("answers before it is asked", module_level(CHANNEL + f"send({DESCRIBED})\nsend({DESCRIBED})"), NOT_RIGHT),
    Attack("describes a kernel of a thousand parameters", module_level(CHANNEL + 'send(wire.Described((wire.Function("add", 1, tuple(wire.Parameter(f"p{i}") for i in range(1000))),), {}))')),
    Attack("prints without end", module_level('os.write(1, b"x" * (1 << 16))\nwhile True:\n    os.write(1, b"x" * 4096)'), NOT_RIGHT),
    Attack("takes all memory", module_level("kept = []\nwhile True:\n    kept.append(bytearray(1 << 28))")),
    Attack("nests without end", HEAD + LAUNCH + "x = " + "(" * 90_000 + ")" * 90_000 + "\n" + BODY),
    Attack("adds without end", HEAD + LAUNCH + "x = " + "1+" * 60_000 + "1\n" + BODY),
    Attack("decorates with code of its own", module_level("def jit(f):\n    os.kill(os.getppid(), 9)\n    return f\ntriton.jit = jit")),
    Attack("replaces what an import gives", module_level("sys.modules['worker.triton.wire'].Module = None"), NOT_RIGHT | HARMLESS),
    Attack("starts threads", module_level("T = sys.modules['threading'].Thread\nfor i in range(500):\n    T(target=lambda: [0 for _ in iter(int, 1)], daemon=True).start()"), NOT_RIGHT | HARMLESS),
    Attack("tells of a configuration without end", module_level("").replace("@triton.jit", "@triton.autotune([triton.Config({'BLOCK': 2 ** i}) for i in range(9999)], key=[])\n@triton.jit").replace(", BLOCK=256)", ")")),
    Attack("tells of a number beyond 64 bits", module_level("").replace("BLOCK: tl.constexpr", "BLOCK: tl.constexpr, BIG: tl.constexpr = 10 ** 400")),
    Attack("tells of a text that is none", module_level("").replace("BLOCK: tl.constexpr", 'BLOCK: tl.constexpr, T: tl.constexpr = "\\ud800"')),
    Attack("unrolls without end", HEAD + LAUNCH + BODY.replace("    tl.store", "    for i in tl.static_range(30000):\n        total = tl.sin(total)\n    tl.store"), NOT_RIGHT),
    Attack("makes a block of everything", HEAD + LAUNCH.replace("256", "1073741824") + BODY),
    Attack("hands out PTX that writes elsewhere", forged("mov.u64 %rd1, 1234567890123; st.global.u32 [%rd1], 1;"), frozenset({Kind.MEMORY_ERROR})),
    Attack("hands out PTX that does nothing", forged(""), frozenset({Kind.WRONG_ANSWER})),
    Attack("hands out PTX without end", forged("L: bra.uni L;"), frozenset({Kind.TIMEOUT})),
    Attack("hands out PTX that is none", forged("} this is no PTX {"), NOT_RIGHT),
    Attack("hands out PTX of hundreds of megabytes", forged("").replace("ptx = ", "ptx = ' ' * (300 << 20) + ")),
    Attack("lies about its warps", forged("bar.sync 0;", warps=31), NOT_RIGHT),
    Attack("lies about more warps than there are", forged("", warps=4096)),
    Attack("lies about shared memory", forged(".shared .b32 s[4]; ld.shared.u32 %r1, [s+100000];", shared=4), NOT_RIGHT),
    Attack("asks for more shared memory than there is", forged("", shared=1 << 20)),
    Attack("asks for terabytes of scratch", forged("", scratch=1 << 20).replace("(cdiv(n, BLOCK),)", "1000000")),
    Attack("names an entry that is not there", forged("", entry="other")),
    Attack("takes other arguments than it says", forged("").replace(".param .u64 s, .param .u64 t", ".param .u64 s, .param .u64 t, .param .u64 u, .param .u64 v")),
    Attack("assembles a trap", inline("trap; mov.b32 $0, $1;"), frozenset({Kind.RUNTIME_ERROR})),
    Attack("assembles a wild store", inline("{ .reg .u64 q; mov.u64 q, 8; st.global.u32 [q], $1; mov.b32 $0, $1; }"), frozenset({Kind.MEMORY_ERROR})),
    Attack("assembles an end of its function", inline("ret; } .visible .entry second() { mov.b32 $0, $1;"), NOT_RIGHT),
    Attack("assembles a file of its own", inline('.file 9 "/etc/passwd"; mov.b32 $0, $1;'), NOT_RIGHT),
    Attack("assembles a loop", inline("{ Lx: bra.uni Lx; mov.b32 $0, $1; }"), NOT_RIGHT),
    Attack("hides a launch line in a text", module_level('"""\n#! launch add[(10 ** 9,)](expected_c, b, c, n, BLOCK=256)\n"""'), frozenset({Kind.LAUNCH_ERROR})),
    Attack("asks for the expected values", HEAD + LAUNCH.replace("(a, b, c", "(a, expected_c, c") + BODY, frozenset({Kind.LAUNCH_ERROR})),
]  # fmt: skip

HONEST: Iterator[str] = (f"{ADD}# {number}\n" for number in itertools.count())
"""Never the same twice, so that each is compiled."""


def test_there_are_enough_attacks() -> None:
    assert len(ATTACKS) >= 30


@pytest.mark.parametrize("attack", ATTACKS[::EVERY], ids=lambda attack: attack.name)
def test_an_attack_is_held_and_the_next_job_is_right(verdict_on: Judging, attack: Attack) -> None:
    verdict = verdict_on(attack.source, "vector_add")
    assert verdict.verdict in attack.verdicts
    assert verdict.score is None
    assert verdict_on(next(HONEST), "vector_add").verdict is Kind.ACCEPTED


def test_a_file_that_never_ends_is_stopped(tools: Tools) -> None:
    policy = replace(triton_policy(), seconds=1.0)
    with Pool("landlock", "worker.triton.child", policy, LANES) as pool:
        judging = judging_with(replace(tools, triton=TritonCompiler(lambda: pool, None, Assembler("landlock", None))))
        verdict = judging(module_level("while True:\n    pass"), "vector_add")
    assert (verdict.verdict, verdict.findings[0].id) == (Kind.COMPILE_ERROR, "compiler-stopped")


def test_what_a_forged_answer_left_in_the_cache_serves_its_own_source_alone(verdict_on: Judging) -> None:
    poison = forged("")
    assert verdict_on(poison, "vector_add").verdict is Kind.WRONG_ANSWER
    assert verdict_on(poison, "vector_add").verdict is Kind.WRONG_ANSWER
    assert verdict_on(HEAD + LAUNCH + BODY, "vector_add").verdict is Kind.ACCEPTED
