"""The int8 embedder against the model that it was made of."""

from __future__ import annotations

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from onnx import numpy_helper
from tokenizers import Tokenizer

from knowledge.errors import SetupError
from knowledge.library import bert, packaged
from knowledge.library.embed import MINILM, PACKAGED, open_embedder, quiet_onnxruntime
from knowledge.search.wording import reads_chinese

TEXTS = [
    "Shared memory is divided into 32 banks.",
    "A warp is a group of 32 threads that execute together.",
    "共享内存分为三十二个存储体。",
    "__global__ void add(float* x) { x[threadIdx.x] += 1; }",
    "warp",
    "The roofline model bounds performance by bandwidth and by arithmetic. " * 8,
]


@pytest.mark.slow
def test_int8_vectors_point_where_those_of_the_full_model_do(models: Path) -> None:
    small = open_embedder(cache=models).passages(TEXTS)
    full = open_embedder(PACKAGED, cache=models, backend="torch").passages(TEXTS)
    cosines = (small * full).sum(axis=1)
    assert cosines.mean() > 0.985
    assert cosines.min() > 0.96


def test_the_packaged_embedder_reads_chinese_and_minilm_does_not(models: Path, tmp_path: Path) -> None:
    assert reads_chinese(open_embedder(cache=models))
    assert not reads_chinese(open_embedder(MINILM, cache=tmp_path))


def test_a_question_is_near_the_passage_that_answers_it_in_either_language(models: Path) -> None:
    embedder = open_embedder(cache=models)
    asked = embedder.queries(["how many banks does shared memory have?", "什么是线程束？"])
    nearest = (asked @ embedder.passages(TEXTS[:4]).T).argsort(axis=1)[:, ::-1]
    assert set(nearest[0][:2]) == {0, 2}
    assert nearest[1][0] == 1


def test_vectors_have_length_one_and_do_not_depend_on_their_batch(models: Path) -> None:
    embedder = open_embedder(cache=models)
    together = embedder.passages(TEXTS)
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    alone = np.concatenate([embedder.passages([text]) for text in TEXTS])
    assert np.allclose(alone, together)


def test_a_question_needs_neither_torch_nor_transformers(models: Path) -> None:
    open_embedder(cache=models)
    program = (
        "import sys; from pathlib import Path; from knowledge.library.embed import open_embedder;"
        f"open_embedder(cache=Path({str(models)!r})).queries(['what is a warp?']);"
        "assert not {'torch', 'transformers', 'sentence_transformers', 'onnx'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_an_embedder_reports_to_nobody(models: Path, tmp_path: Path) -> None:
    """The runtime's telemetry keeps a device id and a queue of reports in the home directory."""
    open_embedder(cache=models)
    program = (
        "from pathlib import Path; from knowledge.library.embed import open_embedder;"
        f"open_embedder(cache=Path({str(models)!r})).queries(['what is a warp?'])"
    )
    only_home = {"HOME": str(tmp_path)}  # with CI in the environment it would be silent anyway
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60, env=only_home)
    assert list(tmp_path.rglob("*.db")) == []
    assert list(tmp_path.rglob("deviceid")) == []


def test_what_the_file_holds_in_int8_stands_in_the_graph_as_it_is() -> None:
    stored = packaged.encoder()
    constants = constants_of(stored, vnni=True)
    weight = "encoder.layer.2.intermediate.dense.weight"
    np.testing.assert_array_equal(constants[f"{weight}.int8"], stored.weights[weight].T)
    np.testing.assert_array_equal(constants[f"{weight}.int8_scale"], stored.weights[f"{weight}.scale"])
    assert constants[bert.WORDS].dtype == np.int8
    left = {
        name.split(".")[2]
        for name, found in constants.items()
        if found.shape == (1536, 384) and found.dtype.kind == "f"
    }
    assert left == {str(number) for number in stored.config["float_layers"]}


def test_without_vnni_weights_give_up_a_bit_and_the_vectors_stay(models: Path, tmp_path: Path) -> None:
    """Two products of int8 are then added in 16 bits, which whole bytes would overflow."""
    stored = packaged.encoder()
    constants = constants_of(stored, vnni=False)
    assert max(int(np.abs(found).max()) for name, found in constants.items() if name.endswith(".int8")) == 64
    embedder = open_embedder(cache=models)
    (graph,) = models.glob(f"{PACKAGED}-*.onnx")
    bert.write_graph(bert.Graph(stored, vnni=False).model(), tmp_path / graph.name)
    assert (open_embedder(cache=tmp_path).passages(TEXTS) * embedder.passages(TEXTS)).sum(axis=1).min() > 0.97


def constants_of(encoder: bert.Encoder, *, vnni: bool) -> dict[str, NDArray[Any]]:
    graph = bert.Graph(encoder, vnni=vnni).model().graph
    return {one.name: numpy_helper.to_array(one) for one in graph.initializer}


def test_a_graph_tells_the_texts_of_a_batch_apart(models: Path) -> None:
    """The product reads one after another, but the words that a batch reads stand in one table."""
    tokenizer, (graph,) = Tokenizer.from_file(str(packaged.TOKENIZER)), models.glob(f"{PACKAGED}-*.onnx")
    ids = np.array([found.ids[:8] for found in tokenizer.encode_batch(TEXTS[:4])])
    session = quiet_onnxruntime().InferenceSession(str(graph))

    def vectors(of: NDArray[np.int64]) -> NDArray[np.float32]:
        found: NDArray[np.float32] = session.run(None, {"input_ids": of, "attention_mask": np.ones_like(of)})[0]
        return found

    alone = np.concatenate([vectors(ids[row : row + 1]) for row in range(len(ids))])
    nearest = vectors(ids) @ alone.T
    assert list(nearest.argmax(axis=1)) == [0, 1, 2, 3]
    assert nearest.diagonal().min() > 0.95


def test_a_model_that_does_not_exist_is_named_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="no-such/model"):
        open_embedder(str(tmp_path / "no-such/model"), cache=tmp_path, backend="onnx")


def test_a_folder_with_another_architecture_has_no_int8_path(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "modernbert"}')
    assert not bert.is_bert(tmp_path)


def test_counting_in_one_thread_lets_no_overlong_text_through_in_another(models: Path) -> None:
    """A build counts the tokens of the next pages while it embeds the last ones."""
    embedder = open_embedder(cache=models)
    overlong = "the threads of a warp " * 400
    whole = embedder.count_tokens([overlong])
    assert whole[0] > 4 * embedder.spec.max_tokens
    counted: list[int] = []
    done = threading.Event()

    def count() -> None:
        while not done.is_set():
            counted.extend(embedder.count_tokens([overlong]))

    with ThreadPoolExecutor(1) as beside:
        counting = beside.submit(count)
        try:
            rows = [embedder.passages([overlong, "warp"]) for _ in range(10)]
        finally:
            done.set()
        counting.result()
    assert set(counted) == set(whole)
    assert all((row[0] @ rows[0][0]) > 0.999 for row in rows)
