internal import AudioFiles

/// Opens an audio file; its kind is found in its bytes, and the hint is not needed.
///
/// Only files whose packets have one size can be opened for writing; they grow if no other chunks stand in them.
@discardableResult public func AudioFileOpenURL(
    _ inFileRef: CFURL, _ inPermissions: AudioFilePermissions, _ inFileTypeHint: AudioFileTypeID,
    _ outAudioFile: UnsafeMutablePointer<AudioFileID?>
) -> OSStatus {
    outAudioFile.pointee = nil
    guard (1...3).contains(inPermissions.rawValue) else { return kAudio_ParamError }
    var status = noErr
    let writes = inPermissions != .readPermission
    guard let bytes = FileBytes.open(inFileRef, flags: writes ? O_RDWR : O_RDONLY, &status) else { return status }
    return open(bytes, reads: inPermissions != .writePermission, writes: writes, outAudioFile)
}

private func open(_ bytes: FileBytes, reads: Bool, writes: Bool, _ outAudioFile: UnsafeMutablePointer<AudioFileID?>) -> OSStatus {
    var status = noErr
    guard let file = AudioFileObject(bytes, reads: reads, writes: writes, &status) else { return status }
    if writes, !file.hasPackets { return kAudioFileOperationNotSupportedError }
    outAudioFile.pointee = Handles.add(file)
    return noErr
}

/// Opens an audio file behind callbacks; for reading where there is none that writes.
@discardableResult public func AudioFileOpenWithCallbacks(
    _ inClientData: UnsafeMutableRawPointer, _ inReadFunc: AudioFile_ReadProc, _ inWriteFunc: AudioFile_WriteProc?,
    _ inGetSizeFunc: AudioFile_GetSizeProc, _ inSetSizeFunc: AudioFile_SetSizeProc?, _ inFileTypeHint: AudioFileTypeID,
    _ outAudioFile: UnsafeMutablePointer<AudioFileID?>
) -> OSStatus {
    outAudioFile.pointee = nil
    let bytes = FileBytes(inClientData, inReadFunc, inWriteFunc, inGetSizeFunc, inSetSizeFunc)
    return open(bytes, reads: true, writes: inWriteFunc != nil && inSetSizeFunc != nil, outAudioFile)
}

/// Creates an audio file. One that is there is only replaced with `.eraseFile`.
///
/// Types and formats: `kAudioFileGlobalInfo_WritableTypes` and `kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat`.
@discardableResult public func AudioFileCreateWithURL(
    _ inFileRef: CFURL, _ inFileType: AudioFileTypeID, _ inFormat: UnsafePointer<AudioStreamBasicDescription>,
    _ inFlags: AudioFileFlags, _ outAudioFile: UnsafeMutablePointer<AudioFileID?>
) -> OSStatus {
    let mode = inFlags.contains(.eraseFile) ? O_CREAT : O_CREAT | O_EXCL
    return begin(inFileType, inFormat.pointee, frames: false, outAudioFile) {
        FileBytes.open(inFileRef, flags: O_RDWR | mode, &$0)
    }
}

/// Begins an audio file behind callbacks.
@discardableResult public func AudioFileInitializeWithCallbacks(
    _ inClientData: UnsafeMutableRawPointer, _ inReadFunc: AudioFile_ReadProc, _ inWriteFunc: AudioFile_WriteProc,
    _ inGetSizeFunc: AudioFile_GetSizeProc, _ inSetSizeFunc: AudioFile_SetSizeProc, _ inFileType: AudioFileTypeID,
    _ inFormat: UnsafePointer<AudioStreamBasicDescription>, _ inFlags: AudioFileFlags,
    _ outAudioFile: UnsafeMutablePointer<AudioFileID?>
) -> OSStatus {
    begin(inFileType, inFormat.pointee, frames: false, outAudioFile) { _ in
        FileBytes(inClientData, inReadFunc, inWriteFunc, inGetSizeFunc, inSetSizeFunc)
    }
}

/// Begins a file for packets of one size, or for frames that may be encoded.
func begin(
    _ id: AudioFileTypeID, _ format: AudioStreamBasicDescription, frames: Bool, _ result: UnsafeMutablePointer<AudioFileID?>,
    _ open: (inout OSStatus) -> FileBytes?
) -> OSStatus {
    result.pointee = nil
    guard let type = FileType.find(id), !type.forms.isEmpty else { return kAudioFileUnsupportedFileTypeError }
    let channels = Int(format.mChannelsPerFrame)
    guard let form = type.form(format),
        frames ? form.takesFrames : form.description(rate: 1, channels: channels).mBytesPerPacket > 0
    else { return kAudioFileUnsupportedDataFormatError }
    var status = noErr
    guard let bytes = open(&status) else { return status }
    result.pointee = AudioFileObject(bytes, id, form, rate: format.mSampleRate, channels: channels).flatMap(Handles.add)
    return result.pointee == nil ? kAudioFileUnspecifiedError : noErr
}

/// Closes a file; what was written gets its lengths.
@discardableResult public func AudioFileClose(_ inAudioFile: AudioFileID) -> OSStatus {
    let status = Handles.use(inAudioFile, AudioFileObject.self) { $0.finish() }
    return Handles.remove(inAudioFile, AudioFileObject.self) == nil ? kAudio_ParamError : status
}

/// Puts the lengths into the file: the sound is always in one piece.
@discardableResult public func AudioFileOptimize(_ inAudioFile: AudioFileID) -> OSStatus {
    Handles.use(inAudioFile, AudioFileObject.self) { $0.isWritable ? $0.update() : kAudioFilePermissionsError }
}

/// Reads bytes of the sound. Fewer come at its end, with `kAudioFileEndOfFileError`.
@discardableResult public func AudioFileReadBytes(
    _ inAudioFile: AudioFileID, _ inUseCache: Bool, _ inStartingByte: Int64, _ ioNumBytes: UnsafeMutablePointer<UInt32>,
    _ outBuffer: UnsafeMutableRawPointer
) -> OSStatus {
    Handles.use(inAudioFile, AudioFileObject.self) { file in
        let wanted = Int(ioNumBytes.pointee)
        ioNumBytes.pointee = 0
        guard file.isReadable else { return kAudioFilePermissionsError }
        guard inStartingByte >= 0 else { return kAudioFilePositionError }
        guard let done = file.read(outBuffer, wanted, at: inStartingByte) else { return kAudioFileUnspecifiedError }
        ioNumBytes.pointee = UInt32(done)
        return done < wanted ? kAudioFileEndOfFileError : noErr
    }
}

/// Writes bytes of the sound, from a place within it or at its end.
@discardableResult public func AudioFileWriteBytes(
    _ inAudioFile: AudioFileID, _ inUseCache: Bool, _ inStartingByte: Int64, _ ioNumBytes: UnsafeMutablePointer<UInt32>,
    _ inBuffer: UnsafeRawPointer
) -> OSStatus {
    Handles.use(inAudioFile, AudioFileObject.self) { file in
        let status = file.write(inBuffer, Int(ioNumBytes.pointee), at: inStartingByte)
        if status != noErr { ioNumBytes.pointee = 0 }
        return status
    }
}

/// Reads packets, as many as fit into so many bytes. At the end there are fewer, then none, without an error.
///
/// Packets of different sizes (FLAC, MP3, Vorbis, Opus, ALAC): `kAudioFileOperationNotSupportedError`. Extended Audio File reads
/// them decoded.
@discardableResult public func AudioFileReadPacketData(
    _ inAudioFile: AudioFileID, _ inUseCache: Bool, _ ioNumBytes: UnsafeMutablePointer<UInt32>,
    _ outPacketDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?, _ inStartingPacket: Int64,
    _ ioNumPackets: UnsafeMutablePointer<UInt32>, _ outBuffer: UnsafeMutableRawPointer?
) -> OSStatus {
    let room = Int64(ioNumBytes.pointee)
    return readPackets(inAudioFile, room, ioNumBytes, outPacketDescriptions, inStartingPacket, ioNumPackets, outBuffer)
}

/// Reads packets into a buffer that is large enough for them. Else as `AudioFileReadPacketData`.
@discardableResult public func AudioFileReadPackets(
    _ inAudioFile: AudioFileID, _ inUseCache: Bool, _ outNumBytes: UnsafeMutablePointer<UInt32>,
    _ outPacketDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?, _ inStartingPacket: Int64,
    _ ioNumPackets: UnsafeMutablePointer<UInt32>, _ outBuffer: UnsafeMutableRawPointer?
) -> OSStatus { readPackets(inAudioFile, .max, outNumBytes, outPacketDescriptions, inStartingPacket, ioNumPackets, outBuffer) }

private func readPackets(
    _ id: AudioFileID, _ room: Int64, _ bytes: UnsafeMutablePointer<UInt32>,
    _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?, _ start: Int64,
    _ packets: UnsafeMutablePointer<UInt32>, _ buffer: UnsafeMutableRawPointer?
) -> OSStatus {
    Handles.use(id, AudioFileObject.self) { file in
        let wanted = Int64(packets.pointee)
        (bytes.pointee, packets.pointee) = (0, 0)
        guard file.isReadable else { return kAudioFilePermissionsError }
        guard file.hasPackets else { return kAudioFileOperationNotSupportedError }
        guard start >= 0 else { return kAudioFileInvalidPacketOffsetError }
        guard let buffer else { return kAudio_ParamError }
        let size = file.head.packetBytes
        let count = min(wanted, room / size, max(0, file.head.packets - min(start, file.head.packets)), Int64(UInt32.max) / size)
        if count == 0 { return wanted > 0 && room < size ? kAudio_ParamError : noErr }
        guard let done = file.read(buffer, Int(count * size), at: start * size) else { return kAudioFileUnspecifiedError }
        let whole = done / Int(size)
        packets.pointee = UInt32(whole)
        bytes.pointee = UInt32(whole * Int(size))
        if let descriptions, file.head.format.mFormatID != kAudioFormatLinearPCM {
            for index in 0..<whole {
                descriptions[index] = AudioStreamPacketDescription(
                    mStartOffset: Int64(index) * size, mVariableFramesInPacket: 0, mDataByteSize: UInt32(size))
            }
        }
        return noErr
    }
}

/// Writes packets, from a place within the sound or at its end.
@discardableResult public func AudioFileWritePackets(
    _ inAudioFile: AudioFileID, _ inUseCache: Bool, _ inNumBytes: UInt32,
    _ inPacketDescriptions: UnsafePointer<AudioStreamPacketDescription>?, _ inStartingPacket: Int64,
    _ ioNumPackets: UnsafeMutablePointer<UInt32>, _ inBuffer: UnsafeRawPointer
) -> OSStatus {
    Handles.use(inAudioFile, AudioFileObject.self) { file in
        let wanted = Int64(ioNumPackets.pointee)
        ioNumPackets.pointee = 0
        guard file.isWritable else { return kAudioFilePermissionsError }
        guard file.hasPackets else { return kAudioFileOperationNotSupportedError }
        guard inStartingPacket >= 0, inStartingPacket <= file.head.packets else { return kAudioFileInvalidPacketOffsetError }
        let size = file.head.packetBytes
        guard Int64(inNumBytes) >= wanted * size else { return kAudio_ParamError }
        let status = file.write(inBuffer, Int(wanted * size), at: inStartingPacket * size)
        if status == noErr { ioNumPackets.pointee = UInt32(wanted) }
        return status
    }
}
