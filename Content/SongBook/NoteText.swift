/// Written music as text: one voice, letters for notes, bar lines checked.
///
///     @c4 mf: c4 d8 e f#4. g8 | [c e g]2^ r4 b, |
///
/// - `@c4` sets the octave: the next note is the one nearest to middle C (c4). Every text begins with it.
/// - A note is its letter, `#` or `b` (twice for double), then `'` or `,` for an octave up or down. Without one, it is
///   the octave nearest to the note before (a fourth or less, by letters). `[c e g]` is a chord; what follows is near
///   its first note. `r` is a rest.
/// - A length follows: 1 2 4 8 16 32 64, with dots; without one, that of the note before.
/// - Then, in this order, where wanted: `!` staccato, `_` tenuto, `^` accent, `~` tied to the next note of that key.
/// - `3:2(` ... `)` plays three in the time of two.
/// - `ppp: pp: p: mp: mf: f: ff: fff:` are dynamics, `<` or `>` starts a hairpin that ends at the next dynamic.
/// - `|` must fall on a bar line of the meters; `|12` also on the start of bar 12.
public struct NoteText {
    /// The notes, by start.
    public private(set) var notes: [ScoreNote] = []
    /// Where the text ends. Unit: ticks.
    public private(set) var end: Int

    private let meters: MeterPlan
    private var octaveSet = false
    /// Octave and letter of the note before: 7 * octave + letter, c is 0.
    private var step = 28
    private var length = SheetMusic.quarter
    private var tuplet = (count: 1, inTimeOf: 1)
    private var velocity = 74
    private var hairpin: Int?
    /// Index of the tied note by key.
    private var tied: [Int: Int] = [:]

    /// - Parameter start: where the text begins. Unit: ticks.
    public init(_ text: String, meters: MeterPlan, from start: Int = 0) throws(NoteTextError) {
        self.meters = meters
        end = start
        var chord: [Substring]?
        for word in text.split(whereSeparator: \.isWhitespace) {
            if chord != nil {
                guard let bracket = word.firstIndex(of: "]") else {
                    chord?.append(word)
                    continue
                }
                chord?.append(word[..<bracket])
                try play(chord ?? [], suffix: word[word.index(after: bracket)...], word: word)
                chord = nil
            } else if word.hasPrefix("[") {
                let first = word.dropFirst()
                if let bracket = first.firstIndex(of: "]") {
                    try play([first[..<bracket]], suffix: first[first.index(after: bracket)...], word: word)
                } else {
                    chord = [first]
                }
            } else {
                try read(word)
            }
        }
        if chord != nil { throw .unfinished("[", atTick: end) }
        if !tied.isEmpty { throw .unfinished("~", atTick: end) }
        if tuplet != (1, 1) { throw .unfinished("(", atTick: end) }
        closeHairpin(at: velocity)
    }

    private mutating func read(_ word: Substring) throws(NoteTextError) {
        if word.hasPrefix("|") {
            guard let bar = meters.bar(beginningAt: end), word.count == 1 || Int(word.dropFirst()) == bar else {
                throw .barLine(String(word), atTick: end, bar: meters.bar(beginningAt: end))
            }
        } else if word.hasPrefix("@") {
            var name = word.dropFirst()
            guard let octave = name.popLast()?.wholeNumberValue, let (letter, _) = Self.letter(&name),
                name.isEmpty
            else {
                throw .unreadable(String(word), atTick: end)
            }
            step = octave * 7 + letter
            octaveSet = true
        } else if word == "<" || word == ">" {
            closeHairpin(at: velocity)
            hairpin = notes.count
        } else if word == ")" {
            tuplet = (1, 1)
        } else if word.hasSuffix("(") {
            let numbers = word.dropLast().split(separator: ":").compactMap { Int($0) }
            guard numbers.count == 2, numbers[0] > 0, numbers[1] > 0 else {
                throw .unreadable(String(word), atTick: end)
            }
            tuplet = (numbers[0], numbers[1])
        } else if let dynamic = Self.dynamics.first(where: { $0.name == word }) {
            closeHairpin(at: dynamic.velocity)
            velocity = dynamic.velocity
        } else {
            var name = word
            while let last = name.last, !last.isLetter, last != "#", last != "'", last != "," { name.removeLast() }
            try play([name], suffix: word[name.endIndex...], word: word)
        }
    }

    private mutating func play(_ names: [Substring], suffix: Substring, word: Substring) throws(NoteTextError) {
        let unreadable = NoteTextError.unreadable(String(word), atTick: end)
        guard octaveSet else { throw .octaveMissing(String(word)) }
        var rest = suffix
        let digits = rest.prefix { $0.isNumber }
        rest = rest.dropFirst(digits.count)
        if !digits.isEmpty {
            guard let value = Int(digits), [1, 2, 4, 8, 16, 32, 64].contains(value) else { throw unreadable }
            length = 4 * SheetMusic.quarter / value
            var dot = length
            while rest.first == "." {
                rest.removeFirst()
                dot /= 2
                length += dot
            }
        }
        var articulation = ScoreNote.Articulation.plain
        var accent = 0
        var ties = false
        for mark in rest {
            switch mark {
            case "!": articulation = .staccato
            case "_": articulation = .tenuto
            case "^": accent = 16
            case "~": ties = true
            default: throw unreadable
            }
        }
        let sounding = length * tuplet.inTimeOf / tuplet.count
        guard sounding * tuplet.count == length * tuplet.inTimeOf else { throw unreadable }
        var chordStep: Int?
        if names != ["r"] {
            for name in names {
                guard let key = key(of: name) else { throw unreadable }
                chordStep = chordStep ?? step
                if let index = tied.removeValue(forKey: key) {
                    notes[index].length += sounding
                    if ties { tied[key] = index }
                } else {
                    if ties { tied[key] = notes.count }
                    notes.append(
                        ScoreNote(
                            start: end, length: sounding, key: key,
                            velocity: min(velocity + accent, 127),
                            articulation: articulation))
                }
            }
            step = chordStep ?? step
        }
        end += sounding
        if tied.values.contains(where: { notes[$0].start + notes[$0].length < end }) {
            throw .unfinished("~", atTick: end)
        }
    }

    /// The key a name means after the note before it, which it then replaces.
    private mutating func key(of name: Substring) -> Int? {
        var rest = name
        guard let (letter, semitones) = Self.letter(&rest) else { return nil }
        // The nearest step with that letter: at most three steps away.
        var next = step - step % 7 + letter
        if next - step > 3 { next -= 7 } else if step - next > 3 { next += 7 }
        for mark in rest {
            switch mark {
            case "'": next += 7
            case ",": next -= 7
            default: return nil
            }
        }
        guard next >= 0 else { return nil }
        step = next
        let key = 12 * (next / 7 + 1) + semitones
        return (0...127).contains(key) ? key : nil
    }

    /// Takes a letter and its accidentals off the front: 0...6 from c, and semitones above c.
    private static func letter(_ name: inout Substring) -> (letter: Int, semitones: Int)? {
        guard let first = name.popFirst(), let letter = Array("cdefgab").firstIndex(of: first) else { return nil }
        var semitones = [0, 2, 4, 5, 7, 9, 11][letter]
        while let sign = name.first, sign == "#" || sign == "b" {
            semitones += sign == "#" ? 1 : -1
            name.removeFirst()
        }
        return (letter, semitones)
    }

    private mutating func closeHairpin(at target: Int) {
        guard let first = hairpin else { return }
        hairpin = nil
        guard first < notes.count else { return }
        let start = notes[first].start
        for index in first..<notes.count {
            notes[index].velocity += (target - velocity) * (notes[index].start - start) / max(end - start, 1)
            notes[index].velocity = min(max(notes[index].velocity, 1), 127)
        }
    }

    private static let dynamics: [(name: Substring, velocity: Int)] = [
        ("ppp:", 24), ("pp:", 36), ("p:", 50), ("mp:", 62), ("mf:", 74), ("f:", 90), ("ff:", 106), ("fff:", 120),
    ]
}
