@_exported import CAudioToolbox
@_exported import CoreAudio
@_exported import CoreAudioTypes
@_exported import CoreMIDI
