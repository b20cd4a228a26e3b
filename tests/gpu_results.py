"""Whether the recorded GPU results still speak of this code: they carry a hash of what they were measured with."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RECORDED = ROOT / "bench" / "results" / "gpu-judge.json"
MEASURED = ("worker", "content/problems")


def fingerprint(root: Path = ROOT) -> str:
    """Digest every file of worker/ and content/problems/, by name and content, but for texts: they run nowhere."""
    digest = hashlib.sha256()
    for folder in MEASURED:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and path.suffix != ".md" and "__pycache__" not in path.parts:
                digest.update(f"{path.relative_to(root)}\0{path.stat().st_size}\0".encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()


def stale(root: Path = ROOT, recorded: Path = RECORDED) -> str | None:
    """One line when the GPU results are missing or of other code; None when they are fresh."""
    if not recorded.is_file():
        return "no GPU results are recorded; `make gpu` on a machine with a card records them"
    results = json.loads(recorded.read_text(encoding="utf-8"))
    if results["fingerprint"] == fingerprint(root):
        return None
    return (
        f"the GPU results of {results['date']} ({results['card']['name']}) are of an older worker/ or "
        "content/problems/; `make gpu` on a machine with a card records new ones"
    )
