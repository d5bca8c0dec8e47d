import Carillon
import Patches
import Reports

/// Selections of a player that the session does not know: a channel, a search, letters that are notes.
struct LiveHand {
    var choice = SoundChoice([])
    var typing = TypingKeys()
    var names: NameChoice?
}

/// The screen of `carillon live`: keyboards, the song beside them, notes, sounds, levels, load, device.
enum LiveScreen {
    static func lines(
        _ snapshot: SessionSnapshot, columns: Int, rows: Int = .max, style: ScreenStyle, message: String? = nil,
        waitingKeys: String? = nil, helpPage: Int = 0, hand: LiveHand = LiveHand()
    ) -> [ScreenLine] {
        var screen = Screen(columns: columns, style: style)
        screen.addKeyboards(snapshot.keyboards, hasSequencer: snapshot.hasSequencer, rank: 3)
        screen.addOutputs(snapshot.outputs, rank: 3)
        screen.addPatches(snapshot.patches, rank: 1)
        if let transport = snapshot.transport {
            screen.addSong(transport)
            if let lyrics = transport.lyrics { screen.add(lyrics, rank: 3) }
            screen.addWay(transport, screen.switchedChannels(transport))
            if let following = snapshot.following { screen.add(following, rank: 1) }
            screen.add(snapshot.layers, rank: 4)
        }
        screen.addPart(snapshot.text, rank: 3)
        screen.addLoops(snapshot.loops, rank: 1)
        screen.addPlayer(snapshot, hand, rank: 2)
        screen.addScenes(snapshot, rank: 1)
        screen.addSearch(hand.choice, snapshot.zones, rows: rows, rank: 0)
        screen.addSearch(hand.names, rows: rows, rank: 0)
        screen.addLearning(snapshot.learning, rank: 0)
        screen.addNotes(snapshot.notes, rank: 4)
        if snapshot.zones.isEmpty {
            screen.addChannels(snapshot.channels, hand.choice, rank: 6)
        } else {
            screen.addZones(snapshot.zones, snapshot.channels, inHand: hand.choice.selected(in: snapshot.zones)?.name, rank: 3)
        }
        screen.addLevels(snapshot.levels, rank: 5)
        screen.addLimiter(snapshot, rank: 2)
        screen.addLoad(snapshot, rank: 2)
        screen.addFaults(snapshot, rank: 1)
        screen.addDevice(snapshot.device, rank: 1)
        screen.addCapture(snapshot, rank: 0)
        screen.addMessage(message, waitingKeys: waitingKeys, rank: 0)
        screen.addHelp(
            KeyTable(.live), page: helpPage, .init(snapshot, isTyping: hand.typing.isOn), rows: rows, rank: 1)
        return screen.lines(rows: rows)
    }
}

extension Screen {
    /// Adds a line for each keyboard: what it holds, or why it is not connected.
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

    fileprivate mutating func addPatches(_ list: SessionSnapshot.PatchList?, rank: Int) {
        guard let list else { return }
        var items = [ScreenLine("\(list.number)/\(list.count) \(style.shown(list.name))", .bold)]
        if let wanted = list.wanted { items.append(ScreenLine("coming: \(style.shown(wanted))", .yellow)) }
        if let next = list.next {
            var item = ScreenLine("next: \(style.shown(next))")
            if !list.isNextReady { item.add(" (not ready yet)", .yellow) }
            items.append(item)
        }
        if list.ringing > 0 { items.append(ScreenLine("\(list.ringing) ringing", .dim)) }
        add("patch", items: items, limit: 3, rank: rank)
    }

    fileprivate mutating func addPlayer(_ snapshot: SessionSnapshot, _ hand: LiveHand, rank: Int) {
        var items = [volume(snapshot), limiterLamp(snapshot)]
        let keys = snapshot.keyTranspose
        if keys != 0 { items.append(ScreenLine("keys \(keys > 0 ? "+" : "")\(keys)", .yellow)) }
        if let metronome = snapshot.metronome, metronome.isRunning {
            items.append(ScreenLine("metronome \(RenderJob.fixed(metronome.tempo, 0))", .green))
            items.append(ScreenLine("beat \(metronome.beat)/\(metronome.beats)", metronome.beat == 1 ? .bold : .plain))
        }
        if hand.typing.isOn {
            let lowest = Self.name(ofKey: 60 + 12 * hand.typing.octave)
            let from = hand.typing.octave == 0 ? "" : " from \(lowest)"
            items.append(ScreenLine("letters are keys\(from)\(hand.typing.isHolding ? ", held" : "")", .green))
        }
        add("volume", items: items, limit: 2, rank: rank)
    }

    fileprivate mutating func addSearch(
        _ choice: SoundChoice, _ zones: [SessionSnapshot.Zone], rows: Int, rank: Int
    ) {
        guard let search = choice.search else { return }
        let matches = choice.matches
        addMatches(search, choice.headline(matches.count, zones), matches.count, rows: rows, rank: rank) { place in
            let match = matches[place]
            return (TextColumns.rightAligned("\(match.bank):\(match.program)", to: 7) + "  ", match.name)
        }
    }

    fileprivate mutating func addSearch(_ names: NameChoice?, rows: Int, rank: Int) {
        guard let names else { return }
        let matches = names.matches
        addMatches(names.search, names.headline(matches.count), matches.count, rows: rows, rank: rank) { ("", matches[$0]) }
    }

    private mutating func addMatches(
        _ search: WordSearch, _ headline: String, _ count: Int, rows: Int, rank: Int,
        _ match: (Int) -> (number: String, name: String)
    ) {
        var head = ScreenLine(style.shown(search.text) + "_", .bold)
        head.add("  " + headline, .dim)
        let shown = min(count, max(min(rows / 3, 10), 1))
        let first = min(max(search.place - shown / 2, 0), count - shown)
        let lines = (first..<(first + shown)).map { place in
            let isChosen = place == search.place, match = match(place)
            var line = ScreenLine(isChosen ? "> " : "  ", .bold)
            line.add(match.number, .dim)
            line.add(style.shown(match.name), isChosen ? .bold : .plain)
            return line
        }
        add("find", lines: [head] + lines, rank: rank)
    }

    fileprivate mutating func addScenes(_ snapshot: SessionSnapshot, rank: Int) {
        let items = snapshot.scenes.prefix(12).map { name in
            name == snapshot.scene ? ScreenLine("> " + style.shown(name), .green) : ScreenLine(style.shown(name), .dim)
        }
        let more = snapshot.scenes.count > 12 ? [ScreenLine("+\(snapshot.scenes.count - 12)", .dim)] : []
        if !items.isEmpty { add("scenes", items: items + more, limit: 2, rank: rank) }
    }

    fileprivate mutating func addLearning(_ parameter: String?, rank: Int) {
        guard let parameter else { return }
        var line = ScreenLine(style.shown(parameter), .bold)
        line.add("  move its control; esc: none", .yellow)
        add("learn", line, rank: rank)
    }

    /// Every channel if there is room beside another, else those that are played or selected.
    fileprivate mutating func addChannels(_ channels: [SessionSnapshot.Channel], _ choice: SoundChoice, rank: Int) {
        let isWide = room >= 60 && channels.count <= 16
        let shown = channels.filter { channel in
            isWide || channel.number == choice.channel || LevelScale.place(channel.level.peak) > 0
        }
        if shown.isEmpty { return }
        let cells = shown.prefix(16).map { channel in
            ChannelGrid.Cell(
                number: channel.number, level: channel.level, sound: channel.sound, instrument: channel.instrument,
                isInHand: channel.number == choice.channel)
        }
        addChannels(Array(cells), rank: rank)
    }

    /// `C4` for middle C, which is key 60.
    static func name(ofKey key: Int) -> String { KeySpan.name(of: UInt8(clamping: key)) }
}

extension Screen {
    /// Channel by channel: `1: C4 E4 G4`.
    mutating func addNotes(_ notes: [SessionSnapshot.Note], rank: Int) {
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
}

extension SessionSnapshot {
    /// The sources in the order in which the screen has them and keys count them: those that play first.
    var keyboards: [Source] { self.sources.filter(\.isConnected) + self.sources.filter { !$0.isConnected } }
}
