import Carillon
import Reports

/// The last log lines of a session, for clients of the socket.
struct ControlLog {
    struct Line: Fielded {
        let time: String
        let text: String

        static let fields: [Field<Self>] = [
            Field("at", \.time, "The local time."), Field("text", \.text, "The line."),
        ]
    }

    /// Lines that are kept, and characters of one.
    static let room = 200, longest = 400

    private(set) var lines: [Line] = []

    mutating func take(_ text: String, at time: String) {
        if lines.count == Self.room { lines.removeFirst() }
        lines.append(Line(time: time, text: String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.longest)))))
    }

    /// All of them, the newest last.
    var json: String { fieldValue.json }
}

extension ControlLog: Fielded {
    static let fields: [Field<Self>] = [Field("lines", \.lines, "The lines, the newest last.")]
}
