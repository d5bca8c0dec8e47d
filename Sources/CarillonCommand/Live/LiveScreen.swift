import Carillon

/// What `carillon live` shows: keyboards, notes, levels, load, device.
enum LiveScreen {
    /// The screen for `snapshot`, in lines of at most `columns` columns and at most `rows` of them.
    static func lines(
        _ snapshot: SessionSnapshot, columns: Int, rows: Int = .max, style: ScreenStyle, message: String? = nil,
        waitingKeys: String? = nil, showsHelp: Bool = false
    ) -> [ScreenLine] {
        var screen = Screen(columns: columns, style: style)
        screen.addKeyboards(snapshot.keyboards, hasSequencer: snapshot.hasSequencer, rank: 3)
        screen.addNotes(snapshot.notes, rank: 4)
        if !snapshot.channels.isEmpty { screen.addChannels(snapshot.channels, rank: 6) }
        screen.addLevels(snapshot.levels, rank: 5)
        screen.addLimiter(snapshot, rank: 2)
        screen.addLoad(snapshot, rank: 2)
        screen.addFaults(snapshot, rank: 1)
        screen.addDevice(snapshot.device, rank: 1)
        screen.addCapture(snapshot.captureFault, rank: 0)
        screen.addMessage(message, waitingKeys: waitingKeys, rank: 0)
        screen.addHelp(KeyTable(.live), isLong: showsHelp, rank: 7)
        return screen.lines(rows: rows)
    }
}

extension Screen {
    /// A line for each of the first keyboards: what it holds, or why it is not connected.
    fileprivate mutating func addKeyboards(_ keyboards: [SessionSnapshot.Source], hasSequencer: Bool, rank: Int) {
        if keyboards.isEmpty {
            let remedy = hasSequencer ? "one that is plugged in plays at once" : "there is no ALSA sequencer to connect one"
            return add("keyboard", ScreenLine("none; \(remedy)"), rank: rank)
        }
        for (index, source) in keyboards.prefix(4).enumerated() {
            let name = style.shown(source.name)
            var line = ScreenLine(name, source.isConnected ? .green : .plain)
            if !source.isConnected {
                // Shorter, to have room beside the name.
                let reason = source.reason.replacing("not connected because ", with: "not connected: ", maxReplacements: 1)
                line.add("  " + style.shown(reason), .dim)
            } else if source.heldNotes > 0 {
                line.add("  \(source.heldNotes) held")
            }
            if index == 3 && keyboards.count > 4 { line.add("  +\(keyboards.count - 4)", .dim) }
            add(index == 0 ? "keyboard" : "", line, rank: rank)
        }
    }

    /// The notes that keys hold, channel by channel: `1: C4 E4 G4`.
    fileprivate mutating func addNotes(_ notes: [SessionSnapshot.Note], rank: Int) {
        var items: [ScreenLine] = []
        for channel in Set(notes.map(\.channel)).sorted() {
            let keys = notes.filter { $0.channel == channel }.map(\.key).sorted()
            for (index, key) in keys.enumerated() {
                var item = ScreenLine(index == 0 ? "\(channel): " : "", .dim)
                item.add(Self.name(ofKey: key), .bold)
                items.append(item)
            }
        }
        add("notes", items: items, limit: 2, rank: rank)
    }

    /// The channels that can be heard, each with its peak.
    fileprivate mutating func addChannels(_ channels: [SessionSnapshot.Channel], rank: Int) {
        let heard = channels.filter { LevelScale.place($0.level.peak) > 0 }
        add("channels", items: heard.map { channel in
            var item = ScreenLine("\(channel.number)", .dim)
            item.add(LevelScale.column(channel.level, style: style))
            return item
        }, limit: 2, rank: rank)
    }

    /// `C4` for middle C, which is key 60.
    static func name(ofKey key: Int) -> String {
        let names = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"]
        let octave = key >= 0 ? key / 12 : (key - 11) / 12
        return names[key - octave * 12] + "\(octave - 1)"
    }
}

extension SessionSnapshot {
    /// The sources in the order in which the screen has them and keys count them: those that play first.
    var keyboards: [Source] { sources.filter(\.isConnected) + sources.filter { !$0.isConnected } }
}
