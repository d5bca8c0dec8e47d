import Graphs
import UnitAPI

// The words that all three pictures of a graph share.

extension GraphReport {
    /// `48 kHz, 20 units, 52 connections, latency 72 frames (1.5 ms)`.
    var heading: String {
        let rate = "\(Quantity(sampleRate, .hertz))"
        let counts = "\(Self.count(units.count, "unit")), \(Self.count(edges.count, "connection"))"
        return "\(rate), \(counts), \(output == nil ? "no output" : "latency \(time(of: latency))")"
    }

    var outputFacts: String {
        guard let output else { return "" }
        return "\(Self.word(output.channels)), \(Quantity(sampleRate, .hertz))"
    }

    var measurement: String? {
        measuredSeconds.map { "CPU: share of all units' render time in \(Quantity($0, .seconds)) of sound" }
    }

    /// `72 frames (1.5 ms)`.
    func time(of frames: Int) -> String {
        frames == 0
            ? "0 frames"
            : "\(Self.count(frames, "frame")) (\(Quantity(Double(frames) / sampleRate, .seconds)))"
    }

    static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    /// `mono`, `stereo`, `6 channels`.
    package static func word(_ channels: Int) -> String {
        switch channels {
        case 1: "mono"
        case 2: "stereo"
        default: "\(channels) channels"
        }
    }

    /// `2.4 %`; below what can be measured `0 %`.
    static func percent(_ share: Double) -> String {
        let tenths = Int((share * 1000).rounded())
        return tenths == 0 ? "0 %" : "\(tenths / 10).\(tenths % 10) %"
    }
}

extension GraphReport.Unit {
    var description: [String] {
        var words: [String] = []
        if type != name { words.append(type) }
        if let role, role.rawValue != type { words.append(role.rawValue) }
        if latency > 0 { words.append("latency \(GraphReport.count(latency, "frame"))") }
        if tail > 0 { words.append("tail \(Quantity(tail, .seconds))") }
        if isBypassed { words.append("bypassed") }
        if isAtRest { words.append("at rest") }
        return words
    }

    var facts: [String] {
        let words = description
        let first = words.prefix { !$0.hasPrefix("latency") && !$0.hasPrefix("tail") }.joined(separator: ", ")
        let second = words.drop { !$0.hasPrefix("latency") && !$0.hasPrefix("tail") }.joined(separator: ", ")
        let third = share.map { "CPU \(GraphReport.percent($0))" } ?? ""
        return [first, second, third].filter { !$0.isEmpty }
    }
}

extension GraphReport.Edge {
    /// True if it leads from a send bus of a unit.
    var isSend: Bool { sourceBusName.hasSuffix("send") }

    /// `stereo`; `mono to stereo`; with the delay, if there is one.
    var format: String {
        if carriesMusic { return "music" }
        var words = GraphReport.word(channels)
        if conversion == .monoToAll { words += " to \(GraphReport.word(destinationChannels))" }
        if delay > 0 { words += ", held back \(GraphReport.count(delay, "frame"))" }
        return words
    }

    /// `reverb-send, stereo`: a main output has no name of its own.
    package var words: String { (isSend ? sourceBusName + ", " : "") + format }

    /// `channel-3 -> input-3`: from which bus to which.
    var passage: String { "\(sourceBusName) -> \(destinationBusName)" }
}
