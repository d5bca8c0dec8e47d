import Reports
import SoundFonts
import UnitAPI

extension SongInspection {
    /// Entries of one list that are shown; the object has all.
    private static let shown = 10

    /// The inspection as text for a terminal. Names are as the file has them: the caller must remove control characters before
    /// it shows them.
    package var lines: [String] {
        var lines: [String] = []
        lines.append("\(song): \(title ?? "untitled"), format \(format), \(division), \(bytes) bytes, \(container)")
        lines.append(
            "\(Self.seconds(duration)) s, \(bars.map { CountedNoun.text($0, "bar") + ", " } ?? "")"
                + [CountedNoun.text(tempoChanges, "tempo change"), CountedNoun.text(tracks.count, "track")].joined(
                    separator: ", ")
                + ", \(CountedNoun.text(notes, "note")), at most \(peakPolyphony) at once")
        if let loop { lines.append("loops from \(loop.start) s to \(loop.end) s (\(loop.custom))") }
        if unendedNotes > 0 { lines.append("\(CountedNoun.text(unendedNotes, "note")) without an end") }
        lines += notation
        for part in parts where part.notes > 0 {
            let port = part.port > 0 ? "port \(part.port) " : ""
            lines.append(
                "  \(port)channel \(part.channel): \(CountedNoun.text(part.notes, "note")), at most \(part.polyphony) at once, "
                    + "bank:program \(part.programs.map { "\($0)" }.joined(separator: ", "))")
        }
        for reset in resets { lines.append("  \(reset.standard) reset at \(reset.time) s") }
        lines.append("SoundFonts: \(soundFonts.joined(separator: ", "))")
        if let bank {
            lines.append(
                "SoundFont in the song: \(bank.title.isEmpty ? "untitled" : bank.title), \(bank.format), \(bank.bytes) bytes, "
                    + "\(CountedNoun.text(bank.presets.count, "preset")) from bank \(bank.bankOffset) on")
            for preset in Self.firstTen(bank.presets.map { "\($0)" }) { lines.append("  \(preset)") }
        }
        if let bankFault { lines.append(bankFault) }
        for preset in presets {
            let note = preset.substitution.map { " (substitute: \($0))" } ?? ""
            lines.append("  \(preset.asked): \(preset.found.map { "\($0)" } ?? "nothing, silent")\(note)")
        }
        let recovered = tracks.enumerated().compactMap { place, track in track.recoveredFrom.map { (place + 1, $0) } }
        lines.append(recovered.isEmpty ? "all tracks as they stand" : "\(CountedNoun.text(recovered.count, "track")) recovered:")
        for (number, byteOffset) in recovered { lines.append("  track \(number), from byte \(byteOffset) on") }
        lines.append(repairCount == 0 ? "no repairs" : "\(CountedNoun.text(repairCount, "repair")):")
        for repair in repairs { lines.append("  byte \(repair.byteOffset): \(repair.fault): \(repair.remedy)") }
        // Repairs and substitutions are listed above, in their own places.
        let others = remarks.filter { $0.kind != .repaired && $0.kind != .substituted }
        lines.append(others.isEmpty ? "no remarks" : "\(CountedNoun.text(others.count, "remark")):")
        lines += others.map { "  \($0.kind.rawValue): \($0)" }
        return lines
    }

    private var notation: [String] {
        var lines: [String] = []
        func row(_ name: String, _ entries: [String]) {
            if !entries.isEmpty { lines.append("\(name): \(Self.firstTen(entries).joined(separator: ", "))") }
        }
        func block(_ name: String, _ entries: [String]) {
            if entries.isEmpty { return }
            lines.append("\(name):")
            lines += Self.firstTen(entries).map { "  \($0)" }
        }
        row("tempo", tempos.map { "\(Self.trimmed($0.beatsPerMinute)) \(Self.place($0.bar, $0.time))" })
        row("meter", timeSignatures.map { "\($0.numerator)/\($0.denominator) \(Self.place($0.bar, $0.time))" })
        row("key", keys.map { "\($0.key) \(Self.place($0.bar, $0.time))" })
        row("markers", markers.map { "\($0.text) \(Self.place($0.bar, $0.time))" })
        block("lyrics", lyrics.map { "\(Self.place($0.bar, $0.time)) \($0.text)" })
        block("texts", texts.map { "\($0.kind), track \($0.track): \($0.text)" })
        return lines
    }

    private static func firstTen(_ entries: [String]) -> [String] {
        entries.count <= shown
            ? entries : entries.prefix(shown) + ["and \(entries.count - shown) more; the report as JSON has all"]
    }

    private static func place(_ bar: Int64?, _ time: Double) -> String {
        bar.map { "(bar \($0))" } ?? "(\(seconds(time)) s)"
    }

    private static func trimmed(_ number: Double) -> String {
        number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)"
    }

    /// A time as text, with three decimals.
    private static func seconds(_ time: Double) -> String {
        let whole = Int((time * 1000).rounded())
        return "\(whole / 1000).\(String(whole % 1000 + 1000).dropFirst())"
    }
}

extension SongInspection.Tick: CustomStringConvertible {
    /// `480 ticks per quarter`, `25.0 frames per second, 40 ticks each`.
    package var description: String {
        ticksPerQuarter.map { "\($0) ticks per quarter" }
            ?? "\(framesPerSecond ?? 0) frames per second, \(ticksPerFrame ?? 0) ticks each"
    }
}

extension SongInspection.Sound: CustomStringConvertible {
    /// `0:40 Violin`.
    package var description: String { "\(bank):\(program) \(name)" }
}

extension SongInspection.Program: CustomStringConvertible {
    /// `0:0:40`, `120:0:0 drums`.
    package var description: String { "\(bankMSB):\(bankLSB):\(program)" + (isDrums ? " drums" : "") }
}
