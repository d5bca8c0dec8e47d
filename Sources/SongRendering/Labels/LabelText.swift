import MIDI
import Sequencer

/// The text of many labels, byte after byte in one piece of memory: a string for each of their words would cost more than
/// making them.
struct LabelText {
    private var bytes: [UInt8] = []

    private init(rows: Int, width: Int) { bytes.reserveCapacity(rows * width) }
    private var string: String { String(decoding: bytes, as: UTF8.self) }

    static func rows(_ notes: [NoteLabel]) -> String {
        var text = LabelText(rows: notes.count, width: 192)
        for (index, note) in notes.enumerated() {
            if index > 0 { text.add(",\n") }
            text.add(note)
        }
        return text.string
    }

    static func rows(_ controls: [SongPlan.SentControl]) -> String {
        var text = LabelText(rows: controls.count, width: 64)
        for (index, control) in controls.enumerated() {
            if index > 0 { text.add(",\n") }
            text.add(control)
        }
        return text.string
    }

    /// Returns a line for each note with a pitch that is heard and a length: onset and offset in seconds, and hertz.
    static func table(_ notes: [NoteLabel], sampleRate: Int, frames: Int64) -> String {
        var text = LabelText(rows: notes.count, width: 40)
        for note in notes where note.isHeard {
            guard let onset = note.onset, let pitch = note.pitch, note.offset(frames) > onset else { continue }
            text.add(seconds: onset, sampleRate)
            text.add("\t")
            text.add(seconds: note.offset(frames), sampleRate)
            text.add("\t")
            text.add(pitch, decimals: 6, isAlwaysBroken: true)
            text.add("\n")
        }
        return text.string
    }

    private mutating func add(_ note: NoteLabel) {
        add("{\"onset\":")
        add(note.onset)
        add(",\"keyUp\":")
        add(note.keyUp)
        add(",\"release\":")
        add(note.release)
        add(",\"end\":")
        add(note.end)
        add(",\"pitch\":")
        if let pitch = note.pitch { add(pitch, decimals: 4) } else { add("null") }
        if !note.bends.isEmpty { add(note.bends) }
        add(",\"level\":")
        if let level = note.level {
            if level <= -0.005 { add("-") }
            add(abs(level), decimals: 2)
        } else {
            add("null")
        }
        add(",\"key\":")
        add(Int64(note.key))
        add(",\"soundingKey\":")
        add(note.soundingKey.map { Int64($0) })
        add(",\"velocity\":")
        add(Int64(note.velocity))
        add(",\"channel\":")
        add(Int64(note.channel))
        add(",\"track\":")
        add(note.track.map { Int64($0) })
        add(",\"stem\":")
        add(note.stem.map { Int64($0) })
        add(",\"outcome\":\"")
        bytes.append(contentsOf: note.outcome.rawValue.utf8)
        add("\"}")
    }

    private mutating func add(_ bends: [NoteLabel.Bend]) {
        for (index, bend) in bends.enumerated() {
            add(index == 0 ? ",\"bends\":[[" : ",[", bend.frame)
            add(",")
            add(bend.pitch, decimals: 4)
            add("]")
        }
        add("]")
    }

    private mutating func add(_ control: SongPlan.SentControl) {
        let message = control.message, first = Int64(message.data1 & 127), second = Int64(message.data2 & 127)
        add("{\"frame\":")
        add(control.frame)
        add(",\"channel\":")
        add(Int64(message.part) + 1)
        switch message.kind {
        case .controlChange: add(",\"controller\":", first, ",\"value\":", second)
        case .programChange: add(",\"program\":", first)
        case .pitchBend: add(",\"bend\":", (second << 7 | first) - 8_192)
        case .channelPressure: add(",\"pressure\":", first)
        case .keyPressure: add(",\"key\":", first, ",\"pressure\":", second)
        case .noteOn, .noteOff, nil: add(",\"status\":", Int64(message.status))
        }
        add("}")
    }

    private mutating func add(_ word: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    private mutating func add(_ word: StaticString, _ number: Int64) {
        add(word)
        add(number)
    }

    private mutating func add(_ word: StaticString, _ number: Int64, _ next: StaticString, _ last: Int64) {
        add(word, number)
        add(next, last)
    }

    private mutating func add(_ number: Int64?) {
        guard let number else { return add("null") }
        if number < 0 { add("-") }
        add(digits: number.magnitude, atLeast: 1)
    }

    /// Adds a number with at most `decimals` decimals, without zeros at the end: as `Double` writes one that has been rounded.
    ///
    /// - Parameter isAlwaysBroken: whether a whole one has its `.0`.
    private mutating func add(_ number: Double, decimals: Int, isAlwaysBroken: Bool = false) {
        var scale: UInt64 = 1
        for _ in 0..<decimals { scale *= 10 }
        let scaled = (number * Double(scale)).rounded()
        // With up to fifteen digits the decimals are those of the number; very small and very large ones have exponents.
        guard scaled == 0 || scaled >= Double(scale) / 1_000, scaled < 1e15 else {
            let rounded = scaled / Double(scale)
            return bytes.append(contentsOf: (rounded.isFinite ? "\(rounded)" : "null").utf8)
        }
        let whole = UInt64(scaled)
        add(digits: whole / scale, atLeast: 1)
        var rest = whole % scale, places = decimals
        while places > (isAlwaysBroken ? 1 : 0), rest % 10 == 0 { (rest, places) = (rest / 10, places - 1) }
        if places == 0 { return }
        add(".")
        add(digits: rest, atLeast: places)
    }

    /// A time with nine decimals: at any rate another than that of the frames beside it.
    private mutating func add(seconds frame: Int64, _ sampleRate: Int) {
        let rate = Int64(sampleRate)
        add(frame / rate)
        add(".")
        add(digits: UInt64(((frame % rate) * 1_000_000_000 + rate / 2) / rate), atLeast: 9)
    }

    private mutating func add(digits number: UInt64, atLeast count: Int) {
        var digits = InlineArray<20, UInt8>(repeating: 48), rest = number, place = 20
        while rest > 0 || 20 - place < count {
            place -= 1
            digits[place] = 48 + UInt8(rest % 10)
            rest /= 10
        }
        for index in place..<20 { bytes.append(digits[index]) }
    }
}
