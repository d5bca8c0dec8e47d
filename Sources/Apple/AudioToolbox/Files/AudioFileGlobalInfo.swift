// What kinds of files there are, before one is opened.

private enum Answer {
    case codes([UInt32])
    case formats([AudioStreamBasicDescription])
    case object(AnyObject)
    case status(OSStatus)
}

private func answer(_ property: AudioFilePropertyID, _ specifierSize: UInt32, _ specifier: UnsafeMutableRawPointer?) -> Answer {
    var asked: UInt32? { PropertyMemory.take(UInt32.self, specifierSize, UnsafeRawPointer(specifier)) }
    var type: FileType? { asked.flatMap(FileType.find) }
    /// A string that the specifier points to.
    var text: String? {
        guard specifierSize >= 8, let specifier else { return nil }
        let object = specifier.loadUnaligned(as: UInt.self)
        return UnsafeRawPointer(bitPattern: object).map {
            String(describing: Unmanaged<NSString>.fromOpaque($0).takeUnretainedValue())
        }
    }
    func list(_ texts: [String]) -> Answer { .object(NSArray(array: texts.map { NSString(string: $0) })) }
    func types(_ isOf: (FileType, String) -> Bool) -> Answer {
        guard let text else { return .status(kAudioFileBadPropertySizeError) }
        return .codes(FileType.all.filter { isOf($0, text.lowercased()) }.map(\.id))
    }
    func ofType(_ body: (FileType) -> Answer) -> Answer {
        guard asked != nil else { return .status(kAudioFileBadPropertySizeError) }
        return type.map(body) ?? .status(kAudioFileUnsupportedFileTypeError)
    }
    switch property {
    case kAudioFileGlobalInfo_ReadableTypes: return .codes(FileType.all.map(\.id))
    case kAudioFileGlobalInfo_WritableTypes: return .codes(FileType.all.filter(\.isWritable).map(\.id))
    case kAudioFileGlobalInfo_FileTypeName: return ofType { .object(NSString(string: $0.name)) }
    case kAudioFileGlobalInfo_AvailableFormatIDs:
        return ofType { type in
            var ids: [UInt32] = []
            for format in type.formats where !ids.contains(format.mFormatID) { ids.append(format.mFormatID) }
            return .codes(ids)
        }
    case kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat:
        guard let asked = PropertyMemory.take(AudioFileTypeAndFormatID.self, specifierSize, UnsafeRawPointer(specifier)) else {
            return .status(kAudioFileBadPropertySizeError)
        }
        guard let type = FileType.find(asked.mFileType) else { return .status(kAudioFileUnsupportedFileTypeError) }
        let formats = type.formats.filter { $0.mFormatID == asked.mFormatID }
        return formats.isEmpty ? .status(kAudioFileUnsupportedDataFormatError) : .formats(formats)
    case kAudioFileGlobalInfo_AllExtensions: return list(Array(Set(FileType.all.flatMap(\.extensions))).sorted())
    case kAudioFileGlobalInfo_AllUTIs: return list(FileType.all.flatMap(\.identifiers).sorted())
    case kAudioFileGlobalInfo_AllMIMETypes: return list(Array(Set(FileType.all.flatMap(\.mimeTypes))).sorted())
    case kAudioFileGlobalInfo_ExtensionsForType: return ofType { list($0.extensions) }
    case kAudioFileGlobalInfo_UTIsForType: return ofType { list($0.identifiers) }
    case kAudioFileGlobalInfo_MIMETypesForType: return ofType { list($0.mimeTypes) }
    case kAudioFileGlobalInfo_TypesForExtension: return types { $0.extensions.contains($1) }
    case kAudioFileGlobalInfo_TypesForMIMEType: return types { $0.mimeTypes.contains($1) }
    case kAudioFileGlobalInfo_TypesForUTI: return types { $0.identifiers.contains($1) }
    default: return .status(kAudioFileUnsupportedPropertyError)
    }
}

/// The size of what a question about all kinds of files is answered with.
@discardableResult public func AudioFileGetGlobalInfoSize(
    _ inPropertyID: AudioFilePropertyID, _ inSpecifierSize: UInt32, _ inSpecifier: UnsafeMutableRawPointer?,
    _ outDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus {
    switch answer(inPropertyID, inSpecifierSize, inSpecifier) {
    case .codes(let codes): outDataSize.pointee = UInt32(4 * codes.count)
    case .formats(let formats): outDataSize.pointee = UInt32(40 * formats.count)
    case .object: outDataSize.pointee = 8
    case .status(let status): return status
    }
    return noErr
}

/// Answers a question about all kinds of files: types, extensions, formats that a type takes. Objects are the caller's to release.
@discardableResult public func AudioFileGetGlobalInfo(
    _ inPropertyID: AudioFilePropertyID, _ inSpecifierSize: UInt32, _ inSpecifier: UnsafeMutableRawPointer?,
    _ ioDataSize: UnsafeMutablePointer<UInt32>, _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus {
    let fault = kAudioFileBadPropertySizeError
    switch answer(inPropertyID, inSpecifierSize, inSpecifier) {
    case .codes(let codes): return PropertyMemory.give(array: codes, ioDataSize, outPropertyData, tooSmall: fault)
    case .formats(let formats): return PropertyMemory.give(array: formats, ioDataSize, outPropertyData, tooSmall: fault)
    case .object(let object):
        guard ioDataSize.pointee >= 8 else { return fault }
        return PropertyMemory.give(Unmanaged.passRetained(object).toOpaque(), ioDataSize, outPropertyData, tooSmall: fault)
    case .status(let status): return status
    }
}
