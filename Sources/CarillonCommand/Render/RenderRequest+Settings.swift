import AudioFiles
import Carillon
import DSP

/// The options of `carillon render` as its help groups them.
extension RenderRequest {
    static let settings = Song.settings + Part.settings + Sound.settings + Work.settings + Output.settings + Report.settings

    enum Song: SettingTable {
        static let settings: [Setting<RenderRequest>] =
            RenderOptions.ending.map { $0.of(\.options) } + [
                .flag(
                    "strict", \.isStrict,
                    "Reject damaged songs instead of repairing them, and fail if none of a song's notes can be heard.")
            ] + ReadingSettings.settings.map { $0.of(\.bank) }
    }

    enum Part: SettingTable {
        static let settings: [Setting<RenderRequest>] =
            [
                SongPassage.beginning.of(\.options.passage), SongPassage.ending.of(\.options.passage),
                .flag(
                    "chase-notes", \.options.passage.chasesNotes,
                    "Restart notes that are held where --from begins, except drums."),
            ] + SongPassage.manner.map { $0.of(\.options.passage) } + ChannelChoice.heard.map { $0.of(\.options.channels) } + [
                ChannelChoice.only.of(\.options.channels),
                Setting(
                    "program", every: \.programs, "channel=program",
                    """
                    Set the program of a channel, regardless of the song: 1=40, or with a bank 2=8:5, counted from 0 as in \
                    carillon inspect; bank 128 has the drum kits. Without a bank it is bank 0, on channel 10 a drum kit. Can be \
                    given more than once.
                    """, takesDashes: true, read: ProgramOption.init),
                Setting(
                    "layer", every: \.layers, "song.mid",
                    "A song repeated on top of the others, in their tempo and bars. Can be given more than once.",
                    completes: .file(SongList.endings)
                ) { $0 },
                RenderOptions.fadeIn.of(\.options),
                .flag("trim", \.isTrimmed, "Trim silence (below -90 dBFS) at the beginning and at the end."),
                .flag(
                    "loop-file", \.options.passage.isLoop,
                    """
                    Render only the loop: the part from --from to --to, else the song's own loop, else all of it, so that the \
                    file's end joins its beginning. A WAV file marks it (smpl).
                    """),
            ]
    }

    enum Sound: SettingTable {
        static let settings = SoundSettings.settings.map { $0.of(\RenderRequest.sound) }
    }

    enum Work: SettingTable {
        static let settings: [Setting<RenderRequest>] = [
            Setting(
                "patch", every: \.patch, "file",
                "The patch that plays the song, instead of SoundFont, strips and effects; carillon patch new writes one.",
                completes: .file(["yaml", "yml"])
            ) { $0 },
            RenderOptions.rate.of(\.options),
            Setting(
                "jobs", \.jobs, "number",
                "Number of songs to render at the same time, 1 to \(UnfinishedOutput.room). (default: one for each processor)",
                takesDashes: true, read: whole("jobs")
            ).ofCall,
            Setting(
                "threads", \.threads, "number",
                """
                Threads per song, 1 to \(RenderThreads.limit); the number does not change the result. (default: the processors \
                divided among the songs rendered at a time)
                """, takesDashes: true, read: EngineSetting.threads.spec.wholeNumber
            ).ofCall,
            RenderOptions.block.of(\.options).ofCall,
        ]
    }

    enum Output: SettingTable {
        static let settings: [Setting<RenderRequest>] =
            file.map { $0.of(\.output) } + [
                Setting(
                    "layout", \.options.layout, "name",
                    """
                    The loudspeakers of the file: \(SpeakerLayout.names.joined(separator: ", ")). A patch made for others is \
                    folded down. (default: the patch's; stereo without one)
                    """, completes: .words(SpeakerLayout.names)
                ) { try LayoutName($0).layout },
                ForceSettings.settings[0].of(\.existing).ofCall,
                Setting.flag(
                    "no-clobber", \.noClobber,
                    "Of several songs, skip those whose output file already exists, without failing: resumes an interrupted run."
                ).ofCall,
                Setting.flag(
                    "keep-partial", \.output.keepsPartial,
                    """
                    If the run is stopped with Ctrl-C or fails midway, keep what has been rendered, as a complete file, without its drawings; a second Ctrl-C \
                    quits at once.
                    """
                ).ofCall,
            ] + LevelSettings.settings.map { $0.of(\.level) } + StemSettings.settings.map { $0.of(\.stems) }
            + TagSettings.settings.map { $0.of(\.tags) } + PictureChoice.settings.map { $0.of(\.output.pictures) }
            + LabelChoice.settings.map { $0.of(\.output.labels) }

        private static let formats = AudioFileFormat.Container.allCases.map(\.rawValue)

        private static let file: [Setting<OutputChoice>] = [
            Setting(
                SettingForm(
                    "output", letter: "o", .one, "file",
                    """
                    The audio file of one song, in a folder that is created if missing; - is standard output. By default the song's name \
                    in the current folder.
                    """, completes: .file([]))
            ) { $1.path = $0 }.ofCall,
            Setting(
                "output-dir", \.folder, "folder",
                "The folder for output files named after their songs; created if missing.", completes: .folder
            ) { $0 }.ofCall,
            Setting(
                "format", \.format, "name",
                """
                One of \(formats.joined(separator: ", ")); by default chosen by the output's extension, which it must not \
                contradict.
                """, completes: .words(formats)
            ) { $0 },
            Setting(
                "bits", \.bits, "bits",
                """
                Sample format: 16 bits (with dither), 24 bits, or 32f (32-bit floating point); by default 16. \
                (values: \(BitsName.list))
                """, completes: .words(BitsName.words)
            ) { try BitsName.named($0, for: "bits").encoding },
            Setting(
                "quality", \.quality, "0...1",
                """
                Quality of ogg, opus and mp3, 0 (smallest file) to 1 (best); by default 0.6, 0.3 and 0.8, transparent for most \
                listeners.
                """, takesDashes: true
            ) { text in
                guard let quality = Double(text) else { throw SettingError("quality: \"\(text)\" is not a number") }
                return quality
            },
            Setting(
                "bitrate", \.bitRate, "kbit/s",
                """
                Bit rate of opus (12 to 512) and mp3 (32 to 320 from 32 kHz up) in kbit/s, on average, instead of a quality.
                """, takesDashes: true, read: whole("bitrate")),
        ]
    }

    enum Report: SettingTable {
        static let settings = ReportSettings.settings.map { $0.of(\RenderRequest.report) }
    }

    private static func whole(_ name: String) -> @Sendable (String) throws -> Int {
        { text in
            guard let number = Int(text) else { throw SettingError("\(name): \"\(text)\" is not a whole number") }
            return number
        }
    }
}
