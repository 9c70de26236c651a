"""Quirks of prompts: what a renderer of chat templates does otherwise than Jinja as transformers sets it up."""

from __future__ import annotations

from tokparity.behaviour import Behaviour
from tokparity.quirk import Derived, Place, Quirk

_RECORDS = (
    (
        "never_writes_bos",
        "Writes no BOS",
        "The prompt begins without the token that the template writes first.",
        "The renderer does not pass bos_token, or removes it for the tokenizer to add.",
        "Let the tokenizer add BOS to this prompt.",
    ),
    (
        "never_writes_eos",
        "Writes no EOS",
        "Turns of the assistant do not end, so the model goes on with them.",
        "The renderer does not pass eos_token.",
        "Give the renderer the model's EOS.",
    ),
    (
        "writes_bos_twice",
        "Writes BOS once more",
        "The prompt begins with two BOS, which the model never saw.",
        "Both the template and the renderer write BOS.",
        "Take one of the two away.",
    ),
    (
        "no_generation_prompt",
        "Ignores add_generation_prompt",
        "The prompt does not begin an answer, so the model may write another turn of the user.",
        "The renderer does not pass add_generation_prompt.",
        "Add the beginning of the answer to the prompt.",
    ),
    (
        "always_generation_prompt",
        "Writes the generation prompt always",
        "The prompt begins an answer that nobody asked for.",
        "The renderer sets add_generation_prompt by itself.",
        "Pass add_generation_prompt to the template.",
    ),
    (
        "takes_chatml",
        "Writes plain ChatML instead of what the template says",
        "What the template has beside ChatML is lost: a default system message, tools, checks.",
        "The renderer has a list of formats, and takes the template for the one that it looks like.",
        "Render the template itself: llama.cpp's server does so with --jinja.",
    ),
    (
        "drops_tools",
        "Does not pass tools",
        "The model does not know the tools, and calls none.",
        "The renderer takes messages alone.",
        "Pass tools to the template.",
    ),
    (
        "drops_variables",
        "Passes no other variables",
        "Switches such as enable_thinking have no effect.",
        "The renderer takes no variables beside messages and tools.",
        "Pass all variables.",
    ),
    (
        "trims_contents",
        "Trims each content",
        "White space at the ends of messages is lost.",
        "The renderer trims messages before the template sees them.",
        "Pass contents as they are.",
    ),
    (
        "joins_parts",
        "Joins the parts of a content with newlines",
        "A content of several parts is one text, and what is no text is lost.",
        "The renderer makes a string of each content.",
        "Pass the parts.",
    ),
    (
        "merges_system",
        "Puts the system message and a line end before the next message's content",
        "There is no turn of the system.",
        "The renderer takes the template for one without a system role.",
        "Pass the system message by itself.",
    ),
    (
        "merges_system_apart",
        "Puts the system message and an empty line before the next message's content",
        "There is no turn of the system.",
        "The renderer takes the template for one without a system role.",
        "Pass the system message by itself.",
    ),
    (
        "defines_enable_thinking",
        "Sets enable_thinking to true where nobody does",
        "The model thinks, or the prompt says so, without being asked to.",
        "The renderer has a default of its own for a variable of the template.",
        "Pass enable_thinking, or switch its default off.",
    ),
    (
        "rebuilds_tools",
        "Passes the name, description and parameters of a tool alone",
        "What else a tool says is lost.",
        "The renderer reads tools into a type of its own.",
        "Pass tools as they are.",
    ),
    (
        "passes_date_string",
        "Passes the day of today as date_string",
        "The prompt has another date than the template's own.",
        "The renderer defines a variable that the template has a default for.",
        "Pass date_string yourself.",
    ),
    (
        "empty_tools",
        "Passes an empty list where there are no tools",
        "The prompt speaks of tools where there are none.",
        "The renderer has no difference between no list and an empty one.",
        "Pass no tools.",
    ),
    (
        "keeps_carriage_returns",
        "Keeps the carriage returns of a template, but for those after a block",
        "The prompt has carriage returns that the model never saw.",
        "Jinja makes line feeds of a template's line ends, and the renderer does not.",
        "Save the template with line feeds alone.",
    ),
    (
        "keeps_carriage_returns_after_blocks",
        "Keeps all carriage returns of a template",
        "The prompt has carriage returns and line ends that the model never saw.",
        "Jinja makes line feeds of a template's line ends, and the renderer does not.",
        "Save the template with line feeds alone.",
    ),
    (
        "trims_ascii_only",
        "Trims ASCII white space alone",
        "Other white space at the ends of contents stays.",
        "The renderer's trim and strip know ASCII alone.",
        "Trim as Python does.",
    ),
    (
        "none_is_empty",
        "Writes nothing for None",
        "A missing value is not in the prompt.",
        "The renderer writes undefined values and None alike.",
        "Write None as Python does.",
    ),
    (
        "keeps_none_fields",
        "Passes the fields of a message that are None",
        "A template that asks whether a field is defined takes another way.",
        "The renderer does not leave out what is None.",
        "Leave out what is None.",
    ),
    (
        "writes_values_as_json",
        "Writes true, lists and dicts as JSON",
        "Values in the prompt are spelled otherwise.",
        "The renderer is not written in Python.",
        "Write values as Python does.",
    ),
    (
        "keeps_line_ends",
        "Keeps the line end after a block",
        "The prompt has more line ends.",
        "The renderer does not set trim_blocks.",
        "Set trim_blocks.",
    ),
    (
        "keeps_indents",
        "Keeps the spaces before a block",
        "The prompt has more spaces.",
        "The renderer does not set lstrip_blocks.",
        "Set lstrip_blocks.",
    ),
    (
        "escapes_json",
        "Escapes JSON for HTML, and sorts its keys",
        "Tools and arguments are spelled otherwise.",
        "Jinja's own filter tojson is made for HTML.",
        "Replace the filter tojson.",
    ),
    (
        "escapes_json_in_order",
        "Escapes JSON for HTML",
        "Tools and arguments are spelled otherwise.",
        "The renderer's filter tojson is made for HTML.",
        "Replace the filter tojson.",
    ),
    (
        "reads_clock",
        "Writes the day of today, not the fixed one",
        "The prompt changes from day to day.",
        "The renderer's clock cannot be set.",
        "Compare prompts of the same day.",
    ),
    (
        "counts_bytes",
        "Counts the bytes of a text as its length",
        "A template that compares lengths takes another way behind characters outside of ASCII.",
        "The renderer's strings are bytes.",
        "Count characters.",
    ),
    (
        "indent_first_line",
        "Indents the first line as well",
        "The prompt has spaces before an indented text.",
        "The renderer's filter indent has another default.",
        "Leave out the first line, as Jinja does.",
    ),
    (
        "none_is_iterable",
        "Takes None for iterable",
        "A template that asks whether there are tools takes another way.",
        "The renderer's test iterable is true for None.",
        "Test whether there are tools by `if tools`.",
    ),
    (
        "drops_text_before_comment",
        "Drops what stands before a comment in its line",
        "A part of the prompt is lost.",
        "The renderer's lexer takes a comment for a block.",
        "Put comments into lines of their own.",
    ),
    (
        "sandbox_refuses",
        "Lets a template change a list, which the sandbox refuses",
        "There is a prompt where the reference raises.",
        "The renderer is no immutable sandbox.",
        "Render in the immutable sandbox.",
    ),
)
"""Name, title, symptom, cause and fix; the plainest first."""


def _with(number: int, name: str) -> Derived:
    def make(behaviour: Behaviour) -> object:
        return (*(other for other in behaviour.prompts if other != name), name)

    return Derived(Place.PART, number, make)


QUIRKS = tuple(
    Quirk(name, title, symptom, cause, fix, field="prompts", derive=_with(number, name))
    for number, (name, title, symptom, cause, fix) in enumerate(_RECORDS)
)
