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
    guard let file = Handles.find(id, AudioFileObject.self) else { return kAudio_ParamError }
    var source: (any FrameSource)?, sink: (any FrameSink)?, status = kAudioFileUnsupportedDataFormatError
    if writes {
        if !file.isWritable { status = kAudioFilePermissionsError }
        sink = PacketSink(file)
    } else {
        source = PacketSource(file)
        if source == nil, let path = file.store.path {
            do { source = try DecodedSource(path: path) } catch {
                // The head was read: only the decoder is lacking, as for IMA4 in a CAF file.
                status = kAudioFileUnsupportedDataFormatError
            }
        }
    }
    guard source != nil || sink != nil else {
        if isOwner { AudioFileClose(id) }
        return status
    }
    result.pointee = Handles.add(ExtFileObject(file, id, isOwner: isOwner, file.head.format, source: source, sink: sink))
    return noErr
}

/// Creates an audio file that takes frames: linear PCM in AIFF, AIFC, CAF, NeXT and WAVE; FLAC and MP3 where the installed library
/// writes them. Other formats: `kAudioFileUnsupportedDataFormatError`.
///
/// FLAC of 16 bits is dithered; `kAppleLosslessFormatFlag_24BitSourceData` in the flags keeps 24 bits as they are.
@discardableResult public func ExtAudioFileCreateWithURL(
    _ inURL: CFURL, _ inFileType: AudioFileTypeID, _ inStreamDesc: UnsafePointer<AudioStreamBasicDescription>,
    _ inChannelLayout: UnsafePointer<AudioChannelLayout>?, _ inFlags: UInt32,
    _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>
) -> OSStatus {
    outExtAudioFile.pointee = nil
    let format = inStreamDesc.pointee
    guard let type = FileType.find(inFileType), type.isWritable else { return kAudioFileUnsupportedFileTypeError }
    if type.isEncoded, let container = type.encoder {
        guard format.mFormatID == type.formats[0].mFormatID, (1...1_024).contains(format.mChannelsPerFrame),
            (1...1_000_000).contains(format.mSampleRate)
        else { return kAudioFileUnsupportedDataFormatError }
        guard inURL.isFileURL, let path = inURL.path, !path.isEmpty else { return kAudio_BadFilePathError }
        let replaces = AudioFileFlags(rawValue: inFlags).contains(.eraseFile)
        if !replaces, access(path, F_OK) == 0 { return kAudioFilePermissionsError }
        do throws(AudioFileError) {
            let sink = try EncodedSink(path, format, container, replaces: replaces)
            let file = ExtFileObject(nil, nil, isOwner: true, format, source: nil, sink: sink)
            outExtAudioFile.pointee = Handles.add(file)
            return noErr
        } catch {
            return error.status
        }
    }
    guard PCMLayout(format) != nil else { return kAudioFileUnsupportedDataFormatError }
    var id: AudioFileID?
    let status = AudioFileCreateWithURL(inURL, inFileType, inStreamDesc, AudioFileFlags(rawValue: inFlags), &id)
    guard let id, status == noErr else { return status }
    if let inChannelLayout {
        let size = 12 + 20 * min(1_024, inChannelLayout.pointee.mNumberChannelDescriptions)
        // What the type has no place for is left out, as in Apple's files.
        AudioFileSetProperty(id, kAudioFilePropertyChannelLayout, size, inChannelLayout)
    }
    return wrap(id, isOwner: true, writes: true, outExtAudioFile)
}

/// Ends it; what was written gets its lengths. A file that was wrapped stays open.
@discardableResult public func ExtAudioFileDispose(_ inExtAudioFile: ExtAudioFileRef) -> OSStatus {
    let status = Handles.use(inExtAudioFile, ExtFileObject.self, else: kAudio_ParamError) { $0.finish() }
    guard let file = Handles.remove(inExtAudioFile, ExtFileObject.self) else { return kAudio_ParamError }
    if file.isOwner, let handle = file.handle { AudioFileClose(handle) }
    return status
}

/// Reads frames in the program's format, as many as fit into the buffers. None, without an error, is the end.
@discardableResult public func ExtAudioFileRead(
    _ inExtAudioFile: ExtAudioFileRef, _ ioNumberFrames: UnsafeMutablePointer<UInt32>,
    _ ioData: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
    Handles.use(inExtAudioFile, ExtFileObject.self, else: kAudio_ParamError) { file in
        let (status, made) = file.read(ioData, frames: Int(ioNumberFrames.pointee))
        ioNumberFrames.pointee = UInt32(made)
        return status
    }
}

/// Appends frames in the program's format.
@discardableResult public func ExtAudioFileWrite(
    _ inExtAudioFile: ExtAudioFileRef, _ inNumberFrames: UInt32, _ ioData: UnsafePointer<AudioBufferList>
) -> OSStatus {
    Handles.use(inExtAudioFile, ExtFileObject.self, else: kAudio_ParamError) { $0.write(ioData, frames: Int(inNumberFrames)) }
}

/// Appends frames at once; none, with which Apple's programs begin, is nothing.
@discardableResult public func ExtAudioFileWriteAsync(
    _ inExtAudioFile: ExtAudioFileRef, _ inNumberFrames: UInt32, _ ioData: UnsafePointer<AudioBufferList>?
) -> OSStatus {
    Handles.use(inExtAudioFile, ExtFileObject.self, else: kAudio_ParamError) { file in
        guard let ioData else { return inNumberFrames == 0 ? noErr : kAudio_ParamError }
        return file.write(ioData, frames: Int(inNumberFrames))
    }
}

/// Goes to a frame of the file.
@discardableResult public func ExtAudioFileSeek(_ inExtAudioFile: ExtAudioFileRef, _ inFrameOffset: Int64) -> OSStatus {
    Handles.use(inExtAudioFile, ExtFileObject.self, else: kAudio_ParamError) { $0.seek(to: inFrameOffset) }
}

/// The frame of the file that comes next.
@discardableResult public func ExtAudioFileTell(_ inExtAudioFile: ExtAudioFileRef, _ outFrameOffset: UnsafeMutablePointer<Int64>)
    -> OSStatus
{
    Handles.use(inExtAudioFile, ExtFileObject.self, else: kAudio_ParamError) { file in
        outFrameOffset.pointee = file.tell
        return noErr
    }
}
