/// A place in the bytes of a file that are read or changed.
final class ByteCursor: SoundCursor {
    let bytes: FileBytes

    init(_ bytes: FileBytes) { self.bytes = bytes }

    override var end: Int64 { bytes.size }

    func read(_ buffer: UnsafeMutableRawPointer, _ count: Int64) -> Int64 {
        let done = bytes.read(buffer, Int(max(0, count)), at: position) ?? 0
        advance(done)
        return Int64(done)
    }

    override func put(_ buffer: UnsafeRawBufferPointer, at place: Int64) -> Bool {
        guard place == 0, let completeHeader else { return store(buffer, at: place) }
        var first = Array(buffer)
        completeHeader(&first)
        return first.withUnsafeBytes { store($0, at: 0) }
    }

    private func store(_ buffer: UnsafeRawBufferPointer, at place: Int64) -> Bool {
        buffer.baseAddress.map { bytes.write($0, buffer.count, at: place) } ?? false
    }
}
