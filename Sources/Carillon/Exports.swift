// One import gives what users and authors of units name. Of some modules that is a few types; the rest, which is public so that
// the compiler inlines it across modules, or because errors carry it, is an import of that module away. A module of which an
// operator is needed is exported whole.
@_exported import Convolution
@_exported import EngineCore
@_exported import FluidSynthUnit
@_exported import Graphs
@_exported import Patches
@_exported import RealtimeCore
@_exported import RemoteIO
@_exported import Samplers
@_exported import Sequencer
@_exported import Sessions
@_exported import SongRendering
@_exported import SoundFonts
@_exported import TimePitch
@_exported import UnitAPI
@_exported import Units
@_exported import VoiceProcessing

@_exported import enum AudioFiles.AudioFileError
@_exported import struct AudioFiles.AudioFileFormat
@_exported import class AudioFiles.AudioFileReader
@_exported import class AudioFiles.AudioFileWriter
@_exported import struct AudioFiles.AudioTags
@_exported import protocol AudioFiles.FrameReading
@_exported import struct DSP.ADSREnvelope
@_exported import struct DSP.ADSRTimes
@_exported import enum DSP.Decibels
@_exported import struct DSP.DelayLine
@_exported import enum DSP.DeterministicMath
@_exported import struct DSP.PulseOscillator
@_exported import enum DSP.SpeakerLayout
@_exported import struct DSP.StateVariableFilter
@_exported import struct DSP.TouchCurve
@_exported import struct MIDI.Controller
@_exported import struct MIDI.MIDIMessage
@_exported import enum MIDI.MusicEvent
@_exported import struct MIDI.Part
@_exported import struct SampleRate.ChannelMix
@_exported import class SampleRate.FormatConverter
@_exported import struct SampleRate.SoundFormat
@_exported import enum SongFiles.SongError
@_exported import struct SongFiles.SongFile
@_exported import struct SongFiles.SongLimits
@_exported import enum SongFiles.SongReader
@_exported import struct SongFiles.SongRepair
@_exported import enum SongFiles.SongWriter
@_exported import struct SongFiles.TextEncoding
