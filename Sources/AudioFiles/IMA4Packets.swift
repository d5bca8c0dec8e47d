/// CAF files of IMA4, which libsndfile does not know: it is shown frames of mu-law that have the size of the packets, so that it
/// finds and counts them.
enum IMA4Packets {
    static let maximumChannels = 1_024 / packetBytes
    static let packetFrames: Int64 = 64
    private static let packetBytes = 34
    /// Where the file names its format, and the six numbers that follow from there.
    private static let place = 28
    private static let size = 24

    static func shownChannels(_ channels: Int) -> Int { packetBytes * channels }

    /// The channels of such a file; nil for another.
    static func channels(_ bytes: FileBytes) -> Int? {
        var head = [UInt8](repeating: 0, count: place + size)
        guard bytes.read(&head, head.count, at: 0) == head.count, head.starts(with: "caff".utf8),
            head[place...].starts(with: "ima4".utf8)
        else { return nil }
        let channels = head[44..<48].reduce(0) { $0 << 8 | Int($1) }
        return (1...maximumChannels).contains(channels) ? channels : nil
    }

    /// The bytes of such a file as libsndfile is to see them.
    static func shown(_ bytes: FileBytes, channels: Int) -> FileBytes {
        func words(_ name: String, _ numbers: [Int]) -> [UInt8] {
            Array(name.utf8) + numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
        }
        let packet = packetBytes * channels
        let stored = words("ima4", [0, packet, Int(packetFrames), channels, 0])
        let shown = words("ulaw", [0, packet, 1, packet, 8])
        func replace(_ buffer: UnsafeMutableRawPointer, _ count: Int, _ start: Int64, by words: [UInt8]) {
            for index in words.indices {
                let offset = Int64(place + index) - start
                if (0..<Int64(count)).contains(offset) {
                    buffer.storeBytes(of: words[index], toByteOffset: Int(offset), as: UInt8.self)
                }
            }
        }
        return FileBytes(
            read: { buffer, count, start in
                let done = bytes.read(buffer, count, at: start)
                if let done { replace(buffer, done, start, by: shown) }
                return done
            },
            write: { buffer, count, start in
                var copy = [UInt8](UnsafeRawBufferPointer(start: buffer, count: count))
                copy.withUnsafeMutableBytes { if let base = $0.baseAddress { replace(base, count, start, by: stored) } }
                return bytes.write(copy, count, at: start) ? count : nil
            }, size: { bytes.size }, resize: { bytes.resize(to: $0) })
    }
}
