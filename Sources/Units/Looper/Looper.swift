import CRealtime
import DSP
import MIDI
import RealtimeCore
import UnitAPI

/// A looper: eight tracks that record what comes in, and play it again and again beside it.
///
/// `state` says what a track does, from the exact frame on at which it is set; a recording that ends is a loop of exactly the
/// frames between. Its end is cross-faded into its beginning, with what was still coming in. An overdub or a replacement is a
/// layer of its own, of which four can be taken back (`undone`). Memory is allotted when the unit is made: `seconds` for each
/// track on average, all layers counted; a recording that finds no more of it ends and plays, an overdub gives up the oldest
/// layer. With `early`, a start counts from that long ago, with what came in since then.
///
/// It comes after the volume of a whole sound: with `volume` and `fader` set like that, loops are recorded without it and played
/// with it, so that they become louder and softer like what comes in.
///
/// Property `channels` makes it wider than stereo. A loop has two channels, those of its `output`; what is armed hears the first pair.
public struct Looper: AudioUnit, ~Copyable {
    /// Tracks.
    public static var tracks: Int { @_noLocks get { 8 } }
    /// The longest that a start may be placed earlier, in seconds.
    public static let longestEarly = 0.25
    package static let usualSeconds = 10.0
    private static let shown = ["state", "position", "length", "layers", "undone"]

    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "loop", manufacturer: .carillon), name: "looper",
        summary: "Records what comes in on eight tracks, and plays it again and again.", inputs: [.init("main")],
        outputs: [.init("main")], bands: tracks, properties: ["seconds"], widths: 2...8,
        readouts: (1...tracks).flatMap { track in shown.map { "\($0)-\(track)" } } + ["free"])

    public enum Parameter: Int, UnitParameter {
        case state, undone, mute, solo, reverse, speed, once, restart, times, feedback, level, pan, early, fraction, desk, latency
        case volume, fader, output

        public var spec: ParameterSpec {
            switch self {
            case .state:
                .choice(
                    "state", LoopState.allCases.map { "\($0)" }, default: 0, scope: .band,
                    help: "What the track does: empty forgets its loop, recording begins a new one.")
            case .undone:
                .number(
                    "undone", 0...5, 0, scope: .band, smoothing: 0,
                    "How many of the last layers are taken back; with all of them nothing is heard.")
            case .mute: .toggle("mute", default: false, scope: .band, help: "Whether the loop goes on without being heard.")
            case .solo: .toggle("solo", default: false, scope: .band, help: "Whether only tracks with solo are heard.")
            case .reverse: .toggle("reverse", default: false, scope: .band, help: "Whether the loop is played backwards.")
            case .speed:
                .choice(
                    "speed", ["half", "normal", "double"], default: 1, scope: .band,
                    help: "How fast the loop is played; nothing is written at half and double speed.")
            case .once: .toggle("once", default: false, scope: .band, help: "Whether the loop stops at its end.")
            case .restart:
                .toggle("restart", default: false, scope: .band, help: "Each change plays the loop from its beginning.")
            case .times:
                .number(
                    "times", 1...64, 1, scope: .band, smoothing: 0,
                    "How many times as long as its first recording the loop is.")
            case .feedback:
                .percent(
                    "feedback", 0...100, 100, scope: .band, smoothing: 0,
                    "How much of the old sound stays where something is added.")
            case .level: .decibels("level", -60...12, 0, scope: .band, "How loud the loop is.")
            case .pan:
                ParameterSpec(
                    "pan", -100...100, default: 0, unit: .pan, scope: .band,
                    help: "Where the loop is heard; the other side fades.")
            case .early:
                .seconds(
                    "early", 0...0.25, 0, smoothing: 0, "How long ago what a change of state begins or ends was meant to.")
            case .latency:
                .seconds(
                    "latency", 0...0.5, 0, smoothing: 0,
                    "How much later than what it was played to the input comes in: so much earlier it is placed.")
            case .fraction:
                .number(
                    "fraction", -1_000_000...1_000_000, 0, scope: .band, smoothing: 0,
                    "Frames by which the exact length of the loop, that of its bars, is greater than that of its recording.")
            case .desk:
                .choice(
                    "desk", LoopDesk.Order.allCases.map { "\($0)" }, default: 0, scope: .band,
                    help: "How a program saves and loads the loop: it holds the layer that sounds, or fills room and takes it.")
            case .volume:
                .decibels(
                    "volume", -120...40, 0,
                    "The volume with which the input comes in: loops are recorded as if it were 0 and follow it.")
            case .output:
                .number(
                    "output", 1...4, 1, scope: .band, smoothing: 0,
                    "The pair of channels that the loop is recorded from and heard on; 2 is channels 3 and 4.")
            case .fader: .decibels("fader", -120...40, 0, "The level of a fader that the input came through, as volume.")
            }
        }
    }

    private let desk: LoopDesk
    private var deck: LoopDeck
    private let tracks: UnsafeMutablePointer<LoopTrack>
    private let sampleRate: Double
    private let channels: Int
    private var loudness = (volume: AmplitudeMemo(), fader: AmplitudeMemo())

    /// Property `seconds`: the sound that each track may hold on average, 1...600; 10 if it is left out.
    public init(_ setup: UnitSetup) throws(UnitError) {
        let seconds: Double
        switch setup.properties["seconds"] {
        case nil: seconds = Self.usualSeconds
        case .number(let number): seconds = number
        case .integer(let number): seconds = Double(number)
        default: seconds = 0
        }
        guard (1...600).contains(seconds) else {
            throw .invalidProperty(unit: "looper", property: "seconds", reason: "choose a number from 1 to 600")
        }
        sampleRate = setup.sampleRate
        desk = LoopDesk(
            tracks: Self.tracks, frames: Int(Double(Self.tracks) * seconds * setup.sampleRate), sampleRate: setup.sampleRate)
        channels = setup.channels(of: Self.descriptor)
        deck = LoopDeck(
            tracks: Self.tracks, desk, channels: channels & ~1,
            past: Int(Self.longestEarly * setup.sampleRate) + setup.maximumFrames + 1, slice: setup.maximumFrames)
        tracks = deck.tracks
    }

    /// The desks of its tracks.
    public var companion: UnitCompanion? { desk }

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        deck.catchUp(io.sampleTime)
        deck.latency = Int(Double(io[Parameter.latency].target) * sampleRate + 0.5)
        var isIdle = true
        for index in 0..<Self.tracks {
            follow(io, index)
            if !tracks[index].isIdle { isIdle = false }
        }
        if isIdle && io.isSilent() {
            show(io)
            return .silent
        }
        turn(io)
        deck.hear(io)
        for channel in 0..<channels {
            let input = io.input(0, channel).base, output = io.output(0, channel).base
            // A silence of negative zeros is that of zeros.
            for i in 0..<io.frames { output[i] = input[i] + 0 }
        }
        var hasSolo = false
        for index in 0..<Self.tracks where io[Parameter.solo, index].target >= 0.5 { hasSolo = true }
        for index in 0..<Self.tracks where !tracks[index].isIdle {
            let isMuted = io[Parameter.mute, index].target >= 0.5 || hasSolo && io[Parameter.solo, index].target < 0.5
            play(io, index, isMuted: isMuted)
        }
        show(io)
        return .sounding
    }

    @_noLocks public mutating func reset() { deck.reset() }

    /// The gain of each frame that comes in.
    @_noLocks private mutating func turn(_ io: borrowing RenderIO) {
        let volume = io[Parameter.volume], fader = io[Parameter.fader]
        if volume.isSteady, fader.isSteady {
            let gain = loudness.volume(volume.target) * loudness.fader(fader.target)
            for i in 0..<io.frames { deck.gains[i] = gain }
        } else {
            for i in 0..<io.frames { deck.gains[i] = Decibels.amplitude(volume[i]) * Decibels.amplitude(fader[i]) }
        }
    }

    @_noLocks private mutating func follow(_ io: borrowing RenderIO, _ index: Int) {
        let track = tracks + index
        let stride = 1 << Int(min(max(io[Parameter.speed, index].target + 0.5, 0), 2))
        if stride != track.pointee.asked.stride {
            track.pointee.asked.stride = stride
            track.pointee.cut()
            (track.pointee.written, track.pointee.kept) = (0, 1)
            track.pointee.place &= ~1
            deck.forgetTurn(index)
        }
        let isReversed = io[Parameter.reverse, index].target >= 0.5
        if isReversed != track.pointee.asked.isReversed {
            track.pointee.asked.isReversed = isReversed
            track.pointee.cut()
            deck.forgetTurn(index)
        }
        track.pointee.asked.pair = min(Int(io[Parameter.output, index].target + 0.5), channels / 2) &- 1
        track.pointee.asked.fraction = Double(io[Parameter.fraction, index].target)
        let wanted = LoopState(number: Int(min(max(io[Parameter.state, index].target + 0.5, 0), 5)))
        let early = Int(Double(io[Parameter.early].target) * sampleRate + 0.5)
        if wanted.number != track.pointee.asked.state.number {
            let isHeard = track.pointee.isRunning && !track.pointee.isStopped
            track.pointee.asked.state = wanted
            deck.change(index, to: wanted, isHeard: isHeard, early, at: io.sampleTime)
        }
        let undone = Int(io[Parameter.undone, index].target + 0.5)
        if undone != track.pointee.asked.undone {
            track.pointee.asked.undone = undone
            deck.takeBack(index, undone)
        }
        let times = Int(io[Parameter.times, index].target + 0.5)
        if times != track.pointee.asked.times {
            track.pointee.asked.times = times
            deck.lengthen(index, to: times)
        }
        let restart = io[Parameter.restart, index].target >= 0.5
        if restart != track.pointee.asked.restart {
            track.pointee.asked.restart = restart
            if track.pointee.count > 0 && !track.pointee.isRecording { deck.begin(index, early) }
        }
        let desk = Int(io[Parameter.desk, index].target + 0.5)
        if desk != track.pointee.asked.desk {
            track.pointee.asked.desk = desk
            deck.serve(index, desk, at: io.sampleTime)
        }
    }

    @_noLocks private mutating func play(_ io: borrowing RenderIO, _ index: Int, isMuted: Bool) {
        let track = tracks + index, level = io[Parameter.level, index], pan = io[Parameter.pan, index]
        let feedback = io[Parameter.feedback, index].target / 100, isOnce = io[Parameter.once, index].target >= 0.5
        let isStopped = track.pointee.isStopped
        for i in 0..<io.frames {
            var sound: (Float, Float) = (0, 0)
            track.pointee.changePair()
            if track.pointee.isRecording {
                deck.append(index, at: io.sampleTime + i)
            } else if track.pointee.isRunning {
                sound = deck.next(io.sampleTime + i, index, feedback, isOnce: isOnce)
                let isSilent = isMuted || isStopped || track.pointee.isHidden || track.pointee.pair != track.pointee.asked.pair
                track.pointee.heard = LoopDeck.nearer(track.pointee.heard, isSilent ? 0 : 1, LoopTrack.step)
                if isStopped, track.pointee.heard == 0, !track.pointee.isWriting || track.pointee.asked.stride != 2 {
                    track.pointee.isRunning = false
                }
            }
            if track.pointee.fall > 0 {
                track.pointee.fall &-= 1
                let share = Float(Int32(truncatingIfNeeded: track.pointee.fall)) * LoopTrack.step
                sound.0 += track.pointee.cutLeft * share
                sound.1 += track.pointee.cutRight * share
            }
            (track.pointee.lastLeft, track.pointee.lastRight) = sound
            if sound.0 == 0, sound.1 == 0 { continue }
            let own = level.isSteady ? track.pointee.loudness(level.target) : Decibels.amplitude(level[i])
            let gain = own * deck.gains[i]
            let side = pan[i] / 100
            io.output(0, 2 &* track.pointee.pair).base[i] += sound.0 * gain * min(1 - side, 1)
            io.output(0, 2 &* track.pointee.pair &+ 1).base[i] += sound.1 * gain * min(1 + side, 1)
        }
    }

    @_noLocks private func show(_ io: borrowing RenderIO) {
        for index in 0..<Self.tracks {
            let track = tracks + index, at = 5 &* index, isLoop = track.pointee.count > 0 && !track.pointee.isHidden
            let length = track.pointee.isRecording ? track.pointee.recorded : isLoop ? deck.layer(index).length : 0
            let undone = track.pointee.count &- (isLoop ? track.pointee.current &+ 1 : 0)
            io.publish(at, Self.number(state(track.pointee, isLoop: isLoop).number))
            io.publish(at &+ 1, Self.number(track.pointee.isRecording ? length : track.pointee.place >> 1))
            io.publish(at &+ 2, Self.number(length))
            io.publish(at &+ 3, Self.number(isLoop ? track.pointee.current &+ 1 : 0))
            io.publish(at &+ 4, Self.number(undone))
        }
        io.publish(5 &* Self.tracks, Self.number(deck.freePieces))
    }

    @_noLocks private func state(_ track: LoopTrack, isLoop: Bool) -> LoopState {
        if track.isRecording { return .recording }
        if !isLoop { return .empty }
        if !track.isRunning { return .stopped }
        if track.writes { return track.replaces ? .replacing : .overdubbing }
        return track.isStopped ? .stopped : .playing
    }

    @_noLocks private static func number(_ value: Int) -> Float { Float(Int32(truncatingIfNeeded: value)) }
}
