"""How long texts are, and how many of them are made and run, for each family of causes."""

from __future__ import annotations

# --- characters

PER_CLASS = 4
"""Characters of each class that are tried first."""
CONFIRMING = 40
"""Characters of a class that are tried to confirm it."""
SORTING_ROUNDS = 12
"""Rounds in which more characters are asked."""
FEW_EDGES = 8
"""Edges between characters that differ, if there are so few, between which it is asked."""
HALVED = 16
"""How often what lies between two characters is halved."""
CLOSER = 2
"""How often characters at the edges of what fails are asked."""
EDGE_STEPS = 20
"""Characters that are asked between two that differ."""
EDGE_CHARACTERS = 200
"""Characters that are asked between any two that differ."""
ASKED_FOR_A_SORT = 3000
"""Texts that are asked to find of which sort a character is."""
ATOMS = 4
"""Sorts of characters that a class may lack."""

# --- lengths

LONGEST_PATTERN_TEXT = 8
"""Characters of a text of which each place is looked at for a pattern."""
LONGEST_WHOLE = 64
"""Characters of a text that others may contain whole."""
LONGEST_CUT_TEXT = 14
"""Characters of a text of which all ways to cut it are looked at."""
LONGEST_REWRITTEN = 24
"""Characters of a text of which each sort is tried."""
LONGEST_ALIGNED = 400
"""Characters of two texts of which each place that differs is looked for."""
LONGEST_TAKEN_FOR = 40
"""Characters of a text in which each may be taken for another."""
LONGEST_SHOWING = 200
"""Characters of a text that may show how it is normalized or trimmed, and of a short text of a series."""
LONGEST_DECODED = 2000
"""Characters of a decoded text in which one string is looked for in place of another."""
LONGEST_SERIES = 20_000
"""Characters of the longest text of a series."""
LONGEST_EDITED = 600
"""Characters of a pattern that is edited; longer ones are lists of ranges."""
LONGEST_MERGED = 100
"""Bytes of a word in which merges are counted."""
LONGEST_LIMIT = 10_000
"""Characters of the longest word that is made to see where an engine takes no more."""
SHORTEST_LIMIT = 3
"""Characters or bytes of a limit to words; to a shorter one all words would be too long."""
LONGEST_ID_BLOCK = 600
"""Ids of the longest block that something is done with."""
LONGEST_REPLACED = 12
"""Characters of a string that is read as another one."""
BESIDE_REPLACED = 2
"""Characters on either side of what changed that may belong to it."""
SHORTEST_BLOCK = 8
"""Bytes or characters of the shortest block."""
LONGEST_BLOCK = 5000
"""Bytes or characters of the longest block."""
PAST_AN_EDGE = 8
"""Bytes or characters after an edge of a block at which the smallest mismatch ends, at most."""
BLOCKS_IN = 4
"""Blocks of which one of the first edges shows."""
BYTES_PAST = 64
"""Bytes after what came rightly at which such an edge is, at most."""
CONTEXT = 60
"""Characters of a right text that a pattern is put into."""

# --- what is asked of one family

CONTEXTS = 40
"""Right texts that a pattern is put into."""
ASKED_CONTEXTS = 12
"""The same where an answer must be asked to measure it."""
NEAR_MISS_OF = 3
"""Of this many texts with a pattern one is put without it as well."""
OTHER_FLAGS = 50
"""Texts that are asked again with other flags."""
NEEDED = 4
"""Places of a text that must be as they are; where there are more, the text says what it says whole."""
SERIES_FROM = 4
"""Characters that a smallest text has at least for its length to be what matters."""
GAP = 16
"""Numbers between a right text and an edge, if there are so few, of which the roundest is taken."""
MISMATCHES_OF_A_RULE = 1000
"""Mismatches whose lengths are looked at."""
REWRITTEN_MISMATCHES = 30
"""Mismatches of which another text is looked for."""
GUESSES = 3
"""Strings that are tried in place of a pattern, as wrong ids decode to them."""
LONGEST_GUESS = 4
"""Characters of such a string."""
PAIRS_OF = 8
"""Different characters of a text of which each two are tried."""
LONG_TEXT_OF = 12
"""One of this many texts is made long."""
BYTES_TRIED = 4
"""Bytes that may be lost."""
TOKENS_TRIED = 3
"""Tokens of each kind that texts are made of."""
PIECES_SAMPLED = 600
"""Pieces that are put to the engine, each alone."""
PIECES_ALIKE = 200
"""Pieces like those that are lost which are put so."""
PIECES_BETWEEN = 6
"""Pieces that are put to find an edge, at each step."""
PIECES_IN_DOUBT = 60
"""Pieces that are put to tell sorts apart."""
KINDS_OF_PIECES = 12
"""Sorts of pieces that may have another kind."""
LONG_WORDS = 40
"""Long words that texts are made of."""
MERGES_SAMPLED = 200
"""Merges that are put to the engine, each alone."""
MERGES_ALIKE = 60
"""Merges like those that are lost which are put so, for each half."""
MERGES_OF = 500
"""Mismatches whose merges are put to the engine."""
MERGING_ROUNDS = 20
"""How often words are merged again, as more of their merges turn out to be lost."""
KEY_WIDTHS = 4
"""Widths in bits of the number that a merge is found by, the widest that are too narrow first."""
QUIRK_SHOWING = 8
"""Mismatches, the small ones, of which one must show a quirk."""
EDGE_ROUNDS = 4
"""How often an edge is narrowed."""
EDGE_LENGTHS = 6
"""Lengths that are tried in each round."""
EDGE_TEXTS = 4
"""Texts of each length."""
EDGE_PLACES = 30
"""Texts on each side of an edge that are cut or made longer."""
WORDS_AT_ONCE = 5
"""Words of one text that may be answered otherwise, so that its ids show which are."""
MAPPED_ANSWERS = 20_000
"""Wrong answers, and as many right ones, of which a table of ids is made."""
MAPPED_ENDS = 8
"""Ids that are added or missing at an end."""
LINED_UP = 50
"""Answers without an id that are lined up with the right ids, the shortest first."""
MAP_ROUNDS = 3
"""How often pieces are asked to find the edge of a mapping."""
MAP_ASKED = 40
"""Ids beside such an edge that are asked in each round."""
MAP_BESIDE = 2
"""Ids on either side of an edge that its trial asks."""
CHANCE_POWER = 256
"""Differences of ids by multiples of less than this are soon met by chance."""
REFUTING = 8
"""Right texts that are put again to see whether a change that all wrong ones show is made of them as well."""
