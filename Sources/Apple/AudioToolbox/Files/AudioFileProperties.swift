internal import AudioFiles

// Properties of open files: one place says what each is, and info, get and set read it.

private enum Answer {
    case bytes([UInt8])
    case status(OSStatus)

    static func value<Value>(_ value: Value) -> Answer { .bytes(withUnsafeBytes(of: value) { Array($0) }) }
    /// A retained object, as `Unmanaged` takes it out of the memory.
    static func object(_ object: @autoclosure () -> AnyObject) -> Answer { .value(Unmanaged.passRetained(object()).toOpaque()) }
}

extension AudioFileObject {
    /// The size of a property and whether it can be set; nil for one that this file has not.
    fileprivate func info(_ property: AudioFilePropertyID) -> (size: UInt32, isWritable: Bool)? {
        switch property {
        case kAudioFilePropertyFileFormat, kAudioFilePropertyIsOptimized, kAudioFilePropertyMaximumPacketSize,
            kAudioFilePropertyPacketSizeUpperBound, kAudioFilePropertyBitRate, kAudioFilePropertySourceBitDepth:
            (4, false)
        case kAudioFilePropertyDeferSizeUpdates: (4, true)
        case kAudioFilePropertyDataFormat: (40, false)
        case kAudioFilePropertyFormatList: (48, false)
        case kAudioFilePropertyAudioDataByteCount, kAudioFilePropertyAudioDataPacketCount, kAudioFilePropertyDataOffset,
            kAudioFilePropertyEstimatedDuration, kAudioFilePropertyDataFormatName, kAudioFilePropertyInfoDictionary:
            (8, false)
        case kAudioFilePropertyReserveDuration: isWritable ? (8, true) : nil
        case kAudioFilePropertyPacketTableInfo: (16, false)
        case kAudioFilePropertyPacketToFrame, kAudioFilePropertyFrameToPacket, kAudioFilePropertyPacketToByte,
            kAudioFilePropertyByteToPacket:
            (24, false)
        case kAudioFilePropertyMagicCookieData: (UInt32(head.cookie.count), head.type == kAudioFileCAFType)
        case kAudioFilePropertyChannelLayout:
            (UInt32(head.layout.count), head.type == kAudioFileCAFType || head.type == kAudioFileWAVEType)
        default: nil
        }
    }

    fileprivate func answer(_ property: AudioFilePropertyID) -> Answer {
        let format = head.format, packet = head.packetBytes > 0 ? Int(head.packetBytes) : head.largestPacket
        switch property {
        case kAudioFilePropertyFileFormat: return .value(head.type)
        case kAudioFilePropertyDataFormat: return .value(format)
        case kAudioFilePropertyFormatList:
            let tag = ChannelLayouts.labels(head.layout)?.tag ?? kAudioChannelLayoutTag_Unknown | format.mChannelsPerFrame
            return .value(AudioFormatListItem(mASBD: format, mChannelLayoutTag: tag))
        case kAudioFilePropertyIsOptimized: return .value(UInt32(1))
        case kAudioFilePropertyMagicCookieData:
            return head.cookie.isEmpty ? .status(kAudioFileUnsupportedPropertyError) : .bytes(head.cookie)
        case kAudioFilePropertyAudioDataByteCount: return .value(UInt64(head.dataBytes))
        case kAudioFilePropertyAudioDataPacketCount: return .value(UInt64(head.packets))
        case kAudioFilePropertyMaximumPacketSize, kAudioFilePropertyPacketSizeUpperBound: return .value(UInt32(packet))
        case kAudioFilePropertyDataOffset: return .value(head.dataOffset)
        case kAudioFilePropertyChannelLayout:
            return head.layout.isEmpty ? .status(kAudioFileUnsupportedPropertyError) : .bytes(head.layout)
        case kAudioFilePropertyDeferSizeUpdates: return .value(UInt32(defersSizes ? 1 : 0))
        case kAudioFilePropertyDataFormatName: return .object(NSString(string: FormatNames.name(format)))
        case kAudioFilePropertyEstimatedDuration: return .value(head.seconds)
        case kAudioFilePropertyBitRate:
            let rate = head.seconds > 0 ? Double(head.dataBytes) * 8 / head.seconds : 0
            return .value(UInt32(min(rate.rounded(), 4e9)))
        case kAudioFilePropertySourceBitDepth:
            let isFloat = format.mFormatID == kAudioFormatLinearPCM && format.mFormatFlags & kAudioFormatFlagIsFloat != 0
            return format.mBitsPerChannel == 0
                ? .status(kAudioFileUnsupportedPropertyError) : .value(Int32(format.mBitsPerChannel) * (isFloat ? -1 : 1))
        case kAudioFilePropertyInfoDictionary: return .object(dictionary)
        case kAudioFilePropertyReserveDuration: return .value(0.0)
        case kAudioFilePropertyPacketTableInfo:
            return head.packetTable.map { .value($0) } ?? .status(kAudioFileUnsupportedPropertyError)
        default: return .status(kAudioFileUnsupportedPropertyError)
        }
    }

    /// What is written in the file about it, by Apple's names.
    private var dictionary: NSDictionary {
        let found = NSMutableDictionary()
        found[kAFInfoDictionary_ApproximateDurationInSeconds] = NSString(string: String(format: "%.3f", head.seconds))
        guard !isWritable, let path = store.path else { return found }
        let names: [(AudioTags.Name, String)] = [
            (.title, kAFInfoDictionary_Title), (.artist, kAFInfoDictionary_Artist), (.album, kAFInfoDictionary_Album),
            (.track, kAFInfoDictionary_TrackNumber), (.genre, kAFInfoDictionary_Genre), (.date, kAFInfoDictionary_Year),
            (.comment, kAFInfoDictionary_Comments), (.copyright, kAFInfoDictionary_Copyright),
        ]
        do {
            let tags = try AudioFileReader(path: path).tags
            for (name, key) in names { if let text = tags.texts[name], !text.isEmpty { found[key] = NSString(string: text) } }
        } catch {
            // A file that the decoder does not know has no texts that it reads.
        }
        return found
    }

    /// The four properties that turn a number in the caller's struct into another.
    fileprivate func translate(_ property: AudioFilePropertyID, _ data: UnsafeMutableRawPointer) -> OSStatus {
        let frames = Int64(head.format.mFramesPerPacket), size = head.packetBytes
        switch property {
        case kAudioFilePropertyPacketToFrame, kAudioFilePropertyFrameToPacket:
            guard frames > 0 else { return kAudioFileOperationNotSupportedError }
            return withUnsafeTemporaryAllocation(of: AudioFramePacketTranslation.self, capacity: 1) { copy in
                let bytes = UnsafeMutableRawBufferPointer(copy)
                bytes.copyMemory(from: UnsafeRawBufferPointer(start: data, count: bytes.count))
                if property == kAudioFilePropertyPacketToFrame {
                    copy[0].mFrame = copy[0].mPacket &* frames
                } else {
                    guard copy[0].mFrame >= 0 else { return kAudio_ParamError }
                    (copy[0].mPacket, copy[0].mFrameOffsetInPacket) = (copy[0].mFrame / frames, UInt32(copy[0].mFrame % frames))
                }
                data.copyMemory(from: UnsafeRawPointer(copy.baseAddress!), byteCount: bytes.count)
                return noErr
            }
        default:
            guard size > 0 else { return kAudioFileOperationNotSupportedError }
            return withUnsafeTemporaryAllocation(of: AudioBytePacketTranslation.self, capacity: 1) { copy in
                let bytes = UnsafeMutableRawBufferPointer(copy)
                bytes.copyMemory(from: UnsafeRawBufferPointer(start: data, count: bytes.count))
                copy[0].mFlags = []
                if property == kAudioFilePropertyPacketToByte {
                    copy[0].mByte = copy[0].mPacket &* size
                } else {
                    guard copy[0].mByte >= 0 else { return kAudio_ParamError }
                    (copy[0].mPacket, copy[0].mByteOffsetInPacket) = (copy[0].mByte / size, UInt32(copy[0].mByte % size))
                }
                data.copyMemory(from: UnsafeRawPointer(copy.baseAddress!), byteCount: bytes.count)
                return noErr
            }
        }
    }
}

/// The size of a property and whether it can be set.
@discardableResult public func AudioFileGetPropertyInfo(
    _ inAudioFile: AudioFileID, _ inPropertyID: AudioFilePropertyID, _ outDataSize: UnsafeMutablePointer<UInt32>?,
    _ isWritable: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    Handles.use(inAudioFile, AudioFileObject.self, else: kAudio_ParamError) { file in
        guard let info = file.info(inPropertyID), info.size > 0 || info.isWritable && file.isWritable else {
            return kAudioFileUnsupportedPropertyError
        }
        if inPropertyID == kAudioFilePropertyPacketTableInfo, file.head.packetTable == nil {
            return kAudioFileUnsupportedPropertyError
        }
        outDataSize?.pointee = info.size
        isWritable?.pointee = info.isWritable && file.isWritable ? 1 : 0
        return noErr
    }
}

/// Reads a property. Objects (info dictionary, name of the format) are the caller's to release.
@discardableResult public func AudioFileGetProperty(
    _ inAudioFile: AudioFileID, _ inPropertyID: AudioFilePropertyID, _ ioDataSize: UnsafeMutablePointer<UInt32>,
    _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus {
    Handles.use(inAudioFile, AudioFileObject.self, else: kAudio_ParamError) { file in
        guard let info = file.info(inPropertyID) else { return kAudioFileUnsupportedPropertyError }
        guard ioDataSize.pointee >= info.size else { return kAudioFileBadPropertySizeError }
        switch inPropertyID {
        case kAudioFilePropertyPacketToFrame, kAudioFilePropertyFrameToPacket, kAudioFilePropertyPacketToByte,
            kAudioFilePropertyByteToPacket:
            return file.translate(inPropertyID, outPropertyData)
        default: break
        }
        switch file.answer(inPropertyID) {
        case .status(let status): return status
        case .bytes(let bytes):
            return bytes.withUnsafeBytes {
                PropertyMemory.give($0, ioDataSize, outPropertyData, tooSmall: kAudioFileBadPropertySizeError)
            }
        }
    }
}

/// Sets a property of a file that is written: channel layout and magic cookie before the first packet, when the lengths are put
/// in, and a duration to reserve, which changes nothing.
@discardableResult public func AudioFileSetProperty(
    _ inAudioFile: AudioFileID, _ inPropertyID: AudioFilePropertyID, _ inDataSize: UInt32, _ inPropertyData: UnsafeRawPointer
) -> OSStatus {
    Handles.use(inAudioFile, AudioFileObject.self, else: kAudio_ParamError) { file in
        guard let info = file.info(inPropertyID) else { return kAudioFileUnsupportedPropertyError }
        guard file.isWritable else { return kAudioFilePermissionsError }
        guard info.isWritable else { return kAudioFileOperationNotSupportedError }
        switch inPropertyID {
        case kAudioFilePropertyDeferSizeUpdates:
            guard let value = PropertyMemory.take(UInt32.self, inDataSize, inPropertyData) else {
                return kAudioFileBadPropertySizeError
            }
            file.defersSizes = value != 0
            return noErr
        case kAudioFilePropertyReserveDuration: return inDataSize == 8 ? noErr : kAudioFileBadPropertySizeError
        case kAudioFilePropertyMagicCookieData:
            guard inDataSize <= 1 << 20 else { return kAudioFileBadPropertySizeError }
            let cookie = [UInt8](UnsafeRawBufferPointer(start: inPropertyData, count: Int(inDataSize)))
            return file.change { $0.cookie = cookie }
        default:
            guard let layout = ChannelLayouts.copy(inPropertyData, inDataSize) else { return kAudioFileBadPropertySizeError }
            guard ChannelLayouts.channels(layout) == Int(file.head.format.mChannelsPerFrame) else { return kAudio_ParamError }
            if file.head.type == kAudioFileWAVEType, ChannelLayouts.labels(layout)?.tag != kAudioChannelLayoutTag_UseChannelBitmap
            {
                return kAudioFileOperationNotSupportedError
            }
            return file.change { $0.layout = layout }
        }
    }
}
