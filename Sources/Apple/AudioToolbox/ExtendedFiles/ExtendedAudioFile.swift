internal import AudioFiles

/// Opens an audio file of any kind that can be read, for its frames.
///
/// Frames come in the format of the file if that is linear PCM, else once `kExtAudioFileProperty_ClientDataFormat` is set.
@discardableResult public func ExtAudioFileOpenURL(_ inURL: CFURL, _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>)
    -> OSStatus
{
    outExtAudioFile.pointee = nil
    var id: AudioFileID?
    let status = AudioFileOpenURL(inURL, .readPermission, 0, &id)
    guard let id, status == noErr else { return status }
    return wrap(id, isOwner: true, writes: false, outExtAudioFile)
}

/// Reads or writes an open audio file by frames. The file stays open when this is disposed of.
@discardableResult public func ExtAudioFileWrapAudioFileID(
    _ inFileID: AudioFileID, _ inForWriting: Bool, _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>
) -> OSStatus {
    outExtAudioFile.pointee = nil
    return wrap(inFileID, isOwner: false, writes: inForWriting, outExtAudioFile)
}

private func wrap(_ id: AudioFileID, isOwner: Bool, writes: Bool, _ result: UnsafeMutablePointer<ExtAudioFileRef?>) -> OSStatus {
    let status = Handles.use(id, AudioFileObject.self) { file in
        var status = noErr
        result.pointee = ExtFileObject(file, id, isOwner: isOwner, writes: writes, &status).flatMap(Handles.add)
        return status
    }
    if status != noErr, isOwner { AudioFileClose(id) }
    return status
}

/// Creates an audio file that takes frames, in any format that `kAudioFileGlobalInfo_AvailableFormatIDs` names for its type: linear
/// PCM, mu-law, A-law, IMA4 (AIFC), Apple Lossless (CAF), and FLAC, MP3, Vorbis, Opus where the installed library writes them.
/// Other formats: `kAudioFileUnsupportedDataFormatError`.
///
/// The flags of Apple Lossless and FLAC name the bits of the samples, 16 without them. Integers are rounded, without dither.
@discardableResult public func ExtAudioFileCreateWithURL(
    _ inURL: CFURL, _ inFileType: AudioFileTypeID, _ inStreamDesc: UnsafePointer<AudioStreamBasicDescription>,
    _ inChannelLayout: UnsafePointer<AudioChannelLayout>?, _ inFlags: UInt32,
    _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>
) -> OSStatus {
    outExtAudioFile.pointee = nil
    let mode = AudioFileFlags(rawValue: inFlags).contains(.eraseFile) ? O_CREAT : O_CREAT | O_EXCL
    var id: AudioFileID?
    let status = begin(inFileType, inStreamDesc.pointee, frames: true, &id) { FileBytes.open(inURL, flags: O_RDWR | mode, &$0) }
    guard let id, let file = Handles.find(id, AudioFileObject.self) else { return status }
    if let inChannelLayout {
        let size = 12 + 20 * min(1_024, inChannelLayout.pointee.mNumberChannelDescriptions)
        // What the type has no place for is left out, as in Apple's files.
        if let layout = ChannelLayouts.copy(inChannelLayout, size) { _ = file.setLayout(layout) }
    }
    return wrap(id, isOwner: true, writes: true, outExtAudioFile)
}

/// Ends it; what was written gets its lengths. A file that was wrapped stays open.
@discardableResult public func ExtAudioFileDispose(_ inExtAudioFile: ExtAudioFileRef) -> OSStatus {
    let status = Handles.use(inExtAudioFile, ExtFileObject.self) { $0.finish() }
    guard let file = Handles.remove(inExtAudioFile, ExtFileObject.self) else { return kAudio_ParamError }
    let end = file.isOwner ? AudioFileClose(file.handle) : noErr
    return status == noErr ? end : status
}

/// Reads frames in the program's format, as many as fit into the buffers. None, without an error, is the end.
@discardableResult public func ExtAudioFileRead(
    _ inExtAudioFile: ExtAudioFileRef, _ ioNumberFrames: UnsafeMutablePointer<UInt32>,
    _ ioData: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
    Handles.use(inExtAudioFile, ExtFileObject.self) { file in
        let (status, made) = file.read(ioData, frames: Int(ioNumberFrames.pointee))
        ioNumberFrames.pointee = UInt32(made)
        return status
    }
}

/// Appends frames in the program's format.
@discardableResult public func ExtAudioFileWrite(
    _ inExtAudioFile: ExtAudioFileRef, _ inNumberFrames: UInt32, _ ioData: UnsafePointer<AudioBufferList>
) -> OSStatus { Handles.use(inExtAudioFile, ExtFileObject.self) { $0.write(ioData, frames: Int(inNumberFrames)) } }

/// Appends frames at once; none, with which Apple's programs begin, is nothing.
@discardableResult public func ExtAudioFileWriteAsync(
    _ inExtAudioFile: ExtAudioFileRef, _ inNumberFrames: UInt32, _ ioData: UnsafePointer<AudioBufferList>?
) -> OSStatus {
    Handles.use(inExtAudioFile, ExtFileObject.self) { file in
        guard let ioData else { return inNumberFrames == 0 ? noErr : kAudio_ParamError }
        return file.write(ioData, frames: Int(inNumberFrames))
    }
}

/// Goes to a frame of the file.
@discardableResult public func ExtAudioFileSeek(_ inExtAudioFile: ExtAudioFileRef, _ inFrameOffset: Int64) -> OSStatus {
    Handles.use(inExtAudioFile, ExtFileObject.self) { $0.seek(to: inFrameOffset) }
}

/// The frame of the file that comes next.
@discardableResult public func ExtAudioFileTell(_ inExtAudioFile: ExtAudioFileRef, _ outFrameOffset: UnsafeMutablePointer<Int64>)
    -> OSStatus
{ Handles.run(inExtAudioFile, ExtFileObject.self) { outFrameOffset.pointee = $0.tell } }
