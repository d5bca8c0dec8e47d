import AudioFiles
import DSP
import EngineCore
import Graphs
import MIDI
import Patches
import PlugIns
import RealtimeCore
import RemoteIO
import Reports
import Sequencer
import UnitAPI
import Units

/// Renders a song as fast as it can: timeline -> engine -> a sink that takes planar frames.
///
/// The same song and options give the same samples, with any block size. Control side, one thread.
public final class SongRenderer {
    /// The engine that plays; its graph is a `SongGraph`.
    public let engine: Engine
    /// The graph's units by their part.
    package let graph: SongGraph
    /// The song in frames.
    public let timeline: Timeline
    /// The stretches in which the song, or the passage of it, is played.
    package let plan: SongPlan
    /// The stems that are rendered beside the mix, in the order in which they add up to it.
    public var stems: [Stem] { stemPlan?.stems ?? [] }
    let stemPlan: StemPlan?
    let options: RenderOptions
    /// The events to be played, and the stretches of them that the renderer has not had yet.
    private let score: Score
    private var waiting: ArraySlice<ScoreStretch>
    private var pullFrames: Int
    /// Frames that were rendered, once they all are; nil before.
    private(set) var renderedFrames: Int64?

    /// Lays the song out, makes the instruments (SoundFonts are read here) and applies the settings.
    ///
    /// - Parameters:
    ///   - layers: the layers over it, from its beginning to its end.
    ///   - stems: the stems that are rendered in the same pass; nil means the mix alone. Where they are, a volume of the mixer
    ///     other than 0 dB, a fade and a gain act on each of them, and rounding may make a last bit of the mix another.
    /// - Throws: also `option` if options (`StemChoice.check(beside:)`), song or patch allow no such stems.
    public init(_ song: Song, layers: [RenderLayer] = [], options: RenderOptions, stems: StemChoice? = nil) throws(Fault) {
        try options.check()
        try stems?.check(beside: options)
        self.options = options
        pullFrames = options.sliceFrames
        timeline = try options.timeline(of: song, layers)
        let parts = SongGraph.parts([timeline])
        var patch = try SongPatch(for: [timeline], parts: parts, options: options)
        plan = try SongPlan(timeline, options.passage, countsStrikes: patch.patch.countsStrikes)
        score = Score(plan.events, silencing: options.channels.silent)
        waiting = plan.stretches[...]
        let seconds = Double(plan.end - plan.start) / Double(options.sampleRate)
        if options.maximumDuration == nil, seconds > RenderOptions.longestSong {
            throw .tooLong(seconds: seconds, limit: RenderOptions.longestSong)
        }
        engine = Engine(
            sampleRate: Double(options.sampleRate), maximumFrames: max(options.sliceFrames, 64),
            start: plan.stretches[0].start)
        engine.midi.tuning = options.tuning
        if let stems {
            let stemPlan = try StemPlan(stems, song, timeline, patch, track: options.track)
            try stemPlan.divide(&patch.patch)
            self.stemPlan = stemPlan
        } else {
            stemPlan = nil
        }
        if options.hasLabels { patch.logNotes() }
        graph = try SongGraph(in: engine, patch)
        postStretches()
        if limit <= 0 { throw .empty }
        if options.passage.isLoop, limit < songEnd {
            throw .option(
                name: "max-duration", value: "\(options.maximumDuration ?? 0)",
                remedy: "the loop is longer, and would not join its beginning; choose a longer duration")
        }
        if case .auto = tail {
            try engine.switchOff(at: SampleTime(plan.end))
        }
    }

    /// Frames that will be rendered, as far as is known before: without an automatic tail.
    public var expectedFrames: Int64 {
        var frames = songEnd
        if case .seconds(let seconds) = tail { frames += self.frames(seconds) }
        return min(frames, limit)
    }

    /// The loudspeakers that the sink gets a channel for each, in the order of `SpeakerLayout.speakers`.
    public var layout: SpeakerLayout { options.layout ?? engine.outputLayout.heard }

    /// The loudspeakers that the sound is made for, if the sink gets others and it is folded; nil if it is not.
    public var foldedLayout: SpeakerLayout? {
        let made = engine.outputLayout
        return made == .mono || made.speakers.allSatisfy { layout.speakers.contains($0) } ? nil : made
    }

    /// Frames that will be rendered at most.
    public var longestFrames: Int64 { limit }

    /// Renders everything into `sink`, which gets one pointer per channel and a number of frames.
    ///
    /// Once: a second call throws `rendered`.
    ///
    /// - Parameters:
    ///   - progress: called after every block; false stops the render with `interrupted`.
    ///   - stemSink: gets the channels of each of `stems` for the same frames: as many as the mix has, which is one or two.
    public func render(
        into sink: ([UnsafePointer<Float>], Int) throws(AudioFileError) -> Void,
        progress: (RenderProgress) -> Bool = { _ in true },
        stems stemSink: (([UnsafePointer<Float>], Int) throws(AudioFileError) -> Void)? = nil
    ) throws(Fault) -> RenderReport {
        if renderedFrames != nil { throw .rendered }
        renderedFrames = 0
        var report = RenderReport()
        report.sampleRate = options.sampleRate
        report.summary = timeline.summary
        report.part = plan.isWhole ? nil : plan.part
        beginLabels()
        chooseFrames()
        let output: OfflineOutput
        output = try engine.offlineOutput(layout: layout, threads: options.threads, frames: max(pullFrames, 64))
        let count = output.buffer.channelCount, planes = output.buffer.planes
        let channels = planes.map { UnsafePointer($0) }
        let stemSound = stemPlan.flatMap {
            StemSound(engine, mixer: $0.mixer, latency: graph.latency, layout: layout, frames: output.buffer.capacity)
        }
        var joint = options.passage.isLoop ? LoopJoint(frames: songEnd, channels: count, sampleRate: options.sampleRate) : nil
        skip(graph.latency + Int(plan.start - engine.renderer.sampleTime.rawValue), output, stemSound) {
            joint?.keep(planes, frames: $0)
        }
        let songEnd = songEnd, opening = options.passage.fadeIn.map { RenderFade(in: max(frames($0), 1)) }
        let ending = plan.fade.map { RenderFade(out: $0.lowerBound - plan.start..<$0.upperBound - plan.start) }
        var gate = TailGate(songEnd: songEnd, sampleRate: options.sampleRate)
        let fade = cutAtLimit.map { _ in RenderFade(end: limit, sampleRate: options.sampleRate) }
        var isDone = false
        while !isDone {
            let start = report.frames
            var frames = blockFrames(at: start, songEnd: songEnd)
            postStretches()
            if frames > 0 {
                engine.companionService.attend()
                stemSound?.begin(at: engine.renderer.sampleTime, frames: frames)
                output.pull(frames)
                stemSound?.end(frames: frames)
            }
            if case .auto = tail, start + Int64(frames) >= songEnd,
                let end = gate.framesUntilEnd(
                    output.buffer.channels, count: count, start: start, frames: frames, mayEnd: graph.isAtRest,
                    gap: graph.gap)
            {
                frames = end
                isDone = true
            }
            joint?.apply(to: planes, start: start, frames: frames)
            // A sound that ends by itself needs no fade.
            for fade in [opening, ending, isDone ? nil : fade].compactMap(\.self) {
                if let stemSound {
                    stemSound.fade(fade, planes, start: start, frames: frames)
                } else {
                    fade.apply(to: planes, start: start, frames: frames)
                }
            }
            do throws(AudioFileError) {
                try sink(channels, frames)
                if let stemSink, let stemSound { try stemSink(stemSound.channels, frames) }
            } catch { throw Fault(error) }
            report.frames += Int64(frames)
            if !isDone && report.frames >= limit {
                isDone = true
                report.cut = cutAtLimit
                report.fade = Double(fade?.frames ?? 0) / Double(options.sampleRate)
            }
            if !progress(RenderProgress(frames: report.frames, expectedFrames: expectedFrames)) { throw .interrupted }
        }
        try endLabels()
        renderedFrames = report.frames
        report.counters = engine.renderer.counters
        report.remarks = remarks(report.counters)
        report.notesPlayed = plan.notes(before: plan.start + report.frames, silencing: options.channels.silent)
        report.limiter = limiterWork(output)
        return report
    }

    /// Renders everything and brings it to a loudness, into `sink` as `render(into:progress:)`: frames wait, in memory or in a
    /// file without a name, until all are there and the gain is known. The limiter at the graph's end is bypassed; one with its
    /// values works after the gain.
    ///
    /// - Parameters:
    ///   - folder: for frames that memory has no room for; nil means `TMPDIR`, or /tmp.
    ///   - keepsPartial: whether `sink` gets the frames so far, at their loudness, before the error of a failure or a stop is
    ///     thrown.
    ///   - progress: called after every block, and with the last progress while the sound is given on; false stops.
    ///   - stemSink: gets the channels of each of `stems`, with the same gain and without the limiter, in steps of its own.
    public func render(
        at target: LoudnessTarget, folder: String? = nil,
        keepsPartial: Bool = false, into sink: ([UnsafePointer<Float>], Int) throws(AudioFileError) -> Void,
        progress: (RenderProgress) -> Bool = { _ in true },
        stems stemSink: (([UnsafePointer<Float>], Int) throws(AudioFileError) -> Void)? = nil
    ) throws(Fault) -> RenderReport {
        let stage = try stage(for: target, folder: folder, room: FrameSpool.room)
        var last = RenderProgress(frames: 0, expectedFrames: expectedFrames)
        let render: WaitingRender
        do {
            render = try fill(stage) {
                last = $0
                return progress($0)
            }
        } catch {
            if keepsPartial {
                stage.end()
                _ = try stage.finish(LoudnessStage.plan([stage]), into: sink, stems: stemSink) {
                    _ = progress(last)
                }
            }
            throw error
        }
        // The sound that is kept is whole here.
        return try render.write(
            LevelPlan(for: [render]), into: sink, progress: { progress($0) || keepsPartial }, stems: stemSink)
    }

    /// Renders everything and keeps the frames until a gain is known, as `render(at:)` does: several of them can have one gain.
    ///
    /// - Parameter room: bytes that are kept in memory.
    package func waiting(
        for target: LoudnessTarget, folder: String? = nil, room: Int = FrameSpool.room,
        progress: (RenderProgress) -> Bool = { _ in true }
    ) throws(Fault) -> WaitingRender { try fill(try stage(for: target, folder: folder, room: room), progress) }

    /// Renders everything for its level alone: the gain that would bring it to a loudness. No frame is kept.
    package func levelPlan(
        for target: LoudnessTarget, progress: (RenderProgress) -> Bool = { _ in true }
    ) throws(Fault) -> LevelPlan {
        let stage = try stage(for: target, folder: nil, room: nil)
        return LevelPlan(for: [try fill(stage, progress)])
    }

    private func stage(for target: LoudnessTarget, folder: String?, room: Int?) throws(Fault) -> LoudnessStage {
        try target.check()
        return try LoudnessStage(
            target, layout: layout, stems: stems.count, sampleRate: options.sampleRate, limiter: try restingLimiter(),
            isLoop: options.passage.isLoop, folder: folder, room: room)
    }

    private func fill(_ stage: LoudnessStage, _ progress: (RenderProgress) -> Bool) throws(Fault) -> WaitingRender {
        var mix: [UnsafePointer<Float>] = []
        let hasStems = !stems.isEmpty, width = layout.channels * (1 + stems.count)
        let sink = try FrameSink(threads: options.threads, channels: width) { (_, samples, frames) throws(AudioFileError) in
            try stage.add(samples, frames: frames)
        }
        let report = try sink.feeding { () throws(Fault) in
            try render(
                into: { (samples, frames) throws(AudioFileError) in
                    mix = samples
                    if !hasStems { try sink.give(.mix, samples, frames: frames) }
                }, progress: { progress($0) },
                stems: { (samples, frames) throws(AudioFileError) in try sink.give(.mix, mix + samples, frames: frames) })
        }
        _ = progress(RenderProgress(frames: report.frames, expectedFrames: expectedFrames, stage: .measuring))
        stage.end()
        return WaitingRender(report, stage, expectedFrames: expectedFrames)
    }

    /// Bypasses the limiter at the graph's end, and returns its values; none if another unit ends the graph.
    private func restingLimiter() throws(Fault) -> [String: Float] {
        guard let node = engine.graph[graph.limiter], node.id == engine.graph.output?.node,
            node.instance.descriptor.component == Limiter.descriptor.component, !node.isBypassed
        else { return [:] }
        try engine.edit { (graph) throws(Fault) in try graph.bypass(node.id) }
        return Dictionary(
            uniqueKeysWithValues: node.instance.parameters.specs.enumerated().map { index, spec in
                (spec.name, node.instance.parameters.target(index))
            })
    }

    /// Reads the work of the limiter. Its readouts are updated once in a stretch of frames, so the last stretch is rendered to
    /// its end and dropped.
    private func limiterWork(_ output: OfflineOutput) -> LimiterWork {
        let stretch = LimiterWork.stretch
        skip(Int(stretch - engine.renderer.sampleTime.rawValue % stretch), output)
        return graph.limiterWork(in: engine)
    }

    private func remarks(_ counters: RenderCounters) -> [Remark] {
        var remarks = (stemPlan?.remarks ?? []) + options.channels.remarks(timeline)
        var muted: [String: Int] = [:]
        while let fault = engine.renderer.nextFault() {
            let name = engine.graph[fault.node]?.name ?? "\(fault.node)"
            muted[name, default: 0] += 1
        }
        for name in muted.keys.sorted() {
            let slices = muted[name] ?? 0
            remarks.append(
                Remark(
                    .missing, name, "produced invalid samples in \(CountedNoun.text(slices, "slice")), and was muted there",
                    count: slices))
        }
        if counters.lostEvents > 0 {
            let lost = counters.lostEvents
            remarks.append(
                Remark(.missing, "graph", "\(CountedNoun.text(lost, "event")) for a unit that does not exist", count: lost))
        }
        if counters.unheardEvents > 0 {
            let deaf = PartList(
                timeline.summary.parts.filter { $0.noteCount > 0 }.map { Int($0.port) * 16 + Int($0.channel) }
                    .filter { engine.graph.routes[$0].isEmpty })
            let place = deaf.isEmpty ? "" : ": no unit hears part\(deaf.parts.count == 1 ? "" : "s") \(deaf)"
            let notes = counters.unheardEvents
            remarks.append(
                Remark(
                    .missing, "graph",
                    "\(CountedNoun.text(notes, "note")) reached no instrument, and \(notes == 1 ? "was" : "were") silent\(place)",
                    count: notes))
        }
        for node in engine.graph.nodes where graph.instruments.contains(node.id) {
            remarks += NodeRemark.ofInstruments.compactMap { $0.remark(on: node) }
        }
        for node in engine.graph.nodes {
            if let complaint = node.instance.companion?.complaint { remarks.append(Remark(.missing, node.name, complaint)) }
        }
        remarks += engine.midi.tuningRemarks
        for node in engine.graph.nodes where PlugInCatalog.isName(node.instance.descriptor.name) {
            remarks += NodeRemark.ofPlugIns.compactMap { $0.remark(on: node) }
        }
        return remarks
    }

    /// Renders frames that are dropped: those of the graph's latency, and those in which instruments settle.
    private func skip(
        _ latency: Int, _ output: OfflineOutput, _ stems: StemSound? = nil, _ passed: (Int) -> Void = { _ in }
    ) {
        var left = latency
        while left > 0 {
            let frames = min(left, pullFrames)
            postStretches()
            engine.companionService.attend()
            stems?.begin(at: engine.renderer.sampleTime, frames: frames)
            output.pull(frames)
            passed(frames)
            left -= frames
        }
    }

    /// The next slice: as asked for up to the song's end; then the 64 frames on which instruments fall asleep, so that
    /// the end does not depend on `blockFrames`.
    private func blockFrames(at start: Int64, songEnd: Int64) -> Int {
        let left = limit - start
        if start < songEnd { return Int(min(Int64(pullFrames), left, songEnd - start)) }
        let grid = 64 - engine.renderer.sampleTime.rawValue % 64
        return Int(min(grid, left))
    }

    /// Chooses the frames of a pull: several threads go through many slices at a time, unless stretches are to be posted
    /// between two pulls, or companions served.
    private func chooseFrames() {
        let isFree =
            options.threads > 1 && waiting.isEmpty
            && engine.graph.nodes.allSatisfy { $0.instance.companion?.canWait ?? true }
        pullFrames = isFree ? RenderCrew.sliceLimit * options.sliceFrames : options.sliceFrames
    }

    /// Gives the renderer as many of the coming stretches as it has room for.
    private func postStretches() {
        while let next = waiting.first, engine.renderer.play(ScoreSegment(score, next)) { waiting.removeFirst() }
    }

    /// The frame at which the song, or the passage, has ended.
    private var songEnd: Int64 { plan.end - plan.start }

    /// The tail of the song; none where it has faded, and where it goes round.
    private var tail: RenderOptions.Tail { plan.fade == nil && !options.passage.isLoop ? options.tail : .exact }

    private func frames(_ seconds: Double) -> Int64 { Int64(seconds * Double(options.sampleRate)) }

    /// Frames of the song and of the longest tail it may have.
    private var whole: Int64 {
        switch tail {
        case .auto: return songEnd + frames(options.longestTail)
        case .exact: return songEnd
        case .seconds(let seconds): return songEnd + frames(seconds)
        }
    }

    /// Frames after which the render ends in any case.
    private var limit: Int64 {
        guard let maximum = options.maximumDuration else { return whole }
        return min(whole, frames(maximum))
    }

    private var cutAtLimit: RenderReport.Cut? {
        if limit < whole { return .maximumDuration }
        if case .auto = tail { return .longestTail }
        return nil
    }
}
