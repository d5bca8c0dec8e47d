import Carillon

/// An amount of memory, as `300M`, `1.5G` or `512K`: powers of 1024.
struct MemorySize: Hashable, Sendable {
    let bytes: Int
    /// The text that it was read from.
    let text: String

    private static let units: [Character: Double] = ["K": 1_024, "M": 1_048_576, "G": 1_073_741_824, "T": 1_099_511_627_776]
    private static let range = 1_048_576.0...70_368_744_177_664.0

    init(_ text: String) throws {
        guard let unit = text.last.flatMap({ Self.units[Character($0.uppercased())] }),
            let number = Double(text.dropLast()), number.isFinite
        else { throw SettingError("\"\(text)\" is no amount of memory; write it with its unit, such as 300M or 2G") }
        guard Self.range.contains(number * unit) else {
            throw SettingError("\(text) is outside 1M...64T; choose an amount between them")
        }
        (bytes, self.text) = (Int(number * unit), text)
    }

    /// Lets the samples of this process take so much.
    func use() { SampleMemory.process.limit = bytes }

    /// The option's name and help, alike in all commands.
    static let name = "sample-memory"
    static let help = """
        The memory that samples may take, such as 300M or 2G. What does not fit is read from its files while it plays, and \
        sounds the same. (default: 1G)
        """
}
