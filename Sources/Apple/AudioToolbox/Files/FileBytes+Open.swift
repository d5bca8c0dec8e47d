internal import AudioFiles

extension FileBytes {
    /// Opens a file. Nil, with Apple's code, where there is none or it must not be opened so.
    static func open(_ url: CFURL, flags: Int32, _ status: inout OSStatus) -> FileBytes? {
        guard url.isFileURL, let path = url.path, !path.isEmpty else {
            status = kAudio_BadFilePathError
            return nil
        }
        var fault = SystemFault(code: 0)
        if let bytes = FileBytes(path: path, flags: flags, fault: &fault) { return bytes }
        status =
            switch fault.code {
            case ENOENT, ENOTDIR: kAudio_FileNotFoundError
            case EACCES, EPERM, EEXIST, EROFS: kAudioFilePermissionsError
            case EMFILE, ENFILE: kAudio_TooManyFilesOpenError
            case ENAMETOOLONG: kAudio_BadFilePathError
            case EISDIR: kAudioFileUnsupportedFileTypeError
            default: kAudioFileUnspecifiedError
            }
        return nil
    }

    convenience init(
        _ client: UnsafeMutableRawPointer, _ read: @escaping AudioFile_ReadProc, _ write: AudioFile_WriteProc?,
        _ size: @escaping AudioFile_GetSizeProc, _ setSize: AudioFile_SetSizeProc?
    ) {
        func moved(_ call: (UnsafeMutablePointer<UInt32>) -> OSStatus) -> Int? {
            var part: UInt32 = 0
            return call(&part) == noErr ? Int(part) : nil
        }
        self.init(
            read: { buffer, count, place in moved { read(client, place, UInt32(clamping: count), buffer, $0) } },
            write: { buffer, count, place in
                write.flatMap { write in moved { write(client, place, UInt32(clamping: count), buffer, $0) } }
            },
            size: { size(client) }, resize: { setSize?(client, $0) == noErr })
    }
}
