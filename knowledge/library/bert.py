"""A BERT-shaped sentence encoder as an int8 ONNX graph, written straight from its safetensors: no torch on the way.

The graph uses onnxruntime's fused operators, pools and normalises inside. Its products are int8 as onnxruntime's
dynamic quantiser makes them, with one scale per output channel: with one scale per matrix the vectors drift (cosine
.90 against .99 to the original). What a file holds as int8 is taken as it stands.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knowledge.errors import SetupError

GRAPH_VERSION = 5
_MS = "com.microsoft"
_DEEP = 6
"""Of more layers than this the errors of int8 add up."""
WORDS = "embeddings.word_embeddings.weight"
_SCALE = ".scale"
_LEVELS, _FEWER_LEVELS = 127, 64
"""Whole numbers to either side of 0, with VNNI and without."""
Floats = NDArray[np.float32]
Stored = NDArray[np.float32] | NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Encoder:
    """An encoder: its shape, its weights, and how the states of its tokens become one vector."""

    config: Mapping[str, Any]
    weights: Mapping[str, Stored]
    """As they are stored: what is int8 has beside it, under its name and `.scale`, a scale for each row."""
    pooling: str = "mean_tokens"


def is_bert(folder: Path) -> bool:
    """Whether this graph can be written for the model in the folder."""
    config = folder / "config.json"
    return (
        config.is_file()
        and (folder / "model.safetensors").is_file()
        and json.loads(config.read_text(encoding="utf-8")).get("model_type") == "bert"
    )


def write_graph(model: Any, target: Path) -> None:
    """Write what a Graph made. It appears at `target` whole or not at all."""
    import onnx

    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
        onnx.save(model, Path(scratch) / target.name)
        (Path(scratch) / target.name).replace(target)


def _float_products(config: Mapping[str, Any], *, vnni: bool) -> Collection[str]:
    """Return the products left in float: of layers whose outliers spoil a scale, or, where weights have a bit less,
    of all layers if there are many of them.
    """
    layers = range(config["num_hidden_layers"])
    kept = config.get("float_layers", ()) if vnni or len(layers) <= _DEEP else layers
    return {f"encoder.layer.{number}.output.dense.weight" for number in kept}


def encoder_in(folder: Path) -> Encoder:
    """The encoder of a folder as sentence-transformers writes it."""
    from safetensors.numpy import load_file

    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    if config.get("hidden_act") != "gelu" or config.get("position_embedding_type", "absolute") != "absolute":
        raise SetupError(
            f"WARPMATE_EMBEDDING_MODEL: {folder.name} is a kind of BERT without an int8 path; name another"
        )
    weights = {name.removeprefix("bert."): value for name, value in load_file(folder / "model.safetensors").items()}
    return Encoder(config, weights, _pooling(folder))


def stored_weights(file: Path, beginning: str = "") -> dict[str, Stored]:
    """The tensors whose names begin so, as they stand in the file."""
    from safetensors import safe_open

    with safe_open(file, "numpy") as stored:
        return {name: stored.get_tensor(name) for name in stored.keys() if name.startswith(beginning)}  # noqa: SIM118


def load_weights(file: Path, beginning: str = "") -> dict[str, Floats]:
    """The tensors whose names begin so, in float32."""
    return in_floats(stored_weights(file, beginning))


def in_floats(stored: Mapping[str, Stored]) -> dict[str, Floats]:
    return {name: _in_float(stored, name) for name in stored if not name.endswith(_SCALE)}


def _in_float(stored: Mapping[str, Stored], name: str) -> Floats:
    value = stored[name].astype(np.float32)
    return value * stored[name + _SCALE][:, None] if name + _SCALE in stored else value


def _pooling(folder: Path) -> str:
    path = folder / "1_Pooling" / "config.json"
    modes = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {"pooling_mode_mean_tokens": True}
    for mode in ("mean_tokens", "cls_token"):
        if modes.get(f"pooling_mode_{mode}"):
            return mode
    raise SetupError(f"WARPMATE_EMBEDDING_MODEL: the pooling of {folder.name} has no int8 path; name another model")


def has_vnni() -> bool:
    """Without it, pairs of int8 products overflow their 16 bits: the weights then give up one bit."""
    flags = Path("/proc/cpuinfo")
    return flags.is_file() and "vnni" in flags.read_text(encoding="ascii", errors="replace")


class Graph:
    """Nodes and initializers in the order in which the encoder runs."""

    def __init__(self, encoder: Encoder, *, vnni: bool) -> None:
        self._config, self._weights, self._pooling = encoder.config, encoder.weights, encoder.pooling
        self._vnni = vnni
        self._in_float = _float_products(encoder.config, vnni=vnni)
        self._nodes: list[Any] = []
        self._constants: list[Any] = []

    def model(self) -> Any:
        """Return the graph from the tokens of a text to its vector."""
        hidden = self._layers(self._embed())
        self._pool(hidden)
        return self._made(["input_ids", "attention_mask"], "vectors", ["batch", self._config["hidden_size"]])

    def states(self) -> Any:
        """Return the graph of a reader: question and passage are told apart, and each token has its state."""
        hidden = self._layers(self._embed(told_apart=True))
        self._node("Identity", [hidden], "states")
        inputs = ["input_ids", "attention_mask", "token_type_ids"]
        return self._made(inputs, "states", ["batch", "sequence", self._config["hidden_size"]])

    def _made(self, inputs: list[str], output: str, shape: list[str | int]) -> Any:
        from onnx import TensorProto, helper

        ids = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "sequence"]) for name in inputs]
        outputs = [helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)]
        graph = helper.make_graph(self._nodes, "encoder", ids, outputs, self._constants)
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid(_MS, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=9)

    def _embed(self, *, told_apart: bool = False) -> str:
        self._node("Cast", ["attention_mask"], "mask32", to=6)
        self._node("Cast", ["input_ids"], "ids32", to=6)
        if told_apart:
            segments = self._node("Cast", ["token_type_ids"], "segments", to=6)
        else:
            segments = self._node("Mul", ["ids32", self._constant("zero", np.array(0, dtype=np.int32))], "segments")
        rows, words = self._words()
        tables = [self._weight(f"embeddings.{name}_embeddings.weight") for name in ("position", "token_type")]
        norm = [self._weight(f"embeddings.LayerNorm.{name}") for name in ("weight", "bias")]
        inputs = [rows, segments, words, *tables, *norm]
        self._node("EmbedLayerNormalization", inputs, "embedded", "lengths", domain=_MS, epsilon=self._epsilon)
        return "embedded"

    def _words(self) -> tuple[str, str]:
        """Return a table of words and its rows to read; of one in int8, whose floats would take four times the room,
        a table of the words of these texts alone, one after another.
        """
        if WORDS + _SCALE not in self._weights:
            return "ids32", self._weight(WORDS)
        zero, one = (self._constant(f"whole_{number}", np.array(number, dtype=np.int32)) for number in (0, 1))
        row = self._constant("one_row", np.array([-1], dtype=np.int64))
        shape = self._node("Shape", ["input_ids"], "shape")
        ids = self._node("Reshape", ["ids32", row], "ids_in_a_row")
        count = self._node("Cast", [self._node("Size", [ids], "count")], "count32", to=6)
        rows = self._node("Reshape", [self._node("Range", [zero, count, one], "places"), shape], "rows")
        found = self._node("Gather", [self._constant(WORDS, self._weights[WORDS]), ids], "words_int8")
        scales = self._constant(WORDS + _SCALE, self._weights[WORDS + _SCALE][:, None])
        floats = self._node("Cast", [found], "words_float", to=1)
        return rows, self._node("Mul", [floats, self._node("Gather", [scales, ids], "word_scales")], "words")

    def _layers(self, hidden: str) -> str:
        for number in range(self._config["num_hidden_layers"]):
            hidden = self._layer(hidden, f"encoder.layer.{number}.")
        return hidden

    def _layer(self, hidden: str, layer: str) -> str:
        attended = self._attention(hidden, layer)
        settled = self._add_and_norm(attended, hidden, f"{layer}attention.output.")
        widened = self._product(settled, f"{layer}intermediate.dense.weight")
        bias = self._weight(f"{layer}intermediate.dense.bias")
        active = self._node("BiasGelu", [widened, bias], f"{layer}active", domain=_MS)
        return self._add_and_norm(active, settled, f"{layer}output.")

    def _attention(self, hidden: str, layer: str) -> str:
        """Query, key and value stand side by side, as the fused operator wants them."""
        parts = [f"{layer}attention.self.{name}" for name in ("query", "key", "value")]
        bias = np.concatenate([_in_float(self._weights, f"{part}.bias") for part in parts])
        weight, scale, zero = self._int8([f"{part}.weight" for part in parts], f"{layer}attention")
        value, value_scale, value_zero = self._quantized(hidden, f"{layer}attended")
        return self._node(
            "QAttention",
            [value, weight, self._constant(f"{layer}attention.bias", bias), value_scale, scale, "mask32",
             value_zero, zero],
            f"{layer}attended",
            domain=_MS,
            num_heads=self._config["num_attention_heads"],
        )  # fmt: skip

    def _add_and_norm(self, value: str, residual: str, at: str) -> str:
        dense = self._product(value, f"{at}dense.weight")
        # Apart, these run faster on a CPU than the fused SkipLayerNormalization; the session must not join them.
        biased = self._node("Add", [dense, self._weight(f"{at}dense.bias")], f"{at}biased")
        summed = self._node("Add", [biased, residual], f"{at}summed")
        return self._norm(summed, f"{at}LayerNorm.", f"{at}normed")

    def _norm(self, value: str, at: str, output: str) -> str:
        of = [self._weight(f"{at}{name}") for name in ("weight", "bias")]
        return self._node("LayerNormalization", [value, *of], output, axis=-1, epsilon=self._epsilon)

    @property
    def _epsilon(self) -> float:
        return float(self._config["layer_norm_eps"])

    def _product(self, value: str, name: str) -> str:
        """The product with a matrix, in integers unless that would cost too much."""
        if name in self._in_float:
            transposed = self._constant(name, np.ascontiguousarray(_in_float(self._weights, name).T))
            return self._node("MatMul", [value, transposed], f"{name}.product")
        weight, scale, zero = self._int8([name], name)
        read, read_scale, read_zero = self._quantized(value, name)
        inputs = [read, weight, read_scale, scale, read_zero, zero]
        return self._node("MatMulIntegerToFloat", inputs, f"{name}.product", domain=_MS)

    def _quantized(self, value: str, reader: str) -> tuple[str, str, str]:
        """Values as bytes, with one scale and one zero for all of them."""
        names = (f"{reader}.read", f"{reader}.read_scale", f"{reader}.read_zero")
        self._node("DynamicQuantizeLinear", [value], *names)
        return names

    def _int8(self, names: Sequence[str], name: str) -> tuple[str, str, str]:
        """Matrices side by side in int8, transposed, with a scale and a zero for each output channel."""
        found = [self._int8_rows(each) for each in names]
        columns = np.ascontiguousarray(np.concatenate([rows for rows, _ in found]).T)
        scales = np.concatenate([scale for _, scale in found])
        return (
            self._constant(f"{name}.int8", columns),
            self._constant(f"{name}.int8_scale", scales),
            self._constant(f"{name}.int8_zero", np.zeros(len(scales), dtype=np.int8)),
        )

    def _int8_rows(self, name: str) -> tuple[Stored, Floats]:
        stored = self._weights[name]
        if stored.dtype == np.int8 and self._vnni:
            return stored, self._weights[name + _SCALE].astype(np.float32)
        floats = _in_float(self._weights, name)
        largest = np.abs(floats).max(axis=1)
        scale = np.where(largest > 0, largest / (_LEVELS if self._vnni else _FEWER_LEVELS), 1).astype(np.float32)
        return np.rint(floats / scale[:, None]).astype(np.int8), scale

    def _pool(self, hidden: str) -> None:
        if self._pooling == "cls_token":
            first = self._constant("first", np.array(0, dtype=np.int64))
            pooled = self._node("Gather", [hidden, first], "pooled", axis=1)
        else:
            mask = self._node("Cast", ["attention_mask"], "mask_float", to=1)
            last = self._constant("last_axis", np.array([2], dtype=np.int64))
            middle = self._constant("middle_axis", np.array([1], dtype=np.int64))
            column = self._node("Unsqueeze", [mask, last], "mask_column")
            # The sum is not divided by the length: normalisation takes any factor away.
            pooled = self._node("Mul", [hidden, column], "masked")
            pooled = self._node("ReduceSum", [pooled, middle], "pooled", keepdims=0)
        self._node("LpNormalization", [pooled], "vectors", axis=-1, p=2)

    def _node(self, operator: str, inputs: list[str], output: str, *more: str, **attributes: Any) -> str:
        from onnx import helper

        self._nodes.append(helper.make_node(operator, inputs, [output, *more], name=output, **attributes))
        return output

    def _weight(self, name: str) -> str:
        return self._constant(name, _in_float(self._weights, name))

    def _constant(self, name: str, value: NDArray[Any]) -> str:
        from onnx import numpy_helper

        self._constants.append(numpy_helper.from_array(value, name))
        return name
