// One import gives the whole library: an instrument builder needs the words of every module below.
@_exported import AudioFiles
@_exported import Convolution
@_exported import DSP
@_exported import FluidSynthUnit
@_exported import Graph
@_exported import MIDI
@_exported import Patch
@_exported import PatchFile
@_exported import RealtimeCore
@_exported import RemoteIO
@_exported import Sampler
@_exported import Sequencer
@_exported import SongFiles
@_exported import SoundFonts
@_exported import TimePitch
@_exported import UnitAPI
@_exported import Units
