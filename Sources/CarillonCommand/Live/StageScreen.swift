import Carillon
import Reports

/// The screen for a stage, to be read from two metres: patch, bar and beat in large letters, what comes next, words and chords,
/// loops, buttons, zones.
struct StageScreen {
    private let snapshot: SessionSnapshot
    private let columns: Int
    private let style: ScreenStyle
    private var screen: Screen

    static func lines(
        _ snapshot: SessionSnapshot, columns: Int, rows: Int = .max, style: ScreenStyle, message: String? = nil,
        waitingKeys: String? = nil
    ) -> [ScreenLine] {
        var stage = StageScreen(
            snapshot: snapshot, columns: columns, style: style, screen: Screen(columns: columns, style: style))
        stage.screen.addMessage(message, waitingKeys: waitingKeys, rank: 0)
        stage.addSilence()
        stage.addPlace()
        stage.addHeadline(isLarge: rows >= 12)
        stage.addWords()
        stage.screen.addLoops(snapshot.loops, rank: 3)
        stage.addButtons()
        stage.screen.addZones(snapshot.zones, snapshot.channels, rank: 6)
        stage.screen.add(whole: [ScreenLine("S all of it  ? keys", .dim)], rank: 9)
        return stage.screen.lines(rows: rows)
    }

    /// That there is no sound, as large as the patch.
    private mutating func addSilence() {
        let device = snapshot.device
        guard device.fault != nil || ["lost", "suspended", "disconnected"].contains(device.state) else { return }
        let large = style.hasUnicode ? LargeLetters.lines("NO SOUND", columns: columns) : nil
        screen.add(whole: (large ?? ["NO SOUND"]).map { ScreenLine($0, .red) }, rank: 0)
        screen.add(whole: [ScreenLine(style.shown(device.fault ?? "the sound card is \(device.state)"), .red)], rank: 0)
    }

    /// What is recorded, what is wrong, and what comes next, on one line.
    private mutating func addPlace() {
        var line = ScreenLine(), state = ScreenLine()
        if let list = snapshot.patches {
            line.add("\(list.number)/\(list.count)", .bold)
            if let wanted = list.wanted {
                line.add("  coming: \(style.shown(wanted))", .yellow)
            } else if let next = list.next {
                line.add("  next: \(style.shown(next))", list.isNextReady ? .plain : .yellow)
            } else {
                line.add("  last", .dim)
            }
        }
        if snapshot.captureFault != nil {
            state.add("NOT RECORDED", .red)
        } else if snapshot.capture != nil {
            state.add("REC", .red)
        }
        if snapshot.isLocked { state.add(state.columns > 0 ? "  locked" : "locked", .dim) }
        if state.columns > 0 {
            line = line.prefix(columns: max(columns - state.columns - 2, 0))
            line.add(String(repeating: " ", count: max(columns - state.columns - line.columns, 0)))
            line.add(state)
        }
        if line.columns > 0 { screen.add(whole: [line], rank: 1) }
    }

    /// The patch, and where song or metronome are; large if there is room.
    private mutating func addHeadline(isLarge: Bool) {
        let name = snapshot.patches?.name ?? snapshot.zones.first?.name ?? snapshot.transport?.song ?? "Carillon"
        let place = place, shown = style.shown(name)
        let large = isLarge && style.hasUnicode ? place.flatMap { LargeLetters.lines($0, columns: columns) } ?? [] : []
        let width = large.isEmpty ? 0 : (place?.count ?? 0) * 4 - 1
        if isLarge, style.hasUnicode, let title = LargeLetters.lines(shown, columns: columns - (width > 0 ? width + 2 : 0)) {
            screen.add(
                whole: title.enumerated().map { row, text in
                    var line = ScreenLine(text, .bold)
                    if row < large.count {
                        line.add(String(repeating: " ", count: columns - width - TextColumns.count(text)))
                        line.add(large[row], .green)
                    }
                    return line
                }, rank: 0)
        } else {
            screen.add(whole: [ScreenLine(shown, .bold)], rank: 0)
            if large.isEmpty, let place { screen.add(whole: [ScreenLine(place, .green)], rank: 1) }
            screen.add(whole: large.map { ScreenLine($0, .green) }, rank: 1)
        }
        screen.add(whole: [ScreenLine()], rank: 9)
        var items: [ScreenLine] = []
        if let song = snapshot.transport {
            if song.song != name { items.append(ScreenLine(style.shown(song.song), .bold)) }
            items.append(ScreenLine(song.stateWord, song.isPlaying ? .green : .yellow))
            if let leaving = song.leaving { items.append(ScreenLine("\(style.shown(leaving)) fades out", .dim)) }
            items.append(ScreenLine("\(ProgressBar.time(song.seconds)) / \(ProgressBar.time(song.length))"))
        }
        if let scene = snapshot.scene { items.append(ScreenLine("scene \(style.shown(scene))", .green)) }
        items.append(ScreenLine("\(RenderJob.fixed(snapshot.tempo, 0)) bpm"))
        if snapshot.keyTranspose != 0 {
            items.append(ScreenLine("keys \(snapshot.keyTranspose > 0 ? "+" : "")\(snapshot.keyTranspose)", .yellow))
        }
        screen.add(whole: flowing(items), rank: 2)
    }

    /// `17:2`, the bar and the beat of the song, else of the metronome.
    private var place: String? {
        let song = snapshot.transport
        if let song, song.isPlaying && !song.isCountedIn || snapshot.metronome?.isRunning != true {
            return "\(song.bar):\(song.beat)"
        }
        guard let metronome = snapshot.metronome, metronome.isRunning else { return nil }
        return "\(metronome.bar):\(metronome.beat)"
    }

    /// The words of the part and of the one after it; else the line that is sung.
    private mutating func addWords() {
        guard let text = snapshot.text else {
            if let lyrics = snapshot.transport?.lyrics {
                screen.add(whole: [ScreenLine()], rank: 9)
                screen.add(lyrics, rank: 2)
            }
            return
        }
        screen.add(whole: [ScreenLine()], rank: 9)
        var head = ScreenLine(style.shown(text.part), .green)
        if text.parts.count > 1 { head.add("  \(text.number)/\(text.parts.count)", .dim) }
        if let title = text.title { head.add("  \(style.shown(title))", .dim) }
        screen.add(whole: [head], rank: 2)
        screen.add(whole: text.lines.flatMap { words($0, .bold) }, rank: 4)
        if text.number < text.parts.count {
            screen.add(whole: [ScreenLine("then \(style.shown(text.parts[text.number]))", .dim)], rank: 7)
            screen.add(whole: text.ahead.flatMap { words($0, .dim) }, rank: 8)
        }
    }

    private func words(_ line: ChordSheet.Line, _ look: ScreenLine.Style) -> [ScreenLine] {
        var words = style.shown(line.words), chords = style.shown(line.chords), rows: [ScreenLine] = []
        repeat {
            let end = Self.end(words, chords, columns)
            if !chords.isEmpty { rows.append(ScreenLine(String(chords.prefix(end)), look == .dim ? .dim : .yellow)) }
            if !words.isEmpty { rows.append(ScreenLine(String(words.prefix(end)), line.isComment ? .dim : look)) }
            (words, chords) = (String(words.dropFirst(end)), String(chords.dropFirst(end)))
        } while !words.isEmpty || !chords.isEmpty
        return rows
    }

    /// The number of characters after which a line with chords is broken: after the last blank of both that fits.
    private static func end(_ words: String, _ chords: String, _ columns: Int) -> Int {
        let both = [Array(words), Array(chords)], most = max(both[0].count, both[1].count)
        let fitting = TextColumns.fitting(words, columns: columns).text.count
        let room = max(fitting < words.count ? fitting : columns, 1)
        if most <= room { return most }
        return (1...room).last { end in both.allSatisfy { end > $0.count || $0[end - 1] == " " } } ?? room
    }

    private mutating func addButtons() {
        let items = snapshot.buttons.map { button -> ScreenLine in
            var item = ScreenLine(style.shown(button.button) + " ", .dim)
            item.add(style.shown(button.request))
            return item
        }
        if !items.isEmpty { screen.add("buttons", items: items, limit: 3, rank: 5) }
    }

    /// The items on as many lines as they need.
    private func flowing(_ items: [ScreenLine]) -> [ScreenLine] {
        var lines: [ScreenLine] = []
        for item in items {
            if let last = lines.last, last.columns + 2 + item.columns <= columns {
                lines[lines.count - 1].add("  ")
                lines[lines.count - 1].add(item)
            } else {
                lines.append(item)
            }
        }
        return lines
    }
}
