"""A key of a model's file that is wrong."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from tokparity.questions.json_text import plain


@dataclass(frozen=True)
class FileFault:
    """A key of a model's file that does not say what another file of the same model, `against`, says."""

    model: str
    file: str
    against: str
    key: str
    value: str
    should: str
    reason: str = ""
    """Why it was accepted; empty where it was not."""
    by_doctor: bool = True
    """Whether `doctor` can make it right; what it can't takes a new conversion."""
    tried: int = 0
    """How many texts were tried to show it."""
    text: str = ""
    """A text that shows it, as a literal; `ours` is what the file gives there, and `its` what the source gives."""
    ours: str = ""
    its: str = ""
    effect: str = ""
    """What follows from it, where no text can show that."""
    disputed: bool = False
    """Whether two sources disagree, and the file says what one of them says."""
    unsaid: str = ""
    """Where the source does not say what the key should be, or two sources disagree: what each of them says."""

    @property
    def repair(self) -> str:
        """The command that repairs the file, or an empty string if no command does."""
        command = ["tokparity", "doctor", self.file, "--against", self.against, "--write", "fixed.gguf"]
        return shlex.join(command) if self.by_doctor else ""

    @property
    def told(self) -> str:
        """What is wrong, to be read after the key: that it is this and should be that."""
        return f"is {self.value}, should be {self.should}" if self.should else self.value

    @property
    def sentence(self) -> str:
        """One sentence: the key, its value, and the right value, or why nobody knows it."""
        return plain(f"{self.key} is {self.value}; {self.unsaid}" if self.unsaid else f"{self.key} {self.told}")
