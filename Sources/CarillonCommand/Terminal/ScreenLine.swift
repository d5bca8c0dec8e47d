/// A line of the screen: pieces of text, each in a style. Knows how many columns it takes.
struct ScreenLine: Hashable, Sendable {
    /// The style that makes a piece stand out. A terminal without colours shows all of them alike, so no style carries a
    /// meaning alone.
    enum Style: String, Sendable {
        case plain = ""
        case bold = "1"
        case dim = "2"
        case green = "32"
        case yellow = "33"
        case red = "31"
    }

    struct Span: Hashable, Sendable {
        var text: String
        var style: Style
    }

    private(set) var spans: [Span] = []

    init(_ text: String = "", _ style: Style = .plain) { add(text, style) }

    mutating func add(_ text: String, _ style: Style = .plain) {
        if text.isEmpty { return }
        if let last = spans.last, last.style == style {
            spans[spans.count - 1].text += text
        } else {
            spans.append(Span(text: text, style: style))
        }
    }

    mutating func add(_ line: ScreenLine) { for span in line.spans { add(span.text, span.style) } }
    var text: String { spans.map(\.text).joined() }
    var columns: Int { spans.reduce(0) { $0 + Self.columns(of: $1.text) } }

    /// The beginning of the line, as much as has room in so many columns.
    func prefix(columns: Int) -> ScreenLine {
        var line = ScreenLine(), room = columns
        for span in spans {
            let (text, used) = Self.fitting(span.text, columns: room)
            line.add(text, span.style)
            room -= used
            if text.utf8.count < span.text.utf8.count { break }
        }
        return line
    }

    /// The line as sent to the terminal, in colour or without.
    func encoded(hasColour: Bool) -> String {
        if !hasColour { return text }
        return spans.map { $0.style == .plain ? $0.text : "\u{1B}[\($0.style.rawValue)m\($0.text)\u{1B}[0m" }.joined()
    }

    static func columns(of text: String) -> Int { text.reduce(0) { $0 + columns(of: $1) } }

    /// The beginning of `text`, as much as has room in so many columns, and how many it takes.
    static func fitting(_ text: String, columns limit: Int) -> (text: String, columns: Int) {
        var fitting = "", used = 0
        for character in text {
            let width = columns(of: character)
            if used + width > limit { break }
            fitting.append(character)
            used += width
        }
        return (fitting, used)
    }

    /// East Asian characters and pictures take two. Of characters about which terminals differ the greater width is
    /// taken: a line may end early and must never wrap.
    private static func columns(of character: Character) -> Int {
        character.unicodeScalars.contains { isWide($0.value) } ? 2 : 1
    }

    private static func isWide(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x1100...0x115F, 0x2300...0x23FF, 0x2600...0x27BF, 0x2B00...0x2BFF, 0x2E80...0xA4CF, 0xA960...0xA97F,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE0F...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1_0000...0x10_FFFF:
            true
        default: false
        }
    }
}
