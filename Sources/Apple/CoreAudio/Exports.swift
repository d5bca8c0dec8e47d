@_exported import CCoreAudio
@_exported import CoreAudioTypes
