"""Fuzzing of the readers that is guided by coverage: `python -m tests.hostile.guided --seconds 60` (needs Atheris).

Each format in a process of its own: what a reader does with a file tells Atheris which bytes to change next. An
exception that is none of ours, 10 seconds or 1 GB for one file end it; the file is then kept and named.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.hostile.targets import targets
from tokparity import formats
from tokparity.models.record import EMBEDDED

KEPT = 300
"""Pieces of a seed: a small file is changed where it matters more often."""

LIMITS = ("-timeout=10", "-rss_limit_mb=1024", "-max_len=65536", "-print_final_stats=1")


def seeds() -> Iterator[tuple[str, bytes]]:
    """(a file's name, its content), one of each kind."""
    with tempfile.TemporaryDirectory() as folder:
        for name, data in (("spm.model", _short_model("spm")), ("unigram.model", _short_model("unigram")),
                           ("bpe.json", _short_json("bpe")), ("wordpiece.json", _short_json("wordpiece"))):  # fmt: skip
            path = Path(folder) / name
            path.write_bytes(data)
            yield name, data
            formats.write(formats.read(path), "gguf", path.with_suffix(".gguf"))
            yield f"{path.stem}.gguf", path.with_suffix(".gguf").read_bytes()
    for target in targets():
        if target.name in ("m.tiktoken", "tekken.json"):
            yield target.read, target.files[target.read]


def _short_model(kind: str) -> bytes:
    from sentencepiece import sentencepiece_model_pb2

    model = sentencepiece_model_pb2.ModelProto.FromString((EMBEDDED / f"small-{kind}.model").read_bytes())
    del model.pieces[KEPT:]
    return bytes(model.SerializeToString())


def _short_json(kind: str) -> bytes:
    whole = json.loads((EMBEDDED / f"small-{kind}.json").read_bytes())
    model = whole["model"]
    model["vocab"] = {piece: i for piece, i in model["vocab"].items() if i < KEPT}
    if "merges" in model:
        pairs = [merge.split(" ") if isinstance(merge, str) else merge for merge in model["merges"]]
        model["merges"] = [pair for pair in pairs if "".join(pair) in model["vocab"]]
    return json.dumps(whole, ensure_ascii=False).encode()


def fuzz(name: str, arguments: list[str]) -> None:
    """Fuzz one reader in this process, which does not come back."""
    import atheris

    with atheris.instrument_imports(include=["tokparity.formats", "tokparity.reference"]):
        from tokparity.errors import TokparityError
        from tokparity.reference.tokenizer import Tokenizer
    folder = Path(tempfile.mkdtemp())
    if name == "m.tiktoken":
        (beside,) = (target.files for target in targets() if target.name == name)
        (folder / "m.tiktoken.json").write_bytes(beside["m.tiktoken.json"])

    def read(data: bytes) -> None:
        path = folder / name
        path.write_bytes(data)
        try:
            source = formats.read(path)
            Tokenizer(source.vocabulary, source.behaviour).encode(b"the quick  br\xc3\xb6wn fox \xff1")
        except TokparityError as error:
            if len(str(error).splitlines()) != 1:
                raise ValueError(f"an error of more than one line: {error}") from error

    atheris.Setup(["guided", *LIMITS, *arguments], read)
    atheris.Fuzz()


def main() -> int:
    """Fuzz each reader for so many seconds; 1 where one of them broke."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=60, help="for each kind of file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=Path("guided"), help="a folder for what broke a reader")
    parser.add_argument("--only", help="one kind of file, fuzzed in this process")
    args = parser.parse_args()
    corpus = args.keep / "corpus"
    if args.only:
        fuzz(args.only, [f"-max_total_time={args.seconds}", f"-seed={args.seed}",
                         f"-artifact_prefix={args.keep / args.only}-", str(corpus / args.only)])  # fmt: skip
    broke = 0
    for name, data in seeds():
        (corpus / name).mkdir(parents=True, exist_ok=True)
        (corpus / name / "seed").write_bytes(data)
        words = ["--only", name, "--seconds", str(args.seconds), "--seed", str(args.seed), "--keep", str(args.keep)]
        done = subprocess.run([sys.executable, "-m", "tests.hostile.guided", *words], capture_output=True, check=False)
        told = done.stderr.decode("utf-8", "replace") + done.stdout.decode("utf-8", "replace")
        runs = next((line.split()[-1] for line in told.splitlines() if "number_of_executed_units" in line), "?")
        broke += done.returncode != 0
        print(f"{name:16} {runs:>9} files read, " + ("held" if done.returncode == 0 else f"BROKE\n{told[-3000:]}"))
    return 1 if broke else 0


if __name__ == "__main__":
    sys.exit(main())
