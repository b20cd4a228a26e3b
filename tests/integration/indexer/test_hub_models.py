"""Models by their name on a hub, out of the store that the hub's client keeps, as on a machine without a network."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.models import REVISION, put_on_hub, write_cross_encoder, write_encoder

NAME = "warpmate/tiny"
TEXTS = ["what is a warp", "shared memory", "a bank conflict is a conflict"]


def offline(home: Path, program: str) -> subprocess.CompletedProcess[str]:
    """In a process of its own: the client reads its environment when it is imported."""
    environment = {**os.environ, "HF_HOME": str(home), "HF_HUB_OFFLINE": "1"}
    ran = [sys.executable, "-c", program]
    return subprocess.run(ran, capture_output=True, text=True, timeout=120, env=environment, check=False)


def mean_of_tokens(model: Path, texts: list[str]) -> np.ndarray:
    """Unit vectors out of the bare BERT, one text at a time."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    tokenizer, bert = AutoTokenizer.from_pretrained(model), AutoModel.from_pretrained(model)
    with torch.no_grad():
        rows = [bert(**tokenizer(text, return_tensors="pt")).last_hidden_state[0].mean(0).numpy() for text in texts]
    return np.stack([row / np.linalg.norm(row) for row in rows])


def test_an_embedder_is_opened_by_its_name_on_the_hub(tmp_path: Path) -> None:
    model = write_encoder(tmp_path)
    wanted = mean_of_tokens(model, TEXTS)
    put_on_hub(model, tmp_path / "home", NAME)
    program = (
        "import json; from pathlib import Path; from knowledge.library.embed import open_embedder;"
        f"embedder = open_embedder({NAME!r}, cache=Path({str(tmp_path)!r}));"
        "spec = embedder.spec; print(json.dumps([spec.model, spec.backend, spec.revision, spec.dimension,"
        f" embedder.passages({TEXTS!r}).tolist(), embedder.count_tokens({TEXTS!r})]))"
    )
    ran = offline(tmp_path / "home", program)
    assert ran.returncode == 0, ran.stderr[-2000:]
    name, backend, revision, dimension, vectors, counted = json.loads(ran.stdout.splitlines()[-1])
    assert (name, backend, revision, dimension) == (NAME, "torch", REVISION, wanted.shape[1])
    assert np.allclose(vectors, wanted, atol=1e-5)
    assert counted == [len(text.split()) for text in TEXTS]


def test_a_cross_encoder_is_opened_by_its_name_on_the_hub(tmp_path: Path) -> None:
    put_on_hub(write_cross_encoder(tmp_path / "model"), tmp_path / "home", NAME)
    program = (
        "from knowledge.search.reranker import CrossEncoderReranker;"
        f"print(len(CrossEncoderReranker({NAME!r}).scores('what is a warp', {TEXTS!r})))"
    )
    ran = offline(tmp_path / "home", program)
    assert (ran.returncode, ran.stdout.split()[-1:]) == (0, ["3"]), ran.stderr[-2000:]


OPEN_READER = "from knowledge.search.reranker import CrossEncoderReranker; CrossEncoderReranker({!r})"
OPEN_EMBEDDER = (
    "from pathlib import Path; from knowledge.library.embed import open_embedder;"
    "open_embedder({!r}, cache=Path('nowhere'))"
)


@pytest.mark.parametrize(("opened", "variable"), [(OPEN_READER, "CROSS_ENCODER"), (OPEN_EMBEDDER, "EMBEDDING_MODEL")])
def test_a_name_that_the_hub_does_not_give_is_told_in_one_line(tmp_path: Path, opened: str, variable: str) -> None:
    ran = offline(tmp_path, opened.format(NAME))
    said = ran.stderr.strip().splitlines()[-1]
    assert said.startswith(f"knowledge.errors.SetupError: WARPMATE_{variable}={NAME}: the model cannot be opened (")
