@_exported import CCoreMIDI
@_exported import CoreAudioTypes
