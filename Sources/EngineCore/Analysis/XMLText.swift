/// Text escaped for XML.
enum XMLText {
    /// `text` without what means something in XML, nor what XML cannot hold, which becomes a question mark.
    static func escaped(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { isAllowed($0.value) ? $0 : "?" }
        return String(String.UnicodeScalarView(scalars)).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
    }

    private static func isAllowed(_ value: UInt32) -> Bool {
        value == 9 || value == 10 || value == 13 || value >= 32 && value != 0xFFFE && value != 0xFFFF
    }
}
