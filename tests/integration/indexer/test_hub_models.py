"""Models by their name on a hub, out of the store that the hub's client keeps, as on a machine without a network."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from tests.models import REVISION, put_on_hub, write_cross_encoder, write_encoder

NAME, CROSS_NAME = "warpmate/tiny", "warpmate/tiny-cross"
TEXTS = ["what is a warp", "shared memory", "a bank conflict is a conflict"]


def offline(home: Path, *programs: str) -> list[str]:
    """What each program prints last, or the one line of its error: all run in one process, which imports torch once.

    In a process of its own: the client reads its environment when it is imported.
    """
    environment = {**os.environ, "HF_HOME": str(home), "HF_HUB_OFFLINE": "1"}
    command = [sys.executable, "-c", EACH_IN_TURN, *programs]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment, check=False)
    assert ran.returncode == 0, ran.stderr[-2000:]
    said: list[str] = json.loads(ran.stdout.splitlines()[-1])
    return said


EACH_IN_TURN = """
import contextlib, io, json, sys, traceback
said = []
for program in sys.argv[1:]:
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            exec(program, {})
        said.append(printed.getvalue().splitlines()[-1])
    except Exception as error:
        said.append("".join(traceback.format_exception_only(error)).strip())
print(json.dumps(said))
"""


def mean_of_tokens(model: Path, texts: list[str]) -> np.ndarray:
    """Unit vectors out of the bare BERT, one text at a time."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    tokenizer, bert = AutoTokenizer.from_pretrained(model), AutoModel.from_pretrained(model)
    with torch.no_grad():
        rows = [bert(**tokenizer(text, return_tensors="pt")).last_hidden_state[0].mean(0).numpy() for text in texts]
    return np.stack([row / np.linalg.norm(row) for row in rows])


OPEN_READER = "from knowledge.search.reranker import CrossEncoderReranker; CrossEncoderReranker({!r})"
OPEN_EMBEDDER = (
    "from pathlib import Path; from knowledge.library.embed import open_embedder;"
    "open_embedder({!r}, cache=Path('nowhere'))"
)


def test_models_are_opened_by_their_names_on_the_hub(tmp_path: Path) -> None:
    model = write_encoder(tmp_path)
    wanted = mean_of_tokens(model, TEXTS)
    put_on_hub(model, tmp_path / "home", NAME)
    put_on_hub(write_cross_encoder(tmp_path / "cross"), tmp_path / "home", CROSS_NAME)
    embed = (
        "import json; from pathlib import Path; from knowledge.library.embed import open_embedder;"
        f"embedder = open_embedder({NAME!r}, cache=Path({str(tmp_path)!r}));"
        "spec = embedder.spec; print(json.dumps([spec.model, spec.backend, spec.revision, spec.dimension,"
        f" embedder.passages({TEXTS!r}).tolist(), embedder.count_tokens({TEXTS!r})]))"
    )
    rank = (
        "from knowledge.search.reranker import CrossEncoderReranker;"
        f"print(len(CrossEncoderReranker({CROSS_NAME!r}).scores('what is a warp', {TEXTS!r})))"
    )
    embedded, ranked = offline(tmp_path / "home", embed, rank)
    name, backend, revision, dimension, vectors, counted = json.loads(embedded)
    assert (name, backend, revision, dimension) == (NAME, "torch", REVISION, wanted.shape[1])
    assert np.allclose(vectors, wanted, atol=1e-5)
    assert counted == [len(text.split()) for text in TEXTS]
    assert ranked == "3"


def test_a_name_that_the_hub_does_not_give_is_told_in_one_line(tmp_path: Path) -> None:
    said = offline(tmp_path, OPEN_READER.format(NAME), OPEN_EMBEDDER.format(NAME))
    for line, variable in zip(said, ("CROSS_ENCODER", "EMBEDDING_MODEL"), strict=True):
        assert line.startswith(
            f"knowledge.errors.SetupError: WARPMATE_{variable}={NAME}: the model cannot be opened ("
        )
        assert "\n" not in line
