"""What an engine does and what is right, each in a few lines of pseudo-code.

A finding's quirks change some stages of encoding or decoding. Where a quirk changes the algorithm itself, both
algorithms are written out; else the stage's own line stands beside what the engine does there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tokparity.behaviour import Stage, stages
from tokparity.report.render.causes import Reason

MERGE = (
    "symbols = characters of the word",
    "while two neighbors together are a piece:",
    "    merge the pair with the best rank or score",
    "ids = ids of the symbols, bytes for what is unknown",
)
LATTICE = (
    "for each way to cut the word into pieces:",
    "    sum the scores of its pieces",
    "ids = ids of the way with the best sum",
)
_NEVER_READ = "# the merges and scores of the file are never read"
GREEDY = (
    "at each position of the text:",
    "    take the longest stretch that is a piece",
    "    if there is none: write bytes, or unknown",
    _NEVER_READ,
)
WHOLE_WORDS = (
    "if the whole word is a piece: take it",
    "else: merge as usual",
)
ENGINE: Mapping[str, Sequence[str]] = {
    "greedy_longest_match": GREEDY,
    "greedy_longest_match_with_marker": (
        "at each position of the text:",
        '    at the start and after a space: try "▁" + stretch first',
        "    take the longest stretch that is a piece",
        "    if there is none: write bytes, or unknown",
        _NEVER_READ,
        '# a space is never replaced by "▁"',
    ),
    "runs_viterbi_on_spm": LATTICE,
    "merges_unigram_by_score": MERGE,
    "merges_leftmost_pair_first": (*MERGE[:2], "    merge the leftmost such pair", MERGE[3]),
    "merges_worst_pair_first": (*MERGE[:2], "    merge the pair with the worst rank or score", MERGE[3]),
    "merges_by_id": (*MERGE[:2], "    merge the pair whose piece has the lowest id", MERGE[3]),
    "merges_by_score": (*MERGE[:2], "    merge the pair whose piece has the best score", MERGE[3]),
    "ignores_scores": (*MERGE[:2], "    merge the first such pair: all scores count the same", MERGE[3]),
    "looks_up_whole_words": WHOLE_WORDS,
}
"""The algorithm of an engine that has a quirk of the step `segment`."""
RIGHT: Mapping[str, Sequence[str]] = {
    "merges_unigram_by_score": LATTICE,
    "skips_whole_word_lookup": WHOLE_WORDS,
}
"""The right algorithm, where the quirk says more of it than that pieces are merged."""
STAGES: Mapping[Stage, str] = {
    Stage.TEXT_IN: "how bytes become text",
    Stage.ADDED_TOKENS: "how added tokens are found",
    Stage.NORMALISATION: "the normalizer",
    Stage.SPACES: "how spaces are written",
    Stage.PRETOKENISATION: "the pre-tokenizer",
    Stage.MODEL: "how a word becomes pieces",
    Stage.AROUND_THE_IDS: "the ids before and after a text",
    Stage.DECODING: "how ids become text",
    Stage.STREAMING: "how ids become text one after another",
    Stage.SPANS: "which characters each id comes from",
    Stage.PROMPTS: "which prompt a conversation becomes",
}
"""The stages, in the words of a report."""
STEPS: Mapping[Stage, str] = {
    Stage.TEXT_IN: "text = bytes decoded as UTF-8, and nothing else done to it",
    Stage.ADDED_TOKENS: "parts = text cut at its added tokens (at special ones only when asked)",
    Stage.NORMALISATION: "part = normalizer of the model(part)",
    Stage.SPACES: "part = spaces collapsed, prefixed and marked, as far as the model asks for it",
    Stage.PRETOKENISATION: "words = pre-tokenizer of the model(part)",
    Stage.MODEL: "ids = pieces of each word, found as the model's type says",
    Stage.AROUND_THE_IDS: "ids = BOS + ids + EOS, as far as the model and the caller ask for it",
    Stage.DECODING: "text = decoder of the model(pieces of the ids)",
    Stage.STREAMING: "delta = what text(ids so far) has more that is complete than was given",
    Stage.PROMPTS: "prompt = template(conversation), in Jinja as transformers sets it up",
    Stage.SPANS: "span = first character that the id comes from, and the one behind its last",
}
"""What each stage does in a right tokenizer, in the order of encoding."""


def both(parts: Sequence[Reason]) -> tuple[list[str], list[str]] | None:
    """The lines of the engine and the right ones; None where no part is a quirk."""
    engine: list[str] = []
    right: list[str] = []
    known = [part for part in parts if part.field in stages()]
    for part in sorted(known, key=lambda part: list(stages()).index(part.field)):
        if part.quirk in ENGINE or part.quirk in RIGHT:
            engine += ENGINE.get(part.quirk, MERGE)
            right += RIGHT.get(part.quirk, MERGE)
        else:
            engine.append(f"# {part.title[0].lower()}{part.title[1:]}")
            right.append(STEPS[stages()[part.field]])
    return (engine, list(dict.fromkeys(right))) if engine else None
