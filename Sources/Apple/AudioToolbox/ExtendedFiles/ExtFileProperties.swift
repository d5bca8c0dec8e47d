/// What can be set, and with how many bytes at the least.
private let settable: [ExtAudioFilePropertyID: Int] = [
    kExtAudioFileProperty_ClientDataFormat: 40, kExtAudioFileProperty_ClientChannelLayout: 12,
    kExtAudioFileProperty_CodecManufacturer: 4, kExtAudioFileProperty_IOBufferSizeBytes: 4,
    kExtAudioFileProperty_ConverterConfig: 8,
]

extension ExtFileObject {
    fileprivate func answer(_ property: ExtAudioFilePropertyID) -> PropertyAnswer {
        switch property {
        case kExtAudioFileProperty_FileDataFormat: .value(file.head.format)
        case kExtAudioFileProperty_ClientDataFormat: .value(client?.description ?? file.head.format)
        case kExtAudioFileProperty_FileChannelLayout where !file.head.layout.isEmpty: .bytes(file.head.layout)
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
    Handles.use(inExtAudioFile, ExtFileObject.self) { file in
        file.answer(inPropertyID).giveInfo(settable: settable[inPropertyID], outSize, outWritable)
    }
}

/// Reads a property.
@discardableResult public func ExtAudioFileGetProperty(
    _ inExtAudioFile: ExtAudioFileRef, _ inPropertyID: ExtAudioFilePropertyID,
    _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>, _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus {
    Handles.use(inExtAudioFile, ExtFileObject.self) {
        $0.answer(inPropertyID).give(ioPropertyDataSize, outPropertyData, tooSmall: kExtAudioFileError_InvalidPropertySize)
    }
}

/// Sets a property: the program's format, which must be linear PCM. Codec, layout of the program, size of a buffer and the
/// converter's settings are taken and change nothing.
@discardableResult public func ExtAudioFileSetProperty(
    _ inExtAudioFile: ExtAudioFileRef, _ inPropertyID: ExtAudioFilePropertyID, _ inPropertyDataSize: UInt32,
    _ inPropertyData: UnsafeRawPointer
) -> OSStatus {
    Handles.use(inExtAudioFile, ExtFileObject.self) { file in
        guard let least = settable[inPropertyID] else { return kExtAudioFileError_InvalidProperty }
        guard inPropertyDataSize >= least else { return kExtAudioFileError_InvalidPropertySize }
        guard inPropertyID == kExtAudioFileProperty_ClientDataFormat else { return noErr }
        guard let format = PropertyMemory.take(AudioStreamBasicDescription.self, inPropertyDataSize, inPropertyData) else {
            return kExtAudioFileError_InvalidPropertySize
        }
        guard let layout = PCMLayout(format) else { return kExtAudioFileError_NonPCMClientFormat }
        return file.setClient(layout)
    }
}
