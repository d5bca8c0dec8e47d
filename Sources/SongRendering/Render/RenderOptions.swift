import DSP
import EngineCore
import Patches
import Sequencer
import SoundFonts
import UnitAPI

/// The way that a song is to be rendered offline. The values are the command line's defaults.
public struct RenderOptions: Sendable, Hashable {
    /// A kind of instrument that plays the song.
    public enum Instrument: Sendable, Hashable {
        /// SoundFonts, of which a later one lies on top, as `FILE` or `FILE:OFFSET`; empty for the default search.
        case soundFont([String])
        /// SoundFonts through libfluidsynth, in the same form as for `soundFont`.
        case fluidSynth([String])
        /// The band-limited square wave, on every channel but the drums.
        case squareWave

        /// The gain at which a chord of three keys, velocity 100, peaks near -14 dBFS, in decibels: the middle of its presets.
        public var referenceGain: Float {
            switch self {
            case .soundFont, .fluidSynth: 6
            case .squareWave: -1
            }
        }

        /// The SoundFonts that are named; none for an instrument that plays none.
        package var soundFonts: [String] {
            switch self {
            case .soundFont(let paths), .fluidSynth(let paths): paths
            case .squareWave: []
            }
        }
    }

    /// When the sound after the song's last event ends.
    public enum Tail: Sendable, Hashable {
        /// When every instrument is silent and the level has stayed below -90 dBFS for 200 ms; after
        /// `longestTail` seconds at the latest.
        case auto
        /// When the song itself ends, to the frame.
        case exact
        /// Seconds after it.
        case seconds(Double)
    }

    /// The instrument that plays the song.
    public var instrument = Instrument.soundFont([])
    /// The SoundFont that the song brings: it lies on top of those of `instrument`. nil means none, or it is not to be played.
    public var songBank: SongBank?
    /// The patch that plays instead of the graph that a song gets by itself; SoundFonts of `instrument` go before its own.
    /// Instruments that name no parts hear all of them.
    public var patch: Patch?
    /// Frames per second.
    public var sampleRate = EngineSetting.rate.wholeDefault
    /// The most frames of one slice, 1...16384. Does not change a sample.
    public var blockFrames = EngineSetting.block.wholeDefault
    /// The number of threads that render a slice together, 1...64. Does not change a sample.
    public var threads = EngineSetting.threads.wholeDefault
    /// When the sound ends.
    public var tail = Tail.auto
    /// Seconds after which `Tail.auto` gives up waiting for silence: a note that never ends sounds that long.
    public var longestTail = 30.0
    /// Seconds that may be rendered at most, tail included; nil refuses songs of more than `RenderOptions.longestSong`.
    public var maximumDuration: Double?
    /// The loudspeakers that the sound is for; nil means those of the patch (`Patch.outputLayout`), stereo where it is mono.
    /// Sound for others is folded (`SpeakerFold`).
    public var layout: SpeakerLayout?
    /// True if the song goes through reverb and chorus; without them the strips are added up and limited, no more.
    public var hasEffects = true
    /// True if a `PeakMeter` measures the output, for a caller who reads it while rendering.
    public var hasMeter = false
    /// True if a `PeakMeter` watches each strip.
    public var hasStripMeters = false
    /// True if instruments log the outcome of their notes, for `SongRenderer.labels(of:)`. Does not change a sample.
    public var hasLabels = false
    package var end = RenderEnd()
    /// Decibels on top of the mixer's volume.
    public var gain = EngineSetting.gain.spec.initial
    /// `unit.parameter=value` settings, in order.
    public var settings: [String] = []
    /// The tuning of the instruments, drums apart; nil: equal temperament at 440 Hz.
    public var tuning: MIDIInput.Tuning? {
        get { given.tuning }
        set { given.tuning = newValue }
    }
    /// Where round robin, random and alternate regions of SFZ begin, 0...16777215; samplers of a patch may have a seed of their
    /// own. The same seed gives the same samples.
    public var seed: Int {
        get { given.seed }
        set { given.seed = newValue }
    }
    /// The passage of the song that is played, its tempo and the number of its loops.
    public var passage = SongPassage()
    /// The channels that are heard.
    public var channels = ChannelChoice()

    /// What instruments are given besides their SoundFonts.
    private struct Given: Hashable {
        var tuning: MIDIInput.Tuning?
        var seed = 0
    }
    private var given = Given()

    /// The longest song, in seconds, that is rendered without `maximumDuration`: 12 hours.
    public static let longestSong = Double(EngineSetting.maximumDuration.spec.initial)

    /// The defaults.
    public init() {}

    /// Frames of a slice: several threads get longer ones, since the work of one thread has to go to another's cache.
    var sliceFrames: Int { threads > 1 ? max(blockFrames, Self.sharedSlice) : blockFrames }
    private static let sharedSlice = 1_024
}

extension RenderOptions {
    /// The one track to play, counted from 1; nil plays all.
    public var track: Int? {
        get { passage.track }
        set { passage.track = newValue }
    }

    /// The number of times that the song's loop is played (`SongPlan`), 1...1000.
    public var loops: Int {
        get { passage.loops }
        set { passage.loops = newValue }
    }

    /// Seconds in which the sound fades after the last loop, while it goes on: then all is over, even if `tail` asks for more.
    /// nil means the song goes on to its end.
    public var fade: Double? {
        get { passage.fade }
        set { passage.fade = newValue }
    }
}
