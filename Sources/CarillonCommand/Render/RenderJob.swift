import AudioFiles
import Carillon
import DSP
import Reports
import SongFiles

/// One song on its way into one audio file: what `carillon render` does between its arguments and its report.
struct RenderJob: Sendable {
    let song: String
    let target: RenderOutput
    let options: RenderOptions
    /// The loudness that the file is brought to; nil means the level is left as it is.
    let loudness: LoudnessTarget?
    let isStrict: Bool
    /// True if a SoundFont inside the song plays it.
    let playsBank: Bool
    /// The encoding of texts that do not name theirs.
    let textEncoding: TextEncoding?
    /// True if peak and loudness are wanted: measuring loudness costs as much as a voice.
    let measures: Bool
    /// True if the part that exists is kept when the rest cannot be rendered.
    var keepsPartial = false
    var stems: StemRequest?
    var layers: [String] = []
    var isTrimmed = false
    var patchRemarks: [Remark] = []
    /// The remarks with which there is no file; nil means any are accepted.
    var limit: RemarkLimit?

    /// `loaded` gets the engine, with all that it has read; `progress` is called after every block.
    func run(
        loaded: (SongRenderer) -> Void = { _ in }, progress: (RenderProgress) -> Void = { _ in }
    ) throws(Fault) -> RenderResult {
        let place = RenderPlace(of: song, sampleRate: options.sampleRate)
        defer { place.leave() }
        let start = ContinuousClock().now, song = try load(place)
        loaded(song.renderer)
        var output = try open(length: length(of: song.renderer), layout: song.renderer.layout, song.tags)
        let report: RenderReport, programme: ProgrammeLoudness?
        output.pictures = song.pictures
        do {
            output.stems = try openStems(song.renderer)
            programme =
                try measures && loudness == nil
                ? .measuring(song.renderer.layout, sampleRate: options.sampleRate) : nil
            report = try render(song.renderer, into: output, programme, place, progress)
        } catch { throw abandon(output, error) }
        place.enter(.measuring)
        let peak = report.level?.samplePeak ?? programme?.samplePeak ?? 0
        let facts = facts(
            song, report, isSilent: isMeasured && peak == 0,
            loudness: programme?.integrated())
        place.enter(.writing)
        return try finish(facts, report, peak, output, since: start)
    }

    private func openStems(_ renderer: SongRenderer) throws(Fault) -> StemOutput? {
        guard let stems else { return nil }
        return try StemOutput(stems, of: song, beside: target, renderer, length: length(of: renderer))
    }

    /// The sound waits for the gain that is right for all songs of the album; `room` bytes are kept in memory.
    func waiting(for loudness: LoudnessTarget, room: Int, _ progress: (RenderProgress) -> Void) throws(Fault) -> WaitingJob {
        let place = RenderPlace(of: song, sampleRate: options.sampleRate)
        defer { place.leave() }
        let start = ContinuousClock().now, song = try load(place)
        let render = try watched { (watchdog) throws(Fault) in
            try song.renderer.waiting(
                for: loudness, folder: target.spoolFolder, room: room,
                progress: { Self.advance(watchdog, place, $0, progress) })
        }
        let facts = facts(song, render.report, isSilent: render.isSilent)
        return WaitingJob(
            job: self, render: render, facts: facts, pictures: song.pictures, elapsed: ContinuousClock().now - start)
    }

    func run(_ waiting: WaitingJob, _ plan: LevelPlan, _ progress: (RenderProgress) -> Void) throws(Fault) -> RenderResult {
        let place = RenderPlace(of: song, sampleRate: options.sampleRate)
        defer { place.leave() }
        place.enter(.writing)
        let start = ContinuousClock().now - waiting.elapsed, facts = waiting.facts
        var output = try open(length: facts.length, layout: facts.layout, facts.tags)
        output.pictures = waiting.pictures
        let report: RenderReport
        do {
            report = try watched { (watchdog) throws(Fault) in
                let sink = try sink(into: output, facts.layout)
                return try sink.feeding { () throws(Fault) in
                    try waiting.render.write(
                        plan, into: { (samples, frames) throws(AudioFileError) in try sink.give(.mix, samples, frames: frames) },
                        progress: { Self.advance(watchdog, place, $0, progress) })
                }
            }
        } catch { throw abandon(output, error) }
        return try finish(facts, report, report.level?.samplePeak ?? 0, output, since: start)
    }

    private struct Loaded {
        let file: SongFile
        let renderer: SongRenderer
        /// Created if labels need it.
        let notation: SongNotation?
        let tags: AudioTags
        let pictures: RenderPictures?
        /// Remarks on what of the patch and the song has no effect, and what finds no place.
        let remarks: [Remark]
        /// The remarks on the song, and on what plays it.
        let known: [Remark]
    }

    private struct Output {
        let writer: AudioFileWriter
        let unfinished: UnfinishedOutput
        var stems: StemOutput?
        /// Leaves silence at the ends out, if it is to be.
        var trim: SilenceTrim?
        var pictures: RenderPictures?

        func write(_ samples: [UnsafePointer<Float>], _ frames: Int) throws(AudioFileError) {
            guard let trim else { return try put(samples, frames) }
            try trim.add(samples, frames: frames, into: put)
        }

        /// Writes, or leaves out, what the trim still holds.
        func end(_ report: inout RenderReport) throws(AudioFileError) { try trim?.finish(&report, into: put) }

        /// Returns true where what is there was kept.
        @discardableResult
        func abandon(keepsPartial: Bool) -> Bool {
            var isKept = false
            unfinished.finishing { isKept = writer.abandon(keepsPartial: keepsPartial) }
            stems?.abandon()
            return isKept
        }

        private func put(_ samples: [UnsafePointer<Float>], _ frames: Int) throws(AudioFileError) {
            pictures?.add(samples, frames: frames)
            try writer.write(samples, frames: frames)
        }
    }

    private func load(_ place: RenderPlace) throws(Fault) -> Loaded {
        // The song goes through one library, and the SoundFonts of its instruments through another.
        let loading = StuckCall(over: song, patience: StuckCall.loadPatience)
        defer { loading.stop() }
        let file: SongFile
        do { file = try SongReader.read(path: song, strict: isStrict, textEncoding: textEncoding) } catch { throw Fault(error) }
        var options = options
        let found = SongBank.bank(in: file, path: song, isWanted: playsBank)
        options.songBank = found.bank
        options.hasLabels = !target.labels.forms.isEmpty
        var layers: [RenderLayer] = []
        for path in self.layers {
            do { layers.append(RenderLayer(path, try SongReader.read(path: path, strict: isStrict).song)) } catch {
                throw Fault(error)
            }
        }
        place.enter(.loading)
        let renderer = try SongRenderer(file.song, layers: layers, options: options, stems: stems?.choice)
        let notation = options.hasLabels ? SongNotation(file.song, renderer.timeline) : nil
        let (tags, untagged) = target.tags.tags(
            of: notation ?? SongNotation(file.song, renderer.timeline), called: song, cues: isTrimmed ? [] : renderer.cues,
            in: target.format.container)
        let ofSong = SongRemarks(file, renderer.timeline, name: song, bankFault: found.remark).remarks
        let known = ofSong + renderer.graph.remarks
        var remarks = patchRemarks + known + untagged
        if isTrimmed, target.format.container.holdsCues, !renderer.cues.isEmpty {
            remarks.append(
                Remark(.substituted, song, "its markers are left out of the file: silence that is trimmed moves them"))
        }
        try accept(remarks)
        let pictures =
            target.pictures.kinds.isEmpty ? nil : RenderPictures(target.pictures, of: renderer, sampleRate: options.sampleRate)
        place.enter(.rendering)
        return Loaded(
            file: file, renderer: renderer, notation: notation, tags: tags, pictures: pictures,
            remarks: remarks, known: known)
    }

    private func open(length: AudioFileLength, layout: SpeakerLayout, _ tags: AudioTags) throws(Fault) -> Output {
        var loop: Range<Int64>?
        if options.passage.isLoop, case .exactly(let frames) = length { loop = 0..<frames }
        let (writer, unfinished) = try target.open(length: length, layout: layout, tags: tags, loop: loop)
        let trim = isTrimmed ? SilenceTrim(channels: layout.channels, folder: target.spoolFolder) : nil
        return Output(writer: writer, unfinished: unfinished, trim: trim)
    }

    private func facts(
        _ song: Loaded, _ report: RenderReport, isSilent: Bool, loudness: Double? = nil
    ) -> JobFacts {
        let (file, renderer) = (song.file, song.renderer)
        return JobFacts(
            readings: file.readings, repairs: file.repairs, repairCount: file.repairCount,
            soundFonts: renderer.graph.soundFonts, soundFontOrigin: renderer.graph.soundFontOrigin,
            songBank: renderer.graph.songBank, remarks: song.remarks + remarks(report, renderer, isSilent: isSilent),
            known: Set(song.known),
            layout: renderer.layout, length: length(of: renderer), tags: song.tags, loudness: loudness,
            labels: renderer.labels(of: file.song, notation: song.notation))
    }

    private func render(
        _ renderer: SongRenderer, into output: Output, _ programme: ProgrammeLoudness?, _ place: RenderPlace,
        _ progress: (RenderProgress) -> Void
    ) throws(Fault) -> RenderReport {
        let sink = try sink(into: output, renderer.layout, programme)
        func mixSink(_ samples: [UnsafePointer<Float>], _ frames: Int) throws(AudioFileError) {
            try sink.give(.mix, samples, frames: frames)
        }
        func stemSink(_ samples: [UnsafePointer<Float>], _ frames: Int) throws(AudioFileError) {
            try sink.give(.stems, samples, frames: frames)
        }
        let hasStems = output.stems != nil
        return try watched { (watchdog) throws(Fault) in
            try sink.feeding { () throws(Fault) in
                if let loudness {
                    return try renderer.render(
                        at: loudness, folder: target.spoolFolder, keepsPartial: keepsPartial, into: mixSink,
                        progress: { Self.advance(watchdog, place, $0, progress) }, stems: hasStems ? stemSink : nil)
                }
                return try renderer.render(
                    into: mixSink, progress: { Self.advance(watchdog, place, $0, progress) }, stems: hasStems ? stemSink : nil)
            }
        }
    }

    /// The way of frames into the files, and past the meter of their loudness.
    private func sink(
        into output: Output, _ layout: SpeakerLayout, _ programme: ProgrammeLoudness? = nil
    ) throws(Fault) -> FrameSink {
        let channels = layout.channels * max(output.stems?.count ?? 0, 1)
        return try FrameSink(threads: options.threads, channels: channels) { (lane, samples, frames) throws(AudioFileError) in
            switch lane {
            case .mix:
                programme?.add(samples, frames: frames)
                try output.write(samples, frames)
            case .stems: try output.stems?.write(samples, frames: frames)
            }
        }
    }

    private func watched<Made>(_ body: (StuckCall) throws(Fault) -> Made) throws(Fault) -> Made {
        let watchdog = StuckCall(over: song, patience: StuckCall.renderPatience)
        defer { watchdog.stop() }
        return try body(watchdog)
    }

    /// Returns false if the render has to end.
    private static func advance(
        _ watchdog: StuckCall, _ place: RenderPlace, _ now: RenderProgress, _ progress: (RenderProgress) -> Void
    ) -> Bool {
        watchdog.beat()
        place.reach(now)
        progress(now)
        return !Interruption.isAsked
    }

    /// What is there may be kept. Returns the fault to report.
    private func abandon(_ output: Output, _ error: Fault) -> Fault {
        let isKept = output.abandon(keepsPartial: true)
        guard error.kind == .interrupted, isKept else { return error }
        return .keptPartial(
            path: target.path, seconds: Double(output.writer.framesWritten) / Double(options.sampleRate))
    }

    /// Gives the file its name, or refuses what is silent if that was requested.
    private func finish(
        _ facts: JobFacts, _ report: RenderReport, _ peak: Float, _ output: Output, since start: ContinuousClock.Instant
    ) throws(Fault) -> RenderResult {
        let writer = output.writer
        var report = report
        do throws(Fault) {
            if isStrict, isMeasured, report.notesPlayed > 0, peak == 0 { throw .unheard(notes: report.summary.noteCount) }
            try accept(facts.remarks)
        } catch {
            output.abandon(keepsPartial: false)
            throw error
        }
        do throws(AudioFileError) {
            if let stems = output.stems {
                try stems.finish(beside: writer, output.unfinished)
            } else {
                try output.unfinished.finishing { () throws(AudioFileError) in
                    try output.end(&report)
                    try writer.finish()
                }
            }
        } catch { throw Fault(error) }
        // Only now it is known what has taken the place of another file.
        var facts = facts
        facts.stems = output.stems?.results() ?? []
        facts.remarks += output.stems?.remarks(facts.stems) ?? []
        let title = facts.tags.texts[.title] ?? RenderOutput.name(of: song)
        let drawn = try output.pictures?.write(beside: target.path, title: title) ?? []
        var labelled: [String] = []
        if var labels = facts.labels {
            labels.trim(report)
            if target.labels.restrike == .cut { labels.cutRestrikes() }
            labelled = try target.labels.write(labels, of: song, beside: target.path, stems: facts.stems)
        }
        return RenderResult(
            songPath: song, outputPath: target.path, facts: facts, report: report, format: target.format,
            sound: report.level ?? RenderLevel(loudness: facts.loudness, samplePeak: peak), clippedSamples: writer.clippedSamples,
            byteCount: writer.byteCount, hasReplaced: writer.hasReplaced, pictures: drawn, labels: labelled, options: options,
            elapsed: (ContinuousClock().now - start).inSeconds)
    }

    /// True if the highest sample is known.
    private var isMeasured: Bool { measures || loudness != nil }

    /// Known before a render only when the tail is not automatic.
    private func length(of renderer: SongRenderer) -> AudioFileLength {
        if options.passage.isLoop { return .exactly(renderer.expectedFrames) }
        if isTrimmed { return .atMost(renderer.longestFrames) }
        return switch options.tail {
        case .auto: .atMost(renderer.longestFrames)
        case .exact, .seconds: .exactly(renderer.expectedFrames)
        }
    }

    private func accept(_ remarks: [Remark]) throws(Fault) {
        let refused = limit?.refused(remarks) ?? []
        if !refused.isEmpty { throw .refused(RemarkLimit.sentence(refused)) }
    }

    private func remarks(_ report: RenderReport, _ renderer: SongRenderer, isSilent: Bool) -> [Remark] {
        var remarks = report.remarks
        let layout = renderer.layout
        if let made = renderer.foldedLayout {
            let bass = made.speakers.contains(.lowFrequency) && !layout.speakers.contains(.lowFrequency)
            remarks.append(
                Remark(
                    .substituted, song,
                    "the patch plays on \(made.rawValue) and was folded down to \(layout.rawValue)"
                        + (bass ? ", without the low-frequency channel" : "")))
        }
        if !target.format.container.tells(layout) {
            remarks.append(
                Remark(
                    .level, target.path,
                    "\(target.format.container.rawValue) does not say which speaker a channel of \(layout.rawValue) is for; they "
                        + "stand in the order of WAVE (wav, rf64 and flac say it)"))
        }
        if options.passage.isLoop { remarks += target.loopRemarks }
        if report.summary.noteCount == 0 {
            remarks.append(Remark(.level, song, "has no notes; the output is silent"))
        } else if isSilent, report.notesPlayed == 0 {
            remarks.append(Remark(.level, song, "no note begins in what was rendered; the output is silent"))
        } else if isSilent {
            remarks.append(Remark(.missing, song, Fault.unheard(notes: report.summary.noteCount).commandSentence))
        }
        switch report.cut {
        case .maximumDuration?:
            remarks.append(Remark(.cut, song, "cut at --max-duration, faded out over \(fade(report))"))
        case .longestTail?:
            remarks.append(
                Remark(
                    .cut, song,
                    "still sounding \(Int(options.longestTail)) s after its end; cut there, faded out over \(fade(report)) "
                        + "(--tail SECONDS chooses)"))
        case nil: break
        }
        return remarks
    }

    private func fade(_ report: RenderReport) -> String { "\(Self.fixed(report.fade * 1000, 0)) ms" }

    /// `value` with so many decimals.
    static func fixed(_ value: Double, _ decimals: Int) -> String {
        guard value.isFinite else { return value < 0 ? "-inf" : "inf" }
        var scale: Int64 = 1
        for _ in 0..<decimals { scale *= 10 }
        let scaled = Int64((abs(value) * Double(scale)).rounded())
        var fraction = String(scaled % scale)
        while fraction.count < decimals { fraction = "0" + fraction }
        return (value < 0 && scaled > 0 ? "-" : "") + String(scaled / scale) + (decimals > 0 ? ".\(fraction)" : "")
    }
}
