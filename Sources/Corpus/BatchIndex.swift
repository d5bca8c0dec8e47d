import Carillon
import Glibc

/// The keys that lines of manifests came to, in a file of the folder, so that a job that is done is known by its line and its
/// song is not read again. Without it every key is found anew.
final class BatchIndex {
    /// Half of the SHA-256 of a line and of all settings of the call.
    struct Line: Hashable {
        let high, low: UInt64
    }

    private let path: String
    private let context: String
    /// The file as it was found, and where a line's record begins in it.
    private var bytes: [UInt8] = []
    private var places: [Line: Int] = [:]
    private var fresh: [UInt8] = []

    /// - Parameter context: all that decides what a line means, beside the line.
    init(folder: String, context: String) {
        path = folder + "/.index"
        self.context = context
        do { bytes = try BoundedFile.bytes(path: path, limit: 1 << 33) } catch { bytes = [] }
        var start = 0
        bytes.withUnsafeBufferPointer { bytes in
            while start < bytes.count {
                guard let end = Self.firstIndex(of: 10, in: bytes, from: start) else { break }
                // 32 digits of the line, 64 of the key, 16 of the sum at the end, each but the last followed by a 0.
                if end - start > 115, Self.hex(bytes, end - 16) == Self.sum(bytes, start..<end - 16),
                    let high = Self.hex(bytes, start), let low = Self.hex(bytes, start + 16)
                {
                    places[Line(high: high, low: low)] = start
                }
                start = end + 1
            }
        }
    }

    func name(_ text: String) -> Line {
        let hash = ContentHash()
        hash.add(context)
        hash.add(text)
        let digits = hash.digits()
        func number(_ text: Substring) -> UInt64 { UInt64(text, radix: 16) ?? 0 }
        return Line(high: number(digits.prefix(16)), low: number(digits.dropFirst(16).prefix(16)))
    }

    /// The key of a line whose files have not changed; nil for any other line.
    func key(of line: Line) -> String? {
        guard let start = places[line] else { return nil }
        return bytes.withUnsafeBufferPointer { bytes in
            let key = start + 33
            var place = key + 65
            while bytes[place] != 10, bytes[place + 16] != 10 {
                guard let end = Self.firstIndex(of: 0, in: bytes, from: place), let before = Self.hex(bytes, end + 1) else {
                    return nil
                }
                let path = String(decoding: bytes[place..<end], as: UTF8.self)
                if Self.state(path) != before { return nil }
                place = end + 18
            }
            return String(decoding: bytes[key..<key + 64], as: UTF8.self)
        }
    }

    /// Keeps what a line came to, with the states of the files that the key rests on. Paths that hold a line break are not kept.
    func add(_ line: Line, _ key: String, _ files: [String]) {
        guard places[line] == nil, key.utf8.count == 64 else { return }
        var record = Array("\(Self.digits(line.high))\(Self.digits(line.low))\0\(key)\0".utf8)
        for path in files {
            if path.utf8.contains(where: { $0 == 10 || $0 == 0 }) { return }
            record += "\(path)\0\(Self.digits(Self.state(path)))\0".utf8
        }
        fresh += record + Self.digits(record.withUnsafeBufferPointer { Self.sum($0, 0..<$0.count) }).utf8 + [10]
        if fresh.count > 1 << 16 { flush() }
    }

    /// Writes the new lines. A line that cannot be written costs only the time to find the key again.
    func flush() {
        if fresh.isEmpty { return }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
        if descriptor >= 0 {
            _ = fresh.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            close(descriptor)
        }
        fresh = []
    }

    /// The state of a file in one number; 0 if there is none.
    private static func state(_ path: String) -> UInt64 {
        guard let identity = FileIdentity(path: path) else { return 0 }
        var sum: UInt64 = 0xcbf2_9ce4_8422_2325
        for word in [
            identity.device, identity.inode, UInt64(bitPattern: Int64(identity.size)),
            UInt64(bitPattern: Int64(identity.seconds)), UInt64(bitPattern: Int64(identity.nanoseconds)),
            UInt64(bitPattern: Int64(identity.change)),
        ] { sum = (sum ^ word) &* 0x0000_0100_0000_01b3 ^ (sum >> 29) }
        return max(sum, 1)
    }

    private static func sum(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> UInt64 {
        var sum: UInt64 = 0xcbf2_9ce4_8422_2325
        for index in range { sum = (sum ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01b3 }
        return sum
    }

    private static func firstIndex(of byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        guard let base = bytes.baseAddress, let found = memchr(base + start, Int32(byte), bytes.count - start) else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// The number that sixteen digits from `start` on are.
    private static func hex(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> UInt64? {
        start + 16 <= bytes.count ? UInt64(String(decoding: bytes[start..<start + 16], as: UTF8.self), radix: 16) : nil
    }

    private static func digits(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
