import CRealtime
import DSP
import RealtimeCore
import UnitAPI

/// A metronome: a click on every beat, a higher one on the first of each bar.
///
/// It begins with the first beat on the frame on which it starts to run, and keeps count in whole numbers: after a year it
/// is still on its frame. It knows no song; its tempo and its bars are its own parameters.
public struct Metronome: AudioUnit, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .generator, subtype: "metr", manufacturer: .carillon), name: "metronome",
        summary: "Clicks on every beat, higher on the first of each bar.", outputs: [.init("main")],
        readouts: ["beat", "bar"])

    public enum Parameter: Int, UnitParameter {
        case running, tempo, beats, beatUnit, gain

        public var spec: ParameterSpec {
            switch self {
            case .running:
                .toggle("running", default: true, help: "Whether it clicks; each start begins with the first beat of a bar.")
            case .tempo:
                ParameterSpec("tempo", 20...400, default: 120, smoothing: 0, help: "Quarter notes a minute.")
            case .beats:
                ParameterSpec(
                    "beats", 1...32, default: 4, smoothing: 0,
                    help: "Beats of a bar, a whole number: the upper number of a time signature. 1: none stands out.")
            case .beatUnit:
                .choice(
                    "beat-unit", ["1", "2", "4", "8", "16"], default: 2,
                    help: "What a beat is, as a part of a whole note: the lower number of a time signature.")
            case .gain:
                ParameterSpec("gain", -60...6, default: -12, unit: .decibels, help: "Peak of the click on the first beat.")
            }
        }
    }

    /// One beat in the counter: 2 to the 56th.
    private static var beat: Int64 { @_noLocks get { 1 << 56 } }
    /// Seconds that a click takes: less than the shortest beat, 37.5 ms.
    private static let clickSeconds = 0.03

    /// Frames of a click.
    private let length: Int
    /// The click of the first beat, and behind it that of the others.
    private let clicks: UnsafeMutablePointer<Float>
    /// How far the counter goes in a frame at one quarter note a minute.
    private let countPerTempo: Double
    private var loudness = AmplitudeMemo()
    /// Where it stands in the beat, and whether a beat is due on the next frame.
    private var count: Int64 = 0
    private var isDue = true
    /// The beat that comes next, in its bar, and how many bars have begun.
    private var nextBeat = 0
    private var bars = 0
    /// What the screen shows: the beat that was last, from 1 on; 0 before the first.
    private var shownBeat = 0
    /// Frames of the click that have been played, `length` for silence, and where it begins in `clicks`.
    private var played: Int
    private var start = 0

    public init(_ setup: UnitSetup) {
        length = max(Int(setup.sampleRate * Self.clickSeconds), 1)
        clicks = .allocate(capacity: length * 2)
        countPerTempo = Double(Self.beat) / 60 / setup.sampleRate
        played = length
        for frame in 0..<length {
            let time = Double(frame) / setup.sampleRate
            let rise = min(time / 0.0005, 1), decay = DeterministicMath.exp2(-time / 0.0035)
            // The last part goes to zero in a straight line.
            let end = min(Double(length - frame) / Double(length) * 4, 1)
            let level = rise * decay * end
            clicks[frame] = Float(level * DeterministicMath.sine(turns: 1_760 * time))
            clicks[length + frame] = Float(0.6 * level * DeterministicMath.sine(turns: 1_175 * time))
        }
    }

    deinit { clicks.deallocate() }

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        if io[Parameter.running].target < 0.5 {
            stop()
            if played == length {
                show(io)
                return .silent
            }
        }
        let isRunning = io[Parameter.running].target >= 0.5
        let left = io.output(0, 0).base, right = io.output(0, 1).base
        let gain = io[Parameter.gain]
        let step = perFrame(io[Parameter.tempo].target, io[Parameter.beatUnit].target)
        let beats = max(Int(io[Parameter.beats].target + 0.5), 1)
        var isSounding = false
        for frame in 0..<io.frames {
            if isRunning { advance(step, beats) }
            if played < length {
                let sample = clicks[start &+ played] * loudness(gain[frame])
                left[frame] = sample
                right[frame] = sample
                played &+= 1
                isSounding = true
            } else {
                left[frame] = 0
                right[frame] = 0
            }
        }
        show(io)
        if !isSounding { io.markSilent() }
        // Between two clicks it is not at rest.
        return .sounding
    }

    @_noLocks public mutating func reset() {
        stop()
        played = length
        start = 0
    }

    /// The next start is the first beat of a bar; a click that sounds goes on to its end.
    @_noLocks private mutating func stop() {
        (count, isDue, nextBeat, bars, shownBeat) = (0, true, 0, 0, 0)
    }

    @_noLocks private func perFrame(_ tempo: Float, _ unit: Float) -> Int64 {
        // Quarters a minute times a quarter of 1, 2, 4, 8, 16.
        let times = Double(Int64(1) &<< Int64(min(max(unit + 0.5, 0), 4))) / 4
        // Rounded up: a beat that is a whole number of frames is due on its frame and not behind it.
        return Int64(-rt_floor_double(-(Double(tempo) * times * countPerTempo)))
    }

    /// A frame passes: a beat that is due begins its click.
    @_noLocks private mutating func advance(_ step: Int64, _ beats: Int) {
        if isDue {
            isDue = false
            if nextBeat >= beats { nextBeat = 0 }
            if nextBeat == 0 { bars &+= 1 }
            start = nextBeat == 0 && beats > 1 ? 0 : length
            played = 0
            nextBeat &+= 1
            shownBeat = nextBeat
        }
        count &+= step
        if count >= Self.beat {
            count &-= Self.beat
            isDue = true
        }
    }

    @_noLocks private func show(_ io: borrowing RenderIO) {
        io.publish(0, Float(Int32(truncatingIfNeeded: shownBeat)))
        io.publish(1, Float(Int32(truncatingIfNeeded: bars)))
    }
}
