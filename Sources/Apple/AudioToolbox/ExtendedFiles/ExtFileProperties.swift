extension ExtFileObject {
    /// The size of a property and whether it can be set.
    fileprivate func info(_ property: ExtAudioFilePropertyID) -> (size: UInt32, isWritable: Bool)? {
        switch property {
        case kExtAudioFileProperty_FileDataFormat: (40, false)
        case kExtAudioFileProperty_ClientDataFormat: (40, true)
        case kExtAudioFileProperty_FileChannelLayout:
            file.flatMap { $0.head.layout.isEmpty ? nil : (UInt32($0.head.layout.count), false) }
        case kExtAudioFileProperty_ClientChannelLayout: (32, true)
        case kExtAudioFileProperty_CodecManufacturer: (4, true)
        case kExtAudioFileProperty_AudioFile: handle == nil ? nil : (8, false)
        case kExtAudioFileProperty_FileMaxPacketSize, kExtAudioFileProperty_ClientMaxPacketSize: (4, false)
        case kExtAudioFileProperty_FileLengthFrames: (8, false)
        case kExtAudioFileProperty_IOBufferSizeBytes: (4, true)
        case kExtAudioFileProperty_ConverterConfig: (8, true)
        default: nil
        }
    }
}

/// The size of a property and whether it can be set.
@discardableResult public func ExtAudioFileGetPropertyInfo(
    _ inExtAudioFile: ExtAudioFileRef, _ inPropertyID: ExtAudioFilePropertyID, _ outSize: UnsafeMutablePointer<UInt32>?,
    _ outWritable: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
    Handles.use(inExtAudioFile, ExtFileObject.self, else: kAudio_ParamError) { file in
        guard let info = file.info(inPropertyID) else { return kExtAudioFileError_InvalidProperty }
        outSize?.pointee = info.size
        outWritable?.pointee = DarwinBoolean(info.isWritable)
        return noErr
    }
}

/// Reads a property.
@discardableResult public func ExtAudioFileGetProperty(
    _ inExtAudioFile: ExtAudioFileRef, _ inPropertyID: ExtAudioFilePropertyID,
    _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>, _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus {
    func give<Value>(_ value: Value) -> OSStatus {
        PropertyMemory.give(value, ioPropertyDataSize, outPropertyData, tooSmall: kExtAudioFileError_InvalidPropertySize)
    }
    return Handles.use(inExtAudioFile, ExtFileObject.self, else: kAudio_ParamError) { file in
        guard let info = file.info(inPropertyID) else { return kExtAudioFileError_InvalidProperty }
        guard ioPropertyDataSize.pointee >= info.size else { return kExtAudioFileError_InvalidPropertySize }
        switch inPropertyID {
        case kExtAudioFileProperty_FileDataFormat: return give(file.fileFormat)
        case kExtAudioFileProperty_ClientDataFormat: return give(file.client?.description ?? file.fileFormat)
        case kExtAudioFileProperty_FileChannelLayout:
            return file.file?.head.layout.withUnsafeBytes {
                PropertyMemory.give($0, ioPropertyDataSize, outPropertyData, tooSmall: kExtAudioFileError_InvalidPropertySize)
            } ?? kExtAudioFileError_InvalidProperty
        case kExtAudioFileProperty_AudioFile: return give(file.handle)
        case kExtAudioFileProperty_FileMaxPacketSize:
            guard let head = file.file?.head else { return kExtAudioFileError_MaxPacketSizeUnknown }
            return give(UInt32(head.packetBytes > 0 ? Int(head.packetBytes) : head.largestPacket))
        case kExtAudioFileProperty_ClientMaxPacketSize: return give(UInt32(file.client?.bytesPerFrame ?? 0))
        case kExtAudioFileProperty_FileLengthFrames: return give(file.frames)
        case kExtAudioFileProperty_IOBufferSizeBytes: return give(UInt32(ExtFileObject.block * (file.client?.bytesPerFrame ?? 4)))
        default: return kExtAudioFileError_InvalidProperty
        }
    }
}

/// Sets a property: the program's format, which must be linear PCM. Codec, layout of the program, size of a buffer and the
/// converter's settings are taken and change nothing.
@discardableResult public func ExtAudioFileSetProperty(
    _ inExtAudioFile: ExtAudioFileRef, _ inPropertyID: ExtAudioFilePropertyID, _ inPropertyDataSize: UInt32,
    _ inPropertyData: UnsafeRawPointer
) -> OSStatus {
    Handles.use(inExtAudioFile, ExtFileObject.self, else: kAudio_ParamError) { file in
        guard let info = file.info(inPropertyID), info.isWritable else { return kExtAudioFileError_InvalidProperty }
        guard inPropertyID == kExtAudioFileProperty_ClientDataFormat else {
            let isLayout = inPropertyID == kExtAudioFileProperty_ClientChannelLayout
            return inPropertyDataSize >= (isLayout ? 12 : info.size) ? noErr : kExtAudioFileError_InvalidPropertySize
        }
        guard inPropertyDataSize == info.size,
            let format = PropertyMemory.take(AudioStreamBasicDescription.self, inPropertyDataSize, inPropertyData)
        else { return kExtAudioFileError_InvalidPropertySize }
        guard let layout = PCMLayout(format) else { return kExtAudioFileError_NonPCMClientFormat }
        return file.setClient(layout)
    }
}
