"""Turn a sentence copied from a page into the place that a label stores: path, offsets, hash, never the text.

python tests/eval/label.py MIRROR PATH "the sentence as it stands in the file"
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path


def place(mirror: Path, path: str, sentence: str) -> dict[str, str | int]:
    """The only occurrence of `sentence` in the page, as offsets into its decoded text."""
    page = (mirror / path).read_bytes().decode()
    found = page.count(sentence)
    if found != 1:
        raise SystemExit(f"{path} holds this text {found} times; copy a longer or exacter piece")
    start = page.index(sentence)
    return {
        "path": path,
        "start": start,
        "end": start + len(sentence),
        "sha256": hashlib.sha256(sentence.encode()).hexdigest(),
    }


if __name__ == "__main__":
    if len(sys.argv) != 4:
        raise SystemExit(__doc__)
    print(json.dumps(place(Path(sys.argv[1]), sys.argv[2], sys.argv[3])))
