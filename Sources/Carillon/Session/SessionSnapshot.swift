import RealtimeCore

/// The state that a running session shows of itself at one moment. A value: it can cross threads and be drawn at leisure.
public struct SessionSnapshot: Sendable {
    /// The audio device: what was wanted and what was granted.
    public struct Device: Sendable, Hashable {
        /// The names asked for, in order of preference.
        public var wanted: [String] = []
        /// The name in use; nil while none is open.
        public var name: String?
        /// `running`, `xrun`, `suspended`, `lost`, ...: the state of the device as its machine names it.
        public var state = "opening"
        /// Frames per second, wanted and granted; nil while nothing is granted.
        public var wantedRate = 48_000
        public var rate: Int?
        /// Frames of a period, wanted and granted.
        public var wantedPeriod = 256
        public var period: Int?
        /// Periods of the buffer, wanted and granted.
        public var wantedPeriods = 2
        public var periods: Int?
        /// Sample format of the device, `S16_LE`.
        public var format: String?
        /// Channels of the device.
        public var channels: Int?
        /// Milliseconds from a key to the loudspeaker as computed: event latency, buffer, limiter.
        public var latencyMilliseconds: Double?
        /// The way the audio thread runs, and how it could run better.
        public var thread: String?
        /// The reason why no device is open, while none is.
        public var fault: String?
    }

    /// A MIDI source: a port that something can be played from.
    public struct Source: Sendable, Hashable {
        /// Device and port, as a player knows it.
        public var name: String
        /// The stable identity, `usb:0499:1617 ...`.
        public var identity: String
        public var isConnected: Bool
        /// The reason why it is connected, or why not.
        public var reason: String
        /// Notes it holds now.
        public var heldNotes: Int
        /// Messages received.
        public var events: Int
    }

    /// A MIDI port that is played to, from zones or with the beat.
    public struct Output: Sendable, Hashable {
        /// The name that the patch calls it by.
        public var name: String
        /// True if it gets the beat; else it gets notes.
        public var getsBeat: Bool
        /// The port that it is connected to; nil while it is not.
        public var port: String?
        /// Where it goes, or why it goes nowhere, as a sentence.
        public var state: String
    }

    /// A note that a key holds, on a channel counted from 1 over all ports.
    public struct Note: Sendable, Hashable {
        public var channel: Int
        /// MIDI key, 60 is middle C.
        public var key: Int
    }

    /// Level of one channel of the output, in dBFS; -infinity is silence.
    public struct Level: Sendable, Hashable {
        /// The highest sample of late.
        public var peak: Double
        /// Root mean square of late.
        public var average: Double

        /// Levels in dBFS.
        package init(peak: Double, average: Double) { (self.peak, self.average) = (peak, average) }
    }

    /// The sound of one MIDI channel, behind its strip: the louder side.
    public struct Channel: Sendable, Hashable {
        /// Counted from 1 over all ports.
        public var number: Int
        public var level: Level
        /// The sound that it plays now; nil where nothing answers what it asks for.
        public var sound: SoundPreset?
        /// The unit of a patch that it plays, where that has no presets.
        public var instrument: String?
    }

    /// A zone of the keyboards that are played.
    public struct Zone: Sendable, Hashable {
        public var name: String
        /// Its keys, lowest and highest: `C-1-B3`.
        public var keys: String
        /// The unit, or the MIDI port outside, that it plays; nil: whoever hears its channel.
        public var plays: String?
        /// True if the zone is heard; else a scene has switched it off.
        public var isHeard: Bool

        /// A zone as it is at one moment.
        package init(name: String, keys: String, plays: String?, isHeard: Bool) {
            (self.name, self.keys, self.plays, self.isHeard) = (name, keys, plays, isHeard)
        }
    }

    /// A song that can lie over those of the list.
    public struct Layer: Sendable, Hashable {
        public var name: String
        public var state: SessionLayer.State
    }

    /// A metronome that was asked for.
    public struct Metronome: Sendable, Hashable {
        public var isRunning: Bool
        /// Quarter notes a minute.
        public var tempo: Double
        /// Beats of a bar.
        public var beats: Int
        /// The beat and the bar, from 1 on; 0 before the first.
        public var beat: Int
        public var bar: Int
    }

    /// The master whose MIDI clock the songs follow.
    public struct Following: Sendable, Hashable {
        /// The state of the master's clock: nobody sends, not known well enough yet, known well, or it has stopped sending
        /// without a word.
        public enum State: String, Sendable { case waiting, locking, locked, lost }

        /// The master's name, as whoever asked for it gave it.
        public var name: String
        /// The port that is connected; nil while none is.
        public var port: String?
        public var state: State
        /// Quarter notes a minute, as the master was heard last; nil before the first.
        public var tempo: Double?
        /// True while the master plays: it was started, and not stopped.
        public var isPlaying: Bool
        /// True while the songs stand by somebody's wish, whatever the master does.
        public var isHeld: Bool

        /// A master as it is known at one moment.
        public init(
            name: String, port: String? = nil, state: State = .waiting, tempo: Double? = nil, isPlaying: Bool = false,
            isHeld: Bool = false
        ) {
            (self.name, self.port, self.state, self.tempo) = (name, port, state, tempo)
            (self.isPlaying, self.isHeld) = (isPlaying, isHeld)
        }
    }

    /// The line that is sung, as a karaoke machine shows it.
    public struct Lyrics: Sendable, Hashable {
        /// The part of the line that has been sung, the syllable that sounds included.
        public var sung: String
        public var toCome: String
        /// The line after it; empty behind the last.
        public var next: String
    }

    /// The state of a song.
    public struct Transport: Sendable, Hashable {
        /// The song's name and its place in the list, from 1.
        public var song: String
        public var number: Int
        public var count: Int
        public var isPlaying: Bool
        /// Seconds at the song's own tempo.
        public var seconds: Double
        public var length: Double
        /// The bar, counted from 1.
        public var bar: Int
        public var beat: Int
        /// Quarter notes a minute that sound now: the song's times the factor.
        public var tempo: Double
        /// The factor.
        public var rate: Double
        public var transpose: Int
        public var isLooping: Bool
        /// Channels that the song uses, counted from 1, and of these the muted and soloed ones.
        public var channels: [Int]
        public var muted: [Int]
        public var soloed: [Int]
        /// Markers that the song has; the one that was passed last, counted from 1, 0 for none; its text.
        public var markers = 0
        public var markerNumber = 0
        public var marker = ""
        /// True when the song has come to its end and what rings dies away.
        public var hasEnded = false
        /// The number of times that it was sent to another place.
        public var jumps = 0
        /// Times that the list, or a single song, has begun anew by itself.
        public var rounds = 0
        /// The line that is sung, of a song that has words.
        public var lyrics: Lyrics?
        /// The song that the list plays after this one; nil where nothing follows, or the list is one song.
        public var next: String?
    }

    /// A set list: several patches, of which one sounds.
    public struct PatchList: Sendable, Hashable {
        /// The one that sounds, and its place in the list, from 1.
        public var name: String
        public var number: Int
        public var count: Int
        /// One that was asked for and is being made ready.
        public var wanted: String?
        /// The one after it; nil behind the last.
        public var next: String?
        /// True if the next one could sound at once.
        public var isNextReady: Bool
        /// Patches that are ready, and former ones that still ring.
        public var ready: Int
        public var ringing: Int
        /// Bytes of samples in memory, those of each SoundFont once.
        public var sampleBytes: Int

        /// A list as it stands at one moment.
        public init(
            name: String, number: Int, count: Int, wanted: String? = nil, next: String? = nil, isNextReady: Bool = false,
            ready: Int = 0, ringing: Int = 0, sampleBytes: Int = 0
        ) {
            (self.name, self.number, self.count, self.wanted) = (name, number, count, wanted)
            (self.next, self.isNextReady, self.ready, self.ringing) = (next, isNextReady, ready, ringing)
            self.sampleBytes = sampleBytes
        }
    }

    /// The sample time of the next slice.
    public var sampleTime = SampleTime.zero
    public var device = Device()
    /// The other devices that units `device-output` play on.
    public var deviceOutputs: [DeviceOutputState] = []
    /// Time that rendering takes of the time there is: of late, and the worst of late; 1 is all there is.
    public var load = 0.0
    public var worstLoad = 0.0
    /// The degree to which load is being shed: 0 not at all, 3 all that can go.
    public var sheddingLevel = 0
    /// Interruptions of the sound by their cause.
    public var xrunsRenderLate = 0
    public var xrunsWokeLate = 0
    public var xrunsDriver = 0
    /// Events that came after their time.
    public var lateEvents = 0
    /// Events that found a full queue or a unit that is not there, and notes that began and reached no instrument.
    public var lostEvents = 0
    /// The reason why what sounds is not captured any more.
    public var captureFault: String?
    /// True if there is a sequencer, through which keyboards come.
    public var hasSequencer = true
    /// Every MIDI source there is.
    public var sources: [Source] = []
    /// The MIDI ports outside that are played to.
    public var outputs: [Output] = []
    /// Notes that keys hold.
    public var notes: [Note] = []
    /// Voices that sound.
    public var voices = 0
    /// Levels of the output, channel by channel.
    public var levels: [Level] = []
    /// The reduction by the limiter, and the gain it worked with, in decibels.
    public var limiter = LimiterWork()
    public var gain: Float = 0
    /// Volume of all that sounds, in decibels.
    public var volume = 0.0
    /// Semitones by which keyboards are transposed.
    public var keyTranspose = 0
    /// The metronome, once one was asked for.
    public var metronome: Metronome?
    /// The master that the songs follow; nil where they follow nobody.
    public var following: Following?
    /// The patch's scenes, in order, and the one that was called last.
    public var scenes: [String] = []
    public var scene: String?
    /// The zones of the patch, in order.
    public var zones: [Zone] = []
    /// The parameter for which a control is waited for.
    public var learning: String?
    /// Seconds since the beginning.
    public var seconds = 0.0
    /// The channels that have strips of their own or a sound to choose, in order; without a strip there is no level.
    public var channels: [Channel] = []
    /// The song, where one is played.
    public var transport: Transport?
    /// The layers that can lie over the songs, in the order in which they were named.
    public var layers: [Layer] = []
    /// The set list, where there is one.
    public var patches: PatchList?
    /// Rises whenever a value of a unit was moved, by whomever, or units have come and gone.
    public var parameterEdition = 0
    /// Rises whenever another song plays, or something else lies over it.
    public var songEdition = 0
    /// The installation, where there is one.
    public var house: House?

    /// A snapshot of nothing yet.
    public init() {}

    /// All interruptions.
    public var xruns: Int { xrunsRenderLate + xrunsWokeLate + xrunsDriver }
}
