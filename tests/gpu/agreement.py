"""Runs every kernel of tests/kernels on a CUDA card and in the emulator, and compares what they leave behind.

    python tests/gpu/agreement.py --out agreement.json            compile, emulate, run, compare
    python tests/gpu/agreement.py --prepare agreement.npz         compile and emulate where there is no card
    python tests/gpu/agreement.py --prepared agreement.npz --out agreement.json

Each kernel runs twice: compiled as the emulator sees it (debug), and optimised. A kernel that breaks its context
costs the process that ran it and nothing else. Beside the JSON stands a table by instruction (agreement.md).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.kernels.bounds import allowed  # noqa: E402 - found only with the path above
from tests.kernels.corpus import DTYPES, KernelCase, load_all  # noqa: E402 - found only with the path above

BUILDS = ("debug", "optimised")
HANGS = ("infinite-loop", "divergent-barrier", "missing-lane")
"""Findings of kernels that might never end on a card."""

WORKER_SECONDS = 25
LANES = 4
"""Processes that share the card: a broken context costs a second, and there are some forty."""

ARCHITECTURE = "sm_90"


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare the emulator with a CUDA card.")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--prepare", type=Path, metavar="NPZ")
    parser.add_argument("--prepared", type=Path, metavar="NPZ")
    parser.add_argument("--only", default="", help="kernels whose name holds this text")
    parser.add_argument("--worker", nargs="*", help=argparse.SUPPRESS)
    options = parser.parse_args()
    cases = {case.name: case for case in load_all() if options.only in case.name}
    if options.worker is not None:
        return worker([cases[name] for name in options.worker], options.prepared)
    if options.prepare:
        prepare(list(cases.values()), options.prepare)
        return 0
    if not Path("/dev/nvidiactl").exists():
        print("no card on this machine; --prepare makes ready what a machine with one compares", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        prepared = options.prepared or Path(folder) / "prepared.npz"
        if not options.prepared:
            prepare(list(cases.values()), prepared)
        report = compare_all(cases, prepared)
    write(report, options.out or Path("agreement.json"))
    return 0 if report["compared"] and not report["disagreeing"] else 1


# Without a card: compile and emulate.


def prepare(cases: list[KernelCase], target: Path) -> None:
    """Cubins of both builds and the emulator's outputs, in one file."""
    arrays: dict[str, Any] = {}
    with ProcessPoolExecutor(max(1, min(12, (os.cpu_count() or 2) // 2))) as pool:
        for found in pool.map(prepare_one, cases, chunksize=4):
            arrays |= found
    with target.open("wb") as out:
        np.savez_compressed(out, **arrays)


def prepare_one(case: KernelCase) -> dict[str, Any]:
    """The entries of one kernel: `name|facts`, `name|output|buffer`, `name|cubin|build`."""
    from tests.kernels.emulated import CompileError, compile_source, nvrtc_options, request_of, to_ptx
    from worker.emulator.run import emulate

    arrays: dict[str, Any] = {}
    facts: dict[str, Any] = {"ending": "not compiled", "reason": "", "findings": [], "opcodes": []}
    try:
        ptx = to_ptx(case.source)
        emulation = emulate(request_of(case, ptx))
        facts = {
            "ending": emulation.ending, "reason": str(emulation.reason or ""), "opcodes": opcodes_of(ptx),
            "findings": [[item.id, item.line] for item in emulation.observations],
        }  # fmt: skip
        for name, output in emulation.outputs.items():
            arrays[f"{case.name}|output|{name}"] = output.array
        debug = nvrtc_options(ARCHITECTURE)
        optimised = tuple(option for option in debug if option != "--device-debug")
        for build, flags in zip(BUILDS, (debug, optimised), strict=True):
            cubin = compile_source(case.source, flags, to_cubin=True)
            arrays[f"{case.name}|cubin|{build}"] = np.frombuffer(cubin, np.uint8)
    except CompileError as wrong:
        facts = facts | {"ending": "not compiled", "reason": str(wrong)[:400]}
    arrays[f"{case.name}|facts"] = np.frombuffer(json.dumps(facts).encode(), np.uint8)
    return arrays


def opcodes_of(ptx: str) -> list[str]:
    """Every instruction that the kernel may reach."""
    from worker.emulator.options import SOURCE_NAME
    from worker.emulator.parse.module import parse

    module = parse(ptx, SOURCE_NAME)
    return sorted({item.name for function in module.functions if function for item in function.instructions})


# With a card: one process for many kernels, until one of them breaks its context.


def compare_all(cases: dict[str, KernelCase], prepared: Path) -> dict[str, Any]:
    """The report; kernels that were not prepared are left out of it."""
    with np.load(prepared) as arrays:
        cases = {name: case for name, case in cases.items() if f"{name}|facts" in arrays}
        facts = {name: json.loads(arrays[f"{name}|facts"].tobytes()) for name in cases}
    runnable = [
        name
        for name in cases
        if facts[name]["ending"] != "not compiled" and not _might_hang(facts[name], cases[name])
    ]
    started = time.monotonic()
    with ThreadPoolExecutor(LANES) as lanes:
        found = list(lanes.map(lambda lane: _run_lane(lane, prepared), (runnable[at::LANES] for at in range(LANES))))
    results = {name: line for lane in found for name, line in lane.items()}
    cards = {line.pop("card") for line in results.values() if "card" in line}
    return _report(cases, facts, results, ", ".join(sorted(cards)) or "unknown", time.monotonic() - started)


def _run_lane(names: list[str], prepared: Path) -> dict[str, Any]:
    """One process after another, each until it breaks its context."""
    results: dict[str, Any] = {}
    while waiting := [name for name in names if name not in results]:
        lines, complaint = _ask_worker(waiting, prepared)
        results |= {line["name"]: line for line in lines}
        if not lines:  # the process died before it said anything about the first one
            results[waiting[0]] = {"name": waiting[0], "status": f"the process died: {complaint}", "builds": {}}
    return results


def _might_hang(facts: dict[str, Any], case: KernelCase) -> bool:
    found = {case.expect, *(name for name, _ in facts["findings"])}
    return bool(found & set(HANGS)) or facts["ending"] == "timeout"


def _ask_worker(names: list[str], prepared: Path) -> tuple[list[dict[str, Any]], str]:
    """What a process said about the kernels that it got to, and its last words."""
    command = [sys.executable, __file__, "--prepared", str(prepared), "--worker", *names]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=WORKER_SECONDS, check=False)
        output, complaint = done.stdout, done.stderr[-300:]
    except subprocess.TimeoutExpired as late:
        complaint = "it did not end in time"
        output = (late.stdout or b"").decode() if isinstance(late.stdout, bytes) else (late.stdout or "")
    lines = [line for line in output.splitlines() if line.startswith('{"name"')]
    return [json.loads(line) for line in lines], complaint


def worker(cases: list[KernelCase], prepared: Path) -> int:
    """Prints one line of JSON for each kernel; ends when the context is lost."""
    from cuda.bindings import driver

    driver.cuInit(0)
    _, device = driver.cuDeviceGet(0)
    _, context = driver.cuDevicePrimaryCtxRetain(device)
    driver.cuCtxSetCurrent(context)
    _, raw = driver.cuDeviceGetName(100, device)
    card = raw.split(b"\0")[0].decode()
    with np.load(prepared) as arrays:
        for case in cases:
            line: dict[str, Any] = {"name": case.name, "card": card, "status": "ran", "builds": {}}
            for build in BUILDS:
                outcome = _run_on_card(driver, case, arrays[f"{case.name}|cubin|{build}"].tobytes())
                if isinstance(outcome, str):
                    line["status"] = outcome
                    break
                line["builds"][build] = {
                    name: _difference(case, name, arrays[f"{case.name}|output|{name}"], found)
                    for name, found in outcome.items()
                    if f"{case.name}|output|{name}" in arrays
                }
            print(json.dumps(line), flush=True)
            if line["status"] != "ran":
                return 3  # an error stays with the context: the next process takes the rest
    return 0


def _run_on_card(driver: Any, case: KernelCase, cubin: bytes) -> dict[str, Any] | str:
    """What the buffers hold afterwards, or the name of the driver's error."""

    def check(result: tuple[Any, ...]) -> Any:
        if int(result[0]) != 0:
            raise _DriverError(str(result[0]).rsplit(".", 1)[-1])
        return result[1] if len(result) > 1 else None

    pointers: dict[str, Any] = {}
    module = None
    try:
        module = check(driver.cuModuleLoadData(cubin))
        for item in case.buffers:
            content = item.bytes_on_card
            pointers[item.name] = check(driver.cuMemAlloc(max(1, len(content))))
            check(driver.cuMemcpyHtoD(pointers[item.name], content, len(content)))
        for start in case.launches:
            _launch(driver, check, module, start, pointers)
        check(driver.cuCtxSynchronize())
        outputs = {}
        for item in case.buffers:
            array = np.zeros(item.elements, DTYPES[item.ctype])
            check(driver.cuMemcpyDtoH(array.ctypes.data, pointers[item.name], array.nbytes))
            outputs[item.name] = array
        for pointer in pointers.values():
            check(driver.cuMemFree(pointer))
        check(driver.cuModuleUnload(module))
    except _DriverError as wrong:
        return str(wrong)
    return outputs


class _DriverError(Exception):
    """Its text is the name of a CUresult."""


def _launch(driver: Any, check: Any, module: Any, start: Any, pointers: dict[str, Any]) -> None:
    import ctypes

    function = check(driver.cuModuleGetFunction(module, start.kernel.encode()))
    if start.shared_bytes > 48 << 10:
        which = driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
        check(driver.cuFuncSetAttribute(function, which, start.shared_bytes))
    values: list[Any] = []
    kinds: list[Any] = []
    for number, argument in enumerate(start.arguments):
        _, _, size = (*driver.cuFuncGetParamInfo(function, number), 0, 0)[:3]
        if isinstance(argument, str):
            values.append(int(pointers[argument]))
            kinds.append(ctypes.c_void_p)
        elif isinstance(argument, float):
            values.append(argument)
            kinds.append(ctypes.c_double if size == 8 else ctypes.c_float)
        else:
            values.append(argument)
            kinds.append(ctypes.c_longlong if size == 8 else ctypes.c_int)
    check(
        driver.cuLaunchKernel(
            function, *start.grid, *start.block, start.shared_bytes, 0, (tuple(values), tuple(kinds)), 0
        )
    )


def _difference(case: KernelCase, name: str, emulated: Any, found: Any) -> dict[str, Any]:
    """How far the card's result is from the emulator's, by the kernel's own measure."""
    ctype = next(item.ctype for item in case.buffers if item.name == name)
    kind, *bound = case.compare.split()
    emulated, found = emulated.view(DTYPES[ctype]), found.view(DTYPES[ctype])
    differing = emulated.view(f"u{emulated.itemsize}") != found.view(f"u{found.itemsize}")
    a, b = _as_numbers(emulated, ctype), _as_numbers(found, ctype)
    differing &= ~(np.isnan(a) & np.isnan(b))
    limit = float(bound[0]) if bound else 0.0
    if kind == "exact" or ctype[0] in "iu":
        bad = differing
    elif kind == "documented":
        bad = differing & ~(np.abs(a - b) <= allowed(case.segments, a))
    elif kind == "ulp":
        bad = differing & ~(np.abs(a - b) <= limit * np.spacing(np.abs(b).astype(DTYPES[ctype])).astype(np.float64))
    elif kind == "ulp16":
        bad = differing & ~(np.abs(a - b) <= limit * np.spacing(np.abs(b).astype(np.float16)).astype(np.float64))
    else:
        bad = differing & ~(np.abs(a - b) <= limit * (np.abs(b) if kind == "relative" else 1.0))
    places = np.flatnonzero(bad)
    return {
        "elements": len(a), "differing_bits": int(differing.sum()), "bad": len(places),
        "bad_at": places[:4].tolist(),
        "emulator": [repr(a[i]) for i in places[:4]], "card": [repr(b[i]) for i in places[:4]],
        "segments": sorted({_segment(case, int(place)) for place in places}) if name == "o" else [],
    }  # fmt: skip


def _as_numbers(array: Any, ctype: str) -> Any:
    if ctype == "f16":
        return array.view(np.float16).astype(np.float64)
    if ctype == "bf16":
        return (array.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return array.astype(np.float64)


def _segment(case: KernelCase, place: int) -> str:
    return next((what for start, what in reversed(case.segments) if place >= start), "")


# The report.


def _report(cases: dict[str, KernelCase], facts: Any, results: Any, card: str, seconds: float) -> dict[str, Any]:
    kernels = {}
    for name, case in cases.items():
        result = results.get(name, {"status": "not run on a card: it might not end", "builds": {}})
        if facts[name]["ending"] == "not compiled":
            result = {"status": f"not compiled: {facts[name]['reason']}", "builds": {}}
        comparable = case.compare != "none" and result["status"] == "ran" and facts[name]["ending"] == "ran"
        bad = {build: sum(item["bad"] for item in outputs.values()) for build, outputs in result["builds"].items()}
        kernels[name] = {
            "expect": case.expect, "compare": case.compare,
            "card": result["status"], "emulator": facts[name]["ending"],
            "reason": facts[name]["reason"], "findings": facts[name]["findings"], "comparable": comparable,
            "agrees": comparable and sum(bad.values()) == 0, "bad": bad, "builds": result["builds"],
        }  # fmt: skip
    return {
        "card": card, "date": time.strftime("%Y-%m-%d"), "seconds": round(seconds, 1), "kernels": kernels,
        "compared": sum(item["comparable"] for item in kernels.values()),
        "agreeing": sum(item["agrees"] for item in kernels.values()),
        "disagreeing": sorted(name for name, item in kernels.items() if item["comparable"] and not item["agrees"]),
        "opcodes": _by_opcode(cases, kernels, facts),
    }  # fmt: skip


def _by_opcode(cases: dict[str, KernelCase], kernels: dict[str, Any], facts: Any) -> dict[str, dict[str, int]]:
    """For each instruction: in how many compared kernels it occurs, and in how many of those it went wrong."""
    table: dict[str, dict[str, int]] = {}
    for name, kernel in kernels.items():
        if not kernel["comparable"]:
            continue
        guilty = {
            item for outputs in kernel["builds"].values() for found in outputs.values() for item in found["segments"]
        }
        blamed = guilty if cases[name].segments else (set() if kernel["agrees"] else {"any"})
        for opcode in facts[name]["opcodes"]:
            row = table.setdefault(opcode, {"kernels": 0, "disagreeing": 0})
            row["kernels"] += 1
            row["disagreeing"] += int(
                "any" in blamed or any(opcode.startswith(item.split()[0]) for item in blamed if item)
            )
    return dict(sorted(table.items()))


def write(report: dict[str, Any], target: Path) -> None:
    target.write_text(json.dumps(report, indent=1))
    rows = [f"| `{name}` | {row['kernels']} | {row['disagreeing']} |" for name, row in report["opcodes"].items()]
    head = (
        f"# Agreement of the emulator with a card\n\n{report['card']}, {report['date']}: {report['agreeing']} of "
        f"{report['compared']} kernels agree.\n\n| instruction | kernels | disagreeing |\n| --- | ---: | ---: |\n"
    )
    target.with_suffix(".md").write_text(head + "\n".join(rows) + "\n")
    print(
        f"{report['card']}: {report['agreeing']} of {report['compared']} agree; disagreeing: {report['disagreeing']}"
    )


if __name__ == "__main__":
    sys.exit(main())
