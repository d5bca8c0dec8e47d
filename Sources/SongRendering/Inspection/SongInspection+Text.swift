import RealtimeCore
import Reports
import Sequencer
import SoundFonts
import UnitAPI

extension SongInspection {
    /// Entries of one list that are shown; the object has all.
    private static let most = 10

    /// The inspection as text for a terminal. Names are as the file has them: the caller must remove control characters before
    /// it shows them.
    package var lines: [String] {
        var lines: [String] = []
        lines.append(
            "\(song): \(notation.title ?? "untitled"), format \(format.rawValue), \(division), \(bytes) bytes, \(container.rawValue)"
        )
        lines.append(
            "\(Self.shown(duration)) s, \(notation.bars.map { CountedNoun.text($0, "bar") + ", " } ?? "")"
                + [CountedNoun.text(tempoChanges, "tempo change"), CountedNoun.text(tracks.count, "track")].joined(
                    separator: ", ")
                + ", \(CountedNoun.text(summary.noteCount, "note")), at most \(summary.peakPolyphony) at once")
        if let loop {
            let (start, end) = (loop.frames.lowerBound, loop.frames.upperBound)
            lines.append(
                loop.playsOnce
                    ? "plays once: its loop point is at its end (\(loop.custom.rawValue))"
                    : "loops from \(Self.seconds(SampleTime(start))) s to \(Self.seconds(SampleTime(end))) s (\(loop.custom.rawValue))"
            )
        }
        if summary.unendedNotes > 0 { lines.append("\(CountedNoun.text(summary.unendedNotes, "note")) without an end") }
        lines += words
        for part in summary.parts where part.noteCount > 0 {
            let port = part.port > 0 ? "port \(part.port) " : ""
            lines.append(
                "  \(port)channel \(part.channel + 1): \(CountedNoun.text(part.noteCount, "note")), at most \(part.peakPolyphony) at once, "
                    + "bank:program \(part.presets.map(Self.text).joined(separator: ", "))")
        }
        for reset in summary.resets { lines.append("  \(reset.standard) reset at \(Self.seconds(reset.time)) s") }
        lines.append("SoundFonts: \(soundFonts.joined(separator: ", "))")
        if let bank {
            lines.append(
                "SoundFont in the song: \(bank.title.isEmpty ? "untitled" : bank.title), \(bank.format.rawValue), \(bank.byteCount) bytes, "
                    + "\(CountedNoun.text(bank.presets.count, "preset")) from bank \(bank.source.bankOffset) on")
            for preset in Self.firstTen(bank.presets.map(Self.text)) { lines.append("  \(preset)") }
        }
        if let bankFault { lines.append(bankFault) }
        for preset in presets {
            let note = preset.substitution.map { " (substitute: \($0))" } ?? ""
            lines.append("  \(preset.asked): \(preset.found.map(Self.text) ?? "nothing, silent")\(note)")
        }
        let recovered = tracks.enumerated().filter { $0.element.reading != .asItStands }
        lines.append(recovered.isEmpty ? "all tracks as they stand" : "\(CountedNoun.text(recovered.count, "track")) recovered:")
        for (place, track) in recovered {
            lines.append("  track \(place + 1), \("\(track.reading)".replacing("recovered ", with: ""))")
        }
        lines.append(repairCount == 0 ? "no repairs" : "\(CountedNoun.text(repairCount, "repair")):")
        lines += repairs.map { "  \($0)" }
        // The song's repairs and substitutions are listed above, in their own places.
        let others = remarks.filter { $0.kind != .substituted && ($0.kind != .repaired || $0.subject != song) }
        lines.append(others.isEmpty ? "no remarks" : "\(CountedNoun.text(others.count, "remark")):")
        lines += others.map { "  \($0.kind.rawValue): \($0)" }
        return lines
    }

    private var words: [String] {
        var lines: [String] = []
        func row(_ name: String, _ entries: [String]) {
            if !entries.isEmpty { lines.append("\(name): \(Self.firstTen(entries).joined(separator: ", "))") }
        }
        func block(_ name: String, _ entries: [String]) {
            if entries.isEmpty { return }
            lines.append("\(name):")
            lines += Self.firstTen(entries).map { "  \($0)" }
        }
        row("tempo", notation.tempos.map { "\(Self.trimmed($0.beatsPerMinute)) \(Self.place($0.bar, $0.time))" })
        row("meter", notation.timeSignatures.map { "\($0.numerator)/\($0.denominator) \(Self.place($0.bar, $0.time))" })
        row("key", notation.keys.map { "\($0.key) \(Self.place($0.bar, $0.time))" })
        row("markers", notation.markers.map { "\($0.text) \(Self.place($0.bar, $0.time))" })
        block("lyrics", notation.lyrics.map { "\(Self.place($0.bar, $0.time)) \($0.text)" })
        block("texts", notation.texts.map { "\($0.kind), track \($0.track): \($0.text)" })
        return lines
    }

    private static func firstTen(_ entries: [String]) -> [String] {
        entries.count <= most
            ? entries : entries.prefix(most) + ["and \(entries.count - most) more; the report as JSON has all"]
    }

    private static func place(_ bar: Int64?, _ time: Double) -> String {
        bar.map { "(bar \($0))" } ?? "(\(shown(time)) s)"
    }

    private static func trimmed(_ number: Double) -> String {
        number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)"
    }

    /// A time as text, with three decimals.
    private static func shown(_ time: Double) -> String {
        let whole = Int((time * 1000).rounded())
        return "\(whole / 1000).\(String(whole % 1000 + 1000).dropFirst())"
    }

    /// `0:40 Violin`.
    private static func text(_ preset: SoundFontFile.Preset) -> String { "\(preset.bank):\(preset.program) \(preset.name)" }

    /// `0:0:40`, `120:0:0 drums`.
    private static func text(_ preset: PresetUse) -> String {
        "\(preset.bankMSB):\(preset.bankLSB):\(preset.program)" + (preset.isDrums ? " drums" : "")
    }
}
