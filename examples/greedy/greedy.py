"""A tokenizer of 40 lines with a fault: it takes the longest piece that fits, where the model's merges have a say.

tokparity engine-test ./greedy.py:Greedy
tokparity diff small-bpe "The capital of France" --engine ./greedy.py:Greedy
tokparity run small-bpe --engine ./greedy.py:Greedy --corpus languages --cases 500
"""

import json

import regex

WORDS = regex.compile(r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+")


def byte_alphabet() -> dict[int, str]:
    """GPT-2's letters for the 256 bytes: printable ones stand for themselves, the others for U+0100 and on."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in printable]
    return {**{byte: chr(byte) for byte in printable}, **{byte: chr(256 + i) for i, byte in enumerate(others)}}


class Greedy:
    """The vocabulary of a byte-level tokenizer.json, without its merges."""

    def __init__(self, path: str) -> None:
        with open(path, encoding="utf-8") as file:
            self.vocab = json.load(file)["model"]["vocab"]
        self.letters = byte_alphabet()
        self.longest = max(map(len, self.vocab))

    def encode(self, text: str) -> list[int]:
        """The longest piece that fits, again and again, in each word."""
        ids = []
        for word in WORDS.findall(text):
            rest = "".join(self.letters[byte] for byte in word.encode())
            while rest:
                size = next(n for n in range(min(self.longest, len(rest)), 0, -1) if rest[:n] in self.vocab)
                ids.append(self.vocab[rest[:size]])
                rest = rest[size:]
        return ids
