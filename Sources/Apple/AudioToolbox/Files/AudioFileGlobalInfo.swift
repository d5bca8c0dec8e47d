// What kinds of files there are, before one is opened.

private func answer(_ property: AudioFilePropertyID, _ specifierSize: UInt32, _ specifier: UnsafeMutableRawPointer?)
    -> PropertyAnswer
{
    var asked: UInt32? { PropertyMemory.take(UInt32.self, specifierSize, UnsafeRawPointer(specifier)) }
    var type: FileType? { asked.flatMap(FileType.find) }
    var text: String? {
        guard specifierSize >= 8, let specifier else { return nil }
        let object = specifier.loadUnaligned(as: UInt.self)
        return UnsafeRawPointer(bitPattern: object).map {
            String(describing: Unmanaged<NSString>.fromOpaque($0).takeUnretainedValue())
        }
    }
    func types(_ isOf: (FileType, String) -> Bool) -> PropertyAnswer {
        guard let text else { return .status(kAudioFileBadPropertySizeError) }
        return .array(FileType.all.filter { isOf($0, text.lowercased()) }.map(\.id))
    }
    func ofType(_ body: (FileType) -> PropertyAnswer) -> PropertyAnswer {
        guard asked != nil else { return .status(kAudioFileBadPropertySizeError) }
        return type.map(body) ?? .status(kAudioFileUnsupportedFileTypeError)
    }
    switch property {
    case kAudioFileGlobalInfo_ReadableTypes: return .array(FileType.all.map(\.id))
    case kAudioFileGlobalInfo_WritableTypes: return .array(FileType.all.filter { !$0.forms.isEmpty }.map(\.id))
    case kAudioFileGlobalInfo_FileTypeName: return ofType { .text($0.name) }
    case kAudioFileGlobalInfo_AvailableFormatIDs:
        return ofType { type in
            var ids: [UInt32] = []
            for format in type.formats where !ids.contains(format.mFormatID) { ids.append(format.mFormatID) }
            return .array(ids)
        }
    case kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat:
        guard let asked = PropertyMemory.take(AudioFileTypeAndFormatID.self, specifierSize, UnsafeRawPointer(specifier)) else {
            return .status(kAudioFileBadPropertySizeError)
        }
        guard let type = FileType.find(asked.mFileType) else { return .status(kAudioFileUnsupportedFileTypeError) }
        let formats = type.formats.filter { $0.mFormatID == asked.mFormatID }
        return formats.isEmpty ? .status(kAudioFileUnsupportedDataFormatError) : .array(formats)
    case kAudioFileGlobalInfo_AllExtensions: return .texts(Array(Set(FileType.all.flatMap(\.extensions))).sorted())
    case kAudioFileGlobalInfo_AllUTIs: return .texts(FileType.all.flatMap(\.identifiers).sorted())
    case kAudioFileGlobalInfo_AllMIMETypes: return .texts(Array(Set(FileType.all.flatMap(\.mimeTypes))).sorted())
    case kAudioFileGlobalInfo_ExtensionsForType: return ofType { .texts($0.extensions) }
    case kAudioFileGlobalInfo_UTIsForType: return ofType { .texts($0.identifiers) }
    case kAudioFileGlobalInfo_MIMETypesForType: return ofType { .texts($0.mimeTypes) }
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
) -> OSStatus { answer(inPropertyID, inSpecifierSize, inSpecifier).giveSize(outDataSize) }

/// Answers a question about all kinds of files: types, extensions, formats that a type takes. Objects are the caller's to release.
@discardableResult public func AudioFileGetGlobalInfo(
    _ inPropertyID: AudioFilePropertyID, _ inSpecifierSize: UInt32, _ inSpecifier: UnsafeMutableRawPointer?,
    _ ioDataSize: UnsafeMutablePointer<UInt32>, _ outPropertyData: UnsafeMutableRawPointer
) -> OSStatus {
    answer(inPropertyID, inSpecifierSize, inSpecifier).give(
        ioDataSize, outPropertyData, tooSmall: kAudioFileBadPropertySizeError)
}
