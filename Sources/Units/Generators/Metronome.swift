import CRealtime
import DSP
import MIDI
import RealtimeCore
import UnitAPI

/// A metronome: a click on every beat, a higher one on the first of each bar.
///
/// It begins with the first beat on the frame on which it starts to run, and keeps count in whole numbers: after a year it
/// is still on its frame. While a song plays, its tempo and its meter are the song's: the clicks lie on the song's beats, the
/// higher ones on the first of its bars, even if the metronome starts in the middle of one. If no song plays, or
/// `held` names `tempo`, its tempo and its bars are its own parameters.
public struct Metronome: AudioUnit, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .generator, subtype: "metr", manufacturer: .carillon), name: "metronome",
        summary: "Clicks on every beat, higher on the first of each bar.", outputs: [.init("main")],
        properties: [EffectLink.heldProperty], readouts: ["beat", "bar"])

    public enum Parameter: Int, UnitParameter {
        case running, tempo, beats, beatUnit, gain

        public var spec: ParameterSpec {
            switch self {
            case .running:
                .running(
                    help: "Whether it clicks; each start begins with the first beat of a bar, or in the song's.")
            case .tempo: .tempo(help: "Quarter notes a minute; the song's while one plays, unless held names it.")
            case .beats:
                .number(
                    "beats", 1...32, 4, smoothing: 0,
                    "Beats of a bar, a whole number, where it follows no song; 1: none stands out.")
            case .beatUnit:
                .choice(
                    "beat-unit", ["1", "2", "4", "8", "16"], default: 2,
                    help: "What a beat is, as a part of a whole note, where it follows no song.")
            case .gain: .decibels("gain", -60...6, -20, "Peak of the click on the first beat.")
            }
        }
    }

    private static var beat: Int64 { @_noLocks get { 1 << 56 } }
    /// Seconds that a click takes: less than the shortest beat of its own, 37.5 ms.
    private static let clickSeconds = 0.03

    private let length: Int
    private var owned: OwnedMemory
    /// The click of the first beat, followed by that of the others.
    private let clicks: UnsafeMutablePointer<Float>
    /// The distance that the counter goes in a frame at one quarter note a minute.
    private let countPerTempo: Double
    private let sampleRate: Double
    private var loudness = AmplitudeMemo()
    private var count: Int64 = 0
    private var isDue = true
    private var nextBeat = 0
    private var bars = 0
    /// The number on the screen: the beat that was last, from 1 on; 0 before the first.
    private var shownBeat = 0
    /// Frames of the click that have been played, `length` for silence, and where it begins in `clicks`.
    private var played: Int
    private var start = 0
    private var place = SongPlace()
    private var isCounting = false

    public init(_ setup: UnitSetup) throws(UnitError) {
        try setup.checkHeldParameters(of: Self.self)
        owned = OwnedMemory()
        sampleRate = setup.sampleRate
        length = max(Int(setup.sampleRate * Self.clickSeconds), 1)
        clicks = owned.room(for: length * 2)
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

    // [render]

    @_noLocks public mutating func handle(_ event: MusicEvent) {
        if case .time(let time) = event { place.follow(time) }
    }

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        let quarter = 60 / Double(io[Parameter.tempo].target) * sampleRate
        let isTold = place.begins(at: io.sampleTime, quarter: quarter)
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
        let meter = meter(io), beats = Int(meter.beats)
        let step = perFrame(io[Parameter.tempo].target, meter)
        if isRunning && (isTold || !isCounting) { align(io.sampleTime, quarter: quarter, meter) }
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
        isCounting = false
    }

    @_noLocks private func meter(_ io: borrowing RenderIO) -> Meter {
        if place.origin != nil { return place.meter }
        let beats = min(max(io[Parameter.beats].target + 0.5, 1), 255)
        let unit = min(max(io[Parameter.beatUnit].target + 0.5, 0), 7)
        return Meter(beats: UInt8(beats), unit: UInt8(unit))
    }

    @_noLocks private mutating func align(_ now: SampleTime, quarter: Double, _ meter: Meter) {
        let wasCounting = isCounting
        isCounting = true
        guard let parts = place.parts(at: now, quarter: quarter) else { return }
        let inBar = max(parts, 0) % meter.partsPerBar, beats = Int(meter.beats)
        let beat = Int(inBar / meter.partsPerBeat)
        let passed = Int64(Double(inBar % meter.partsPerBeat) / Double(meter.partsPerBeat) * Double(Self.beat))
        // The beat that it has clicked last, in its bar; none has been where the song's is due.
        var clicked = passed == 0 ? beat &- 1 : beat
        if wasCounting {
            // A small change of place: no beat is lost, and none comes twice.
            let own = isDue ? nextBeat : nextBeat &- 1
            for apart in -1...1 where (beat &- own &- apart) % beats == 0 {
                if (Int64(apart) &* Self.beat &+ passed &- count).magnitude >= UInt64(Self.beat / 32) { continue }
                clicked = isDue ? (apart < 0 ? beat : beat &- 1) : beat &- apart
            }
        }
        // One that has been clicked too early ends where the song's ends.
        count = clicked > beat ? passed &- Self.beat : passed
        isDue = clicked < beat
        let bar = Int(place.bar) &+ Int(max(parts, 0) / meter.partsPerBar)
        bars = clicked < 0 ? bar : clicked < beats ? bar &+ 1 : bar &+ 2
        nextBeat = clicked < beats ? clicked &+ 1 : clicked &+ 1 &- beats
        if nextBeat > 0 { shownBeat = nextBeat }
    }

    @_noLocks private func perFrame(_ tempo: Float, _ meter: Meter) -> Int64 {
        // Quarters a minute times a quarter of 1, 2, 4, 8, 16 ...
        let times = Double(meter.denominator) / 4
        // Rounded up: a beat that is a whole number of frames is due on its frame and not after it.
        return Int64(-rt_floor_double(-(Double(tempo) * times * countPerTempo)))
    }

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
