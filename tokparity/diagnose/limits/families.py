"""How much work is done if nothing in the catalog explains an engine, and when a result is believed.

Lengths and counts have their units. A unit of work is about a microsecond on a machine of 2026.
"""

from __future__ import annotations

# --- work (a unit is about a microsecond of a machine of 2026)

WORK_PER_SECOND = 1_000_000
"""Units of work that such a machine does in about a second."""
WORK = 15_000_000
"""Work for all that nothing in the catalog explains of one engine."""
WORK_OF_HYPOTHESES = 6_000_000
"""Work for hypotheses about one mismatch, so that some is left for rules."""
WORK_PER_QUESTION = 100
"""Work of one question that is put to the engine, and as much again as its text has characters."""
WORK_PER_RUN = 40
"""Work of one prediction, and as much again as its text has bytes."""
WORK_PER_TOKENIZER = 400
"""Work of one tokenizer; one more for each eight of its pieces, where their tables are built anew."""
WORK_PER_PATTERN = 2000
"""Work of another pre-tokenizer, whose patterns are compiled."""
PIECES_PER_WORK = 8
"""Pieces of a tokenizer that cost one unit."""
WORK_PER_NEW_PIECE = 2
"""Work for each piece and merge of a vocabulary that is not the model's own."""

# --- what is believed: shares of texts or answers

SHARE = 0.9
"""A rule must hold for this share of the texts or answers that it speaks of."""
NEARLY_ALL = 0.98
"""A rule with exceptions must hold for this share of all mismatches."""
NEARLY_ANY = 0.85
"""This share of all sorts of characters must fail before the rule says "any character"."""
STRAYS = 0.02
"""This share of the texts that were made without a pattern may fail for another reason."""
ABOVE_AN_EDGE = 0.1
"""At least this share of the texts that were made longer than an edge fails, where not all do."""
RIGHT_ABOVE_AN_EDGE = 0.1
"""At most this share of all right texts is longer than an edge."""
DOUBTFUL = 0.25
"""A quirk is in doubt where this many unexplained mismatches look alike, for each one that it explains."""
HALF = 0.5
"""A group or a hypothesis with this share of the mismatches ends the search."""
WORTH = 1.05
"""What is added to a hypothesis must multiply the number of predicted mismatches by this."""

# --- what is believed: fewest texts, answers or characters

FEWEST = 2
"""Different texts or characters that show a cause."""
FEWEST_ALIKE = 3
"""Mismatches, texts or places that must be alike."""
FEWEST_FOR_A_NUMBER = 5
"""Texts, places or characters from which a number, a class or a condition is learned."""
FEWEST_PREDICTED = 10
"""Wrong answers, made or given, that a hypothesis predicts, and texts that are made for a rule."""
FEWEST_BELOW = 20
"""Right texts below an edge, where not all above it fail."""
FEWEST_STORED = 12
"""Ids of mismatches that a hypothesis predicts which was held against stored answers alone."""
FEWEST_STORED_IF_GIVEN = 3
"""The same for one of a list, of which nothing was learned from the answers: a row of ids seldom fits by chance."""
FEWEST_FOR_A_FORMULA = 4
"""Different ids for which a formula holds."""
FEWEST_FOR_AN_OFFSET = 3
"""Different ids that are all a number too high or too low, where no id comes as it is."""
FEWEST_FOR_A_TABLE = 12
"""Different ids of a table that has no other form."""
ODD_OF = 50
"""One text made of this number may be wrong in another way, while another fault is open."""
STRAY_OF = 60
"""One of this many mismatches may have another cause."""

# --- the loop

GROUPS = 12
"""Groups of mismatches of one engine."""
QUESTIONS = 4000
"""Texts that are asked for a group."""
DEATHS = 100
"""Texts that are asked for a group of which the engine dies; each death costs a process."""
STARTS = 3
"""Kinds of mismatches of which the smallest is looked at for a group."""
LONGEST_ALONE = 16
"""Bytes of a text of which a rule is told that holds for no other one."""
PUT_TOGETHER = 200
"""Mismatches, the smallest, that are put to one new process."""
PUT_ALONE = 3
"""Mismatches that are put to a process of their own."""
LARGE = 100_000
"""Pieces of a model of which only one mismatch is put so, for it takes as long to be opened."""
AGAIN = 10
"""How often a mismatch is put to its process, for what is by chance may come again once."""
PUT_AGAIN = 1000
"""Texts that the catalog's diagnosis asked, the short ones, that are judged again."""

# --- the trial

COMPARED = 60
"""Mismatches that hypotheses are compared on."""
TRIED = 6
"""Hypotheses, those that predict most, that are put to a trial."""
TRIED_UNDER = 3
"""Hypotheses that were refuted, of those that predict most, that are tried under conditions."""
RULES_TRIED = 4
"""Rules, the best, that are put to a trial."""
TOGETHER = 3
"""Things that may be otherwise at once."""
TRIAL_TEXTS = 150
"""Texts of the trial of a hypothesis."""
RULE_TEXTS = 300
"""Texts of the trial of a rule."""
AROUND = 40
"""Mismatches that are put again with something beside them."""
CONTROLS = 300
"""Right answers that are looked at before the engine is asked."""
PROBES = 100
"""Texts that a family makes to show a hypothesis."""
FEW_PROBES = 60
"""The same where texts are long, or of two sides."""
PARTS = 5
"""Parts of a text that a family makes, at most."""
SEEN = 300
"""Mismatches, and right answers, from which a condition or a merge is learned."""

# --- what is told

SORTS = 3
"""Sorts of characters, pieces or merges, the plainest, that are tried for the same cause."""
CONDITIONS = 4
"""Conditions that are tried for the same cause."""
TOLD = 3
"""Examples that are told of many, and strings that are tried for one that is lost."""
LISTED = 3
"""Pieces or merges that may be named one by one."""
LISTED_WORDS = 20
"""Words that may have other ids, each by itself."""
LISTED_IDS = 8
"""Ids that may be named one by one."""
LISTED_CHARACTERS = 6
"""Characters that may be named one by one."""
RUNS = 3
"""Runs of ids that a rule may list, each with an offset of its own."""
RANGES = 4
"""Ranges of code points that a rule may list as one class."""
REMEMBERED = 2_000
"""Characters of which it is remembered, for each class, whether they are in it."""
EXCEPTIONS = 3
"""Right characters of a class of which all others fail."""
SORTS_OF_ALL = 4
"""Sorts of characters (the first letters of their categories) of which a rule about all characters is learned."""
SPELLED_FROM = 2
"""Characters that are named one by one; more are spelled."""
SHOWN_OF_A_PATTERN = 100
"""Characters of a pattern that are shown."""

SCORES_OF_UNKNOWNS = (0.0, -1.0, -10.0, -20.0, -100.0)
"""Scores that an engine may give to every unknown character, whatever the scores of the pieces are."""
PLACES_OF_A_SCORE = (-1, 0, 1, 2)
"""Decimal places of a score that is read from the answers: as few as do."""
