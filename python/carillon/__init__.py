"""MIDI songs become audio, stems and the labels of what was really played.

`Renderer` gives numpy arrays, `batch` renders a manifest into a folder, `carillon.export` makes data sets of that folder;
`carillon.dask` and `carillon.ray` do the same on many machines.
"""

from ._batch import batch
from ._errors import ProgramNotFound, RenderError
from ._program import program
from ._rendered import Rendered, load
from ._renderer import Renderer

__version__ = "0.2.0"
__all__ = ["ProgramNotFound", "RenderError", "Rendered", "Renderer", "batch", "load", "program"]
