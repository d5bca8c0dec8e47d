"""The program that this package starts."""

from __future__ import annotations

import difflib
import functools
import os
import re
import shutil
import subprocess
from collections.abc import Iterable

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


# What a job has beside the options of `carillon render`.
_OWN = frozenset({"soundfonts", "channels", "seed", "time-limit", "recipe"})


@functools.lru_cache(maxsize=8)
def _options(path: str) -> frozenset[str]:
    told = subprocess.run([path, "render", "--help"], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return frozenset(re.findall(r"--([a-z][a-z0-9-]*)", told.stdout.decode(errors="replace")))


def require_options(names: Iterable[str], path: str) -> None:
    """Refuses what is no option of a job: a manifest passes it through, and here it would be a slip of the pen.

    Raises:
        TypeError: There is no such option.
    """
    known = _options(path) | _OWN
    for name in names:
        option = name.replace("_", "-")
        if option not in known and len(known) > len(_OWN):
            near = difflib.get_close_matches(option, sorted(known), 1)
            hint = f"; did you mean {near[0].replace('-', '_')}?" if near else ""
            raise TypeError(f"there is no option {name}{hint}")
