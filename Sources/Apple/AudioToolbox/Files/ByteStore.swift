/// The bytes of a file: on disk, or behind the callbacks of a program.
final class ByteStore {
    private enum Place {
        case descriptor(Int32)
        case callbacks(
            UnsafeMutableRawPointer, AudioFile_ReadProc?, AudioFile_WriteProc?, AudioFile_GetSizeProc?, AudioFile_SetSizeProc?)
    }

    /// The file's path, where it has one.
    let path: String?
    private let place: Place

    private init(_ place: Place, path: String?) { (self.place, self.path) = (place, path) }

    deinit { if case .descriptor(let descriptor) = place { close(descriptor) } }

    /// Opens a file. Nil, with Apple's code, where there is none or it must not be opened so.
    static func open(_ url: CFURL, flags: Int32, _ status: inout OSStatus) -> ByteStore? {
        guard url.isFileURL, let path = url.path, !path.isEmpty else {
            status = kAudio_BadFilePathError
            return nil
        }
        let descriptor = Glibc.open(path, flags | O_CLOEXEC, 0o666)
        var information = stat()
        if descriptor >= 0, fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG {
            return ByteStore(.descriptor(descriptor), path: path)
        }
        status =
            switch descriptor >= 0 ? EISDIR : errno {
            case ENOENT, ENOTDIR: kAudio_FileNotFoundError
            case EACCES, EPERM, EEXIST, EROFS: kAudioFilePermissionsError
            case EMFILE, ENFILE: kAudio_TooManyFilesOpenError
            case ENAMETOOLONG: kAudio_BadFilePathError
            case EISDIR: kAudioFileUnsupportedFileTypeError
            default: kAudioFileUnspecifiedError
            }
        if descriptor >= 0 { close(descriptor) }
        return nil
    }

    init(
        _ clientData: UnsafeMutableRawPointer, _ read: AudioFile_ReadProc?, _ write: AudioFile_WriteProc?,
        _ size: AudioFile_GetSizeProc?, _ setSize: AudioFile_SetSizeProc?
    ) {
        place = .callbacks(clientData, read, write, size, setSize)
        path = nil
    }

    var size: Int64 {
        switch place {
        case .descriptor(let descriptor):
            var information = stat()
            return fstat(descriptor, &information) == 0 ? Int64(information.st_size) : 0
        case .callbacks(let client, _, _, let size, _): return max(0, size?(client) ?? 0)
        }
    }

    /// Reads up to so many bytes. Returns how many came; nil for an error.
    func read(_ buffer: UnsafeMutableRawPointer, count: Int, at position: Int64) -> Int? {
        var done = 0
        while done < count {
            switch place {
            case .descriptor(let descriptor):
                let part = pread(descriptor, buffer + done, count - done, off_t(position) + done)
                if part < 0, errno == EINTR { continue }
                if part < 0 { return nil }
                if part == 0 { return done }
                done += part
            case .callbacks(let client, let read, _, _, _):
                var part: UInt32 = 0
                let wanted = UInt32(clamping: count - done)
                guard let read, read(client, position + Int64(done), wanted, buffer + done, &part) == noErr else {
                    return done > 0 ? done : nil
                }
                if part == 0 || part > wanted { return done }
                done += Int(part)
            }
        }
        return done
    }

    /// Reads exactly so many bytes; nil where there are fewer.
    func bytes(_ count: Int, at position: Int64) -> [UInt8]? {
        guard count >= 0, position >= 0, position <= size, Int64(count) <= size - position else { return nil }
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = buffer.baseAddress.map { read($0, count: count, at: position) ?? 0 } ?? 0
        }
        return bytes.count == count ? bytes : nil
    }

    /// Writes all bytes; false for an error.
    func write(_ buffer: UnsafeRawPointer, count: Int, at position: Int64) -> Bool {
        var done = 0
        while done < count {
            switch place {
            case .descriptor(let descriptor):
                let part = pwrite(descriptor, buffer + done, count - done, off_t(position) + done)
                if part < 0, errno == EINTR { continue }
                if part <= 0 { return false }
                done += part
            case .callbacks(let client, _, let write, _, _):
                var part: UInt32 = 0
                let wanted = UInt32(clamping: count - done)
                guard let write, write(client, position + Int64(done), wanted, buffer + done, &part) == noErr, part > 0,
                    part <= wanted
                else { return false }
                done += Int(part)
            }
        }
        return true
    }

    func write(_ bytes: [UInt8], at position: Int64) -> Bool {
        bytes.withUnsafeBytes { bytes in bytes.baseAddress.map { write($0, count: bytes.count, at: position) } ?? true }
    }

    func truncate(to size: Int64) -> Bool {
        switch place {
        case .descriptor(let descriptor): ftruncate(descriptor, off_t(size)) == 0
        case .callbacks(let client, _, _, _, let setSize): setSize.map { $0(client, size) == noErr } ?? false
        }
    }
}
