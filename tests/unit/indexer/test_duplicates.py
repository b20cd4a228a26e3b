"""Mirrors are found, translations linked, and merely related pages left apart."""

from __future__ import annotations

import random

from indexer.duplicates import Document, Sketch, mirrors, sketch, translations


def prose(seed: int, words: int = 300) -> str:
    chance = random.Random(seed)
    return " ".join("".join(chance.choices("etaoinshrdlu", k=chance.randint(2, 9))) for _ in range(words))


def documents(**texts: str) -> list[Document]:
    return [Document(key, "zh" if key.startswith("zh") else "en", sketch(text)) for key, text in texts.items()]


def test_a_page_with_another_footer_is_a_mirror() -> None:
    text = prose(1)
    (found,) = mirrors(documents(a=text, b=text + " Hosted elsewhere.", c=prose(2)))
    assert (found.first, found.second, found.kind) == ("a", "b", "mirror")
    assert found.score > 0.9


def test_pages_that_share_half_are_no_mirrors() -> None:
    shared = prose(3, 150)
    assert mirrors(documents(a=shared + prose(4, 150), b=shared + prose(5, 150))) == []


def test_short_pages_are_never_called_mirrors() -> None:
    assert mirrors(documents(a="The same line.", b="The same line.")) == []


TERMS = "cudaMalloc 128 H100 NVLink 3.35 matmul_kernel 4096 TensorCore B200 900 \\frac \\text HBM3 80 132 1.5"


SHAPE = "# ## ## ###"


def page(words: str, shape: str, terms: str = TERMS) -> str:
    return "\n".join(f"{mark} {words}\n\n{words} {terms}" for mark in shape.split())


def test_a_translation_shares_terms_and_shape_and_is_linked() -> None:
    (found,) = translations(
        documents(
            en_a=page("words", "# ## ## ###"), en_b=page(prose(6), "# ##", "int"), zh_a=page("词语", "# ## ## ###")
        )
    )
    assert (found.first, found.second, found.kind) == ("en_a", "zh_a", "translation")


def test_a_chinese_page_on_the_same_field_alone_is_no_translation() -> None:
    other = "cudaFree 64 A100 PCIe 2.0 softmax_kernel 1024 CudaCore 300 \\sum HBM2e 40 108 0.5 9"
    assert translations(documents(en_a=page("words", "# ## ##"), zh_a=page("词语", "# ## ##", other))) == []


def test_a_sketch_survives_being_stored() -> None:
    made = sketch(page("words", "# ##"))
    again = Sketch.unpacked(made.packed())
    assert (again.marks, again.shape) == (made.marks, made.shape)
    assert (again.runs == made.runs).all()
