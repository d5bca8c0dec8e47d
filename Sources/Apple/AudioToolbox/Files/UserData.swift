// Chunks of a program's own: these names are here so that programs compile, and do nothing.

/// Answers `kAudio_UnimplementedError`.
@discardableResult public func AudioFileCountUserData(
    _ inAudioFile: AudioFileID, _ inUserDataID: UInt32, _ outNumberItems: UnsafeMutablePointer<UInt32>
) -> OSStatus { kAudio_UnimplementedError }

/// Answers `kAudio_UnimplementedError`.
@discardableResult public func AudioFileGetUserDataSize(
    _ inAudioFile: AudioFileID, _ inUserDataID: UInt32, _ inIndex: UInt32, _ outUserDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus { kAudio_UnimplementedError }

/// Answers `kAudio_UnimplementedError`.
@discardableResult public func AudioFileGetUserData(
    _ inAudioFile: AudioFileID, _ inUserDataID: UInt32, _ inIndex: UInt32, _ ioUserDataSize: UnsafeMutablePointer<UInt32>,
    _ outUserData: UnsafeMutableRawPointer
) -> OSStatus { kAudio_UnimplementedError }

/// Answers `kAudio_UnimplementedError`.
@discardableResult public func AudioFileSetUserData(
    _ inAudioFile: AudioFileID, _ inUserDataID: UInt32, _ inIndex: UInt32, _ inUserDataSize: UInt32,
    _ inUserData: UnsafeRawPointer
) -> OSStatus { kAudio_UnimplementedError }

/// Answers `kAudio_UnimplementedError`.
@discardableResult public func AudioFileRemoveUserData(
    _ inAudioFile: AudioFileID, _ inUserDataID: UInt32, _ inIndex: UInt32
) -> OSStatus { kAudio_UnimplementedError }
