@_exported import CCoreAudioTypes
@_exported import CoreFoundation
