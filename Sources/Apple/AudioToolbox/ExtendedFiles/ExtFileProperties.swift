extension ExtFileObject {
    /// The size of a property and whether it can be set.
    fileprivate func info(_ property: ExtAudioFilePropertyID) -> PropertyInfo? {
        switch property {
        case kExtAudioFileProperty_FileDataFormat: PropertyInfo(40)
        case kExtAudioFileProperty_ClientDataFormat: PropertyInfo(40, isWritable: true)
        case kExtAudioFileProperty_FileChannelLayout: file.head.layout.isEmpty ? nil : PropertyInfo(file.head.layout.count)
        case kExtAudioFileProperty_ClientChannelLayout: PropertyInfo(32, isWritable: true)
        case kExtAudioFileProperty_CodecManufacturer, kExtAudioFileProperty_IOBufferSizeBytes: PropertyInfo(4, isWritable: true)
        case kExtAudioFileProperty_FileMaxPacketSize, kExtAudioFileProperty_ClientMaxPacketSize: PropertyInfo(4)
        case kExtAudioFileProperty_AudioFile, kExtAudioFileProperty_FileLengthFrames: PropertyInfo(8)
        case kExtAudioFileProperty_ConverterConfig: PropertyInfo(8, isWritable: true)
        default: nil
        }
    }

    fileprivate func answer(_ property: ExtAudioFilePropertyID) -> PropertyAnswer {
        switch property {
        case kExtAudioFileProperty_FileDataFormat: .value(file.head.format)
        case kExtAudioFileProperty_ClientDataFormat: .value(client?.description ?? file.head.format)
        case kExtAudioFileProperty_FileChannelLayout: .bytes(file.head.layout)
        case kExtAudioFileProperty_AudioFile: .value(handle)
        case kExtAudioFileProperty_FileMaxPacketSize: .value(UInt32(file.head.largestPacket))
        case kExtAudioFileProperty_ClientMaxPacketSize: .value(UInt32(client?.bytesPerFrame ?? 0))
        case kExtAudioFileProperty_FileLengthFrames: .value(frames)
        case kExtAudioFileProperty_IOBufferSizeBytes: .value(UInt32(Self.block * (client?.bytesPerFrame ?? 4)))
        default: .status(kExtAudioFileError_InvalidProperty)
        }
    }
}

/// The size of a property and whether it can be set.
@discardableResult public func ExtAudioFileGetPropertyInfo(
    _ inExtAudioFile: ExtAudioFileRef, _ inPropertyID: ExtAudioFilePropertyID, _ outSize: UnsafeMutablePointer<UInt32>?,
    _ outWritable: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
    Handles.use(inExtAudioFile, ExtFileObject.self, else: kAudio_ParamError) { file in
        file.info(inPropertyID)?.give(outSize, outWritable) ?? kExtAudioFileError_InvalidProperty
    }
}

/// Reads a property.
@discardableResult public func ExtAudioFileGetProperty(
    _ inExtAudioFile: ExtAudioFileRef, _ inPropertyID: ExtAudioFilePropertyID,
    _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>, _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus {
    let fault = kExtAudioFileError_InvalidPropertySize
    return Handles.use(inExtAudioFile, ExtFileObject.self, else: kAudio_ParamError) { file in
        guard let info = file.info(inPropertyID) else { return kExtAudioFileError_InvalidProperty }
        guard ioPropertyDataSize.pointee >= info.size else { return fault }
        return file.answer(inPropertyID).give(ioPropertyDataSize, outPropertyData, tooSmall: fault)
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
