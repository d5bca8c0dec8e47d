internal import AudioFiles

/// What turns a number in the caller's struct into others: two of 64 bits, then one of 32.
private let translated: Set = [
    kAudioFilePropertyPacketToFrame, kAudioFilePropertyFrameToPacket, kAudioFilePropertyPacketToByte,
    kAudioFilePropertyByteToPacket,
]

extension AudioFileObject {
    fileprivate var settable: [AudioFilePropertyID] {
        if !isWritable { return [] }
        return [kAudioFilePropertyDeferSizeUpdates, kAudioFilePropertyReserveDuration]
            + (head.type == kAudioFileCAFType ? [kAudioFilePropertyMagicCookieData] : [])
            + ([kAudioFileCAFType, kAudioFileWAVEType].contains(head.type) ? [kAudioFilePropertyChannelLayout] : [])
    }

    fileprivate func answer(_ property: AudioFilePropertyID) -> PropertyAnswer {
        let format = head.format
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
        case kAudioFilePropertyMaximumPacketSize, kAudioFilePropertyPacketSizeUpperBound:
            return .value(UInt32(head.largestPacket))
        case kAudioFilePropertyDataOffset: return .value(head.dataOffset)
        case kAudioFilePropertyChannelLayout:
            return head.layout.isEmpty ? .status(kAudioFileUnsupportedPropertyError) : .bytes(head.layout)
        case kAudioFilePropertyDeferSizeUpdates: return .value(UInt32(defersSizes ? 1 : 0))
        case kAudioFilePropertyDataFormatName: return .text(CodedFormat.name(format))
        case kAudioFilePropertyEstimatedDuration: return .value(head.seconds)
        case kAudioFilePropertyBitRate:
            let rate = head.seconds > 0 ? Double(head.dataBytes) * 8 / head.seconds : 0
            return .value(UInt32(min(rate.rounded(), 4e9)))
        case kAudioFilePropertySourceBitDepth:
            let isFloat = format.mFormatID == kAudioFormatLinearPCM && format.mFormatFlags & kAudioFormatFlagIsFloat != 0
            return format.mBitsPerChannel == 0
                ? .status(kAudioFileUnsupportedPropertyError) : .value(Int32(format.mBitsPerChannel) * (isFloat ? -1 : 1))
        case kAudioFilePropertyInfoDictionary: return .object(dictionary)
        case kAudioFilePropertyReserveDuration where isWritable: return .value(0.0)
        case kAudioFilePropertyPacketTableInfo:
            return head.packetTable.map { .value($0) } ?? .status(kAudioFileUnsupportedPropertyError)
        case let property where translated.contains(property): return .bytes([UInt8](repeating: 0, count: 24))
        default: return .status(kAudioFileUnsupportedPropertyError)
        }
    }

    private var dictionary: NSDictionary {
        let found = NSMutableDictionary()
        found[kAFInfoDictionary_ApproximateDurationInSeconds] = NSString(string: String(format: "%.3f", head.seconds))
        let names: [(AudioTags.Name, String)] = [
            (.title, kAFInfoDictionary_Title), (.artist, kAFInfoDictionary_Artist), (.album, kAFInfoDictionary_Album),
            (.track, kAFInfoDictionary_TrackNumber), (.genre, kAFInfoDictionary_Genre), (.date, kAFInfoDictionary_Year),
            (.comment, kAFInfoDictionary_Comments), (.copyright, kAFInfoDictionary_Copyright),
        ]
        do {
            let tags = try AudioFileReader(store).tags
            for (name, key) in names { if let text = tags.texts[name], !text.isEmpty { found[key] = NSString(string: text) } }
        } catch {
            // A file that was just begun has none.
        }
        return found
    }

    fileprivate func translate(_ property: AudioFilePropertyID, _ data: UnsafeMutableRawPointer) -> OSStatus {
        let isOfFrames = [kAudioFilePropertyPacketToFrame, kAudioFilePropertyFrameToPacket].contains(property)
        let toPacket = [kAudioFilePropertyFrameToPacket, kAudioFilePropertyByteToPacket].contains(property)
        let size = isOfFrames ? Int64(head.format.mFramesPerPacket) : head.packetBytes
        guard size > 0 else { return kAudioFileOperationNotSupportedError }
        let place = data.loadUnaligned(as: Int64.self), packet = data.loadUnaligned(fromByteOffset: 8, as: Int64.self)
        if toPacket, place < 0 { return kAudio_ParamError }
        if toPacket {
            data.storeBytes(of: place / size, toByteOffset: 8, as: Int64.self)
            data.storeBytes(of: UInt32(place % size), toByteOffset: 16, as: UInt32.self)
        } else {
            data.storeBytes(of: packet &* size, as: Int64.self)
        }
        if !isOfFrames { data.storeBytes(of: 0, toByteOffset: 20, as: UInt32.self) }
        return noErr
    }
}

/// The size of a property and whether it can be set.
@discardableResult public func AudioFileGetPropertyInfo(
    _ inAudioFile: AudioFileID, _ inPropertyID: AudioFilePropertyID, _ outDataSize: UnsafeMutablePointer<UInt32>?,
    _ isWritable: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    Handles.use(inAudioFile, AudioFileObject.self) { file in
        let isSettable = file.settable.contains(inPropertyID)
        isWritable?.pointee = isSettable ? 1 : 0
        return file.answer(inPropertyID).giveInfo(settable: isSettable ? 0 : nil, outDataSize, nil)
    }
}

/// Reads a property. Objects (info dictionary, name of the format) are the caller's to release.
@discardableResult public func AudioFileGetProperty(
    _ inAudioFile: AudioFileID, _ inPropertyID: AudioFilePropertyID, _ ioDataSize: UnsafeMutablePointer<UInt32>,
    _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus {
    Handles.use(inAudioFile, AudioFileObject.self) { file in
        if translated.contains(inPropertyID) {
            return ioDataSize.pointee < 24 ? kAudioFileBadPropertySizeError : file.translate(inPropertyID, outPropertyData)
        }
        return file.answer(inPropertyID).give(ioDataSize, outPropertyData, tooSmall: kAudioFileBadPropertySizeError)
    }
}

/// Sets a property of a file that is written: channel layout and magic cookie before the first packet, when the lengths are put
/// in, and a duration to reserve, which changes nothing.
@discardableResult public func AudioFileSetProperty(
    _ inAudioFile: AudioFileID, _ inPropertyID: AudioFilePropertyID, _ inDataSize: UInt32, _ inPropertyData: UnsafeRawPointer
) -> OSStatus {
    Handles.use(inAudioFile, AudioFileObject.self) { file in
        guard file.settable.contains(inPropertyID) else {
            let status = file.answer(inPropertyID).giveSize(nil)
            return status != noErr ? status : file.isWritable ? kAudioFileOperationNotSupportedError : kAudioFilePermissionsError
        }
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
            return file.setCookie(cookie)
        default:
            guard let layout = ChannelLayouts.copy(inPropertyData, inDataSize) else { return kAudioFileBadPropertySizeError }
            return file.setLayout(layout)
        }
    }
}
