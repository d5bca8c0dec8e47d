import ArgumentParser
import Carillon
import Corpus
import Glibc
import Reports
import Synchronization

/// `carillon render`: songs become audio files.
struct RenderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Turn songs (.mid, .midi, .rmi, .kar), or the journal of a live session, into audio files.",
        discussion: """
            Without --output each file is named after its song, in the current folder or the one that --output-dir names. A \
            folder means the songs in it, song-2 before song-10; its subfolders are ignored. A list \
            (.m3u, .m3u8) means the songs that it names. - is a song on standard input. The same song and options give \
            the same bytes, regardless of the block size and of how many are rendered at a time. Damaged songs are repaired and the repairs reported; --strict rejects them. Without \
            --soundfont, $CARILLON_SOUNDFONT, the best General MIDI SoundFont that is installed and Carillon's own (embedded) \
            are tried in this order; the choice is reported, and a better one if it can be installed (carillon soundfont). Numbers may have their unit: 44.1k, 3dB, 1m30s.

            Files come out at the usual loudness, -16 LUFS with true peaks up to -1 dBTP, or as loud as their peaks \
            allow, which is reported. --gain, or --loudness off, keeps the song's own level.

            Several songs are reported one per line, in order; a song that fails says why and does not stop the others. The \
            exit code is then that of the first failure.

            Examples:
              carillon render song.mid
              carillon render song.mid -o song.flac --bits 24 --rate 96k
              carillon render song.mid -o - | aplay
              carillon render songs --output-dir sounds --format opus --bitrate 128
              carillon render - -o song.wav < song.mid
              carillon render song.mid --soundfont GM.sf2 --soundfont Piano.sf2
              carillon render song.mid --set reverb.decay=3s --set strip-1.pan=-50%
              carillon render song.mid --instrument square-wave --tail 2.5s --json
              carillon render song.mid --patch organ.yaml
              carillon render song.mid --patch organ.yaml --layout 5.1 -o room.flac
              carillon render song.mid --loops 2 --fade 8s
              carillon render song.mid --from "bar 5" --to Chorus --tempo 90%
              carillon render song.mid --loop-file --solo 1-4,10 -o loop.wav
              carillon render songs --output-dir sounds --loudness -23 --peak -2
              carillon render songs --output-dir album --album-loudness
              carillon render song.mid --stems channel --bits 32f
              carillon render song.mid --loudness off --labels json,tsv
            """)

    @Argument(
        help: ArgumentHelp("Songs, and folders and lists (.m3u) of songs; - is standard input.", valueName: "song.mid"),
        completion: .file(extensions: SongList.namedEndings))
    var songs: [String]

    @OptionGroup(title: "Song") var song: SettingGroup<RenderRequest.Song>

    @OptionGroup(title: "Part of the song") var part: SettingGroup<RenderRequest.Part>

    @OptionGroup(title: "Sound") var sound: SettingGroup<RenderRequest.Sound>

    @OptionGroup(title: "Sound and processors") var work: SettingGroup<RenderRequest.Work>

    @OptionGroup(title: "Output") var file: SettingGroup<RenderRequest.Output>

    @OptionGroup(title: "Report") var report: SettingGroup<RenderRequest.Report>

    func validate() throws {
        try SettingRefusal.asked { try request().check() }
        try SongList.requireSong(onStandardInput: songs, "render")
    }

    func request() throws -> RenderRequest {
        var request = RenderRequest()
        try song.apply(to: &request)
        try part.apply(to: &request)
        try sound.apply(to: &request)
        try work.apply(to: &request)
        try file.apply(to: &request)
        try report.apply(to: &request)
        return request
    }

    func run() throws { try RenderCall(songs, request()).run() }
}

/// A call of `carillon render` at work.
private struct RenderCall {
    private let songs: [String]
    private let request: RenderRequest
    private var report: ReportSettings { request.report }
    private var rate: Int { request.options.sampleRate }

    init(_ songs: [String], _ request: RenderRequest) { (self.songs, self.request) = (songs, request) }

    func run() throws {
        request.sound.sampleMemory?.use()
        let
            folder = OutputFolder(
                request.output.folder ?? request.output.path.flatMap(RenderOutput.folder(of:))), tally = RenderTally()
        defer { folder.removeIfEmpty() }
        do { try render(into: folder, tally) } catch {
            tell(tally.end(exitCode: (error as? ExitCode)?.rawValue ?? 70))
            throw error
        }
        tell(tally.end(exitCode: 0))
    }

    /// Writes a line for a program, if one reads them.
    private func tell(_ line: ProgressLine) {
        if report.progress == .json { StandardError.print(line.text) }
    }

    private func render(into folder: OutputFolder, _ tally: RenderTally) throws {
        Interruption.reportClosedPipes()
        if request.output.keepsPartial { Interruption.waitForParts() }
        var options = request.wholeOptions
        options.tuning = try request.sound.readTuning()
        let list = SongList(songs), read = try PatchLoading.read(request.patch.first)
        options.patch = read?.patch
        // For one song they are printed beside its own.
        if !list.isSingle, report.isForAPerson { read?.tell() }
        options.threads = threads(songs: list.songs.count)
        tally.expect(list.songs.count)
        if !list.isSingle { return try renderSeveral(list, options, read?.remarks ?? [], into: folder, tally) }
        guard case .success(let song)? = list.songs.first else { return }
        if Journal.isJournal(path: song) { return try renderJournal(song, options, into: folder) }
        try renderOne(song, options, read?.remarks ?? [], into: folder, tally)
    }

    private func renderOne(
        _ song: String, _ options: RenderOptions, _ patchRemarks: [Remark], into folder: OutputFolder, _ tally: RenderTally
    ) throws {
        let job = try orReport { () throws(Fault) in
            let target = try RenderOutput(of: song, request.choice(options), sampleRate: rate)
            try target.requireFree()
            let stems = try request.stems.request(isSingle: true)
            try folder.make()
            return request.job(song, target, options, patchRemarks, stems)
        }
        var outcome: RenderBatch.Outcome?
        try run([.success(job)], name: RenderOutput.name(of: song), tally) { outcome = $0 }
        switch outcome {
        case .failure(let failure)?: throw Failure.report(failure.reason, exitCode: failure.exitCode)
        case .success(let result)?:
            if report.json {
                let text = JSONOutput.text(result.fieldValue)
                if request.output.path == "-" { StandardError.print(text) } else { try StandardOutput.print(text) }
            } else if report.isForAPerson {
                for line in result.notes + [result.summary] { StandardError.print(OneLine.text(line)) }
            }
        case nil: break
        }
    }

    private func renderSeveral(
        _ list: SongList, _ options: RenderOptions, _ patchRemarks: [Remark], into folder: OutputFolder, _ tally: RenderTally
    ) throws {
        if request.output.path != nil {
            throw refusal("--output names one file; give --output-dir FOLDER for several songs", exitCode: 64)
        }
        let start = ContinuousClock().now
        let jobs = try orReport { () throws(Fault) in
            try options.check()
            let plan = try RenderPlanning(list, request.choice(options), sampleRate: rate)
            let stems = try request.stems.request(isSingle: false)
            try folder.make()
            return plan.targets.map { $0.map { request.job($0.song, $0.target, options, patchRemarks, stems) } }
        }
        var batch = BatchReport(count: jobs.count, isQuiet: !report.isForAPerson, keepsJSON: report.json)
        if report.isForAPerson { for line in list.remarks { StandardError.print(OneLine.text(line)) } }
        try run(jobs, name: "render", tally) { batch.tell($0) }
        let seconds = (ContinuousClock().now - start).inSeconds
        if report.json { try StandardOutput.print(JSONOutput.text(batch.object(seconds: seconds))) }
        if report.isForAPerson { StandardError.print(batch.summary(seconds: seconds)) }
        if let code = batch.exitCode { throw ExitCode(code) }
    }

    private func run(
        _ jobs: [Result<RenderJob, RenderFailure>], name: String, _ tally: RenderTally,
        _ onOutcome: (RenderBatch.Outcome) -> Void
    ) throws {
        let isWatched = StandardError.isTerminal && report.isForAPerson
        let form: ProgressBar.Form? = report.progress == .json ? .json : isWatched ? .bar : report.progress.map { _ in .lines }
        var bar = form.map { ProgressBar(name: name, sampleRate: rate, form: $0) }
        do throws(Fault) {
            let album = request.level.isAlbum ? request.loudness : nil
            try RenderBatch(jobs, album: album).run(threads: request.jobs ?? RenderBatch.processors, bar: &bar) { outcome in
                tally.add(outcome)
                onOutcome(outcome)
            }
        } catch { throw Failure.report(error) }
    }

    /// A journal itself determines what plays it and when; only the file is chosen here.
    private func renderJournal(_ journal: String, _ options: RenderOptions, into folder: OutputFolder) throws {
        var standard = RenderOptions()
        (standard.threads, standard.layout) = (options.threads, options.layout)
        let isPlain =
            options == standard && request.layers.isEmpty && !request.isTrimmed && request.stems.stems == nil
            && request.output.pictures.kinds.isEmpty && request.output.labels.forms.isEmpty
        guard isPlain, !request.isStrict, !report.json, report.progress == nil, report.failOn == nil, request.level.isDefault
        else {
            throw refusal(
                "\(journal): a journal is rendered as it was played; leave all options but those of the file, --threads and "
                    + "--quiet out",
                exitCode: 64)
        }
        try orReport { () throws(Fault) in try folder.make() }
        let job = JournalJob(
            journal: journal, output: request.choice(options), threads: options.threads, layout: options.layout)
        var outcome: Result<String, Fault>?
        do throws(Fault) {
            try Pool(size: 1).run([job]) { () throws(Fault) in
                try ThreadWorker(prepare: Interruption.prepareThread) { job in
                    Result { () throws(Fault) in try job.run() }
                }
            } done: {
                outcome = $1
            }
        } catch { throw Failure.report(error) }
        switch outcome {
        case .success(let line)?: if !report.quiet { StandardError.print(OneLine.text(line)) }
        case .failure(let error)?: throw Failure.report(error)
        case nil: break
        }
    }

    private func threads(songs: Int) -> Int {
        let processors = RenderBatch.processors
        return request.threads ?? max(processors / max(min(request.jobs ?? processors, songs), 1), 1)
    }

    private func orReport<Result>(_ body: () throws(Fault) -> Result) throws -> Result {
        do { return try body() } catch { throw refusal(error.commandSentence, exitCode: error.exitCode) }
    }

    private func refusal(_ reason: String, exitCode: Int32) -> ExitCode {
        tell(ProgressLine(refusal: reason, exitCode: exitCode))
        return Failure.report(reason, exitCode: exitCode)
    }
}
