/// A file's name, and the names beside it for as long as those before are taken: `evening.wav`, `evening-2.wav`, ...
struct NumberedName {
    /// Names that are tried.
    static let count = 9999

    /// The one to try now.
    private(set) var text: String
    private let stem: Substring.UTF8View
    private let ending: Substring.UTF8View
    private var number = 1

    init(_ path: String) {
        text = path
        // Bytes, because a character can begin with a dot or a stroke.
        let bytes = Substring(path).utf8
        let name = bytes.lastIndex(of: UInt8(ascii: "/")).map { bytes.index(after: $0) } ?? bytes.startIndex
        let dot = bytes[name...].lastIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex
        (stem, ending) = dot == name ? (bytes, bytes[bytes.endIndex...]) : (bytes[..<dot], bytes[dot...])
    }

    /// Goes on to the next; false when there is none.
    mutating func advance() -> Bool {
        guard number < Self.count else { return false }
        number += 1
        text = "\(Substring(stem))-\(number)\(Substring(ending))"
        return true
    }
}
