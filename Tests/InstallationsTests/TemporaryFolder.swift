import Foundation

/// A folder that is gone with its owner. Its path is short enough for a socket.
final class TemporaryFolder {
    let path: String

    /// - Parameter inMemory: whether thousands of files come and go, for which a disk makes everybody wait.
    init(inMemory: Bool = false) throws {
        let place = inMemory && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(place)/carillon-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw POSIXError(.EIO) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        do { try FileManager.default.removeItem(atPath: path) } catch { print("\(path) stays: \(error)") }
    }

    var names: [String] { get throws { try Self.names(of: path) } }

    /// What lies in a folder; nothing where there is none.
    static func names(of path: String) throws -> [String] {
        FileManager.default.fileExists(atPath: path) ? try FileManager.default.contentsOfDirectory(atPath: path).sorted() : []
    }

    /// Descriptors of this process that lead below the folder.
    var descriptors: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { name in
                // The descriptor of the listing itself is gone by now, and those of other tests come and go.
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)
                return target.flatMap { $0.hasPrefix(path) ? $0 : nil }
            }
        }
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014): the same faults in every run.
struct SeededRandom: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
