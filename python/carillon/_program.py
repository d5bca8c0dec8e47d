"""The program that this package starts."""

from __future__ import annotations

import os
import shutil

from ._errors import ProgramNotFound

VARIABLE = "CARILLON_PROGRAM"


def program() -> str:
    """The path of the program `carillon`: `$CARILLON_PROGRAM`, that of the wheel, or that of PATH, in this order.

    Raises:
        ProgramNotFound: There is none.
    """
    named = os.environ.get(VARIABLE)
    if named:
        if not os.access(named, os.X_OK):
            raise ProgramNotFound(f"{VARIABLE} is {named}, and that is no program; set it to the path of carillon")
        return named
    inside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "carillon")
    if os.access(inside, os.X_OK):
        return inside
    found = shutil.which("carillon")
    if found:
        return found
    raise ProgramNotFound(
        f"the program carillon is not here: install the wheel that tools/package wheel makes, put carillon into PATH, or set {VARIABLE}"
    )
