// Questions about formats and layouts.

private enum Answer {
    case bytes([UInt8])
    case object(AnyObject)
    case status(OSStatus)

    static func value<Value>(_ value: Value) -> Answer { .bytes(withUnsafeBytes(of: value) { Array($0) }) }
    static func codes(_ codes: [UInt32]) -> Answer { .bytes(codes.withUnsafeBytes { Array($0) }) }
}

private var badSpecifier: Answer { .status(kAudioFormatBadSpecifierSizeError) }

private func answer(_ property: AudioFormatPropertyID, _ size: UInt32, _ specifier: UnsafeRawPointer?) -> Answer {
    var number: UInt32? { PropertyMemory.take(UInt32.self, size, specifier) }
    func ofFormat(_ body: (AudioStreamBasicDescription) -> Answer) -> Answer {
        PropertyMemory.take(AudioStreamBasicDescription.self, size, specifier).map(body) ?? badSpecifier
    }
    func ofLayout(_ body: ([UInt8]) -> Answer) -> Answer { ChannelLayouts.copy(specifier, size).map(body) ?? badSpecifier }
    func ofNumber(_ body: (UInt32) -> Answer) -> Answer { number.map(body) ?? badSpecifier }
    func ofLabel(isShort: Bool) -> Answer {
        guard size >= 20, let number else { return badSpecifier }
        return .object(NSString(string: SpeakerLabels.name(number, isShort: isShort)))
    }
    func known(_ tag: AudioChannelLayoutTag) -> [AudioChannelLabel]? { SpeakerLabels.labels(ChannelLayouts.bytes(tag: tag)) }

    switch property {
    case kAudioFormatProperty_DecodeFormatIDs: return .codes(DecodedFormats.ids)
    case kAudioFormatProperty_EncodeFormatIDs: return .codes(DecodedFormats.encoded)
    case kAudioFormatProperty_FormatName: return ofFormat { .object(NSString(string: FormatNames.name($0))) }
    case kAudioFormatProperty_FormatIsVBR: return ofFormat { .value(UInt32(DecodedFormats.isVariable($0.mFormatID) ? 1 : 0)) }
    case kAudioFormatProperty_FormatIsExternallyFramed:
        return ofFormat {
            .value(UInt32([kAudioFormatAppleLossless, kAudioFormatOpus, vorbisFormat].contains($0.mFormatID) ? 1 : 0))
        }
    case kAudioFormatProperty_FormatList:
        guard let info = PropertyMemory.take(AudioFormatInfo.self, size, specifier) else { return badSpecifier }
        let tag = kAudioChannelLayoutTag_Unknown | info.mASBD.mChannelsPerFrame
        return .value(AudioFormatListItem(mASBD: info.mASBD, mChannelLayoutTag: tag))
    case kAudioFormatProperty_ChannelLayoutForTag:
        return ofNumber { tag in
            known(tag).map { .bytes(ChannelLayouts.bytes(tag: kAudioChannelLayoutTag_UseChannelDescriptions, labels: $0)) }
                ?? .status(kAudioFormatUnspecifiedError)
        }
    case kAudioFormatProperty_ChannelLayoutForBitmap:
        return ofNumber { bitmap in
            let labels = SpeakerLabels.labels(ChannelLayouts.bytes(bitmap: bitmap)) ?? []
            return .bytes(ChannelLayouts.bytes(tag: kAudioChannelLayoutTag_UseChannelDescriptions, labels: labels))
        }
    case kAudioFormatProperty_BitmapForLayoutTag:
        return ofNumber { tag in
            guard let labels = known(tag), labels.allSatisfy({ (1...18).contains($0) }) else {
                return .status(kAudioFormatUnspecifiedError)
            }
            return .value(labels.reduce(UInt32(0)) { $0 | 1 << ($1 - 1) })
        }
    case kAudioFormatProperty_TagForChannelLayout:
        return ofLayout { layout in
            guard let labels = SpeakerLabels.labels(layout), let found = SpeakerLabels.table.first(where: { $0.labels == labels })
            else {
                return .status(kAudioFormatUnspecifiedError)
            }
            return .value(found.tag)
        }
    case kAudioFormatProperty_NumberOfChannelsForLayout:
        return ofLayout { ChannelLayouts.channels($0).map { .value(UInt32($0)) } ?? .status(kAudioFormatUnspecifiedError) }
    case kAudioFormatProperty_ValidateChannelLayout:
        return ofLayout { SpeakerLabels.labels($0)?.isEmpty == false ? .bytes([]) : .status(kAudioFormatUnspecifiedError) }
    case kAudioFormatProperty_TagsForNumberOfChannels:
        return ofNumber { count in
            .codes(SpeakerLabels.table.map(\.tag).filter { AudioChannelLayoutTag_GetNumberOfChannels($0) == count })
        }
    case kAudioFormatProperty_ChannelLayoutName, kAudioFormatProperty_ChannelLayoutSimpleName:
        return ofLayout { layout in
            guard let labels = SpeakerLabels.labels(layout) else { return .status(kAudioFormatUnspecifiedError) }
            let text = labels.map { SpeakerLabels.name($0, isShort: true) }.joined(separator: " ")
            let name = [[kAudioChannelLabel_Mono]: "Mono", [1, 2]: "Stereo"][labels]
            return .object(
                NSString(string: name.map { property == kAudioFormatProperty_ChannelLayoutName ? "\($0) (\(text))" : $0 } ?? text)
            )
        }
    case kAudioFormatProperty_ChannelName: return ofLabel(isShort: false)
    case kAudioFormatProperty_ChannelShortName: return ofLabel(isShort: true)
    default: return .status(kAudioFormatUnsupportedPropertyError)
    }
}

/// The size of what a question is answered with.
@discardableResult public func AudioFormatGetPropertyInfo(
    _ inPropertyID: AudioFormatPropertyID, _ inSpecifierSize: UInt32, _ inSpecifier: UnsafeRawPointer?,
    _ outPropertyDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus {
    if inPropertyID == kAudioFormatProperty_FormatInfo {
        outPropertyDataSize.pointee = 40
        return noErr
    }
    switch answer(inPropertyID, inSpecifierSize, inSpecifier) {
    case .bytes(let bytes): outPropertyDataSize.pointee = UInt32(bytes.count)
    case .object: outPropertyDataSize.pointee = 8
    case .status(let status): return status
    }
    return noErr
}

/// Answers a question about formats and layouts: what is decoded and encoded here, names, channels of a layout, and the rest of a
/// description (`kAudioFormatProperty_FormatInfo`). Objects are the caller's to release.
@discardableResult public func AudioFormatGetProperty(
    _ inPropertyID: AudioFormatPropertyID, _ inSpecifierSize: UInt32, _ inSpecifier: UnsafeRawPointer?,
    _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>?, _ outPropertyData: UnsafeMutableRawPointer?
) -> OSStatus {
    let fault = kAudioFormatBadPropertySizeError
    if inPropertyID == kAudioFormatProperty_FormatInfo {
        guard let ioPropertyDataSize, let outPropertyData,
            let format = PropertyMemory.take(AudioStreamBasicDescription.self, ioPropertyDataSize.pointee, outPropertyData)
        else { return fault }
        guard let whole = DecodedFormats.complete(format) else { return kAudioFormatUnsupportedDataFormatError }
        return PropertyMemory.give(whole, ioPropertyDataSize, outPropertyData, tooSmall: fault)
    }
    switch answer(inPropertyID, inSpecifierSize, inSpecifier) {
    case .bytes(let bytes):
        if bytes.isEmpty { return noErr }
        return bytes.withUnsafeBytes { PropertyMemory.give($0, ioPropertyDataSize, outPropertyData, tooSmall: fault) }
    case .object(let object):
        guard let ioPropertyDataSize, ioPropertyDataSize.pointee >= 8, outPropertyData != nil else { return fault }
        return PropertyMemory.give(
            Unmanaged.passRetained(object).toOpaque(), ioPropertyDataSize, outPropertyData, tooSmall: fault)
    case .status(let status): return status
    }
}
