import Carillon
import DSP

/// The screen of `carillon record`: how loud it is, how long it is, where it goes, and what is wrong.
enum RecordScreen {
    static func lines(
        _ view: RecordView, columns: Int, rows: Int = .max, style: ScreenStyle, message: String? = nil
    ) -> [ScreenLine] {
        var screen = Screen(columns: columns, style: style)
        screen.add(
            "file",
            items: [
                ScreenLine(style.shown(view.path), .bold), ScreenLine(view.format), ScreenLine(size(view.bytes)),
            ].filter { $0.columns > 0 }, limit: 3, rank: 2)
        screen.add("time", items: time(view), limit: 2, rank: 0)
        // With a patch between them, what comes in and what is written.
        let isTwo = !view.recorded.isEmpty
        screen.addLevels(view.input, names: names(view.input.count, isTwo ? "in " : ""), rank: 3)
        screen.addLevels(view.recorded, names: names(view.recorded.count, "out ", view.layout), rank: 4)
        let faults = faults(view)
        if !faults.isEmpty { screen.add("faults", items: faults, limit: 2, rank: 1) }
        if case .failed(let error) = view.state { screen.add("", sentence: "\(error)", .red, rank: 0) }
        screen.add("device", sentence: device(view), rank: 5)
        if let deafness = view.deafness { screen.add("", sentence: deafness, .red, rank: 1) }
        screen.addMessage(message, waitingKeys: nil, rank: 0)
        let keys = view.duration == nil ? ["space: pause, resume", "q: end"] : ["q: end"]
        screen.add("keys", items: keys.map { ScreenLine($0, .dim) }, rank: 7)
        return screen.lines(rows: rows)
    }

    /// Names the bars: by their loudspeakers if these are known, else by their numbers.
    private static func names(_ count: Int, _ side: String, _ layout: SpeakerLayout? = nil) -> [String] {
        switch count {
        case 1: return [side + "level"]
        case 2: return [side + "left", side + "right"]
        default:
            if let layout, layout.channels == count { return layout.speakers.map(name) }
            return (1...max(count, 1)).map { "\(side.isEmpty ? "channel " : side)\($0)" }
        }
    }

    private static func name(_ speaker: Speaker) -> String {
        switch speaker {
        case .frontLeft: "left"
        case .frontRight: "right"
        case .rearLeft: "rear L"
        case .rearRight: "rear R"
        case .centre: "centre"
        case .lowFrequency: "LFE"
        case .sideLeft: "side L"
        case .sideRight: "side R"
        }
    }

    private static func time(_ view: RecordView) -> [ScreenLine] {
        var time = ScreenLine(clock(view.seconds), .bold)
        if let duration = view.duration { time.add(" of \(clock(duration))") }
        let state =
            switch view.state {
            case .waiting: ScreenLine("about to begin", .dim)
            case .recording: ScreenLine("recording", .red)
            case .paused: ScreenLine("paused", .yellow)
            case .finished: ScreenLine("done", .green)
            case .failed: ScreenLine("failed", .red)
            }
        return [time, state] + (view.monitors ? [ScreenLine("monitored", .green)] : [])
    }

    private static func faults(_ view: RecordView) -> [ScreenLine] {
        var items: [ScreenLine] = []
        func add(_ count: Int, _ one: String, _ many: String) {
            if count > 0 { items.append(ScreenLine("\(count) \(count == 1 ? one : many)", .red)) }
        }
        add(view.overs, "sample at full scale", "samples at full scale")
        add(view.clipped, "sample clipped", "samples clipped")
        add(view.missing, "frame not captured", "frames not captured")
        add(view.dropped, "frame lost by the disk", "frames lost by the disk")
        return items
    }

    private static func device(_ view: RecordView) -> String {
        let name = view.device.isEmpty ? "none open" : view.device
        if view.isNull { return "\(name); nothing is captured" }
        return view.deviceState == "running" ? name : "\(name) (\(view.deviceState))"
    }

    /// `1:02:03.4`.
    static func clock(_ seconds: Double) -> String {
        let tenths = Int64((max(seconds, 0) * 10).rounded(.down)), whole = tenths / 10
        func two(_ n: Int64) -> String { n < 10 ? "0\(n)" : "\(n)" }
        let hours = whole / 3600
        return (hours > 0 ? "\(hours):\(two(whole / 60 % 60))" : "\(whole / 60)") + ":\(two(whole % 60)).\(tenths % 10)"
    }

    static func size(_ bytes: Int64) -> String {
        bytes < 1_000_000 ? "\(bytes / 1000) kB" : RenderJob.fixed(Double(bytes) / 1e6, 1) + " MB"
    }
}
