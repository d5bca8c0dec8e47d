import Reports

/// Letters of three columns and five rows of dots, two rows of dots in a row of the terminal: to be read from afar.
enum LargeLetters {
    /// Rows of the terminal that a line takes.
    static let rows = 3

    /// Five rows of dots each, from the top, three bits a row.
    private static let glyphs: [Character: [UInt8]] = {
        let drawn = """
            A 25755 B 65656 C 34443 D 65556 E 74647 F 74644 G 34553 H 55755 I 72227 J 11153 K 55655 L 44447 M 57755 N 65555 O 25552
            P 65644 Q 25563 R 65655 S 34216 T 72222 U 55557 V 55552 W 55775 X 55255 Y 55222 Z 71247 0 75557 1 26227 2 71747 3 71717
            4 55711 5 74717 6 74757 7 71122 8 75757 9 75717 - 00700 . 00002 , 00024 : 02020 ' 22000 & 25255 + 02720 / 11244 # 57575
            ! 22202 ? 71202 ( 12221 ) 42224 _ 00007 = 07070 * 05250
            """.split { $0 == " " || $0 == "\n" }
        let pairs = stride(from: 0, to: drawn.count - 1, by: 2).map { place in
            (Character(String(drawn[place])), drawn[place + 1].map { UInt8($0.wholeNumberValue ?? 0) })
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }()

    /// A column of two dots: none, the upper, the lower, both.
    private static let blocks = [" ", "\u{2580}", "\u{2584}", "\u{2588}"]

    /// Letters without their accents.
    private static let plain: [Character: Character] = {
        let pairs = Array("ÀAÁAÂAÃAÄAÅAÇCÈEÉEÊEËEÌIÍIÎIÏIÑNÒOÓOÔOÕOÖOØOÙUÚUÛUÜUÝY")
        return Dictionary(uniqueKeysWithValues: stride(from: 0, to: pairs.count, by: 2).map { (pairs[$0], pairs[$0 + 1]) })
    }()

    /// Returns the lines that show a text, with accents left out; nil if it has no letters of its kind, or does not fit.
    static func lines(_ text: String, columns: Int) -> [String]? {
        let folded = text.uppercased().map { plain[$0] ?? $0 }
        guard folded.count * 4 - 1 <= columns else { return nil }
        var rows = [[UInt8]](repeating: [], count: 6)
        for character in folded {
            guard let glyph = character == " " ? [0, 0, 0, 0, 0] : glyphs[character] else { return nil }
            for row in 0..<6 { rows[row].append(row < 5 ? glyph[row] : 0) }
        }
        return (0..<Self.rows).map { row in
            var line = ""
            for (upper, lower) in zip(rows[2 * row], rows[2 * row + 1]) {
                for bit: UInt8 in [4, 2, 1] {
                    line += blocks[(upper & bit == 0 ? 0 : 1) + (lower & bit == 0 ? 0 : 2)]
                }
                line += " "
            }
            return TextColumns.trimmed(line)
        }
    }
}
