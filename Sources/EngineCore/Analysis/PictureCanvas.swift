/// A drawing as SVG: a title, a plane with a time axis below it, and shapes in its own units. Numbers have a decimal, so that the
/// same sound gives the same text on every machine.
package struct PictureCanvas {
    /// The plane, in points of the drawing.
    package static let width = 1_200, left = 60, top = 40
    let height: Int
    private var lines: [String] = []
    private let title: String

    package init(title: String, height: Int) { (self.title, self.height) = (title, height) }

    package mutating func add(_ element: String) { lines.append(element) }

    package mutating func word(_ text: String, x: Double, y: Double, anchor: String = "start") {
        add("<text x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" text-anchor=\"\(anchor)\">\(XMLText.escaped(text))</text>")
    }

    /// Adds the axis of time, at most twelve marks.
    package mutating func timeAxis(seconds: Double) {
        let steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 21_600]
        let step = steps.first { seconds / $0 <= 12 } ?? 86_400
        for mark in 0...max(Int((seconds / step).rounded(.down)), 0) {
            let time = Double(mark) * step, x = seconds > 0 ? time / seconds * Double(Self.width) : 0
            add("<path d=\"M\(Self.number(x)) \(height)v6\" stroke=\"#44546a\"/>")
            word(Self.clock(time, hasTenths: step < 1), x: x, y: Double(height + 20), anchor: "middle")
        }
    }

    package var text: String {
        let (width, height) = (Self.left + Self.width + 40, Self.top + height + 40)
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" \
            font-family="sans-serif" font-size="12" fill="#1d2733">
            <title>\(XMLText.escaped(title))</title>
            <rect width="100%" height="100%" fill="#fff"/>
            <text x="\(Self.left)" y="24" font-size="14" font-weight="bold">\(XMLText.escaped(title))</text>
            <g transform="translate(\(Self.left) \(Self.top))">
            \(lines.joined(separator: "\n"))
            </g>
            </svg>

            """
    }

    /// A number with at most one decimal.
    package static func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        let sign = tenths < 0 ? "-" : "", whole = abs(tenths) / 10, rest = abs(tenths) % 10
        return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(rest)"
    }

    private static func clock(_ seconds: Double, hasTenths: Bool) -> String {
        let tenths = Int((seconds * 10).rounded()), whole = tenths / 10
        let text = "\(whole / 60):\(whole % 60 < 10 ? "0" : "")\(whole % 60)"
        return hasTenths ? "\(text).\(tenths % 10)" : text
    }
}
