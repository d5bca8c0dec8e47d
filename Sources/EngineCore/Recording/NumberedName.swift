import Glibc

/// A file's name, and the names beside it for as long as those before are taken: `evening.wav`, `evening-2.wav`, ...
package struct NumberedName {
    /// Names that are tried.
    static let count = 9999

    /// The one to try now.
    package private(set) var text: String
    private let stem: Substring.UTF8View
    private let ending: Substring.UTF8View
    private var number = 1

    package init(_ path: String) {
        text = path
        // Bytes, because a character can begin with a dot or a stroke.
        let bytes = Substring(path).utf8
        let name = bytes.lastIndex(of: UInt8(ascii: "/")).map { bytes.index(after: $0) } ?? bytes.startIndex
        let dot = bytes[name...].lastIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex
        (stem, ending) = dot == name ? (bytes, bytes[bytes.endIndex...]) : (bytes[..<dot], bytes[dot...])
    }

    /// Goes on to the next; false when there is none.
    package mutating func advance() -> Bool {
        guard number < Self.count else { return false }
        number += 1
        text = "\(Substring(stem))-\(number)\(Substring(ending))"
        return true
    }

    /// The first of these names that is not taken; the last one if all are.
    package static func free(
        _ path: String, isTaken: (String) -> Bool = { access($0, F_OK) == 0 }
    ) -> String {
        var name = NumberedName(path)
        while isTaken(name.text), name.advance() {}
        return name.text
    }

    /// The calendar's time here, `20261121-073005`, for names of files that were given none.
    package static var now: String {
        var seconds = time(nil), parts = tm()
        localtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(parts.tm_year + 1900)\(two(parts.tm_mon + 1))\(two(parts.tm_mday))"
            + "-\(two(parts.tm_hour))\(two(parts.tm_min))\(two(parts.tm_sec))"
    }
}
