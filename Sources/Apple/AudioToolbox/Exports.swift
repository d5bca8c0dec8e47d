@_exported import CAudioToolbox
@_exported import CoreAudioTypes
