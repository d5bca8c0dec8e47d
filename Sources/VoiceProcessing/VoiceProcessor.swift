import CRealtime
import DSP
import RealtimeCore
import Reports
import Synchronization
import UnitAPI

/// A voice processor: a microphone without the echo of the loudspeakers, with less noise, at an even level.
///
/// It is not a gate and no compressor: it gets the sound that is played, learns its way through the room, and subtracts the
/// echo from the microphone, even during speech. The sound that is played comes from its second input, or, with `playback` =
/// `device`, from the device while the graph's `input` captures, in step to the frame (`Graph.addVoiceInput`). The microphone
/// is folded to mono, and its voice comes out on both sides. The work is libspeexdsp's (J.-M. Valin, "On Adjusting the Learning
/// Rate in Frequency Domain Echo Cancellation With Double-Talk", IEEE Trans. Audio, Speech, Lang. Process. 15, 2007; I. Cohen,
/// B. Berdugo, "Speech enhancement for non-stationary noise environments", Signal Processing 81, 2001), in blocks of 10 to 16
/// ms and 16 bits: it is loaded when the first such unit is made. The same input gives the same bytes in the same process at
/// every block size, not on every machine. A reset forgets all sound and the room, and keeps what was learnt of its noise and
/// of the level.
///
/// Readouts: `echo-reduction`, the echo return loss enhancement of the recent past, in decibels, while something is played
/// without speech; `gain`, that of gain control in decibels; `missing-frames` of the device's sound.
public struct VoiceProcessor: AudioUnit, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "vpio", manufacturer: .carillon), name: "voice-processor",
        summary: "A microphone without the echo of the loudspeakers, without noise, at an even level.",
        inputs: [.init("main"), .init("playback", use: .key)], outputs: [.init("main")], tail: 1.5,
        readouts: ["echo-reduction", "gain", "missing-frames"], runsForeignCode: true)

    public enum Parameter: Int, UnitParameter {
        case echoCancellation, residualEcho, noiseSuppression, gainControl, gainTarget, mute, delay, tail, playback, speakers

        public var spec: ParameterSpec {
            switch self {
            case .echoCancellation:
                Self.fading("echo-cancellation", isOn: true, help: "Whether what the loudspeakers play is taken out again.")
            case .residualEcho:
                .decibels(
                    "residual-echo", 0...60, 40, smoothing: 0,
                    "How much the remaining echo is reduced; less than half while the near voice speaks.")
            case .noiseSuppression:
                .decibels("noise-suppression", 0...40, 15, smoothing: 0, "How much steady noise is reduced; 0 leaves it.")
            case .gainControl:
                .toggle(
                    "gain-control", default: false,
                    help: "Whether quiet voices are made louder, by up to 30 dB, and loud ones softer.")
            case .gainTarget:
                .decibels(
                    "gain-target", -40 ... -21, -23, smoothing: 0,
                    "The root mean square that gain control makes of a voice, below full scale.")
            case .mute:
                Self.fading("mute", isOn: false, help: "Whether nothing comes out; the canceller keeps learning.")
            case .delay:
                .seconds(
                    "delay", 0...0.5, 0, smoothing: 0,
                    "How long what is played waits for its echo, besides the latency of the device.")
            case .tail:
                .time("tail", 0.02...1, 0.128, applies: .atStart, "How long an echo in the room is that can be taken out.")
            case .playback:
                .choice(
                    "playback", ["input", "device"], default: 0, applies: .atStart,
                    help: "Where it learns what is played: from its second input, or from the device itself.")
            case .speakers:
                .choice(
                    "speakers", ["mono", "stereo"], default: 0, applies: .atStart,
                    help: "Whether both sides of what is played are one sound, or two, each with its way to the microphone.")
            }
        }

        private static func fading(_ name: String, isOn: Bool, help: String) -> ParameterSpec {
            var spec = ParameterSpec.toggle(name, default: isOn, help: help)
            spec.smoothing = 0.01
            return spec
        }
    }

    /// Takes what the device plays; nil if the second input is listened to.
    package let feed: PlaybackFeed?
    private let queue: Unmanaged<CaptureQueue>?
    private let latencyFrames: UnsafeMutablePointer<Atomic<Int>>?
    private var blocks: VoiceBlocks
    /// Frames of a block, which the library processes at once.
    private let block: Int
    private let sampleRate: Double
    private let left: DelayLine, right: DelayLine
    private var owned: OwnedMemory
    /// A run of what the device played, either side, and where the sides begin.
    private let scratch: UnsafeMutablePointer<Float>
    private let sides: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private var position = 0
    private var missing = 0
    private var hasHeard = false

    /// The block that fills, and the one that the library keeps back.
    public var latency: Int { 2 * block }

    public init(_ setup: UnitSetup) throws(UnitError) {
        let supported = 8_000.0...96_000.0
        guard supported.contains(setup.sampleRate) else {
            throw .unsupportedSampleRate(unit: Self.descriptor.name, asked: setup.sampleRate, supported: supported)
        }
        let machines: VoiceBlocks.Machines
        do throws(Fault) {
            machines = try VoiceBlocks.Machines(
                sampleRate: Int(setup.sampleRate.rounded()), tail: Double(setup.value(of: Parameter.tail)),
                speakers: setup.value(of: Parameter.speakers) >= 0.5 ? 2 : 1)
        } catch { throw error.of(unit: Self.descriptor.name) }
        // After all that may throw: the verifier of Swift 6.2 refuses memory that an error must give back.
        owned = OwnedMemory()
        sampleRate = setup.sampleRate
        blocks = VoiceBlocks(machines)
        block = blocks.frames
        feed =
            setup.value(of: Parameter.playback) >= 0.5
            ? PlaybackFeed(frames: max(Int(setup.sampleRate), 8 * setup.maximumFrames)) : nil
        queue = feed.map { .passUnretained($0.queue) }
        latencyFrames = feed?.latencyFrames
        let longest = Int(sampleRate) / 2 + 1
        left = DelayLine(longest: longest)
        right = DelayLine(longest: longest)
        scratch = owned.make(2 * DelayLine.run, of: 0)
        sides = owned.room(for: 2)
        for side in 0..<2 { (sides + side).initialize(to: scratch + side * DelayLine.run) }
    }

    /// The feed, if there is one.
    public var companion: UnitCompanion? { feed }

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        var done = 0
        while done < io.frames {
            let place = position & (block &- 1)
            let count = min(io.frames &- done, DelayLine.run &- position & (DelayLine.run &- 1))
            blocks.hear(io.input(0, 0).base + done, io.input(0, 1).base + done, count, at: place)
            hearPlayback(io, done, count, place)
            speak(io, done, count, place)
            position &+= count
            done &+= count
            if place &+ count == block { blocks.work(settings(io, at: done &- 1)) }
        }
        io.publish(0, blocks.reduction)
        io.publish(1, blocks.gain)
        io.publish(2, Float(Int32(truncatingIfNeeded: missing)))
        // A microphone is never silent, and a canceller that slept would have lost its place.
        return .sounding
    }

    @_noLocks public mutating func reset() {
        left.clear()
        right.clear()
        blocks.clear()
        (position, missing, hasHeard) = (0, 0, false)
    }

    /// Takes `count` frames of the sound that is played, and passes on those whose echo comes now.
    @_noLocks private mutating func hearPlayback(_ io: borrowing RenderIO, _ start: Int, _ count: Int, _ place: Int) {
        if let queue, let latencyFrames {
            let frames = latencyFrames.pointee.load(ordering: .acquiring)
            if frames == 0 {
                rt_zero(scratch, 2 &* DelayLine.run)
                hasHeard = false
            } else {
                let first = io.sampleTime + (start &- frames), sides = sides
                var hasHeard = hasHeard
                missing &+= queue._withUnsafeGuaranteedRef {
                    $0.read(sides, 2, count, from: first, isMono: false, hasHeard: &hasHeard)
                }
                self.hasHeard = hasHeard
            }
            left.write(scratch, count, at: position)
            right.write(scratch + DelayLine.run, count, at: position)
        } else {
            left.write(io.input(1, 0).base + start, count, at: position)
            right.write(io.input(1, 1).base + start, count, at: position)
        }
        let delay = Int(DeterministicMath.floor(Double(io[Parameter.delay][start]) * sampleRate + 0.5))
        blocks.play(left.read(delay, before: position), right.read(delay, before: position), count, at: place)
    }

    @_noLocks private func speak(_ io: borrowing RenderIO, _ start: Int, _ count: Int, _ place: Int) {
        let outLeft = io.output(0, 0).base + start, outRight = io.output(0, 1).base + start, mute = io[Parameter.mute]
        for k in 0..<count {
            let sample = blocks.result(place &+ k) * (1 - mute[start &+ k])
            outLeft[k] = sample
            outRight[k] = sample
        }
    }

    @_noLocks private func settings(_ io: borrowing RenderIO, at i: Int) -> VoiceBlocks.Settings {
        VoiceBlocks.Settings(
            cancellation: io[Parameter.echoCancellation][i], residualEcho: io[Parameter.residualEcho][i],
            noise: io[Parameter.noiseSuppression][i], controlsGain: io[Parameter.gainControl][i] >= 0.5,
            target: Decibels.amplitude(io[Parameter.gainTarget][i]))
    }
}
