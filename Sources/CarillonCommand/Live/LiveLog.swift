import Carillon
import Reports

/// The log of a running session, if no terminal shows it: a line for each change, in words that stay.
///
/// `event=xrun cause=woke-late count=2 total=5 time=960000`: `event` first, `time` last, which is the sample time in frames.
/// Text with blanks is quoted. Counters are logged at most once a second, all lines together at most `linesPerSecond`; what
/// that leaves out is counted in `event=suppressed`.
struct LiveLog {
    static let linesPerSecond = 20

    enum Music { case song, sounds, nothing }

    private let music: Music
    private var last = SessionSnapshot()
    private var isFirst = true
    /// The time when the counters were last logged, in seconds.
    private var toldCounters = -Double.infinity
    private var previous = SessionSnapshot()
    /// The master's tempo as last logged.
    private var toldTempo: Double?
    private var second = -Double.infinity
    private var linesOfSecond = 0
    private var suppressed = 0

    init(showsSong: Bool) { self.init(showsSong ? .song : .sounds) }

    init(_ music: Music) { self.music = music }

    /// `now` in seconds of a clock that never goes back.
    mutating func lines(for snapshot: SessionSnapshot, messages: [String] = [], at now: Double) -> [String] {
        var lines = device(snapshot.device) + deviceOutputs(snapshot.deviceOutputs)
        lines += sources(snapshot.sources) + outputs(snapshot.outputs)
        lines += messages.map { Self.line("message", ("text", $0)) }
        switch music {
        case .song: lines += song(snapshot)
        case .sounds: lines += sounds(snapshot.channels) + song(snapshot)
        case .nothing: break
        }
        lines += master(snapshot.following)
        lines += patches(snapshot.patches)
        if let text = snapshot.text, text.number != last.text?.number || text.parts != last.text?.parts {
            lines.append(
                Self.line("part", ("name", text.part), ("number", "\(text.number)"), ("count", "\(text.parts.count)")))
        }
        lines += player(snapshot)
        if snapshot.sheddingLevel != last.sheddingLevel {
            lines.append(Self.line("load", ("shedding", "\(snapshot.sheddingLevel)"), ("load", Self.part(snapshot.load))))
        }
        if now - toldCounters >= 1 {
            let counters = self.counters(snapshot)
            if !counters.isEmpty { toldCounters = now }
            lines += counters
        }
        last = snapshot
        isFirst = false
        return limited(lines, at: now).map { "\($0) time=\(snapshot.sampleTime.rawValue)" }
    }

    /// Returns what happened in all, and the file that holds what sounded.
    static func summary(_ snapshot: SessionSnapshot, reason: String, capture: String? = nil) -> String {
        line(
            "end",
            [
                ("reason", reason), ("xruns", "\(snapshot.xruns)"), ("late", "\(snapshot.lateEvents)"),
                ("lost", "\(snapshot.lostEvents)"),
            ] + (snapshot.limiter.isNotable ? limiter(snapshot) : []) + [
                ("capture", capture), ("time", "\(snapshot.sampleTime.rawValue)"),
            ])
    }

    /// The most that the limiter took away, and the shares of the time in which it was more than 0.1 and 1 dB.
    private static func limiter(_ snapshot: SessionSnapshot) -> [(String, String?)] {
        let work = snapshot.limiter
        return [
            ("reduction", RenderJob.fixed(work.most, 1)), ("reduced", part(work.reducedShare(of: snapshot.seconds))),
            ("pressed", part(work.pressedShare(of: snapshot.seconds))),
        ]
    }

    /// The messages that add something to a keyboard's own line.
    static func news(_ messages: [String], beside snapshot: SessionSnapshot) -> [String] {
        let said = Set(
            snapshot.sources.map { "\($0.name): \($0.reason)" } + snapshot.outputs.map { "output \($0.name): \($0.state)" })
        return messages.filter { !said.contains($0) }
    }

    /// Values with blanks in quotes.
    static func line(_ event: String, _ fields: (String, String?)...) -> String { line(event, fields) }

    static func line(_ event: String, _ fields: [(String, String?)]) -> String {
        let fields = [("event", event)] + fields.compactMap { name, value in value.map { (name, $0) } }
        return fields.map { "\($0)=\(quoted($1))" }.joined(separator: " ")
    }

    private static func quoted(_ value: String) -> String {
        let value = OneLine.text(value)
        if !value.isEmpty && !value.contains(where: { $0 == " " || $0 == "\"" || $0 == "=" }) { return value }
        return "\"" + value.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "'") + "\""
    }

    private static func part(_ value: Double) -> String { RenderJob.fixed(min(max(value, 0), 99), 2) }

    private mutating func limited(_ lines: [String], at now: Double) -> [String] {
        var kept: [String] = []
        if now - second >= 1 {
            (second, linesOfSecond) = (now, 0)
            if suppressed > 0 { kept.append(Self.line("suppressed", ("count", "\(suppressed)"))) }
            suppressed = 0
        }
        for line in lines {
            linesOfSecond += 1
            if linesOfSecond > Self.linesPerSecond { suppressed += 1 } else { kept.append(line) }
        }
        return kept
    }

    private func device(_ device: SessionSnapshot.Device) -> [String] {
        let before = last.device
        var lines: [String] = []
        if isFirst || device.state != before.state || device.name != before.name || device.rate != before.rate
            || device.period != before.period || device.periods != before.periods || device.fault != before.fault
        {
            lines.append(
                Self.line(
                    "device", ("state", device.state), ("name", device.name ?? "none"),
                    ("wanted", device.wanted.isEmpty ? nil : device.wanted.joined(separator: ",")),
                    ("rate", device.rate.map { "\($0)" }), ("wanted-rate", "\(device.wantedRate)"),
                    ("period", device.period.map { "\($0)" }), ("wanted-period", "\(device.wantedPeriod)"),
                    ("periods", device.periods.map { "\($0)" }), ("wanted-periods", "\(device.wantedPeriods)"),
                    ("format", device.format), ("channels", device.channels.map { "\($0)" }),
                    ("latency-ms", device.latencyMilliseconds.map { RenderJob.fixed($0, 2) }), ("fault", device.fault)))
        }
        if let thread = device.thread, thread != before.thread {
            lines.append(Self.line("thread", ("granted", thread)))
        }
        return lines
    }

    /// The other devices, when one comes or goes, and when it is known by how much one is heard later.
    private func deviceOutputs(_ outputs: [DeviceOutputState]) -> [String] {
        outputs.filter { output in
            let before = last.deviceOutputs.first { $0.unit == output.unit }
            return output.state != before?.state || output.name != before?.name || output.fault != before?.fault
                || output.delayMilliseconds != nil && before?.delayMilliseconds == nil
        }.map { output in
            Self.line(
                "device-output", ("unit", output.unit), ("state", output.state), ("name", output.name ?? "none"),
                ("wanted", output.wanted.joined(separator: ",")),
                ("delay-ms", output.delayMilliseconds.map { RenderJob.fixed($0, 2) }), ("fault", output.fault))
        }
            + last.deviceOutputs.filter { old in !outputs.contains { $0.unit == old.unit } }.map { old in
                Self.line("device-output", ("unit", old.unit), ("state", "gone"))
            }
    }

    private func sources(_ sources: [SessionSnapshot.Source]) -> [String] {
        var lines: [String] = []
        var before = last.sources
        for source in sources {
            let old = before.firstIndex { $0.identity == source.identity && $0.name == source.name }
                .map { before.remove(at: $0) }
            if old?.isConnected == source.isConnected, old?.reason == source.reason { continue }
            lines.append(
                Self.line(
                    "keyboard", ("state", source.isConnected ? "connected" : "not-connected"), ("name", source.name),
                    ("identity", source.identity), ("reason", source.reason)))
        }
        for source in before {
            lines.append(Self.line("keyboard", ("state", "gone"), ("name", source.name), ("identity", source.identity)))
        }
        if isFirst && sources.isEmpty && music != .nothing { lines.append(Self.line("keyboard", ("state", "none"))) }
        return lines
    }

    private func outputs(_ outputs: [SessionSnapshot.Output]) -> [String] {
        outputs.filter { !last.outputs.contains($0) }.map { output in
            Self.line(
                "output", ("state", output.port == nil ? "not-connected" : "connected"), ("name", output.name),
                ("carries", output.getsBeat ? "clock" : "notes"), ("port", output.port),
                ("reason", output.port == nil ? output.state : nil))
        }
            + last.outputs.filter { old in !outputs.contains { $0.name == old.name && $0.getsBeat == old.getsBeat } }.map { old in
                Self.line("output", ("state", "gone"), ("name", old.name), ("carries", old.getsBeat ? "clock" : "notes"))
            }
    }

    private func sounds(_ channels: [SessionSnapshot.Channel]) -> [String] {
        if isFirst { return [] }
        return channels.compactMap { channel in
            let before = last.channels.first { $0.number == channel.number }
            guard let before, before.sound != channel.sound else { return nil }
            return Self.line(
                "sound", ("channel", "\(channel.number)"), ("bank", channel.sound.map { "\($0.bank)" }),
                ("program", channel.sound.map { "\($0.program)" }), ("name", channel.sound?.name ?? "none"))
        }
    }

    private func player(_ snapshot: SessionSnapshot) -> [String] {
        var lines: [String] = []
        if !isFirst, snapshot.volume != last.volume {
            lines.append(Self.line("volume", ("decibels", RenderJob.fixed(snapshot.volume, 1))))
        }
        if snapshot.keyTranspose != last.keyTranspose {
            lines.append(Self.line("keys", ("semitones", "\(snapshot.keyTranspose)")))
        }
        if snapshot.tuning != last.tuning { lines.append(Self.line("tuning", ("name", snapshot.tuning ?? "off"))) }
        // The tempo that clicks; nil if none does.
        func tempo(_ snapshot: SessionSnapshot) -> String? {
            snapshot.metronome.flatMap { $0.isRunning ? RenderJob.fixed($0.tempo, 0) : nil }
        }
        let now = tempo(snapshot)
        if now != tempo(last) { lines.append(Self.line("metronome", ("state", now == nil ? "off" : "on"), ("tempo", now))) }
        return lines
    }

    private func patches(_ list: SessionSnapshot.PatchList?) -> [String] {
        guard let list else { return [] }
        let before = last.patches
        if list.number == before?.number, list.name == before?.name, list.wanted == before?.wanted, list.next == before?.next,
            list.isNextReady == before?.isNextReady
        {
            return []
        }
        return [
            Self.line(
                "patch", ("name", list.name), ("number", "\(list.number)"), ("count", "\(list.count)"), ("wanted", list.wanted),
                ("next", list.next), ("ready", list.next == nil ? nil : list.isNextReady ? "yes" : "no"),
                ("samples-mb", RenderJob.fixed(Double(list.sampleBytes) / 1e6, 1)))
        ]
    }

    /// The tempo only if it stays changed.
    private mutating func master(_ following: SessionSnapshot.Following?) -> [String] {
        guard let following else { return [] }
        let before = last.following, tempo = following.tempo
        let isFaster = following.state == .locked && abs((tempo ?? 0) - (toldTempo ?? 0)) > 0.1
        if following.state == before?.state, following.port == before?.port, following.isPlaying == before?.isPlaying,
            following.isHeld == before?.isHeld, !isFaster
        {
            return []
        }
        toldTempo = tempo
        return [
            Self.line(
                "clock-in", ("state", following.state.rawValue), ("name", following.name), ("port", following.port),
                ("tempo", tempo.map { RenderJob.fixed($0, 1) }), ("master", following.isPlaying ? "playing" : "stopped"),
                ("held", following.isHeld ? "yes" : nil))
        ]
    }

    private func layers(_ snapshot: SessionSnapshot) -> [String] {
        snapshot.layers.filter { layer in
            layer.state != last.layers.first { $0.name == layer.name }?.state ?? .off
        }.map { Self.line("layer", ("name", $0.name), ("state", $0.state.rawValue)) }
    }

    private func song(_ snapshot: SessionSnapshot) -> [String] {
        guard let transport = snapshot.transport else { return [] }
        let before = last.transport
        var lines: [String] = []
        if transport.song != before?.song || transport.number != before?.number {
            lines.append(
                Self.line(
                    "song", ("name", transport.song), ("number", "\(transport.number)"), ("count", "\(transport.count)"),
                    ("seconds", RenderJob.fixed(transport.length, 1))))
        }
        if transport.measured != nil {
            if before?.measured == nil { lines.append(Self.line("measuring", ("name", transport.song))) }
        } else if transport.stateWord != before?.stateWord || transport.jumps != before?.jumps {
            lines.append(
                Self.line(
                    "transport", ("state", transport.stateWord), ("position", RenderJob.fixed(transport.seconds, 1)),
                    ("bar", "\(transport.bar):\(transport.beat)"), ("marker", transport.markerNumber > 0 ? transport.marker : nil)
                ))
        }
        let channels = Self.channels(transport, before)
        guard let before else { return lines + layers(snapshot) + channels }
        lines += layers(snapshot)
        if transport.rounds > before.rounds { lines.append(Self.line("round", ("number", "\(transport.rounds + 1)"))) }
        // A master's tempo has a line of its own.
        if snapshot.following == nil, transport.rate != before.rate {
            lines.append(Self.line("tempo", ("factor", Self.part(transport.rate))))
        }
        if transport.transpose != before.transpose {
            lines.append(Self.line("transpose", ("semitones", "\(transport.transpose)")))
        }
        if transport.repetition != before.repetition {
            lines.append(Self.line("repeat", ("state", transport.repetition.rawValue)))
        }
        return lines + channels
    }

    /// The channels that are muted and soloed, if that has changed; at the start, if there are any.
    private static func channels(_ now: SessionSnapshot.Transport, _ before: SessionSnapshot.Transport?) -> [String] {
        if now.muted == before?.muted ?? [], now.soloed == before?.soloed ?? [] { return [] }
        let (muted, soloed) = (now.muted.map { "\($0)" }, now.soloed.map { "\($0)" })
        return [line("channels", ("muted", muted.joined(separator: ",")), ("soloed", soloed.joined(separator: ",")))]
    }

    private mutating func counters(_ snapshot: SessionSnapshot) -> [String] {
        defer { previous = snapshot }
        var lines: [String] = []
        for (cause, count, before) in [
            ("render-late", snapshot.xrunCauses.renderLate, previous.xrunCauses.renderLate),
            ("woke-late", snapshot.xrunCauses.wokeLate, previous.xrunCauses.wokeLate),
            ("driver", snapshot.xrunCauses.driver, previous.xrunCauses.driver),
        ] where count > before {
            lines.append(Self.line("xrun", ("cause", cause), ("count", "\(count - before)"), ("total", "\(snapshot.xruns)")))
        }
        for output in snapshot.deviceOutputs {
            let before = previous.deviceOutputs.first { $0.unit == output.unit }
            for (cause, count, before) in [
                ("xrun", output.xruns, before?.xruns ?? 0), ("slip", output.slips, before?.slips ?? 0),
            ] where count > before {
                lines.append(
                    Self.line(
                        "device-output", ("unit", output.unit), (cause, "\(count - before)"), ("total", "\(count)"),
                        ("drift-ppm", RenderJob.fixed(output.drift, 1))))
            }
        }
        for (name, count, before) in [
            ("late", snapshot.lateEvents, previous.lateEvents), ("lost", snapshot.lostEvents, previous.lostEvents),
        ] where count > before {
            lines.append(Self.line(name, [("count", "\(count - before)"), ("total", "\(count)")]))
        }
        // A whole decibel more is news.
        if let gain = snapshot.limiter.idleGain(insteadOf: snapshot.limitedGain),
            gain < previous.limiter.idleGain(insteadOf: previous.limitedGain) ?? .max
        {
            lines.append(Self.line("limiter", Self.limiter(snapshot) + [("gain-without", "\(gain)")]))
        }
        return lines
    }
}
