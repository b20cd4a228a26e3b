"""Where content/ lies: beside the packages in a checkout, or where the operator says."""

from __future__ import annotations

import os
from pathlib import Path

from knowledge.errors import SetupError


def content_folder() -> Path:
    """WARPMATE_CONTENT_DIR where it is set, else content/ beside the packages."""
    named = os.environ.get("WARPMATE_CONTENT_DIR")
    return usable(Path(named) if named else Path(__file__).resolve().parents[2] / "content")


def usable(folder: Path) -> Path:
    """The folder, if it is a content folder at all."""
    if not (folder / "topics.yaml").is_file():
        raise SetupError(
            f"{folder} holds no topics.yaml; set WARPMATE_CONTENT_DIR to the content folder of a checkout"
        )
    return folder
