"""A BERT-shaped sentence encoder as an ONNX graph, written straight from its safetensors: no torch on the way.

The graph uses onnxruntime's fused operators, pools and normalises inside, and is quantised to int8 afterwards with
one scale per output channel: with one scale per matrix the vectors drift (cosine .90 against .99 to the original).
"""

from __future__ import annotations

import json
import logging
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from knowledge.errors import SetupError

GRAPH_VERSION = 3
_MS = "com.microsoft"
_DEEP = 6
"""Of more layers than this the errors of int8 add up."""
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Encoder:
    """A sentence encoder: its shape, its weights, and how the states of its tokens become one vector."""

    config: Mapping[str, Any]
    weights: Mapping[str, Floats]
    pooling: str


def is_bert(folder: Path) -> bool:
    """Whether this graph can be written for the model in the folder."""
    config = folder / "config.json"
    return (
        config.is_file()
        and (folder / "model.safetensors").is_file()
        and json.loads(config.read_text(encoding="utf-8")).get("model_type") == "bert"
    )


def write_int8(encoder: Encoder, target: Path) -> None:
    """Make the quantised graph of the encoder; it appears at `target` whole or not at all."""
    import onnx

    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
        plain, small = Path(scratch) / "plain.onnx", Path(scratch) / "int8.onnx"
        onnx.save(Graph(encoder.config, encoder.weights, encoder.pooling).model(), plain)
        quantize(plain, small, _products_kept(encoder.config))
        small.replace(target)


def _products_kept(config: Mapping[str, Any]) -> list[str]:
    """Return the products left in float: of layers whose outliers spoil a scale, or, where weights have a bit less,
    of all layers if there are many of them.
    """
    layers = range(config["num_hidden_layers"])
    kept = config.get("float_layers", ()) if _has_vnni() or len(layers) <= _DEEP else layers
    return [f"encoder.layer.{number}.output.dense.weight.product" for number in kept]


def quantize(plain: Path, small: Path, kept: Sequence[str] = ()) -> None:
    """The graph with int8 products but for those `kept`, one scale for each output channel."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    with _without_advice():
        quantize_dynamic(
            plain,
            small,
            op_types_to_quantize=["MatMul", "Attention"],
            per_channel=True,
            reduce_range=not _has_vnni(),
            weight_type=QuantType.QInt8,
            nodes_to_exclude=list(kept),
            extra_options={"DefaultTensorType": 1},
        )


@contextmanager
def _without_advice() -> Iterator[None]:
    """The quantiser advises on the root logger to prepare the graph first; this graph has nothing to prepare."""

    def keep(record: logging.LogRecord) -> bool:
        return "pre-processing" not in record.getMessage()

    logging.getLogger().addFilter(keep)
    try:
        yield
    finally:
        logging.getLogger().removeFilter(keep)


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


def load_weights(file: Path, beginning: str = "") -> dict[str, Floats]:
    """The tensors whose names begin so, in float32; those with a scale beside them stand as int8 in the file."""
    from safetensors import safe_open

    with safe_open(file, "numpy") as stored:
        found = {name: stored.get_tensor(name) for name in stored.keys() if name.startswith(beginning)}  # noqa: SIM118
    return {
        name: value.astype(np.float32) * (found[f"{name}.scale"][:, None] if f"{name}.scale" in found else 1.0)
        for name, value in found.items()
        if not name.endswith(".scale")
    }


def _pooling(folder: Path) -> str:
    path = folder / "1_Pooling" / "config.json"
    modes = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {"pooling_mode_mean_tokens": True}
    for mode in ("mean_tokens", "cls_token"):
        if modes.get(f"pooling_mode_{mode}"):
            return mode
    raise SetupError(f"WARPMATE_EMBEDDING_MODEL: the pooling of {folder.name} has no int8 path; name another model")


def _has_vnni() -> bool:
    """Without it, pairs of int8 products overflow their 16 bits: the weights then give up one bit."""
    flags = Path("/proc/cpuinfo")
    return flags.is_file() and "vnni" in flags.read_text(encoding="ascii", errors="replace")


class Graph:
    """Nodes and initializers in the order in which the encoder runs."""

    def __init__(self, config: Mapping[str, Any], weights: Mapping[str, Floats], pooling: str) -> None:
        self._config, self._weights, self._pooling = config, weights, pooling
        self._nodes: list[Any] = []
        self._constants: list[Any] = []

    def model(self) -> Any:
        from onnx import TensorProto, helper

        hidden = self._embed()
        for number in range(self._config["num_hidden_layers"]):
            hidden = self._layer(hidden, f"encoder.layer.{number}.")
        self._pool(hidden)
        ids = [
            helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "sequence"])
            for name in ("input_ids", "attention_mask")
        ]
        vectors = helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["batch", self._config["hidden_size"]])
        graph = helper.make_graph(self._nodes, "encoder", ids, [vectors], self._constants)
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid(_MS, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=9)

    def states(self) -> Any:
        """The graph of a reader: question and passage are told apart, and the state of every token comes out."""
        from onnx import TensorProto, helper

        hidden = self._embed(told_apart=True)
        for number in range(self._config["num_hidden_layers"]):
            hidden = self._layer(hidden, f"encoder.layer.{number}.")
        self._node("Identity", [hidden], "states")
        inputs = [
            helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "sequence"])
            for name in ("input_ids", "attention_mask", "token_type_ids")
        ]
        shape = ["batch", "sequence", self._config["hidden_size"]]
        outputs = [helper.make_tensor_value_info("states", TensorProto.FLOAT, shape)]
        graph = helper.make_graph(self._nodes, "reader", inputs, outputs, self._constants)
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid(_MS, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=9)

    def _embed(self, *, told_apart: bool = False) -> str:
        self._node("Cast", ["input_ids"], "ids32", to=6)
        self._node("Cast", ["attention_mask"], "mask32", to=6)
        tables = [self._weight(f"embeddings.{name}_embeddings.weight") for name in ("word", "position", "token_type")]
        norm = [self._weight(f"embeddings.LayerNorm.{name}") for name in ("weight", "bias")]
        if told_apart:
            segments = self._node("Cast", ["token_type_ids"], "segments", to=6)
        else:
            segments = self._node("Mul", ["ids32", self._constant("zero", np.array(0, dtype=np.int32))], "segments")
        inputs = ["ids32", segments, *tables, *norm]
        self._node("EmbedLayerNormalization", inputs, "embedded", "lengths", domain=_MS, epsilon=self._epsilon)
        return "embedded"

    def _layer(self, hidden: str, layer: str) -> str:
        attended = self._node(
            "Attention",
            [hidden, self._stacked(layer, "weight"), self._stacked(layer, "bias"), "mask32"],
            f"{layer}attended",
            domain=_MS,
            num_heads=self._config["num_attention_heads"],
        )
        settled = self._add_and_norm(attended, hidden, f"{layer}attention.output.")
        widened = self._matmul(settled, f"{layer}intermediate.dense.weight")
        bias = self._weight(f"{layer}intermediate.dense.bias")
        active = self._node("BiasGelu", [widened, bias], f"{layer}active", domain=_MS)
        return self._add_and_norm(active, settled, f"{layer}output.")

    def _add_and_norm(self, value: str, residual: str, at: str) -> str:
        dense = self._matmul(value, f"{at}dense.weight")
        # Apart, these run faster on a CPU than the fused SkipLayerNormalization; the session must not join them.
        biased = self._node("Add", [dense, self._weight(f"{at}dense.bias")], f"{at}biased")
        summed = self._node("Add", [biased, residual], f"{at}summed")
        norm = [self._weight(f"{at}LayerNorm.{name}") for name in ("weight", "bias")]
        return self._node("LayerNormalization", [summed, *norm], f"{at}normed", axis=-1, epsilon=self._epsilon)

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

    @property
    def _epsilon(self) -> float:
        return float(self._config["layer_norm_eps"])

    def _node(self, operator: str, inputs: list[str], output: str, *more: str, **attributes: Any) -> str:
        from onnx import helper

        self._nodes.append(helper.make_node(operator, inputs, [output, *more], name=output, **attributes))
        return output

    def _matmul(self, value: str, weight: str) -> str:
        transposed = self._constant(weight, np.ascontiguousarray(self._weights[weight].T))
        return self._node("MatMul", [value, transposed], f"{weight}.product")

    def _stacked(self, layer: str, what: str) -> str:
        """Query, key and value side by side, as the fused operator wants them."""
        parts = [self._weights[f"{layer}attention.self.{name}.{what}"].T for name in ("query", "key", "value")]
        return self._constant(f"{layer}attention.{what}", np.ascontiguousarray(np.concatenate(parts, axis=-1)))

    def _weight(self, name: str) -> str:
        return self._constant(name, self._weights[name])

    def _constant(self, name: str, value: NDArray[Any]) -> str:
        from onnx import numpy_helper

        self._constants.append(numpy_helper.from_array(value, name))
        return name
