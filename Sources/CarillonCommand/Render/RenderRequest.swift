import Carillon
import Patches
import Reports

/// What a render is asked for, by the options of a command line or by a job of a batch: both are made from `settings`.
struct RenderRequest: SettingOwner, Hashable {
    var options = RenderOptions()
    var sound = SoundSettings()
    var bank = ReadingSettings()
    var programs: [ProgramOption] = []
    var layers: [String] = []
    var isStrict = false
    var isTrimmed = false
    var patch: [String] = []
    /// Songs at a time, and threads for each; nil: as the processors allow.
    var jobs: Int?
    var threads: Int?
    var output = OutputChoice()
    var existing = ForceSettings()
    var noClobber = false
    var level = LevelSettings()
    var stems = StemSettings()
    var tags = TagSettings()
    var report = ReportSettings()

    init() {}

    /// Reads the fields of a job: each option by its name, with its texts.
    init(_ fields: [String: [String]]) throws(SettingError) {
        for (name, texts) in fields.sorted(by: { $0.key < $1.key }) {
            guard let setting = Self.named[name] else { throw SettingError("there is no option \(name)") }
            try setting.take(texts, into: &self)
        }
        try check()
    }

    private static let named = Dictionary(uniqueKeysWithValues: settings.map { ($0.name, $0) })

    /// Refuses options that exclude each other.
    func check() throws(SettingError) {
        do {
            try programs.check()
            if layers.contains("") { throw SettingError("--layer: the name is empty") }
            if options.passage.chasesNotes, options.passage.from == nil {
                throw SettingError("--chase-notes: say with --from where the sound begins")
            }
            try SoundSettings.check(sound)
            try checkOutput()
            for check in [stems.check, tags.check, output.pictures.check, output.labels.check] { try check() }
            if patch.count > 1 { throw SettingError("--patch: a song is played through one patch; name one") }
            if patch.contains("") { throw SettingError("--patch: the name is empty") }
            try sound.check(beside: patch)
            try level.check(beside: sound.gain)
            let passage = options.passage
            if output.keepsPartial, stems.stems != nil || passage.isLoop {
                throw SettingError(
                    "--keep-partial: \(passage.isLoop ? "half of a loop does not join" : "stems come all or none"); leave it out")
            }
            if stems.stems != nil, level.isAlbum {
                throw SettingError("--stems have the gain of their mix; leave --album-loudness out, or say --gain")
            }
            do throws(Fault) { try stems.choice?.check(beside: wholeOptions, isTrimmed: isTrimmed) } catch {
                throw SettingError(error.commandSentence)
            }
            try checkEnds(passage)
            if let jobs, !(1...UnfinishedOutput.room).contains(jobs) {
                throw SettingError("--jobs \(jobs): choose 1 to \(UnfinishedOutput.room) songs at a time")
            }
        } catch { throw error as? SettingError ?? SettingError("\(error)") }
    }

    private func checkOutput() throws {
        if output.path != nil, output.folder != nil {
            throw SettingError("--output names a file and --output-dir a folder; leave one of them out")
        }
        if existing.force, noClobber {
            throw SettingError("--force replaces what is there and --no-clobber keeps it; leave one of them out")
        }
        if output.folder == "" { throw SettingError("--output-dir: the name is empty") }
    }

    private func checkEnds(_ passage: SongPassage) throws {
        let hasTail = options.tail != .auto
        if passage.isLoop {
            let other =
                passage.loops > 1
                ? "--loops"
                : passage.fade != nil
                    ? "--fade" : passage.fadeIn != nil ? "--fade-in" : isTrimmed ? "--trim" : hasTail ? "--tail" : nil
            if let other { throw SettingError("\(other) would break the loop of --loop-file; leave one of them out") }
        }
        if passage.fade != nil, hasTail { throw SettingError("--fade ends the sound itself; leave --tail out") }
    }

    /// The options with the sound and the programs in them.
    var wholeOptions: RenderOptions {
        var options = options
        (options.instrument, options.hasEffects, options.settings) = (sound.player, !sound.dry, sound.set)
        options.gain = sound.gain ?? options.gain
        options.seed = sound.seed
        options.channels.programs = Dictionary(programs.map { ($0.part, $0.preset) }) { first, _ in first }
        return options
    }

    /// The loudness of the files; nil: the level is left as it is.
    var loudness: LoudnessTarget? { level.target(beside: sound.gain) }

    /// The output of the sound, with the patch's loudspeakers if none are asked for.
    func choice(_ options: RenderOptions) -> OutputChoice {
        var choice = output
        choice.existing = existing.force ? .replaced : noClobber ? .skipped : .refused
        choice.tags = tags.choice(isBare: loudness == nil)
        choice.pictures.kinds = PictureKind.allCases.filter(output.pictures.kinds.contains)
        choice.layout = options.layout ?? options.patch?.outputLayout.heard ?? .stereo
        return choice
    }

    func job(
        _ song: String, _ target: RenderOutput, _ options: RenderOptions, _ patchRemarks: [Remark], _ stems: StemRequest?
    ) -> RenderJob {
        // No stem of another song may be this mix.
        _ = stems?.claims.claim(target.path, for: "the mix of \(SongList.shown(song))")
        return RenderJob(
            song: song, target: target, options: options, loudness: loudness, isStrict: isStrict,
            playsBank: !bank.noEmbeddedBank, textEncoding: bank.textEncoding, measures: !report.quiet || report.json || isStrict,
            keepsPartial: output.keepsPartial, stems: stems, layers: layers, isTrimmed: isTrimmed, patchRemarks: patchRemarks,
            limit: report.failOn)
    }

    /// The render of one song for a batch, into a folder of its own: all files are named after `key`.
    func job(for song: String, in folder: String, key: String, songHash: String) throws -> RenderJob {
        var options = wholeOptions
        let read = try PatchLoading.read(patch.first)
        options.patch = read?.patch
        options.tuning = try sound.readTuning()
        options.threads = 1
        var choice = choice(options)
        choice.path = "\(folder)/\(key).\(choice.format?.lowercased() ?? "wav")"
        (choice.existing, choice.labels.song) = (.replaced, "sha256:\(songHash)")
        let target = try RenderOutput(of: song, choice, sampleRate: options.sampleRate)
        return job(song, target, options, read?.remarks ?? [], try stems.request(for: key))
    }
}
