"""What shows that a key of a GGUF matters: a text on which the reference answers otherwise, or a stated effect."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from tokparity.behaviour import Behaviour
from tokparity.doctor.change import KeyChange
from tokparity.doctor.fitting import TOKEN_TYPE, TOKENS, UNUSED_SCORE
from tokparity.formats.gguf_keys import PREFIX
from tokparity.formats.gguf_vocabulary import SPECIAL_DEFAULTS, SPECIAL_KEYS, id_without_key
from tokparity.lint.difference import text_of
from tokparity.lint.shortest_texts import Answer, shortest
from tokparity.questions.json_text import literal
from tokparity.reference.spm import spm
from tokparity.reference.tokenizer import Tokenizer
from tokparity.reference.ugm import ugm
from tokparity.vocabulary import Kind, Vocabulary

SCORES = PREFIX + "scores"
RANKS = PREFIX + "merges", SCORES
"""Keys that say which of two pieces comes first; one may differ without a short text that shows it."""
SPECIAL = {PREFIX + name: role for role, name in SPECIAL_KEYS.items()}
_TRIED = 200  # entries of a list that are tried
_SPACE_PREFIX = PREFIX + "add_space_prefix"
"""Where it is true, llama.cpp takes a space away when decoding, whatever the type of the model."""
_NO_TOKEN = (-1, 2**32 - 1)
"""How converters write that a role has no token: -1, and the same 32 bits read without a sign."""
EFFECTS: Mapping[str, str] = {
    "eos": "generation does not stop where the model ends its answer",
    "bos": "a program that puts the first token before a prompt puts another one",
    "pad": "a program that fills a batch fills it with another token",
    "other": "a program that asks the file for this token gets another one",
    "type": "llama.cpp refuses the file",
    "unread": "the file cannot be read: {why}",
    "no piece": "the file has no piece of this id, and every program makes of that what it likes",
    "space": "llama.cpp takes a space away from decoded text",
    "no token": "there is no {role}_token_id: llama.cpp aborts on every text",
    "found": "llama.cpp looks for unused pieces as well, by their scores, and finds these",
    "left out": "llama.cpp leaves {piece} out of decoded text",
    "template": "llama.cpp takes the template chatml where a file has none",
    "named template": "a program that asks for the template of this name gets another one",
    "prompts": "no prompts were compared",
    "unreached": "no prompt was made with it",
}
"""What follows from a key where no text shows it: by role, and by what is wrong."""


def weighed(
    change: KeyChange, values: Mapping[str, Any], read: tuple[Vocabulary, Behaviour], goal: Tokenizer, own: Tokenizer
) -> KeyChange | None:
    """The change with its proof; None if it makes no difference to a tokenizer.

    `values` are all that the file says; `read` is the tokenizer with all changes but this one, `goal` the one with all.
    `own` is the source as it stands: a text on which the file gives what the source gives shows nothing.
    """
    effect = effect_of(change, values)
    if change.unsaid and effect:
        return replace(change, effect=effect, unsaid="")  # the file is wrong whatever the source says
    ours, its = _looked_at(*read), _looked_at(goal.vocabulary, goal.behaviour)
    if ours == its:
        return replace(change, effect=effect) if effect else None
    if _without_roles(ours) == _without_roles(its):
        return replace(change, effect=effect or EFFECTS["other"])
    one = Tokenizer(*read)
    seen = _decoded(change, one, goal, own)
    if seen is not None:
        return replace(change, text=seen[0], ours=seen[1], its=seen[2])
    if not effect and (undecoded := _left_out(change, goal)):
        effect = EFFECTS["left out"].format(piece=literal(undecoded))
    proof, tried = shortest(one, goal, _texts(change, one, goal), own)
    if proof is None:
        return replace(change, tried=tried, effect=effect)
    case, left, right = proof
    flags = "".join(f" ({remark})" for remark in case.question.remarks)
    return replace(change, tried=tried, text=f"{case.question.literal}{flags}", ours=_told(left), its=_told(right))


def effect_of(change: KeyChange, values: Mapping[str, Any]) -> str:
    """What follows from a key where no text shows it; empty where nothing is known to."""
    if change.types:
        return EFFECTS["type"]
    if names_no_piece(change):
        return EFFECTS["no piece"]
    model = model_of(values)
    if change.key == _SPACE_PREFIX and change.before is True:
        # What a SentencePiece model's GGUF leaves out, llama.cpp takes for true.
        return "" if change.after is None and model == "llama" else EFFECTS["space"]
    for name in ("bos", "eos"):
        none = f"{PREFIX}{name}_token_id" not in values and name not in SPECIAL_DEFAULTS.get(model, {})
        if change.key == f"{PREFIX}add_{name}_token" and change.before is True and none and model == "t5":
            return EFFECTS["no token"].format(role=name)
    if change.key == SCORES and any(cast(Any, change.after)[i] == UNUSED_SCORE for i in _entries(change)):
        return EFFECTS["found"]
    role = SPECIAL.get(change.key)
    if role is None or (change.before is None and change.after == id_without_key(model, role)):
        return ""  # what a file of this type says without the key
    return EFFECTS.get(role, EFFECTS["other"])


def model_of(values: Mapping[str, Any]) -> str:
    """The type of tokenizer that a file names; empty where the key has another type, which is a fault itself."""
    said = values.get(PREFIX + "model")
    return said.decode("utf-8", "replace") if isinstance(said, bytes) else ""


def names_no_piece(change: KeyChange) -> bool:
    """Whether it is about a special id that the file has no piece for."""
    value = change.before
    known = not isinstance(value, int) or value in _NO_TOKEN or 0 <= value < len(change.pieces)
    return change.key in SPECIAL and not known


def _looked_at(vocabulary: Vocabulary, behaviour: Behaviour) -> tuple[Vocabulary, Behaviour]:
    """A tokenizer without what its algorithm does not read."""
    if behaviour.segment not in (spm, ugm):
        vocabulary = replace(vocabulary, scores=())
    return vocabulary, behaviour


def _without_roles(read: tuple[Vocabulary, Behaviour]) -> tuple[Vocabulary, Behaviour]:
    """The same without the ids that have a role, but the unknown one, which texts show."""
    unknown = {role: i for role, i in read[0].special.items() if role == "unk"}
    return replace(read[0], special=unknown), read[1]


def _decoded(change: KeyChange, one: Tokenizer, goal: Tokenizer, own: Tokenizer) -> tuple[str, str, str] | None:
    """An id of an entry that differs, which is decoded otherwise: the id, and both texts."""
    for i in _entries(change) if change.key in (TOKENS, TOKEN_TYPE) else ():
        for skip_special in (False, True):
            left, right = one.decode([i], skip_special), goal.decode([i], skip_special)
            its = own.decode([i], skip_special) if i < len(own.vocabulary) else right
            if left not in (right, its):
                return f"the id {i}, decoded,", literal(left), literal(its)
    return None


def _left_out(change: KeyChange, goal: Tokenizer) -> bytes:
    """A piece that texts give and that has a type of which llama.cpp decodes nothing; empty where there is none."""
    for i in _entries(change) if change.key == TOKEN_TYPE else ():
        kinds = change.before[i], cast(Any, change.after)[i]
        if kinds[0] in (Kind.UNUSED, Kind.UNKNOWN) and kinds[1] in (Kind.NORMAL, Kind.BYTE):
            text = goal.decode([i])
            # A model may give letters as a piece that is hard to meet in a text; a placeholder is none of it.
            letters = text_of(text).strip().isalpha()
            if letters or any(i in goal.encode(before + text, False, False) for before in (b"", b"a", b"a ")):
                return text
    return b""


def _entries(change: KeyChange) -> Sequence[int]:
    """Some of the places at which two lists of one length differ."""
    before, after = change.before, change.after
    if not isinstance(before, list | array) or not isinstance(after, list | array) or len(before) != len(after):
        return ()
    other = [i for i in range(len(after)) if before[i] != after[i]]
    return other[:: max(len(other) // _TRIED, 1)]


def _texts(change: KeyChange, one: Tokenizer, goal: Tokenizer) -> Iterator[bytes]:
    """Texts that may show it: each entry that differs, and each special token that is none on one side."""
    kinds = goal.vocabulary.kinds
    unlike = [i for i, both in enumerate(zip(one.vocabulary.kinds, kinds, strict=False)) if both[0] is not both[1]]
    special = [i for i in unlike if kinds[i] in (Kind.CONTROL, Kind.USER_DEFINED)]
    for i in dict.fromkeys((*_entries(change), *special[:_TRIED])):
        pieces = {v.pieces[i] for v in (one.vocabulary, goal.vocabulary) if i < len(v)} - {b""}
        yield from (text_of(piece) for piece in sorted(pieces))


def _told(answer: Answer) -> str:
    return literal(answer) if isinstance(answer, bytes) else str(list(answer))
