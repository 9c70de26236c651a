"""Chat templates of our own, as models have them, and a model that has one."""

from __future__ import annotations

import json
from pathlib import Path

from tokparity import formats, models
from tokparity.formats.beside import CHAT
from tokparity.formats.gguf_rewrite import rewrite

TURNS = """{%- if messages[0]['role'] == 'system' %}
    {%- set system = messages[0]['content'] | trim %}
    {%- set rest = messages[1:] %}
{%- else %}
    {%- set system = 'Be kind.' %}
    {%- set rest = messages %}
{%- endif %}
{{- bos_token }}
{{- '<|system|>\\n' + system + '\\n' }}
{%- if tools %}
    {{- 'Tools:\\n' }}
    {%- for tool in tools %}
        {{- tool | tojson }}
        {{- '\\n' }}
    {%- endfor %}
{%- endif %}
{%- for message in rest %}
    {%- if message.role == 'user' %}
        {{- '<|user|>\\n' + message.content | trim + '\\n' }}
    {%- elif message.role == 'assistant' %}
        {{- '<|assistant|>\\n' }}
        {%- if message.tool_calls %}
            {%- for call in message.tool_calls %}
                {{- '<call>' + (call.function.arguments | tojson) + '</call>' }}
            {%- endfor %}
        {%- else %}
            {{- message.content }}
        {%- endif %}
        {{- eos_token }}
        {{- '\\n' }}
    {%- elif message.role == 'tool' %}
        {{- '<|result|>' + message.content | string + '\\n' }}
    {%- else %}
        {{- raise_exception('The role ' + message.role + ' is not known') }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|assistant|>\\n' }}
    {%- if enable_thinking is defined and enable_thinking is false %}
        {{- '<think></think>' }}
    {%- endif %}
{%- endif %}
"""

CHATML = (
    "{% for message in messages %}"
    "{{'<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n'}}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)

INST = """{{ bos_token }}{% for message in messages %}
{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}
{{ raise_exception('Roles must take turns: user, assistant, user, ...') }}
{% endif %}
{% if message['role'] == 'user' %}
{{ '[INST] ' + message['content'] + ' [/INST]' }}{% elif message['role'] == 'assistant' %}
{{ message['content'] + eos_token }}{% else %}
{{ raise_exception('Only user and assistant speak') }}
{% endif %}
{% endfor %}
"""


def with_model(folder: Path, template: object, beside: str = "tokenizer_config.json") -> Path:
    """A folder with a tokenizer.json that names BOS and EOS, and a chat template in a file of that name."""
    own = json.loads(models.load("small-bpe").sources["tokenizer.json"].read_text(encoding="utf-8"))
    size = max((*own["model"]["vocab"].values(), *(token["id"] for token in own["added_tokens"]))) + 1
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    for i, name in enumerate(("<s>", "</s>")):
        own["added_tokens"].append({"id": size + i, "content": name, "special": True, **flags})
    own["post_processor"] = None
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tokenizer.json").write_text(json.dumps(own), encoding="utf-8")
    said: dict[str, object] = {"bos_token": "<s>", "eos_token": "</s>"}
    if template is not None and beside == "tokenizer_config.json":
        said["chat_template"] = template
    elif template is not None:
        (folder / beside).write_text(str(template), encoding="utf-8")
    (folder / "tokenizer_config.json").write_text(json.dumps(said), encoding="utf-8")
    return folder


def converted(source: Path, template: str | None, key: str = CHAT) -> Path:
    """The GGUF of a folder, with another template."""
    right, other = source / "right.gguf", source / "model.gguf"
    formats.write(formats.read(source), "gguf", right)
    rewrite(right, {key: None if template is None else template.encode()}, other)
    return other
