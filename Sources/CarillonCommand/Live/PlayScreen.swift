import Carillon
import Reports

/// The screen of `carillon play`: the song and its position, how it is played, levels, load, device.
enum PlayScreen {
    static func lines(
        _ snapshot: SessionSnapshot, columns: Int, rows: Int = .max, style: ScreenStyle, message: String? = nil,
        waitingKeys: String? = nil, helpPage: Int = 0
    ) -> [ScreenLine] {
        var screen = Screen(columns: columns, style: style)
        if let transport = snapshot.transport {
            screen.addSong(transport)
            if let lyrics = transport.lyrics { screen.add(lyrics, rank: 3) }
            screen.addWay(transport, [screen.volumeItem(snapshot), screen.limiterLamp(snapshot)])
            if let following = snapshot.following { screen.add(following, rank: 1) }
            screen.add(snapshot.layers, rank: 4)
            screen.addChannels(transport, snapshot.channels, rank: 4)
            screen.addNotes(snapshot.notes, rank: 7)
        }
        screen.addLoops(snapshot.loops, rank: 1)
        screen.addOutputs(snapshot.outputs, rank: 6)
        screen.addLevels(snapshot.levels, rank: 5)
        screen.addLimiter(snapshot, rank: 2)
        screen.addLoad(snapshot, rank: 3)
        screen.addFaults(snapshot, rank: 1)
        screen.addDevice(snapshot.device, rank: 1)
        screen.addCapture(snapshot, rank: 0)
        screen.addMessage(message, waitingKeys: waitingKeys, rank: 0)
        screen.addHelp(KeyTable(.play), page: helpPage, .init(snapshot), rows: rows, rank: 1)
        return screen.lines(rows: rows)
    }
}

extension Screen {
    mutating func addSong(_ transport: SessionSnapshot.Transport) {
        var song = ScreenLine(transport.count > 1 ? "\(transport.number)/\(transport.count) " : "")
        let state = transport.stateWord + (transport.measured.map { " \(Int($0 * 100)) %" } ?? "")
        let name = TextColumns.fitting(style.shown(transport.song), columns: room - song.columns - state.count - 2)
        song.add(name.text, .bold)
        song.add("  ")
        song.add(state, transport.isPlaying ? .green : .yellow)
        add("song", song, rank: 2)
        add("position", position(transport), rank: 0)
        if transport.markers > 0 {
            var marker = ScreenLine("\(transport.markerNumber)/\(transport.markers) ")
            marker.add(style.shown(transport.marker))
            add("marker", marker, rank: 6)
        }
        if let leaving = transport.leaving { add("", ScreenLine("\(style.shown(leaving)) fades out", .dim), rank: 6) }
        if let next = transport.next { add("next", ScreenLine(style.shown(next), .dim), rank: 7) }
    }

    /// Shows the current line, with a stroke after what has been sung, and the line after it.
    mutating func add(_ lyrics: SessionSnapshot.Lyrics, rank: Int) {
        var sung = style.shown(lyrics.sung), toCome = style.shown(lyrics.toCome)
        // Blanks in front of a line have no meaning.
        if sung.isEmpty { toCome = toCome.trimmed } else { sung = sung.trimmed }
        // Of a long line what is sung now stays in sight.
        let dots = style.hasUnicode ? "\u{2026}" : ".."
        let spare = room - min(TextColumns.count(toCome), room / 2) - 1
        if TextColumns.count(sung) > spare {
            while !sung.isEmpty, TextColumns.count(sung) + dots.count > spare { sung.removeFirst() }
            sung = dots + sung
        }
        var line = ScreenLine(sung, .green)
        line.add("|", .bold)
        line.add(toCome)
        add("words", lines: [line, ScreenLine(style.shown(lyrics.next).trimmed, .dim)], rank: rank)
    }

    /// Shows how the song is played, and `more` about it.
    mutating func addWay(_ transport: SessionSnapshot.Transport, _ more: [ScreenLine]) {
        var items = [
            ScreenLine("tempo \(RenderJob.fixed(transport.tempo, 1))"),
            ScreenLine("x \(RenderJob.fixed(transport.rate, 2))", transport.rate == 1 ? .plain : .yellow),
        ]
        let sign = transport.transpose > 0 ? "+" : ""
        items.append(
            ScreenLine("transpose \(sign)\(transport.transpose)", transport.transpose == 0 ? .plain : .yellow))
        if transport.repetition != .off {
            items.append(ScreenLine(transport.repetition == .one ? "repeats one" : "repeats", .green))
        }
        add("played", items: items + more, limit: 3, rank: 3)
    }

    fileprivate func volumeItem(_ snapshot: SessionSnapshot) -> ScreenLine {
        var volume = ScreenLine("volume ")
        volume.add(self.volume(snapshot))
        return volume
    }

    /// The channels of the song that are not heard, or alone are: where no row of channels shows it.
    func switchedChannels(_ transport: SessionSnapshot.Transport) -> [ScreenLine] {
        [("muted", transport.muted), ("solo", transport.soloed)].filter { !$0.1.isEmpty }.map { word, channels in
            ScreenLine("\(word) \(channels.map { "\($0)" }.joined(separator: ","))", .yellow)
        }
    }

    /// The light is green if the master is known, yellow if not yet, red if it has gone without a word.
    mutating func add(_ following: SessionSnapshot.Following, rank: Int) {
        let colour: ScreenLine.Style =
            switch following.state {
            case .locked: .green
            case .locking: .yellow
            case .lost: .red
            case .waiting: .plain
            }
        var items = [ScreenLine(style.shown(following.port ?? following.name)), ScreenLine(following.state.rawValue, colour)]
        if let tempo = following.tempo { items.append(ScreenLine("tempo \(RenderJob.fixed(tempo, 1))")) }
        if following.isHeld {
            items.append(ScreenLine("held, space lets the song play", .yellow))
        } else if !following.isPlaying {
            items.append(ScreenLine("stopped", .dim))
        }
        add("clock in", items: items, limit: 2, rank: rank)
    }

    /// Shows the layers that can play over the songs, with the digit that follows y, and what each does.
    mutating func add(_ layers: [SessionSnapshot.Layer], rank: Int) {
        let items = layers.enumerated().map { place, layer in
            let name = (place < 9 ? "\(place + 1) " : "") + style.shown(layer.name)
            return switch layer.state {
            case .off: ScreenLine("\(name) off", .dim)
            case .coming: ScreenLine("\(name) next bar", .yellow)
            case .on: ScreenLine("\(name) on", .green)
            case .going: ScreenLine("\(name) ends", .yellow)
            }
        }
        if !items.isEmpty { add("layers", items: items, limit: 2, rank: rank) }
    }

    fileprivate mutating func addChannels(
        _ transport: SessionSnapshot.Transport, _ channels: [SessionSnapshot.Channel], rank: Int
    ) {
        addChannels(
            transport.channels.map { number in
                let channel = channels.first { $0.number == number }
                let isSoloed = transport.soloed.contains(number)
                return ChannelGrid.Cell(
                    number: number, level: channel?.level, sound: channel?.sound, instrument: channel?.instrument,
                    isMuted: transport.muted.contains(number), isSoloed: isSoloed,
                    isCut: !isSoloed && !transport.soloed.isEmpty)
            }, rank: rank)
    }

    /// `1:02 [=====     ] 3:20  bar 17:2`.
    private func position(_ transport: SessionSnapshot.Transport) -> ScreenLine {
        let now = ProgressBar.time(transport.seconds), length = ProgressBar.time(transport.length)
        let beat = "  bar \(transport.bar):\(transport.beat)"
        let width = min(room - now.count - length.count - beat.count - 4, 120)
        var line = ScreenLine(now)
        if width >= 4 {
            let part = transport.length > 0 ? transport.seconds / transport.length : 0
            line.add(" [")
            line.add(bar(part, columns: width), .green)
            line.add("] ")
        } else {
            line.add(" / ")
        }
        line.add(length)
        line.add(beat)
        return line
    }
}

extension String {
    fileprivate var trimmed: String { String(drop { $0 == " " }) }
}
