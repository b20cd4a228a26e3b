"""bubblewrap's command line, as data."""

from __future__ import annotations

from pathlib import Path

from worker.sandbox import MIB, Policy
from worker.sandbox.bubblewrap import wrap


def test_every_namespace_is_new_and_the_root_read_only(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    policy = Policy(readable=(tmp_path, tmp_path / "inner", tmp_path / "absent"), tmp_bytes=MIB)
    line = wrap(["/bin/true"], policy)
    assert {"--unshare-all", "--die-with-parent", "--new-session", "--clearenv"} <= set(line)
    assert line.count("--ro-bind") == 1
    assert line[line.index("--ro-bind") + 1 :][:2] == [str(tmp_path)] * 2
    assert line[line.index("--size") + 1] == str(MIB)
    assert line[line.index("--remount-ro") + 1] == "/"
    assert line[-2:] == ["--", "/bin/true"]
    assert "--proc" not in line
    assert "--bind" not in line
