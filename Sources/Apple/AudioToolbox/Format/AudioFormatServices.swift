// Questions about formats and layouts.

private var badSpecifier: PropertyAnswer { .status(kAudioFormatBadSpecifierSizeError) }

private func answer(_ property: AudioFormatPropertyID, _ size: UInt32, _ specifier: UnsafeRawPointer?) -> PropertyAnswer {
    var number: UInt32? { PropertyMemory.take(UInt32.self, size, specifier) }
    func ofFormat(_ body: (AudioStreamBasicDescription) -> PropertyAnswer) -> PropertyAnswer {
        PropertyMemory.take(AudioStreamBasicDescription.self, size, specifier).map(body) ?? badSpecifier
    }
    func ofLayout(_ body: ([UInt8]) -> PropertyAnswer) -> PropertyAnswer {
        ChannelLayouts.copy(specifier, size).map(body) ?? badSpecifier
    }
    func ofNumber(_ body: (UInt32) -> PropertyAnswer) -> PropertyAnswer { number.map(body) ?? badSpecifier }
    func known(_ tag: AudioChannelLayoutTag) -> [AudioChannelLabel]? { SpeakerLabels.labels(ChannelLayouts.bytes(tag: tag)) }

    switch property {
    case kAudioFormatProperty_DecodeFormatIDs: return .array(CodedFormat.ids)
    case kAudioFormatProperty_EncodeFormatIDs: return .array(CodedFormat.encoded)
    case kAudioFormatProperty_FormatName: return ofFormat { .text(CodedFormat.name($0)) }
    case kAudioFormatProperty_FormatIsVBR: return ofFormat { .value(UInt32(CodedFormat.find($0.mFormatID)?.bytes == 0 ? 1 : 0)) }
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
            else { return .status(kAudioFormatUnspecifiedError) }
            return .value(found.tag)
        }
    case kAudioFormatProperty_NumberOfChannelsForLayout:
        return ofLayout { ChannelLayouts.channels($0).map { .value(UInt32($0)) } ?? .status(kAudioFormatUnspecifiedError) }
    case kAudioFormatProperty_ValidateChannelLayout:
        return ofLayout { SpeakerLabels.labels($0)?.isEmpty == false ? .bytes([]) : .status(kAudioFormatUnspecifiedError) }
    case kAudioFormatProperty_TagsForNumberOfChannels:
        return ofNumber { count in
            .array(SpeakerLabels.table.map(\.tag).filter { AudioChannelLayoutTag_GetNumberOfChannels($0) == count })
        }
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
    return answer(inPropertyID, inSpecifierSize, inSpecifier).giveSize(outPropertyDataSize)
}

/// Answers a question about formats and layouts: what is decoded and encoded here, channels of a layout, and the rest of a
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
        guard let whole = CodedFormat.complete(format) else { return kAudioFormatUnsupportedDataFormatError }
        return PropertyAnswer.value(whole).give(ioPropertyDataSize, outPropertyData, tooSmall: fault)
    }
    return answer(inPropertyID, inSpecifierSize, inSpecifier).give(ioPropertyDataSize, outPropertyData, tooSmall: fault)
}
