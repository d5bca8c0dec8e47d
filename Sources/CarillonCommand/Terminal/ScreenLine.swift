import Reports

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

    /// Columns that it takes.
    var columns: Int { spans.reduce(0) { $0 + TextColumns.count($1.text) } }

    /// Returns the beginning of the line that fits in `columns` columns.
    func prefix(columns: Int) -> ScreenLine {
        var line = ScreenLine(), room = columns
        for span in spans {
            let (text, used) = TextColumns.fitting(span.text, columns: room)
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
}
