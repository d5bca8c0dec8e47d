import EngineCore
import RealtimeCore
import Reports
import Units

/// The time of loops of sound: when they begin, how long they are, and the tempo that they have or set.
extension AudioLoops {
    /// Frames by which what comes in is later than what it was played to: those that were given, or those of the device, if the patch
    /// plays its input alone. What keys and songs play comes at once.
    var latency: Int {
        if let given = core.options.device.loopLatency { return Int((given * Double(sampleRate)).rounded()) }
        let hearsInput = core.engine.graph.nodes.contains { $0.instance.descriptor.component == DeviceInput.descriptor.component }
        let players = core.graph.players + (core.stage.alwaysUnits?.players ?? [])
        let isAlone = players.isEmpty && !metronome.followsSong
        return hearsInput && isAlone ? core.port.inputLatency + core.graph.latency : 0
    }

    /// Says to the unit how late its input comes.
    func setLatency(_ index: Int) throws(Fault) {
        let spec = Looper.Parameter.latency.spec
        let seconds = min(Float(Double(latency) / Double(sampleRate)), spec.range.upperBound)
        if value(.latency, 0) != seconds {
            try core.engine.set(Looper.Parameter.latency, seconds, of: try unit(), at: soon(index))
        }
    }

    /// The next frame at which something may begin that was meant for `moment`.
    func start(of moment: SampleTime) -> SampleTime { metronome.next(.bar, after: moment + -sampleRate / 10) ?? moment }

    /// The earliest time at which a request can take effect after the one before.
    func soon(_ index: Int) -> SampleTime { max(core.soon, loops[index].time + 1) }

    /// Says to the unit how long ago what comes next was meant to begin. Returns the frame from which it counts, and when it takes
    /// effect.
    func place(_ meant: SampleTime, _ index: Int) throws(Fault) -> (from: SampleTime, time: SampleTime) {
        let unit = try unit(), soon = soon(index)
        // The first request makes the unit, which takes a while: a bar of which it knows nothing has been missed.
        let known = soon - Int(Looper.longestEarly * Double(sampleRate))
        let from = meant >= known ? meant : metronome.next(.bar, after: known) ?? known, time = max(from, soon)
        try core.engine.set(Looper.Parameter.early, Float(Double(time - from) / Double(sampleRate)), of: unit, at: time)
        return (from, time)
    }

    /// A loop that was recorded to bars has their tempo, and their exact length where the tempo did not change.
    func measure(_ loop: inout AskedLoop, until end: SampleTime) {
        guard metronome.next(.bar, after: end) != nil else { return }
        let beat = 60 * Double(sampleRate) / metronome.tempo, difference = Double(loop.length).remainder(dividingBy: beat)
        if abs(difference) < 1 {
            (loop.tempo, loop.fraction) = (metronome.tempo, Float(-difference))
        } else if let first = loop.beat, let last = metronome.quarters(at: end) {
            // The tempo was not always the same, as that of a clock from outside.
            let beats = (last - first).rounded()
            guard beats >= 1, abs(last - first - beats) < 0.05 else { return }
            loop.tempo = beats * 60 * Double(sampleRate) / Double(loop.length)
        }
    }

    /// The loop, from 1 on, that plays and has a tempo: another comes once it is stretched.
    var held: (loop: Int, tempo: Double)? {
        for (index, loop) in loops.enumerated() where !loop.isEmpty && loop.state != .stopped {
            if let tempo = loop.tempo { return (index + 1, tempo) }
        }
        return nil
    }

    /// A recording has ended: the first one without a tempo gives the session its own.
    func setTempo(by index: Int, at end: SampleTime) throws(Fault) {
        guard isFirst(index), metronome.next(.bar, after: end) == nil, let beats = Self.beats(of: loops[index].length, sampleRate)
        else { return }
        measure = (index, beats)
        do throws(Fault) { try set(beats: beats) } catch { core.tell(["\(error)"]) }
    }

    func set(beats: Int) throws(Fault) {
        guard let measure, loops[measure.index].length > 0 else {
            throw Self.hasNoTempo(beats)
        }
        let length = Double(loops[measure.index].length)
        try metronome.set(tempo: Double(beats) * 60 * Double(sampleRate) / length, ofSongs: false)
        self.measure = (measure.index, beats)
        loops[measure.index].tempo = metronome.tempo
        // A metronome's tempo has fewer digits than the loop.
        let fraction = Double(beats) * 60 * Double(sampleRate) / metronome.tempo - length
        loops[measure.index].fraction = Float(abs(fraction) < 1 ? fraction : 0)
        try set(.fraction, loops[measure.index].fraction, measure.index, at: core.soon)
    }

    /// The beats of a loop, so that they are 70 to 160 a minute: rather whole bars of four, rather neither fast nor slow.
    static func beats(of frames: Int, _ sampleRate: Int) -> Int? {
        let minutes = Double(frames) / Double(sampleRate) / 60
        func rank(_ beats: Int) -> Int { beats % 4 == 0 ? 0 : beats % 2 == 0 ? 1 : 2 }
        let fitting = (1...512).filter { (70...160).contains(Double($0) / minutes) }
        return fitting.min { one, other in
            let (first, second) = (rank(one), rank(other))
            if first != second { return first < second }
            return abs(Double(one) / minutes - 106) < abs(Double(other) / minutes - 106)
        }
    }
}
