import Glibc

/// The resources of the machine that this process takes, to see whether it grows.
public struct ProcessSize: Sendable, Hashable {
    /// Kilobytes of memory in use.
    public let memory: Int
    /// Open file descriptors.
    public let descriptors: Int
    public let threads: Int

    /// Now.
    public init() {
        memory = Self.field("VmRSS:")
        threads = Self.field("Threads:")
        descriptors = Self.descriptorCount
    }

    private static func field(_ name: String) -> Int {
        guard let file = fopen("/proc/self/status", "r") else { return -1 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
                .split { $0 == " " || $0 == "\t" || $0 == "\n" }
            if words.count >= 2, words[0] == name { return Int(words[1]) ?? -1 }
        }
        return -1
    }

    private static var descriptorCount: Int {
        guard let folder = opendir("/proc/self/fd") else { return -1 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        return count
    }
}
