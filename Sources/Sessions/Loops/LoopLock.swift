import RealtimeCore
import Reports
import Units

/// Keeps loops of sound that have a tempo on the beats of the song that plays: its tempo may tremble with a clock from outside, or
/// change. Each round is made longer or shorter at its seam. Session's thread.
final class LoopLock {
    private let core: SessionCore
    private let loops: AudioLoops
    private let metronome: MetronomePart
    /// By track, a beat of the song at which one of its rounds is to begin; when its present round began, and its beat.
    private var anchors: [Int: (beat: Double, start: SampleTime, begun: Double)] = [:]
    /// The beat of the song at the last look; nil while none plays.
    private var last: (time: SampleTime, beat: Double)?

    /// A distance that is a jump of the song: beats. A change that is sent: frames.
    private static let jump = 0.1, step = 0.5

    init(_ core: SessionCore, _ loops: AudioLoops, _ metronome: MetronomePart) {
        (self.core, self.loops, self.metronome) = (core, loops, metronome)
    }

    func turn() throws(Fault) {
        if !loops.isThere { return }
        let soon = core.soon, rate = Double(core.options.sampleRate) * 60
        guard metronome.followsSong, let now = metronome.quarters(at: soon) else { return try release() }
        // A song that jumps takes no loop with it, but stays on its beats.
        if let last {
            let jump = now - last.beat - Double(soon - last.time) * metronome.tempo / rate
            if abs(jump) > Self.jump {
                anchors = anchors.mapValues { ($0.beat + jump.rounded(), $0.start, $0.begun + jump) }
            }
        }
        last = (soon, now)
        for index in loops.loops.indices {
            let loop = loops.loops[index]
            // What is asked for is not there yet.
            if loop.time >= core.now { continue }
            guard let tempo = loop.tempo, loop.state != .stopped, !loop.isEmpty, let turn = loops.turn(index) else {
                anchors[index] = nil
                continue
            }
            if anchors[index]?.start != turn.start {
                guard let beat = metronome.quarters(at: turn.start) else { continue }
                let begun = beat + turn.part * metronome.tempo / rate
                // Bars begin on quarters or between two of them; one that was turned round begins anywhere.
                let near = (begun * 2).rounded() / 2
                let isOnBeat = abs(near - begun) < 0.1 && loops.value(.reverse, index) < 0.5
                anchors[index] = (anchors[index]?.beat ?? (isOnBeat ? near : begun), turn.start, begun)
            }
            guard let anchor = anchors[index] else { continue }
            let times = Double(loop.layer?.times ?? 1), pace = loops.pace(index)
            // A round in beats of the song, and how far from its own this one began.
            let round = (loops.exact(index) * tempo / rate).rounded() * times / pace
            let error = (anchor.begun - anchor.beat).remainder(dividingBy: round)
            // When the next one is due, by the tempo of now.
            let next = Double(soon - turn.start) - turn.part + (anchor.begun - error + round - now) * rate / metronome.tempo
            let length = Double(loop.length), frames = next * pace / times - length
            let most = min(length / 2, Double(Looper.Parameter.fraction.spec.range.upperBound))
            try loops.set(fraction: Float(min(max(frames, -most), most)), index, atLeast: Self.step)
        }
    }

    /// The song has ended: loops go on at their own length.
    private func release() throws(Fault) {
        guard last != nil else { return }
        for index in loops.loops.indices where loops.loops[index].tempo != nil {
            try loops.set(fraction: loops.loops[index].fraction, index, atLeast: 0)
        }
        (last, anchors) = (nil, [:])
    }
}
