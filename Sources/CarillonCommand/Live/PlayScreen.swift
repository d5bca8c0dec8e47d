import Carillon

/// What `carillon play` shows: the song and where it stands, how it is played, levels, load, device.
enum PlayScreen {
    /// The screen for `snapshot`, in lines of at most `columns` columns and at most `rows` of them.
    static func lines(
        _ snapshot: SessionSnapshot, columns: Int, rows: Int = .max, style: ScreenStyle, message: String? = nil,
        waitingKeys: String? = nil, showsHelp: Bool = false
    ) -> [ScreenLine] {
        var screen = Screen(columns: columns, style: style)
        if let transport = snapshot.transport { screen.add(transport, snapshot.channels) }
        screen.addLevels(snapshot.levels, rank: 5)
        screen.addLimiter(snapshot, rank: 2)
        screen.addLoad(snapshot, rank: 3)
        screen.addFaults(snapshot, rank: 1)
        screen.addDevice(snapshot.device, rank: 1)
        screen.addCapture(snapshot.captureFault, rank: 0)
        screen.addMessage(message, waitingKeys: waitingKeys, rank: 0)
        screen.addHelp(KeyTable(.play), isLong: showsHelp, rank: 7)
        return screen.lines(rows: rows)
    }
}

extension Screen {
    fileprivate mutating func add(_ transport: SessionSnapshot.Transport, _ channels: [SessionSnapshot.Channel]) {
        var song = ScreenLine(transport.count > 1 ? "\(transport.number)/\(transport.count) " : "")
        let state = transport.hasEnded ? "ended" : transport.isPlaying ? "playing" : "paused"
        let name = ScreenLine.fitting(style.shown(transport.song), columns: room - song.columns - state.count - 2)
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
        var items = [
            ScreenLine("tempo \(RenderJob.fixed(transport.tempo, 1))"),
            ScreenLine("x \(RenderJob.fixed(transport.rate, 2))", transport.rate == 1 ? .plain : .yellow),
        ]
        let sign = transport.transpose > 0 ? "+" : ""
        items.append(
            ScreenLine("transpose \(sign)\(transport.transpose)", transport.transpose == 0 ? .plain : .yellow))
        items.append(ScreenLine("loop \(transport.isLooping ? "on" : "off")", transport.isLooping ? .green : .plain))
        add("played", items: items, limit: 2, rank: 3)
        add("channels", items: transport.channels.map { channel in
            if transport.muted.contains(channel) {
                // Both at once is silence, so both are said.
                return ScreenLine("\(channel) mute" + (transport.soloed.contains(channel) ? " solo" : ""), .yellow)
            }
            var item = ScreenLine("\(channel)", transport.soloed.isEmpty ? .plain : .dim)
            if transport.soloed.contains(channel) { item = ScreenLine("\(channel) solo", .green) }
            if let heard = channels.first(where: { $0.number == channel }) {
                let isHeard = LevelScale.place(heard.level.peak) > 0
                // What follows stays where it is.
                item.add(isHeard ? LevelScale.column(heard.level, style: style) : ScreenLine(style.hasUnicode ? " " : ""))
            }
            return item
        }, limit: 2, rank: 4)
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
