"""Which embedding model is opened, and what is said where there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from knowledge.errors import SetupError
from knowledge.library.embed import open_embedder


@pytest.mark.parametrize("model", ["/nope", "./nope", "~/nope-at-all"])
def test_a_path_without_a_folder_is_told_so(model: str, tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=r"no such folder: .*nope"):
        open_embedder(model, cache=tmp_path)
