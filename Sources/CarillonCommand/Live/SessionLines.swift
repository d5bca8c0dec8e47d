import Carillon
import Reports

/// The lines that `live` and `play` have in common.
extension Screen {
    /// What it does, and what it granted; what was wanted if that is something else.
    mutating func addDevice(_ device: SessionSnapshot.Device, rank: Int) {
        guard let name = device.name else {
            let names = device.wanted.map(style.shown).joined(separator: ", ")
            let wanted = names.isEmpty ? [] : [ScreenLine("wanted: \(names)")]
            add(
                "device", items: [ScreenLine("none open", .red), ScreenLine(style.shown(device.state))] + wanted, limit: 2,
                rank: rank)
            if let fault = device.fault { add("", sentence: fault, .red, rank: rank) }
            return
        }
        var items = [
            ScreenLine(style.shown(name)), ScreenLine(style.shown(device.state), Self.stateStyle(device.state)),
        ]
        if let rate = device.rate { items.append(Self.granted("\(rate) Hz", wanted: device.wantedRate, rate)) }
        if let period = device.period {
            items.append(Self.granted("period \(period)", wanted: device.wantedPeriod, period))
        }
        if let periods = device.periods {
            items.append(Self.granted("x \(periods)", wanted: device.wantedPeriods, periods))
        }
        if let format = device.format {
            items.append(ScreenLine(device.channels.map { "\(format) x \($0)" } ?? format))
        }
        if let latency = device.latencyMilliseconds {
            items.append(ScreenLine("latency \(RenderJob.fixed(latency, 1)) ms"))
        }
        if let thread = device.thread {
            // The rest of the sentence, how to get more, is for the log.
            let granted = thread.prefix { $0 != "," }
            items.append(ScreenLine(style.shown(String(granted)), granted.hasPrefix("no real time") ? .yellow : .plain))
        }
        // One that plays as it was wanted is the first to go.
        let isAsWanted =
            ["running", "no device"].contains(device.state) && device.rate == device.wantedRate
            && device.period == device.wantedPeriod
            && device.periods == device.wantedPeriods
        add("device", items: items, limit: 5, rank: isAsWanted ? Self.leastRank : rank)
    }

    /// The rank of lines that report that all is well.
    private static let leastRank = 9

    private static func stateStyle(_ state: String) -> ScreenLine.Style {
        switch state {
        case "running": .green
        case "no device", "idle", "starting": .plain
        default: .red
        }
    }

    private static func granted(_ text: String, wanted: Int, _ granted: Int) -> ScreenLine {
        granted == wanted ? ScreenLine(text) : ScreenLine("\(text) (wanted \(wanted))", .yellow)
    }

    /// Shows the outputs to outside: what each is called, with the port that has it, or that none has.
    mutating func addOutputs(_ outputs: [SessionSnapshot.Output], rank: Int) {
        if outputs.isEmpty { return }
        let items = outputs.map { output in
            let name = style.shown(output.name) + (output.getsBeat ? " (clock)" : "")
            guard let port = output.port else { return ScreenLine("\(name): not there", .yellow) }
            return ScreenLine(port == output.name ? name : "\(name): \(style.shown(port))", .green)
        }
        add("out", items: items, limit: 2, rank: rank)
    }

    mutating func addLoad(_ snapshot: SessionSnapshot, rank: Int) {
        let percent = TextColumns.rightAligned(Self.percent(snapshot.load), to: 3)
        let text = "\(percent) %  worst \(Self.percent(snapshot.worstLoad)) %"
        let voices = "\(snapshot.voices) voice\(snapshot.voices == 1 ? "" : "s")"
        let width = min(room - text.count - voices.count - 6, 40)
        var line = ScreenLine()
        if width >= 5 {
            line.add("[")
            line.add(bar(snapshot.load, further: snapshot.worstLoad, columns: width), Self.loadStyle(snapshot.worstLoad))
            line.add("] ")
        }
        line.add(text, Self.loadStyle(snapshot.worstLoad))
        line.add("  " + voices)
        if snapshot.sheddingLevel > 0 { line.add("  shedding \(snapshot.sheddingLevel)", .yellow) }
        add("load", line, rank: rank)
    }

    mutating func addFaults(_ snapshot: SessionSnapshot, rank: Int) {
        func counted(_ count: Int, _ word: String, _ words: String) -> ScreenLine {
            ScreenLine("\(count) \(count == 1 ? word : words)", count > 0 ? .yellow : .plain)
        }
        var items = [counted(snapshot.xruns, "xrun", "xruns")]
        for (count, cause) in [
            (snapshot.xrunCauses.renderLate, "render late"), (snapshot.xrunCauses.wokeLate, "woke late"),
            (snapshot.xrunCauses.driver, "driver"),
        ] where count > 0 { items.append(ScreenLine("(\(count) \(cause))", .yellow)) }
        items.append(counted(snapshot.lateEvents, "late event", "late events"))
        if snapshot.lostEvents > 0 { items.append(counted(snapshot.lostEvents, "lost event", "lost events")) }
        let isQuiet = snapshot.xruns + snapshot.lateEvents + snapshot.lostEvents == 0
        add("faults", items: items, rank: isQuiet ? Self.leastRank : rank)
    }

    /// A bar for each channel, of the output unless `names` has others: full up to the average, half full up to the peak.
    mutating func addLevels(_ levels: [SessionSnapshot.Level], names: [String] = [], rank: Int) {
        let shown = levels.prefix(8)
        let width = min(room - 2 - LevelScale.textColumns, 120)
        if width < 4 { return }
        for (index, level) in shown.enumerated() {
            var line = ScreenLine("[")
            let marks = bar(
                LevelScale.place(level.average), further: LevelScale.place(level.peak), columns: width)
            for (piece, style) in LevelScale.coloured(marks) { line.add(piece, style) }
            line.add("]")
            line.add(LevelScale.text(level), level.peak >= 0 ? .red : .plain)
            let name = index < names.count ? names[index] : Self.channelName(index, of: levels.count)
            add(name, line, rank: rank)
        }
        if levels.count > shown.count { add("", ScreenLine("+\(levels.count - shown.count) channels", .dim), rank: rank) }
        if !shown.isEmpty { add("dBFS", ScreenLine(" " + LevelScale.marks(columns: width), .dim), rank: rank + 1) }
    }

    func volume(_ snapshot: SessionSnapshot) -> ScreenLine {
        let sign = snapshot.volume > 0 ? "+" : ""
        return ScreenLine("\(sign)\(RenderJob.fixed(snapshot.volume, 1)) dB")
    }

    func limiterLamp(_ snapshot: SessionSnapshot) -> ScreenLine {
        let now = snapshot.limiter.now
        return now > 0.1
            ? ScreenLine("limiter -\(RenderJob.fixed(now, 1)) dB", now > 1 ? .red : .yellow) : ScreenLine("limiter idle", .dim)
    }

    /// Shows what the limiter takes away, for as long as it does, and has taken, with the gain that would not need it.
    mutating func addLimiter(_ snapshot: SessionSnapshot, rank: Int) {
        let work = snapshot.limiter
        guard let idle = work.idleGain(insteadOf: snapshot.limitedGain) else { return }
        add(
            "limiter",
            items: [
                ScreenLine("\(RenderJob.fixed(work.now, 1)) dB", work.now > 1 ? .red : work.now > 0.1 ? .yellow : .plain),
                ScreenLine("most \(RenderJob.fixed(work.most, 1)) dB", work.most > 1 ? .yellow : .plain),
                ScreenLine("\(RenderJob.fixed(work.reducedShare(of: snapshot.seconds) * 100, 0)) % of the time"),
                ScreenLine("--gain \(idle) avoids it"),
            ], rank: rank)
    }

    private static func channelName(_ index: Int, of count: Int) -> String {
        switch count {
        case 1: "level"
        case 2: index == 0 ? "left" : "right"
        default: "out \(index + 1)"
        }
    }

    /// Adds a line with the file that is recorded; for the whole session one that recording has ended, with the reason.
    mutating func addCapture(_ snapshot: SessionSnapshot, rank: Int) {
        if let fault = snapshot.captureFault {
            add("capture", sentence: fault, .red, rank: rank)
        } else if let path = snapshot.capture {
            add("capture", ScreenLine(style.shown(path), .red), rank: 7)
        }
    }

    /// Shows the loops, each with its state and its place.
    mutating func addLoops(_ loops: [SessionSnapshot.Loop], rank: Int) {
        let items = loops.filter { $0.state != "empty" || $0.coming != nil }.map { loop -> ScreenLine in
            let look: ScreenLine.Style =
                ["recording", "overdubbing", "replacing"].contains(loop.state) ? .red : loop.state == "playing" ? .green : .dim
            var item = ScreenLine("\(loop.track) ", .bold)
            if loop.kind == .midi { item.add("midi ") }
            item.add(loop.isMuted ? "muted" : loop.state, loop.isMuted ? .yellow : look)
            if let coming = loop.coming { item.add(", then \(coming)", .yellow) }
            if loop.seconds > 0 { item.add(" [\(bar(loop.position / loop.seconds, columns: 6))]", look) }
            return item
        }
        if !items.isEmpty { add("loops", items: items, limit: 2, rank: rank) }
    }

    /// Shows which part of the entry is played.
    mutating func addPart(_ text: SessionSnapshot.Text?, rank: Int) {
        guard let text else { return }
        var line = ScreenLine("\(text.number)/\(text.parts.count) ")
        line.add(style.shown(text.part), .bold)
        add("part", line, rank: rank)
    }

    /// Shows what happened last, or what a key waits for.
    mutating func addMessage(_ message: String?, waitingKeys: String?, rank: Int) {
        if let waitingKeys { add("key", ScreenLine(waitingKeys + "...", .bold), rank: rank) }
        if let message { add("", sentence: message, .bold, rank: rank) }
    }

    private static func percent(_ value: Double) -> String { RenderJob.fixed(min(max(value, 0), 9.99) * 100, 0) }

    private static func loadStyle(_ load: Double) -> ScreenLine.Style { load < 0.7 ? .plain : load < 1 ? .yellow : .red }
}
