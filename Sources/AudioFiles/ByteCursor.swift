import Glibc

/// A place in the bytes of a file, as libsndfile moves it.
final class ByteCursor {
    let bytes: FileBytes
    private(set) var position: Int64 = 0
    /// Where the last move led.
    private(set) var target: Int64 = 0
    /// The pages of a new Ogg file get the same number each time.
    var serialNumber: OggSerialNumber?
    /// Changes the bytes that are written at the beginning.
    var completeHeader: ((inout [UInt8]) -> Void)?

    init(_ bytes: FileBytes) { self.bytes = bytes }

    /// The place after a move as in C: from the start, from here, or from the end.
    func seek(to offset: Int64, whence: Int32) -> Int64 {
        let start: Int64 = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? position : bytes.size
        let (place, isTooBig) = start.addingReportingOverflow(offset)
        guard !isTooBig, place >= 0 else { return -1 }
        (position, target) = (place, place)
        return place
    }

    func read(_ buffer: UnsafeMutableRawPointer, _ count: Int64) -> Int64 {
        let done = bytes.read(buffer, Int(max(0, count)), at: position) ?? 0
        position += Int64(done)
        return Int64(done)
    }

    func write(_ buffer: UnsafeRawBufferPointer) -> Int64 {
        if serialNumber != nil { return page(buffer) }
        if position == 0, let completeHeader {
            var first = Array(buffer)
            completeHeader(&first)
            return first.withUnsafeBytes(put)
        }
        return put(buffer)
    }

    private func put(_ buffer: UnsafeRawBufferPointer) -> Int64 {
        guard let base = buffer.baseAddress, bytes.write(base, buffer.count, at: position) else { return 0 }
        position += Int64(buffer.count)
        return Int64(buffer.count)
    }

    private func page(_ buffer: UnsafeRawBufferPointer) -> Int64 {
        var rest = buffer[...]
        while !rest.isEmpty, let result = serialNumber?.take(UnsafeRawBufferPointer(rebasing: rest)) {
            rest = rest.dropFirst(result.taken)
            guard result.isComplete, let page = serialNumber?.page else { continue }
            guard page.withUnsafeBytes(put) == page.count else { return 0 }
            serialNumber?.clear()
        }
        return Int64(buffer.count)
    }
}
