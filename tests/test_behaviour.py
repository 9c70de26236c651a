"""The stages of the fields of a Behaviour."""

from __future__ import annotations

from dataclasses import fields

from tokparity.behaviour import Behaviour, Stage, fields_of, stages


def test_every_field_has_a_stage() -> None:
    """The fields stand in the order of their stages, and no stage is without a field."""
    assert [field.name for field in fields(Behaviour)] == list(stages())
    assert sorted(stages().values()) == list(stages().values())
    assert set(Stage) == set(stages().values())


def test_fields_of_stages() -> None:
    """By stage, in the order of the fields."""
    assert ("decode", "skip_special", "strip_decoded_prefix", "clean_up") == fields_of(Stage.DECODING)
    assert ("decode_text", "normalise") == fields_of(Stage.NORMALISATION, Stage.TEXT_IN)
