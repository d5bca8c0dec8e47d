import DSP
import EngineCore
import Patches
import RemoteIO
import Reports
import SongRendering
import SoundFonts
import UnitAPI

/// The setup of a live session. The values are the command line's defaults.
public struct LiveOptions: Sendable {
    /// The graph, and the zones of the keyboards that play it; nil means a General MIDI instrument, `instrument` with strips
    /// and effects. With a patch `instrument` names SoundFonts for the units that name none, and `gain` turns its mixer.
    public var patch: Patch?
    /// The file that `patch` was read from, which `savePatch` updates; nil means none.
    public var patchPath: String?
    /// The set list.
    package var list = List()
    /// The instrument that plays.
    public var instrument = RenderOptions.Instrument.soundFont([])
    /// True if the sound goes through reverb and chorus.
    public var hasEffects = true
    /// Decibels on top of the mixer's volume.
    public var gain = EngineSetting.gain.spec.initial
    /// `unit.parameter=value` settings, in order.
    public var settings: [String] = []
    public var device = Device()
    /// The tuning of the instruments at the start, drums apart; nil: equal temperament at 440 Hz.
    public var tuning: MIDIInput.Tuning? {
        get { given.tuning }
        set { given.tuning = newValue }
    }
    /// Where round robin, random and alternate regions of SFZ begin: as `RenderOptions.seed`.
    public var seed: Int {
        get { given.seed }
        set { given.seed = newValue }
    }
    /// True if songs have instruments of their own, those that they have without a patch, and keyboards play the patch alone;
    /// false if songs of a session with one patch, or none, play what keyboards play.
    public var songsHaveOwnInstruments: Bool {
        get { given.songsHaveOwnInstruments }
        set { given.songsHaveOwnInstruments = newValue }
    }
    /// True if the first song waits at its beginning until it is requested to play; false if it plays from the start.
    public var songsWait: Bool {
        get { given.songsWait }
        set { given.songsWait = newValue }
    }
    /// Seconds in which songs that have instruments of their own cross over, in a session with a fader; 0: they follow each other.
    public var crossFade: Double {
        get { given.crossFade }
        set { given.crossFade = newValue }
    }
    /// Frames per second.
    public var sampleRate = EngineSetting.rate.wholeDefault
    /// MIDI input ports of sixteen channels each, 1...16; 0 for a session that only plays songs.
    public var ports = EngineSetting.ports.wholeDefault
    public var connections = Connections()
    /// True if events of the MIDI input ports are played; else the session plays only songs, and `filter` may use the
    /// keyboards' events.
    public var keyboardsPlay = true
    /// The path of the file that the output is written to, with a journal beside it; nil: none.
    public var capturePath: String?
    /// The playing that is kept for `saveRecording`, and the music that it writes.
    public var recording = Recording()
    /// The filter for all events of keyboards; nil: all pass unchanged. No note hangs when `Session.filter` changes it.
    public var filter: (any MIDIFilter)?
    /// The initial level of a fader at the end of the chain, in decibels, -120...40: for songs that have levels and fades of
    /// their own, and for `Session.fade`. nil means there is none.
    public var faderLevel: Double?
    /// The layers that may lie over the songs, when they are requested or come with one of them.
    public var layers: [SessionLayer] = []
    /// The loudness that each song is brought to by a gain of its own, in a session with a fader; nil: songs play as they are.
    public var loudness: SongLoudnessOptions?
    /// True if `Session.timingReport` shows the time of each unit.
    public var measuresUnits = false

    /// The defaults.
    public init() {}

    /// The gain of a session unless another is set: that of the instrument. For songs that are brought to a loudness it is half
    /// of the gain that the softest may need, since each has a gain of its own on top. A patch gets none, since it has its own
    /// level.
    public var usualGain: Float {
        if patch != nil || !patches.isEmpty { return EngineSetting.gain.spec.initial }
        return songsHaveOwnInstruments ? instrument.referenceGain : gainOfSongs
    }

    /// The usual gain of songs that play their instruments.
    private var gainOfSongs: Float { loudness == nil ? instrument.referenceGain : Float(SongLoudness.mostGain) }

    /// The SoundFont that the song brings which plays, or comes next.
    var songBank: SongBank? {
        get { given.songBank }
        set { given.songBank = newValue }
    }

    /// What instruments are given besides their patch, and how songs are played.
    private struct Given {
        var tuning: Tuning?
        var seed = 0
        var songBank: SongBank?
        var songsHaveOwnInstruments = false
        var songsWait = false
        var crossFade = 0.0
    }
    private var given = Given()

    /// How a set list plays.
    package struct List: Sendable {
        var patches: [ListedPatch] = []
        /// The most patches that are ready besides the one that sounds, 2...1000.
        package var ready = 8
        /// When a patch plays that is requested.
        package var changes = SetList.Change.now
        /// The path of its file; nil means there is none.
        package var path: String?
        /// The patch whose units stay through all entries.
        package var always: Patch?
        /// Its buttons, besides those of `connections`.
        package var buttons: [SetList.Button] = []
        /// The name of the patch that sounds at the start; nil, or one that cannot be played, means the first.
        package var first: String?
        /// True if entries do not set the tempo, because one was asked for.
        package var keepsTempo = false
        /// What was found when its patches were trimmed.
        var trims: [Remark] = []
        /// Decibels by which the entry that plays is louder than its patch.
        var level: Float = 0
    }

    /// The patches of a set list, in order; the first one sounds at the start, in the place of `patch`. Songs beside a set list
    /// have instruments of their own, as without a patch (`songsHaveOwnInstruments`).
    public var patches: [ListedPatch] {
        get { list.patches }
        set { list.patches = newValue }
    }

    /// The buttons that the session has at its start.
    var allButtons: [Session.Button] { connections.buttons + list.buttons.compactMap(\.made) }

    /// The number of MIDI ports that need instruments; 0 if no keyboards play.
    var playedPorts: Int { keyboardsPlay ? ports : 0 }

    /// Parts of songs that are played outside, port * 16 + channel.
    var sentParts: Set<Int> { connections.sends.reduce(into: []) { $0.formUnion($1.channels.map { $0 - 1 }) } }

    var sound: RenderOptions {
        var options = RenderOptions()
        options.patch = patch
        options.instrument = instrument
        options.songBank = songBank
        options.hasEffects = hasEffects
        options.gain = gainOfKeys
        options.settings = settings
        options.tuning = tuning
        options.seed = seed
        options.sampleRate = sampleRate
        options.hasMeter = true
        options.hasStripMeters = true
        options.end.hasVolume = true
        options.end.faderLevel = faderLevel.map { Float($0) }
        return options
    }

    /// The gain of what keyboards play: an entry of a set list without a patch is as loud as a patch.
    var gainOfKeys: Float {
        let isEntry = patch == nil && !patches.isEmpty
        return gain + list.level + (isEntry ? instrument.referenceGain - EngineSetting.gain.spec.initial : 0)
    }

    /// True if songs, where there are any, have instruments of their own.
    var songsAreApart: Bool { patches.count > 1 || songsHaveOwnInstruments && playedPorts > 0 }

    /// The sound of songs: beside patches that of the instrument, as much louder or softer than usual as the patches.
    var soundOfSongs: RenderOptions {
        var options = sound
        if songsAreApart {
            (options.patch, options.settings, options.hasMeter, options.gain) = (nil, [], false, gainBesideKeys)
        }
        return options
    }

    /// The gain of songs that have instruments of their own.
    var gainBesideKeys: Float {
        if patch != nil || !patches.isEmpty { return gain + gainOfSongs - EngineSetting.gain.spec.initial }
        return loudness == nil ? gain : gainOfSongs
    }

    var stream: DeviceRequest {
        // With a constant latency an event is heard the same time after its key, however soon it is rendered.
        DeviceRequest(
            devices: device.names, sampleRate: sampleRate, periodFrames: device.period, periods: device.periods,
            keepsFull: !device.isImmediate, threads: device.threads, startsWithoutDevice: device.isAwaited)
    }

    /// Returns whether a session can run although `fault` leaves it without keyboards. Songs play without them; and if the
    /// chosen sound card is not an ALSA one, ALSA's sequencer may well be missing too.
    func canDoWithoutKeyboards(_ fault: MIDIInletError, on grant: DeviceGrant?) -> Bool {
        guard fault == .noSequencer || fault == .notPermitted else { return false }
        if !keyboardsPlay || device.names.allSatisfy({ $0 == "null" || SoundSystems.claim($0) }) { return true }
        return grant.map { SoundSystems.claim($0.device) } ?? false
    }

    /// Refuses invalid values. Throws `setting`, `option`.
    func check() throws(Fault) {
        do throws(ParameterError) {
            try stream.check()
            if ports != 0 { try EngineSetting.ports.spec.check(Double(ports)) }
            try EngineSetting.gain.spec.check(Double(gain))
            try Verb.crossFadeTime.check(crossFade)
        } catch { throw .setting(error) }
        if let name = connections.clock.first(where: { $0.isEmpty || $0.lowercased() == "any" }) {
            throw .option(name: "clock", value: "\"\(name)\"", remedy: "name a MIDI port")
        }
        for send in connections.sends where send.output.isEmpty || send.output.lowercased() == "any" {
            throw .option(name: "send", value: "\"\(send.output)\"", remedy: "name a MIDI port")
        }
        if let channel = connections.sends.flatMap(\.channels).first(where: { !(1...256).contains($0) }) {
            throw .option(name: "send", value: "\(channel)", remedy: "choose channels from 1 to 256")
        }
        if let name = connections.master {
            if name.isEmpty || name.lowercased() == "any" {
                throw .option(name: "follow", value: "\"\(name)\"", remedy: "name a MIDI port")
            }
            if connections.clock.contains(name) {
                throw .option(name: "follow", value: name, remedy: "it gets the beat of this session; follow another port")
            }
        }
        if !(2...1000).contains(list.ready) {
            throw .option(name: "ready", value: "\(list.ready)", remedy: "choose from 2 to 1000 patches")
        }
        if device.input == "" { throw .option(name: "input-device", value: "none", remedy: "name a device") }
        if device.names.isEmpty { throw .option(name: "device", value: "none", remedy: "give a device, or null") }
    }
}

/// The loudness that songs of a session are brought to, each by a gain of its own that is measured before it plays.
public struct SongLoudnessOptions: Sendable {
    /// The loudness.
    public var target: LoudnessTarget
    /// True if nothing plays until the loudness of the first song is known (`SessionSnapshot.Transport.measured`); any other whose
    /// turn comes before that plays as it is.
    public var waitsForFirst = true
    /// The folder in which gains are kept; nil means `$CACHE_DIRECTORY/loudness`, or carillon/loudness in the user's cache.
    public var folder: String?
    /// The tempo at which songs are going to be played, as a factor of their own, 0.1...10: fast playing is louder. The manner
    /// of each song counts too. Changes while songs play change no gain.
    public var tempo = 1.0
    /// Semitones by which songs are going to be transposed, -48...48.
    public var transpose = 0

    /// Called on the measuring's thread as it goes on: only with it, sessions in simulated time measure on a thread of its own.
    package var pace: (@Sendable () -> Void)?

    /// Creates a loudness of -16 LUFS.
    public init(_ target: LoudnessTarget = LoudnessTarget()) { self.target = target }
}
