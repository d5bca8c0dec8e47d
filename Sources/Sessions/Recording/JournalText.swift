import Graphs
import MIDI
import Patches
import RealtimeCore
import Reports
import UnitAPI

/// A journal as text, one line for each thing it says; floating-point values by their bits, so that nothing is lost.
extension Journal {
    /// The line that every journal begins with.
    package static let firstLine = "carillon-journal 2"
    /// The line that journals began with whose set-up was that of a song.
    static let formerFirstLine = "carillon-journal 1"
    /// Bytes of the longest journal that is read: some ten million events.
    package static let largestFile = 1 << 28

    var header: String {
        get throws(PatchFileError) {
            let lines = [
                Self.firstLine, "rate \(setup.sampleRate)", "patch \(try setup.patch.text(isReadable: false))",
                "begin \(begin.rawValue)", "complete \(isComplete ? "yes" : "no")",
            ]
            return lines.joined(separator: "\n") + "\n"
        }
    }

    /// Everything.
    package var text: String {
        get throws(PatchFileError) { try header + Self.lines(entries, edits) + Self.lastLine(end) }
    }

    /// Writes entries and edits in order of time; an edit before the events of its frame.
    static func lines(_ entries: [Entry], _ edits: [Edit]) throws(PatchFileError) -> String {
        var text = "", next = 0
        for entry in entries {
            while next < edits.count, edits[next].time <= entry.time {
                text += try edits[next].line
                next += 1
            }
            text += entry.line
        }
        while next < edits.count {
            text += try edits[next].line
            next += 1
        }
        return text
    }

    static func lastLine(_ end: SampleTime) -> String { "end \(end.rawValue)\n" }

    /// Reads a journal's text; one that was cut off ends with its last whole line.
    package init(text: String, path: String) throws(Fault) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let first = lines.first.map(String.init)
        guard first == Self.firstLine || first == Self.formerFirstLine else { throw .notAJournal(path: path) }
        var song = first == Self.formerFirstLine ? SongSetup() : nil
        var soundFonts: [String] = []
        var last: Int64?
        // A line without a line break at its end was cut off.
        for (index, line) in lines.enumerated().dropFirst().dropLast() where !line.isEmpty {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            let rest = words.count > 1 ? words[1] : ""
            var isGood = true
            switch words[0] {
            case "rate": isGood = Self.read(rest, 1...1_000_000, into: &setup.sampleRate)
            case "patch" where song == nil:
                do { setup.patch = try Patch(text: rest) } catch { throw .patch(path: path, line: index + 1, error) }
            case "parts" where song != nil:
                let parts = rest.split(separator: " ").map { Int($0) ?? -1 }
                isGood = !parts.isEmpty && parts.allSatisfy((0...255).contains) && zip(parts, parts.dropFirst()).allSatisfy(<)
                song?.parts = parts
            case "instrument" where song != nil:
                isGood = rest == "square-wave" || rest == "soundfont"
                if rest == "square-wave" { song?.instrument = .squareWave }
            case "soundfont" where song != nil: soundFonts.append(rest)
            case "effects" where song != nil: song?.hasEffects = rest == "on"
            case "gain" where song != nil:
                if let gain = Self.float(rest[...]) { song?.gain = gain } else { isGood = false }
            case "set" where song != nil: song?.settings.append(rest)
            case "begin": if let time = Int64(rest), time >= 0 { begin = SampleTime(time) } else { isGood = false }
            case "complete": isComplete = rest == "yes"
            case "end": if let time = Int64(rest), time >= 0 { last = time } else { isGood = false }
            default:
                let latest = max(entries.last?.time ?? begin, edits.last?.time ?? begin)
                if let entry = Entry(line: line), entry.time >= latest {
                    entries.append(entry)
                } else if let edit = Edit(line: line), edit.time >= latest {
                    edits.append(edit)
                } else {
                    isGood = false
                }
            }
            if !isGood { throw .malformed(path: path, line: index + 1) }
        }
        // When such journals were written, libfluidsynth played SoundFonts.
        if song?.instrument != .squareWave { song?.instrument = .fluidSynth(soundFonts) }
        setup.song = song
        let lastEvent = [entries.last?.time, edits.last?.time].compactMap { $0 }.max().map { $0 + 1 } ?? begin
        hasEnd = last != nil
        let isEmpty = entries.isEmpty && edits.isEmpty
        end = last.map { max(SampleTime($0), lastEvent) } ?? lastEvent + (isEmpty ? 0 : 5 * setup.sampleRate)
    }

    private static func read(_ text: String, _ range: ClosedRange<Int>, into value: inout Int) -> Bool {
        guard let number = Int(text), range.contains(number) else { return false }
        value = number
        return true
    }

    /// The bits of a number, and a number from its bits.
    static func text(_ value: Float) -> String { String(value.bitPattern, radix: 16) }
    static func float(_ text: Substring) -> Float? {
        guard let bits = UInt32(text, radix: 16) else { return nil }
        let value = Float(bitPattern: bits)
        return value.isFinite ? value : nil
    }
}

extension Journal.Edit {
    /// `TIME * edit DIFFERENCE`.
    var line: String { get throws(PatchFileError) { "\(time.rawValue) * edit \(try difference.text())\n" } }

    init?(line: Substring) {
        let words = line.split(separator: " ", maxSplits: 3)
        guard words.count == 4, words[1] == "*", words[2] == "edit", let time = Int64(words[0]), time >= 0 else { return nil }
        do { self.init(time: SampleTime(time), try PatchDifference(text: String(words[3]))) } catch { return nil }
    }
}

extension Journal.Entry {
    /// `TIME UNIT WHAT VALUES...`; the unit `*` means all units that hear the part.
    var line: String {
        let what =
            switch event {
            case .reset: "off"
            case .shed(let level): "shed \(level)"
            case .adopted(let plan): "plan \(plan)"
            case .parameter(let index, let element, let value): "set \(index) \(element) \(Journal.text(value))"
            case .ramp(let index, let element, let value, let frames, let curve):
                "ramp \(index) \(element) \(Journal.text(value)) \(frames) \(curve.name)"
            case .music(.message(let m)): "message \(m.status) \(m.data1) \(m.data2) \(m.port)"
            case .music(.reset(let reset, let port)): "reset \(reset.rawValue) \(port)"
            case .music(.standard(let reset, let port)): "standard \(reset.rawValue) \(port)"
            case .music(.partMode(let mode, let port, let channel)): "mode \(mode.rawValue) \(port) \(channel)"
            case .music(.masterVolume(let volume, let port)): "volume \(Journal.text(volume)) \(port)"
            case .music(.masterTuning(let cents, let port)): "tuning \(Journal.text(cents)) \(port)"
            case .music(.masterBalance(let balance, let port)): "balance \(Journal.text(balance)) \(port)"
            case .music(.scaleTuning(let channels, let step, let hundredths, let port)):
                "scale \(channels) \(step) \(hundredths) \(port)"
            case .music(.keyTuning(let k)): "key \(k.bank) \(k.program) \(k.key) \(k.semitone) \(k.fraction) \(k.port)"
            case .music(.effect(let value, let parameter, let port)):
                "effect \(Journal.text(value)) \(parameter.rawValue) \(port)"
            case .music(.part(let parameter, let value, let key, let part)):
                "part \(parameter.rawValue) \(value) \(key) \(part)"
            case .music(.insertion(let value, let parameter, let slot, let port)):
                "insertion \(Journal.text(value)) \(parameter) \(slot) \(port)"
            case .music(.time(.tempo(let tempo))): "tempo \(Journal.text(tempo))"
            case .music(.time(.meter(let bar, let meter))): "meter \(meter.beats) \(meter.denominator) \(bar)"
            case .music(.time(.beat(let beat))): "beat \(beat)"
            case .music(.time(.frame(let frame))): "frame \(frame)"
            case .music(.time(.place(let place))): "place \(place)"
            case .music(.time(.stopped)): "stopped"
            }
        return "\(time.rawValue) \(unit ?? "*") \(what)\n"
    }

    init?(line: Substring) {
        let words = line.split(separator: " ")
        guard words.count >= 3, let time = Int64(words[0]), time >= 0 else { return nil }
        let numbers = words.dropFirst(3).map { UInt8($0) }
        func number(_ index: Int, below limit: UInt8) -> UInt8? {
            guard index < numbers.count, let number = numbers[index], number < limit else { return nil }
            return number
        }
        let event: UnitEvent
        switch words[2] {
        case "off": event = .reset
        case "shed":
            guard let level = number(0, below: 4) else { return nil }
            event = .shed(level: level)
        case "plan":
            guard words.count == 4, let plan = Int32(words[3]), plan > 0 else { return nil }
            event = .adopted(plan: plan)
        case "set", "ramp":
            guard words.count == (words[2] == "set" ? 6 : 8), let index = Int32(words[3]), index >= 0,
                let element = Int32(words[4]), element >= 0, let value = Journal.float(words[5])
            else { return nil }
            if words.count == 6 {
                event = .parameter(index: index, element: element, value: value)
            } else {
                guard let frames = Int32(words[6]), 0...ParameterRamp.longest ~= frames,
                    let curve = RampCurve(name: String(words[7]))
                else { return nil }
                event = .ramp(index: index, element: element, value: value, frames: frames, curve: curve)
            }
        case "message":
            guard let status = number(0, below: 0xF0), status >= 0x80, let data1 = number(1, below: 128),
                let data2 = number(2, below: 128), let port = number(3, below: 16)
            else { return nil }
            event = .music(.message(MIDIMessage(status: status, data1: data1, data2: data2, port: port)))
        case "reset", "standard":
            guard let reset = number(0, below: 255).flatMap(SystemReset.init), let port = number(1, below: 16) else {
                return nil
            }
            event = .music(words[2] == "reset" ? .reset(reset, port: port) : .standard(reset, port: port))
        case "mode":
            guard let mode = number(0, below: 255).flatMap(PartMode.init), let port = number(1, below: 16),
                let channel = number(2, below: 16)
            else { return nil }
            event = .music(.partMode(mode, port: port, channel: channel))
        case "volume", "tuning", "balance":
            guard words.count == 5, let value = Journal.float(words[3]), let port = number(1, below: 16) else {
                return nil
            }
            event = .music(
                words[2] == "volume"
                    ? .masterVolume(value, port: port)
                    : words[2] == "tuning" ? .masterTuning(cents: value, port: port) : .masterBalance(value, port: port))
        case "scale":
            guard words.count == 7, let channels = UInt16(words[3]), let step = number(1, below: 12),
                let hundredths = Int16(words[5]), let port = number(3, below: 16)
            else { return nil }
            event = .music(.scaleTuning(channels: channels, step: step, hundredths: hundredths, port: port))
        case "key":
            guard words.count == 9, let bank = number(0, below: KeyTuning.sessionBank + 1), let program = number(1, below: 128),
                let key = number(2, below: 128), let semitone = number(3, below: 128), let fraction = UInt16(words[7]),
                fraction < 16_384 || fraction == .max, let port = number(5, below: 16)
            else { return nil }
            var change = KeyTuning(key: key, semitone: semitone, program: program, port: port)
            (change.bank, change.fraction) = (bank, fraction)
            event = .music(.keyTuning(change))
        case "effect":
            guard words.count == 6, let value = Journal.float(words[3]),
                let parameter = number(1, below: 255).flatMap(EffectParameter.init), let port = number(2, below: 16)
            else { return nil }
            event = .music(.effect(value, of: parameter, port: port))
        case "part":
            guard words.count == 7, let parameter = numbers[0], let value = numbers[1], let key = number(2, below: 128),
                let part = numbers[3]
            else { return nil }
            event = .music(.part(PartParameter(rawValue: parameter), value, key: key, part: part))
        case "insertion":
            guard words.count == 7, let value = Journal.float(words[3]), let parameter = numbers[1],
                let slot = number(2, below: 8), let port = number(3, below: 16)
            else { return nil }
            event = .music(.insertion(value, of: parameter, slot: slot, port: port))
        case "tempo":
            guard words.count == 4, let tempo = Journal.float(words[3]), tempo > 0 else { return nil }
            event = .music(.time(.tempo(tempo)))
        case "meter":
            guard words.count == 6, let beats = UInt8(words[3]), beats > 0, let unit = UInt8(words[4]),
                unit.nonzeroBitCount == 1, let bar = Int32(words[5]), bar >= 0
            else { return nil }
            event = .music(.time(.meter(bar: bar, Meter(beats: beats, unit: UInt8(unit.trailingZeroBitCount)))))
        case "beat", "frame", "place":
            guard words.count == 4, let count = Int32(words[3]), count >= 0 else { return nil }
            event = .music(.time(words[2] == "beat" ? .beat(count) : words[2] == "frame" ? .frame(count) : .place(count)))
        case "stopped": event = .music(.time(.stopped))
        default: return nil
        }
        self.init(time: SampleTime(time), unit: words[1] == "*" ? nil : String(words[1]), event: event)
    }
}
