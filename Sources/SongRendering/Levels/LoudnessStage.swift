import AudioFiles
import DSP
import EngineCore
import Graphs
import RealtimeCore
import RemoteIO
import UnitAPI
import Units

/// The stage after a render that brings it to a loudness: it takes the whole sound, finds the gain, and gives the sound on with
/// it, through a limiter that has next to nothing to do.
///
/// The gain is the one that brings the integrated loudness to the target, in steps of 0.05 dB, unless the limiter would then
/// take away more than 1 dB, or more than 0.1 dB in more than 1 % of the time, or it is more than 24 dB. Sound of less than 3
/// s, and silence, stays as it is. The same sound gives the same gain, with any number of frames at a time.
///
/// Source: EBU R 128 (`ProgrammeLoudness`). Control side, one thread.
final class LoudnessStage {
    private let target: LoudnessTarget
    private let layout: SpeakerLayout
    private let sampleRate: Int
    /// Nil if only the level is wanted.
    private let spool: FrameSpool?
    private var frames: Int64 = 0
    private let scan: TruePeakScan
    private let programme: ProgrammeLoudness
    private let limiter: [String: Float]
    /// Times that the gain is looked for: the second is within a step, unless two steps point at one another.
    private static let mostTries = 4
    /// True if the sound's end joins its beginning.
    private let isLoop: Bool

    /// - Parameters:
    ///   - stems: the number of stems that follow the channels of each frame, of as many channels each.
    ///   - limiter: the values of the limiter that the graph would have had, by parameter.
    ///   - isLoop: whether the sound's end joins its beginning: the limiter then begins as it ends.
    ///   - folder: for frames that memory has no room for; nil means the system's.
    ///   - room: bytes that are kept in memory; nil means no frame is kept, and the level alone is known.
    /// - Throws: `option` for a rate at which loudness cannot be measured.
    init(
        _ target: LoudnessTarget, layout: SpeakerLayout, stems: Int = 0, sampleRate: Int, limiter: [String: Float],
        isLoop: Bool = false, folder: String?, room: Int?
    ) throws(Fault) {
        self.isLoop = isLoop
        (self.target, self.layout, self.sampleRate) = (target, layout, sampleRate)
        var limiter = limiter
        if let peak = target.peak { limiter[Limiter.Parameter.ceiling.spec.name] = peak }
        self.limiter = limiter
        let width = layout.channels * (1 + stems)
        spool = room.map { FrameSpool(channels: width, folder: folder, room: $0) }
        scan = TruePeakScan(channels: layout.channels, window: Float(LoudnessTarget.mostReduction) + 0.5)
        let sum = stems > 0 ? StemSum(channels: layout.channels, frames: 1_024) : nil
        self.sum = sum
        scaled = AudioBuffer(channels: width, capacity: sum?.capacity ?? FrameSpool.chunk)
        programme = try .measuring(layout, sampleRate: sampleRate)
    }

    private let scaled: AudioBuffer
    /// Keeps stems adding up; nil where there are none.
    private let sum: StemSum?

    /// The frames with a gain, valid until the next call.
    private func scale(_ samples: [UnsafePointer<Float>], _ frames: Int, by decibels: Double) -> [UnsafePointer<Float>] {
        let gain = Decibels.amplitude(Float(decibels)), scaled = samples.indices.map { self.scaled.channels[$0] }
        if let sum {
            if gain == 1 { return samples }
            sum.raise(samples, by: gain, to: scaled, frames: frames)
        } else {
            for (to, from) in zip(scaled, samples) { FrameGain.scale(from, by: gain, to: to, count: frames) }
        }
        return scaled.map { UnsafePointer($0) }
    }

    /// Gives all frames back; with stems, in steps so short that those of all channels stay in a cache.
    private func forEach(
        _ body: ([UnsafePointer<Float>], Int) throws(AudioFileError) -> Void
    ) throws(AudioFileError) {
        let step = sum?.capacity ?? FrameSpool.chunk
        try spool?.forEach { (samples, frames) throws(AudioFileError) in
            for start in stride(from: 0, to: frames, by: step) {
                try body(start == 0 ? samples : samples.map { $0 + start }, min(step, frames - start))
            }
        }
    }

    private func mix(_ samples: [UnsafePointer<Float>]) -> [UnsafePointer<Float>] {
        sum == nil ? samples : Array(samples[..<layout.channels])
    }

    /// Takes the next frames, one pointer per channel.
    package func add(_ samples: [UnsafePointer<Float>], frames: Int) throws(AudioFileError) {
        try spool?.add(samples, frames: frames)
        self.frames += Int64(frames)
        let samples = mix(samples)
        scan.add(samples, frames: frames)
        programme.add(samples, frames: frames)
    }

    package func end() { scan.finish() }
    var isSilent: Bool { scan.samplePeak == 0 }

    /// The gain for one sound, or for several as of one album, and the reason why it differs from the one for the target.
    static func plan(_ stages: [LoudnessStage]) -> LevelPlan {
        func loudness(_ gain: Double) -> Double? { ProgrammeLoudness.integrated(stages.map(\.programme), gain: gain) }
        // Passages that a gain lifts over the gate at -70 LUFS make the whole less loud: the gain is found with the gain
        // applied.
        guard stages.contains(where: { $0.scan.highest > 0 }), let first = loudness(LoudnessTarget.mostGain) else {
            return LevelPlan(limit: .silence)
        }
        let seconds = stages.reduce(0) { $0 + Double($1.frames) / Double($1.sampleRate) }
        if seconds < LoudnessTarget.shortest { return LevelPlan(limit: .short) }
        var plan = plan(stages, for: first - LoudnessTarget.mostGain)
        for _ in 0..<mostTries {
            guard let exact = loudness(plan.gain) else { break }
            let better = self.plan(stages, for: exact - plan.gain)
            if better.gain == plan.gain { break }
            plan = better
        }
        return plan
    }

    /// The gain that all of them can have: the lowest.
    private static func plan(_ stages: [LoudnessStage], for loudness: Double) -> LevelPlan {
        stages.map { $0.plan(for: loudness) }.min { $0.gain < $1.gain } ?? LevelPlan(limit: .silence)
    }

    private func plan(for loudness: Double) -> LevelPlan {
        let steps = LoudnessTarget.stepsPerDecibel
        var gain = ((Double(target.loudness) - loudness) * steps).rounded() / steps, limit: RenderLevel.Limit?
        if gain > LoudnessTarget.mostGain { (gain, limit) = (LoudnessTarget.mostGain, .gain) }
        let room = Double(ceiling - Decibels.level(ofAmplitude: scan.highest))
        let most = ((room + (target.isLimited ? LoudnessTarget.mostReduction : 0)) * steps).rounded(.down) / steps
        if gain > most { (gain, limit) = (most, .peaks) }
        while gain > room, reducedShare(at: gain) > LoudnessTarget.mostReducedShare {
            (gain, limit) = (((gain * steps).rounded() - 1) / steps, .peaks)
        }
        return LevelPlan(gain: gain, limit: limit)
    }

    private var ceiling: Float { value(.ceiling) }
    private func value(_ parameter: Limiter.Parameter) -> Float { limiter[parameter.spec.name] ?? parameter.spec.initial }

    /// The share of the time in which the limiter takes away more than 0.1 dB, as its release makes it.
    private func reducedShare(at gain: Double) -> Double {
        let top = Decibels.amplitude(ceiling - Float(gain)), noticed = 1 - Decibels.amplitude(-0.1)
        let kept = Float(
            DeterministicMath.exp2(
                -1.4426950408889634 * Double(TruePeakScan.stretch) / (Double(value(.release)) * Double(sampleRate))))
        var missing: Float = 0, count = 0
        for peak in scan.stretches {
            missing = max(peak > top ? 1 - top / peak : 0, missing * kept)
            if missing > noticed { count += 1 }
        }
        return Double(count) / Double(max(scan.stretches.count, 1))
    }

    /// Gives the whole sound on with a gain, and returns its level and the limiter's work.
    /// `stemSink` gets the stems with the same gain; they do not pass the limiter. `beat` is called now and then: it goes on.
    func finish(
        _ plan: LevelPlan, into sink: ([UnsafePointer<Float>], Int) throws(AudioFileError) -> Void,
        stems stemSink: (([UnsafePointer<Float>], Int) throws(AudioFileError) -> Void)? = nil, beat: () -> Void
    ) throws(Fault) -> (RenderLevel, LimiterWork) {
        let amplitude = Decibels.amplitude(Float(plan.gain))
        var level = RenderLevel(gain: plan.gain, limit: plan.limit), work = LimiterWork()
        var (peak, truePeak) = (scan.samplePeak * amplitude, scan.highest * amplitude)
        // If no peak reaches the ceiling, a limiter changes nothing.
        if truePeak > Decibels.amplitude(ceiling) {
            let result = TruePeakScan(channels: layout.channels, window: 0)
            work = try limit(by: plan.gain, result, into: sink, stemSink, beat)
            (peak, truePeak) = (result.samplePeak, result.highest)
        } else {
            do throws(AudioFileError) {
                try forEach { (samples, frames) throws(AudioFileError) in
                    beat()
                    let sound = scale(samples, frames, by: plan.gain)
                    try sink(mix(sound), frames)
                    if let stemSink { try stemSink(Array(sound[layout.channels...]), frames) }
                }
            } catch { throw Fault(error) }
        }
        level.loudness = scan.highest > 0 ? programme.integrated(gain: plan.gain) : nil
        if level.loudness != nil { level.range = programme.range(gain: plan.gain) }
        level.shortTermMaximum = programme.shortTermMaximum.map { $0 + plan.gain }
        level.samplePeak = peak
        level.truePeak = truePeak > 0 ? Double(Decibels.level(ofAmplitude: truePeak)) : nil
        return (level, work)
    }

    /// Gives the sound on through a limiter, and measures the limiter's output.
    private func limit(
        by gain: Double, _ result: TruePeakScan, into sink: ([UnsafePointer<Float>], Int) throws(AudioFileError) -> Void,
        _ stemSink: (([UnsafePointer<Float>], Int) throws(AudioFileError) -> Void)?, _ beat: () -> Void
    ) throws(Fault) -> LimiterWork {
        // Before a loop its end is played, so that the limiter is where it will be there.
        let early = isLoop ? min(frames, Int64(2 * sampleRate)) : 0
        let tail = try LimiterTail(
            channels: layout.channels, sampleRate: sampleRate, values: limiter, skipping: Int(early))
        func out(_ samples: [UnsafePointer<Float>], _ frames: Int) throws(AudioFileError) {
            result.add(samples, frames: frames)
            try sink(samples, frames)
        }
        do throws(AudioFileError) {
            var left = frames - early
            if isLoop {
                try forEach { (samples, frames) throws(AudioFileError) in
                    let passed = Int(min(left, Int64(frames)))
                    left -= Int64(passed)
                    let end = scale(mix(samples).map { $0 + passed }, frames - passed, by: gain)
                    try tail.add(end, frames - passed, out)
                }
            }
            try forEach { (samples, frames) throws(AudioFileError) in
                beat()
                let sound = scale(samples, frames, by: gain)
                try tail.add(mix(sound), frames, out)
                if let stemSink { try stemSink(Array(sound[layout.channels...]), frames) }
            }
            left = isLoop ? Int64(tail.latency) : 0
            if isLoop {
                try forEach { (samples, frames) throws(AudioFileError) in
                    let part = Int(min(left, Int64(frames)))
                    left -= Int64(part)
                    try tail.add(scale(mix(samples), part, by: gain), part, out)
                }
            } else {
                try tail.flush(out)
            }
        } catch { throw Fault(error) }
        result.finish()
        return tail.work
    }
}

/// A limiter at the end of a sound that comes from outside: a graph of a source and a limiter.
private final class LimiterTail {
    private static let slice = 1_024
    private let engine: Engine
    private let output: OfflineOutput
    private let limiter: NodeID
    private let channels: Int
    /// The frames that the source plays next, plane after plane.
    private let feed: AudioBuffer
    /// Frames at the beginning that are the limiter's delay.
    private var early: Int
    /// The delay of the limiter, in frames.
    let latency: Int

    init(channels: Int, sampleRate: Int, values: [String: Float], skipping skipped: Int) throws(Fault) {
        self.channels = channels
        engine = Engine(sampleRate: Double(sampleRate), maximumFrames: Self.slice)
        let feed = AudioBuffer(channels: channels, capacity: Self.slice)
        self.feed = feed
        var made: NodeID?
        try engine.edit { (graph) throws(Fault) in
            nonisolated(unsafe) let planes = feed.channels
            let source = try graph.add(source: "song", channels: channels) { io in
                for channel in 0..<channels { io.output(0, channel).base.update(from: planes[channel], count: io.frames) }
                return .sounding
            }
            let limiter = try graph.add(
                Limiter.self, startValues: values, properties: ["channels": .integer(channels)])
            try graph.connect(source, to: limiter)
            try graph.setOutput(limiter)
            made = limiter
        }
        limiter = made ?? NodeID(rawValue: -1)
        output = try engine.offlineOutput(channels: channels, frames: Self.slice)
        latency = engine.graph[limiter]?.instance.latency ?? 0
        early = latency + skipped
    }

    /// Takes frames, and gives on the limiter's output.
    func add(
        _ samples: [UnsafePointer<Float>], _ frames: Int, _ sink: ([UnsafePointer<Float>], Int) throws(AudioFileError) -> Void
    ) throws(AudioFileError) {
        var done = 0
        while done < frames {
            let count = min(frames - done, Self.slice)
            for channel in 0..<channels { feed.channels[channel].update(from: samples[channel] + done, count: count) }
            try pull(count, sink)
            done += count
        }
    }

    /// Gives on the frames that are still in the limiter.
    func flush(_ sink: ([UnsafePointer<Float>], Int) throws(AudioFileError) -> Void) throws(AudioFileError) {
        for channel in 0..<channels { feed.channels[channel].update(repeating: 0, count: Self.slice) }
        var left = latency
        while left > 0 {
            let count = min(left, Self.slice)
            try pull(count, sink)
            left -= count
        }
    }

    private func pull(
        _ count: Int, _ sink: ([UnsafePointer<Float>], Int) throws(AudioFileError) -> Void
    ) throws(AudioFileError) {
        output.pull(count)
        let skipped = min(early, count)
        early -= skipped
        if skipped == count { return }
        try sink((0..<channels).map { UnsafePointer(output.buffer.channels[$0]) + skipped }, count - skipped)
    }

    /// The limiter's work. Its readouts are updated once in a stretch of frames, so the last stretch is rendered to its end and
    /// dropped.
    var work: LimiterWork {
        var left = Int(LimiterWork.stretch - engine.renderer.sampleTime.rawValue % LimiterWork.stretch)
        while left > 0 {
            let count = min(left, Self.slice)
            output.pull(count)
            left -= count
        }
        return LimiterWork(engine.graph[limiter]?.instance)
    }
}

extension ProgrammeLoudness {
    /// A measurement of a render's sound, for these loudspeakers and frames per second.
    ///
    /// - Throws: `option` for a rate at which loudness cannot be measured.
    package static func measuring(_ layout: SpeakerLayout, sampleRate: Int) throws(Fault) -> ProgrammeLoudness {
        guard let made = ProgrammeLoudness(layout: layout, sampleRate: sampleRate) else {
            throw .option(name: "rate", value: "\(sampleRate)", remedy: "loudness cannot be measured at this rate")
        }
        return made
    }
}
