"""How much work the search in the catalog may do, and when it believes a cause: each number with its unit."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """The limits of a diagnosis: seconds, work and bytes limit its cost, the others what it believes."""

    # --- the cost of one aspect

    work: int = 20_000_000
    """The diagnosis of one aspect does at most this much work; a unit is about a microsecond of a machine of 2026."""
    seconds: float = 600.0
    """The diagnosis of one aspect ends after this many seconds, on a machine that is thirty times slower."""
    tokenizers: int = 16
    """At most this many tokenizers are kept in memory for the next observations."""
    pieces_in_memory: int = 500_000
    """The tokenizers that are kept have at most this many pieces together, though two are kept in any case."""
    ids_in_memory: int = 4_000_000
    """The answers that are kept, so that a hypothesis is asked the same text once, have about this many ids."""

    # --- can the reference judge?

    judgeable_share: float = 0.9
    """The reference judges an engine only if it equals the oracle on at least this share of the observations."""

    # --- the sample, on which flips are searched

    sample_mismatches: int = 100
    """At most this many mismatches are in the sample on which hypotheses are searched."""
    sample_controls: int = 60
    """At most this many controls are in the sample."""
    sample_bytes: int = 6_000
    """The texts of the mismatches in the sample have at most this many bytes together; those of the controls too."""
    sample_text_bytes: int = 2_000
    """No text in the sample has more bytes than this, for what a longer text shows, a shorter one mostly shows too."""
    search_rounds: int = 6
    """The sample is searched at most this many times, each time with what refuted the hypotheses of the time before."""
    completed_fits: int = 5
    """Of the pairs of flips that fitted until more evidence refuted them, this many are tried with a third flip."""
    both_needed_share: float = 0.3
    """A pair of flips of two fields is tried if at most this share of the mismatches is touched by neither flip alone.

    Where the flips are of one field, it may be all mismatches.
    """
    reorder_every: int = 100
    """After this many hypotheses, the observations that refuted most of them move to the front of the sample."""

    # --- verification on all evidence

    verified_hypotheses: int = 40
    """At most this many hypotheses that fit the sample are verified on all evidence in a round."""
    verification_bytes: int = 2_000_000
    """A hypothesis is verified on the shortest texts of the evidence that have at most this many bytes together."""
    told_refuted: int = 6
    """An explanation tells at most this many hypotheses that were refuted."""

    near_misses: int = 3
    """At most this many hypotheses are run on what is unexplained, to say which comes nearest."""

    # --- experiments: texts that are put to the engine to tell hypotheses apart

    experiment_texts: int = 400
    """A quick experiment looks for suitable questions among this many texts."""
    experiment_questions: int = 160
    """A quick experiment asks the engine at most this many texts."""
    questions_per_split: int = 3
    """At most this many texts are asked for each way in which the hypotheses fall into groups that predict the same."""
    confirming_questions: int = 40
    """A quick experiment asks at most this many texts on which all hypotheses agree that the engine is wrong."""
    thorough_factor: int = 4
    """A thorough experiment looks at, and asks, this many times as many texts as a quick one."""
    repeated_questions: int = 20
    """At most this many unexplained texts are asked again, to see whether the engine repeats itself."""

    # --- the attack on an explanation

    attacked_hypotheses: int = 4
    """Of the hypotheses that hold so far, this many choose texts for an attack; all of them must stand it."""
    attack_texts: int = 1_200
    """For an attack each source makes at most this many texts."""
    fruitful_generators: int = 3
    """Of the generators whose texts the explanation changes most often, this many make as many texts again."""
    attack_put: int = 8_000
    """Of the texts that were put to the engine already, at most this many are looked through."""
    attack_changed: int = 600
    """At most this many texts that the explanation changes are asked."""
    attack_edge: int = 300
    """At most this many texts next to these that it does not change."""
    attack_other: int = 1_000
    """At most this many others."""
    attacked_places: int = 40
    """The neighbors of this many of the shortest texts that it changes are looked at, and of as many others."""
    attack_batch: int = 100
    """The engine is run on this many texts at a time, so that a slow one is noticed."""
    quick_attack: float = 0.25
    """What is known of the engine is attacked with this share of the texts; with 0 it is recognized alone."""
    fewest_attacks: int = 3
    """What changes fewer of the asked texts than this is not called verified."""
    attacked_share: float = 0.9
    """An explanation of a part is refused if the engine did as it says on less than this share of what it changes."""
    part_share: float = 0.8
    """An attacked part that was contradicted is refused if it explains less than this share of what is like it."""

    # --- texts for experiments

    changed_mismatches: int = 40
    """The texts for experiments are changed copies of at most this many mismatches, the shortest ones."""
    changed_text_bytes: int = 400
    """Of a mismatch's text only the first bytes, this many, are changed."""
    changes_per_mismatch: int = 100
    """Each of these mismatches is changed this many times."""
    corpus_lines: int = 40
    """Of each corpus the first lines, this many, are texts for experiments."""
    corpus_line_bytes: int = 500
    """No line of a corpus that has more bytes than this is a text for an experiment."""
    character_classes: int = 8
    """A text made of characters of all classes has at most this many of them in a row."""
    text_rounds: int = 4_000
    """After this many rounds through its sources, the stream of texts for experiments ends."""

    # --- explanations of a part

    fewest_explained: int = 3
    """An explanation of a part explains at least this many mismatches, for fewer are soon explained by chance."""
    compared_mismatches: int = 300
    """A hypothesis of a part is compared with the engine's answers on the first unexplained mismatches, this many."""
    compared_ids: int = 2_000
    """Answers with more ids or bytes than this are not aligned with each other, which would take too long."""
    explained_per_odd: int = 10
    """For each this many mismatches that a hypothesis of a part explains, it may once do what the engine does not."""

    explained_per_spoiled: int = 50
    """For each this many mismatches that flips explain, they may once spoil what is right: other causes undid it."""

    # --- forward selection: flips added one after the other

    selection_rounds: int = 6
    """Unexplained mismatches are chosen as targets at most this many times."""
    targets_per_round: int = 10
    """At most this many mismatches, each of another kind, are targets in a round."""
    failures_per_kind: int = 3
    """When this many targets of one kind were tried in vain, no more of that kind is tried."""
    shrunk_text_bytes: int = 2_000
    """A target with more bytes than this is not shrunk."""
    shrinking_attempts: int = 600
    """At most this many texts are put to the engine while one target is shrunk."""
    neighbours: int = 30
    """Of the texts tried while shrinking, the shortest that are right, this many, and as many wrong ones are used."""
    selection_bytes: int = 200_000
    """Flips are selected on the shortest texts of the evidence that have at most this many bytes together."""
    compared_selections: int = 8
    """At most this many sets of flips that explain a target are compared with each other."""
    completed_flips: int = 3
    """For at most this many flips that explain a target, and too little else, a second flip is looked for."""
    completing_texts: int = 5
    """The second flip must explain this many of the mismatches that the first changes otherwise than the engine."""

    # --- models reduced to a few texts

    reduced_from_pieces: int = 12_000
    """Models with at least this many pieces are reduced to the texts at hand."""
    first_pieces: int = 1_000
    """The first pieces of a vocabulary, this many, are kept, for some engines guess from them what the others are."""

    # --- findings

    unexplained_findings: int = 12
    """The unexplained mismatches of one aspect become at most this many findings."""


DEFAULT = Limits()
"""The limits where a caller has none of its own."""
