"""The Jinja of llama.cpp: the server of xllamacpp on loopback, with a tiny model of random weights per template."""

from __future__ import annotations

import json
import os
import random
import struct
import tempfile
from typing import Any
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

MODULE = "xllamacpp"
RAISED = "Jinja Exception: "
WIDE, ALIGNED = 32, 32
UINT32, FLOAT32, INT32, BOOL, STRING, ARRAY = 4, 6, 5, 7, 8, 9
NORMAL, CONTROL, BYTE = 1, 3, 6


class Model:
    """A server for one template at a time; the next one takes its place."""

    SHUTS = False
    """It opens a port, and a file for each template's model; llama.cpp's Jinja itself can open nothing."""

    def __init__(self, path: str, options: dict[str, Any], format: str) -> None:
        self.opened: Any = None
        self.server: Any = None
        self.http = build_opener(ProxyHandler({}))

    def capabilities(self) -> dict[str, Any]:
        """Prompts alone."""
        return {"renders": True}

    def render(self, question: dict[str, Any]) -> dict[str, str]:
        """What `POST /apply-template` replies."""
        if "documents" in question:
            return {"unsupported": "llama.cpp's server takes no documents"}
        opened = (question["template"], sorted(question["tokens"].items()))
        if opened != self.opened:
            self.server, self.opened = None, opened
            self.server = served(*opened)
        if self.server is None:
            return {"error": "llama.cpp's server does not start with this template"}
        extra = question.get("extra", {})
        body: dict[str, Any] = {key: question[key] for key in ("messages", "tools") if key in question}
        body["add_generation_prompt"] = question.get("add_generation_prompt", False)
        body.update({"chat_template_kwargs": extra} if extra else {})
        asked = Request(f"{self.server.listening_address}/apply-template", json.dumps(body).encode())
        asked.add_header("Content-Type", "application/json")
        try:
            with self.http.open(asked) as reply:
                return {"prompt": json.load(reply)["prompt"]}
        except HTTPError as error:
            said = json.load(error)["error"]["message"]
        if RAISED in said:
            return {"raised": said.partition(RAISED)[2]}
        return {"error": said}


def served(template: str, tokens: list[tuple[str, str]]) -> Any:
    """A running server with this template, on a free port of loopback; None where it does not start."""
    import xllamacpp

    with tempfile.TemporaryDirectory(prefix="model-") as folder:
        path = os.path.join(folder, "tiny.gguf")
        with open(path, "wb") as file:
            file.write(tiny(dict(tokens)))
        given = xllamacpp.CommonParams()
        given.model.path = path
        given.chat_template, given.use_jinja = template, True
        given.n_ctx, given.n_parallel, given.warmup = 64, 1, False
        given.prefill_assistant = False  # else the answer that comes last has no end
        given.cache_ram_mib, given.fit_params, given.kv_unified = 0, False, True
        given.hostnames, given.port, given.n_threads_http = ["127.0.0.1"], 0, 1
        try:
            return xllamacpp.Server(given)
        except RuntimeError:
            return None


def tiny(tokens: dict[str, str]) -> bytes:
    """A GGUF of llama's architecture: one layer, random weights, and a vocabulary of the special tokens and bytes."""
    pieces = [("<unk>", CONTROL), *((tokens.get(f"{name}_token") or f"<{name}>", CONTROL) for name in ("bos", "eos"))]
    pieces += [(f"<0x{byte:02X}>", BYTE) for byte in range(256)]
    name = "llama"
    counts = {"context_length": 64, "embedding_length": WIDE, "block_count": 1, "feed_forward_length": WIDE}
    counts.update({"attention.head_count": 1, "rope.dimension_count": WIDE})
    fields = [("general.architecture", STRING, text(name)), ("tokenizer.ggml.model", STRING, text(name))]
    fields += [(f"{name}.{key}", UINT32, struct.pack("<I", value)) for key, value in counts.items()]
    fields += [(f"{name}.attention.layer_norm_rms_epsilon", FLOAT32, struct.pack("<f", 1e-5))]
    fields += [(f"tokenizer.ggml.{key}_token_id", UINT32, struct.pack("<I", i)) for i, key in ((1, "bos"), (2, "eos"))]
    fields += [("tokenizer.ggml.add_bos_token", BOOL, b"\0")]  # else the server takes BOS away from a prompt
    for key, kind, values in (
        ("tokens", STRING, [text(piece) for piece, _ in pieces]),
        ("scores", FLOAT32, [struct.pack("<f", 0.0)] * len(pieces)),
        ("token_type", INT32, [struct.pack("<i", kind) for _, kind in pieces]),
    ):
        fields.append((f"tokenizer.ggml.{key}", ARRAY, struct.pack("<IQ", kind, len(values)) + b"".join(values)))
    table = (WIDE, len(pieces))
    shapes: dict[str, tuple[int, ...]] = {"token_embd": table, "output": table, "output_norm": (WIDE,)}
    shapes.update({f"blk.0.{part}": (WIDE,) for part in ("attn_norm", "ffn_norm")})
    parts = ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")
    shapes.update({f"blk.0.{part}": (WIDE, WIDE) for part in parts})
    made = struct.pack("<4sIQQ", b"GGUF", 3, len(shapes), len(fields))
    made += b"".join(text(key) + struct.pack("<I", kind) + value for key, kind, value in fields)
    weights, rng = b"", random.Random(0)
    for tensor, shape in shapes.items():
        made += text(f"{tensor}.weight") + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, 0, len(weights))
        size = WIDE * (shape[1] if len(shape) > 1 else 1)
        weights += struct.pack(f"<{size}f", *(rng.gauss(0, 0.1) for _ in range(size)))
    return made + bytes(-len(made) % ALIGNED) + weights


def text(said: str) -> bytes:
    """A string of a GGUF."""
    raw = said.encode()
    return struct.pack("<Q", len(raw)) + raw
