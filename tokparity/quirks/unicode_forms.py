"""Quirks of Unicode's normal forms: one that the model does not have, another one, other tables."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from tokparity.behaviour import Behaviour, Normalise
from tokparity.quirk import Derived, Place, Quirk, github
from tokparity.quirks import toys
from tokparity.quirks.changed_stages import ChangedFirst, StageChange, changed, normalised_before, normalises_with
from tokparity.reference import splits
from tokparity.reference.normalise import Bert, UnicodeForm

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]
_COMPATIBLE: Mapping[str, Form] = {"NFC": "NFKC", "NFD": "NFKD"}


@dataclass(frozen=True)
class Formed:
    """Puts a text in a Unicode normal form, with the tables of the installed Python."""

    form: Form

    def __call__(self, text: str) -> str:
        return unicodedata.normalize(self.form, text)


def without_form(stage: Any) -> Any:
    """Nothing for a normal form, else the stage itself."""
    return None if isinstance(stage, UnicodeForm) else stage


def of_compatibility(stage: Any) -> Any:
    """The stage with NFKC for NFC, and NFKD for NFD."""
    return replace(stage, form=_COMPATIBLE[stage.form]) if getattr(stage, "form", None) in _COMPATIBLE else stage


def newly_formed(stage: Any) -> Any:
    """The stage with the tables of the installed Python where it has those of Unicode 9."""
    return Formed(stage.form) if isinstance(stage, UnicodeForm) else stage


def with_form(number: int, change: StageChange) -> Derived:
    """A `derive` for the field `normalise`: each normal form is changed, and the one before accents are stripped."""

    def of_stage(stage: Any) -> Any:
        if isinstance(stage, Bert) and stage.drops_accents:
            return replace(stage, form=change(stage.form))
        return change(stage)

    return normalises_with(number, of_stage)


def formed_before(number: int, form: Form) -> Derived:
    """A `derive` for the field `normalise`: a normal form before the model's own, which does not have it itself."""

    def make(behaviour: Behaviour) -> Normalise | None:
        own = behaviour.normalise
        has_it = changed(own, lambda stage: None if stage == UnicodeForm(form) else stage) != own
        return own if has_it else ChangedFirst(own, Formed(form))

    return Derived(Place.BEFORE, number, make)


QUIRKS = (
    Quirk(
        name="skips_unicode_normal_form",
        title="Skips NFC, NFD, NFKC or NFKD in the normalizer",
        symptom="Composed and decomposed letters, full-width forms, ligatures and fractions come out as other pieces "
        "or bytes.",
        cause="Only the other steps of the normalizer run (lower case, replacements).",
        fix="Apply the normal form that the model names, before the pre-tokenizer.",
        field="normalise",
        derive=with_form(40, without_form),
        links=github("ggml-org/llama.cpp/pull/28845"),
        witness=lambda: toys.spm("1 2 ⁄", byte_pieces=True, normalise=UnicodeForm("NFKC")).on("½"),
    ),
    Quirk(
        name="applies_nfc",
        title="Composes the text (NFC)",
        symptom="Decomposed accents, Hangul and Indic letters come out as other pieces than those the model was "
        "trained with.",
        cause="NFC is applied to a model whose normalizer does not have it, by a library or by the caller.",
        fix="Apply the normal form that the model names, and none where it names none.",
        field="normalise",
        derive=formed_before(20, "NFC"),
        witness=lambda: toys.spm("1 2 é e", byte_pieces=True).on("e\N{COMBINING ACUTE ACCENT}"),
    ),
    Quirk(
        name="applies_nfc_of_unicode_9",
        title="Composes the text (NFC), by tables of Unicode 9",
        symptom="Decomposed accents, Hangul and Indic letters become other pieces than in training. Marks that are "
        "newer than 2016 keep the order of the text.",
        cause="NFC of the tokenizers library is applied to a model whose normalizer does not have it, as some classes "
        "of transformers do.",
        fix="Apply the normal form that the model names, and none where it names none.",
        field="normalise",
        derive=normalised_before(21, UnicodeForm("NFC")),
        witness=lambda: toys.spm("1 2 é e", byte_pieces=True).on("e\N{COMBINING ACUTE ACCENT}"),
    ),
    Quirk(
        name="applies_nfd",
        title="Decomposes the text (NFD)",
        symptom="Accented letters and Hangul become a base and marks: more tokens, other pieces.",
        cause="NFD is applied to a model whose normalizer does not have it, by a library or by the caller.",
        fix="Apply the normal form that the model names, and none where it names none.",
        field="normalise",
        derive=formed_before(40, "NFD"),
        witness=lambda: toys.spm("1 2 é e", byte_pieces=True).on("é"),
    ),
    Quirk(
        name="applies_nfkc",
        title="Applies compatibility normalization (NFKC)",
        symptom="Full-width forms, ligatures, superscripts and fractions become plain characters. Decoding cannot "
        "restore them.",
        cause="NFKC is applied to a model whose normalizer does not have it, by a library or by the caller.",
        fix="Apply the normal form that the model names, and none where it names none.",
        field="normalise",
        derive=formed_before(10, "NFKC"),
        witness=lambda: toys.spm("1 2 é e", byte_pieces=True).on("½"),
    ),
    Quirk(
        name="applies_nfkd",
        title="Decomposes the text by compatibility (NFKD)",
        symptom="Accents become characters of their own; full-width forms, ligatures and superscripts become plain "
        "characters.",
        cause="NFKD is applied to a model whose normalizer does not have it, by a library or by the caller.",
        fix="Apply the normal form that the model names, and none where it names none.",
        field="normalise",
        derive=formed_before(30, "NFKD"),
        witness=lambda: toys.spm("1 2 é e", byte_pieces=True).on("é½"),
    ),
    Quirk(
        name="takes_compatibility_form",
        title="Takes the compatibility form (NFKC, NFKD) for NFC or NFD",
        symptom="Full-width forms, ligatures, superscripts and fractions become plain characters.",
        cause="The normalizer takes the wrong form. Many programs that strip accents take NFKD.",
        fix="Take the form that the model names; BERT strips accents after NFD.",
        field="normalise",
        derive=with_form(45, of_compatibility),
        witness=lambda: toys.wordpiece("a 1 2", normalise=Bert(), pretokenise=splits.Bert()).on("²"),
    ),
    Quirk(
        name="takes_forms_of_newer_unicode",
        title="Takes the normal form from tables newer than Unicode 9",
        symptom="Letters and marks that came after 2016 are composed, decomposed or put in another order.",
        cause="The engine's Unicode tables are newer than those of Hugging Face's tokenizers, which are of Unicode 9.",
        fix="Nothing is wrong with the text. For equal ids, use the tables of Hugging Face's tokenizers.",
        field="normalise",
        derive=with_form(46, newly_formed),
        links=("https://crates.io/crates/unicode-normalization-alignments",),
        witness=lambda: toys.spm("a", byte_pieces=True, normalise=UnicodeForm("NFC")).on("\U00011935\U00011930"),
    ),
)
