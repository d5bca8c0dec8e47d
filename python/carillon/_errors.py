"""What goes wrong, as exceptions."""

from __future__ import annotations

from typing import Any


class RenderError(Exception):
    """A job that came to nothing, or a batch that did.

    Attributes:
        exit_code: That of the program: 64 usage, 65 bad data, 66 no such file, 70 crashed or too slow, 73 and 74 no place.
        row: The row of the job, `None` where there is none; `row["status"]` is `failed`, `timeout`, `crashed` or `stopped`.
        ended: How the process of the job died: `trap`, `signal`, `memory-limit`, `killed` or `time-limit`; `None`: it did not.
    """

    def __init__(self, message: str, exit_code: int = 70, row: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.exit_code = exit_code
        self.row = row

    @property
    def ended(self) -> str | None:
        """How the process of the job died, `None` where it did not."""
        return (self.row or {}).get("ended")

    @property
    def report(self) -> dict[str, Any] | None:
        """The report of the render, `None` where it did not come to that."""
        return (self.row or {}).get("report")

    def __reduce__(self) -> Any:
        return type(self), (self.args[0], self.exit_code, self.row)


class ProgramNotFound(FileNotFoundError):
    """The program `carillon` is not there."""
