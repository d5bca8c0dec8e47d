// [render]
import SoundFonts

/// One voice: a sample that a key has struck, on its way through pitch, filter, envelope and pan.
///
/// It lives in periods of 64 frames, counted from its own first frame: so a note begins on its frame, and envelopes run
/// alike wherever it begins.
struct Voice: BitwiseCopyable {
    static var period: Int { @_noLocks @inline(__always) get { 64 } }

    enum Hold: UInt8, BitwiseCopyable {
        case off
        /// The key is down, or it is released.
        case key
        /// The key is up; the pedal holds.
        case sustain, sostenuto
    }

    var hold = Hold.off
    var isReleased = false
    /// True if the sostenuto pedal caught the voice when it went down; true if it is logged and other shares may have its note.
    var isCaught = false, isSplit = false
    var channel: UInt8 = 0, bus: UInt8 = 0, key: UInt8 = 0, velocity: UInt8 = 0
    var note: UInt64 = 0
    /// Fades to nothing in its next period: a newer voice wants its place.
    var isDying = false
    /// 61 generators as the recipe has them, followed by the sums of the modulators.
    var generators: UnsafeMutablePointer<Double>
    var modulators: UnsafePointer<Modulator>
    var modulatorCount = 0, region: UnsafeMutablePointer<RegionVoice>?

    /// Where in the current grid of 64 frames its next period starts, 0...63.
    var phase = 0
    /// Age in frames; and the age at which a release that came too early happens, 0 for none.
    var age: UInt32 = 0, releaseAge: UInt32 = 0

    var modulationLFO = VoiceLFO(), vibratoLFO = VoiceLFO()
    /// Cents: pitch of the key and tuning; the sample's own.
    var pitch = 0.0, rootPitch = 0.0
    /// 32.32 frames of the sample per hertz.
    var perHertz = 1.0
    /// The shift in pitch by the channel's tuning, tables included. Unit: cents.
    var tuning = 0.0
    /// A glide: what is left of it, and its change per period. Unit: cents.
    var glide = 0.0, glideStep = 0.0
    var envelopeToPitch = 0.0, lfoToPitch = 0.0, vibratoToPitch = 0.0
    var lfoToVolume = 0.0, lfoToCutoff = 0.0, envelopeToCutoff = 0.0
    /// True if anything moves the pitch by itself; and true if it has been moved.
    var bendsPitch = false, isPitchNew = true
    var usesModulation = false, usesLFO = false, usesVibrato = false
    /// Cents, and the entry of the table that holds now; -1: none yet.
    var cutoff = 0.0
    var cutoffIndex: Int32 = -1
    /// Gain of the filter's input that goes with its resonance.
    var filterGain = 1.0
    /// The last fall that the table of gains was asked for, in centibels, and its answer: what is held falls no more.
    var fall = (centibels: 0.0, gain: 1.0)
    /// Gain by attenuation; and the most that it can become.
    var attenuation = 1.0, loudest = 1.0
    /// Envelope gains below which it is not audible: before the loop, in the loop.
    var floor = 0.0, loopFloor = 0.0

    /// Its frames, and the stream that it reads instead; nil for a whole sample. Plain: it has neither stream nor region.
    var data: UnsafeRawPointer, stream: UnsafeMutablePointer<VoiceStream>?, isFloat = false, isPlain = true
    /// 32.32 frames: where it reads, how far it goes for each of its own.
    var position: UInt64 = 0, increment: UInt64 = 0
    /// The first and last frame that it may read, and the loop, whose end is the frame after its last.
    var start: Int32 = 0, end: Int32 = 0, loopStart: Int32 = 0, loopEnd: Int32 = 0
    var loops = false, loopsUntilRelease = false, hasLooped = false, waitsForRelease = false

    /// Gain at the start of the period, and its growth per frame.
    var gain = 0.0, gainStep = 0.0
    /// The gains of both sides: the targets, and the present values.
    var left = 0.0, right = 0.0, leftNow = 0.0, rightNow = 0.0
    /// The sends to the effects besides the channel's own share.
    var reverb = 0.0, chorus = 0.0, reverbNow = 0.0, chorusNow = 0.0
    /// The part of the channel's share that a drum's own send passes: 0...1.
    var reverbShare = 1.0, chorusShare = 1.0
    var filter = LowPassState()
    // Last, because most of it is stages that come later.
    var volume = VoiceEnvelope(), modulation = VoiceEnvelope()

    static var hot: Int {
        @_noLocks @inline(__always) get { MemoryLayout<Voice>.size &- 2 &* MemoryLayout<VoiceEnvelope>.size &+ 64 }
    }

    @_noLocks init(generators: UnsafeMutablePointer<Double>, _ data: UnsafeRawPointer, _ none: UnsafePointer<Modulator>) {
        self.generators = generators
        self.data = data
        modulators = none
    }

    @_noLocks @inline(__always) func value(_ generator: Generator) -> Double {
        generators[generator.index] + generators[Generator.count &+ generator.index]
    }

    @_noLocks @inline(__always) func base(_ generator: Generator) -> Double { generators[generator.index] }

    /// The key that pitch and scaling go by.
    var soundingKey: Double { @_noLocks get { base(.fixedKey) >= 0 ? base(.fixedKey) : Double(key) } }

    var isSounding: Bool { @_noLocks @inline(__always) get { if case .off = hold { false } else { true } } }
    var isPedalled: Bool { @_noLocks get { if case .key = hold { false } else { isSounding } } }
}

/// The low-pass of one voice between two periods: memory, coefficients and their growth. See voices.c.
struct LowPassState: BitwiseCopyable {
    var w1: Float = 0, w2: Float = 0, d: Float = 0
    var c: Float = 0, s: Float = 0, cStep: Float = 0, sStep: Float = 0
    enum Way: UInt8, BitwiseCopyable {
        case through
        /// The filter is open; or, in this period, begins to be, or ends.
        case past, opening, closing
    }
    var way = Way.through
    /// True while nothing is resonant: at its highest cutoff the filter is open then.
    var isFlat = true
    /// Half of the inverse quality.
    var inverseQ: Float = 1
    /// True if the filter has coefficients, and true if they move in the next period.
    var isSet = false, isMoving = false
    /// True if the coefficients move so far that the memory has to follow.
    var isJumping = false

    @_noLocks init() {}

    var isAtWork: Bool { @_noLocks @inline(__always) get { if case .past = way { false } else { true } } }

    @_noLocks mutating func arrive() {
        if case .closing = way {
            way = .through
        } else {
            let (isFlat, inverseQ) = (isFlat, inverseQ)
            self = LowPassState()
            (self.isFlat, self.inverseQ) = (isFlat, inverseQ)
            way = .past
        }
    }
}
