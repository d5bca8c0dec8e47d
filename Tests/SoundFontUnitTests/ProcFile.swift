import Glibc

/// The text of a file of the proc file system, which has no length.
func textOfProc(_ path: String) -> String {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let descriptor = open(path, O_RDONLY)
    let count = max(read(descriptor, &bytes, bytes.count), 0)
    close(descriptor)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
}
