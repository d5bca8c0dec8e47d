import CRealtime
import DSP
import MIDI
import RealtimeCore
import UnitAPI

/// An arpeggiator: the keys that are down are played one after the other.
///
/// The first note sounds with the key, or waits for the next step of the song that plays (if none does, of the sample time's
/// own beat), so that several play together. The tempo is the song's while one plays, unless `held` names it. Each step lies
/// on its frame: tempo and division are added up from the beginning, never rounded. The sustain pedal and `hold` go on
/// playing released keys; with `hold` the next key begins a new chord. Bends and other controllers pass.
public struct Arpeggiator: AudioUnit, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .midiProcessor, subtype: "arpg", manufacturer: .carillon),
        name: "arpeggiator", summary: "Plays the keys that are down one after the other.", outputs: [.music()],
        acceptsMusic: true, tail: 6, properties: [EffectLink.heldProperty], factoryPresets: factoryPresets)

    public enum Parameter: Int, UnitParameter {
        case mode, octaves, tempo, division, gate, swing, velocity, start, hold

        public var spec: ParameterSpec {
            switch self {
            case .mode:
                ParameterSpec.choice(
                    "mode", ["up", "down", "up-down", "down-up", "as-played", "random", "chord"], default: 0,
                    help: "The order; chord plays all keys at every step.")
            case .octaves: .number("octaves", 1...4, 1, smoothing: 0, "Octaves that it climbs through.")
            case .tempo: .tempo(help: "Quarter notes a minute; the song's while one plays, unless held names it.")
            case .division:
                ParameterSpec.choice("division", NoteDivision.names, default: 2, help: "The note that a step takes.")
            case .gate: .percent("gate", 5...100, 70, smoothing: 0, "How much of a step its note sounds.")
            case .swing:
                .percent(
                    "swing", 50...75, 50, smoothing: 0,
                    "How much of two steps the first takes: 50 is even, 66 like triplets.")
            case .velocity: .number("velocity", 0...127, 0, smoothing: 0, "How loud every note is; 0: as its key was struck.")
            case .start:
                ParameterSpec.choice(
                    "start", ["with-the-key", "on-the-step"], default: 0,
                    help: "When the first note sounds: at once, or with the song's next step; without one, sample time's.")
            case .hold: ParameterSpec.toggle("hold", default: false, help: "Whether released keys keep playing.")
            }
        }
    }

    private let sampleRate: Double
    private var keys: HeldKeys
    private let sounding: SoundingKeys
    private var late: LateMusic
    /// True while steps are counted; the next one, and the frame on which it would be without swing.
    private var isRunning = false
    private var step = 0
    /// 1 if the first step of the pattern is a swung one.
    private var swing = 0
    private var time = 0.0, lastTime = -1e18

    private var place = SongPlace()

    public init(_ setup: UnitSetup) throws(UnitError) {
        try setup.checkHeldParameters(of: Self.self)
        keys = HeldKeys()
        sounding = SoundingKeys()
        late = LateMusic()
        sampleRate = setup.sampleRate
    }

    // [render]

    @_noLocks public mutating func handle(_ event: MusicEvent) {
        if case .time(let time) = event { place.follow(time) }
    }

    @_noLocks public mutating func handle(_ event: MusicEvent, _ outlet: borrowing MusicOutlet) {
        guard case .message(let message) = event else {
            if case .reset(_, let port) = event {
                for channel in 0..<16 { forget(Int(port & 15) &* 16 &+ channel) }
            }
            return outlet.send(event)
        }
        let part = message.part & 255, key = message.data1 & 127, isHeld = outlet[Parameter.hold] > 0.5
        switch message.status & 0xF0 {
        case 0x90 where message.data2 > 0:
            keys.press(key, velocity: message.data2, part: part)
            if !isRunning { begin(outlet) }
        case 0x80, 0x90: keys.release(key, part: part, isKept: isHeld)
        case 0xA0: break
        case 0xB0 where message.data1 == 64: keys.setPedal(message.data2 >= 64, part: part, isKept: isHeld)
        case 0xB0 where message.data1 == 121:
            keys.setPedal(false, part: part, isKept: isHeld)
            outlet.send(event)
        case 0xB0 where message.silencesPart:
            forget(part)
            outlet.send(event)
        default: outlet.send(event)
        }
    }

    @_noLocks private mutating func begin(_ outlet: borrowing MusicOutlet) {
        isRunning = true
        (step, swing) = (0, 0)
        time = Double(outlet.sampleTime.rawValue)
        if outlet.nearest(Parameter.start) == 1 {
            let tempo = outlet[Parameter.tempo]
            _ = place.begins(at: outlet.sampleTime, quarter: 60 / Double(tempo) * sampleRate)
            swing = wait(from: time, period(outlet.nearest(Parameter.division), tempo))
        }
    }

    /// The next step is the first of the bar's that is no earlier than `time`. Returns 1 if it is a swung one, else 0.
    @_noLocks private mutating func wait(from time: Double, _ period: Double) -> Int {
        let origin = place.origin ?? 0
        let steps = rt_floor_double((time - origin) / period + 0.999_9)
        self.time = origin + steps * period
        return Int(steps) & 1
    }

    @_noLocks private func period(_ division: Int, _ tempo: Float) -> Double {
        NoteDivision(division).seconds(tempo: tempo) * sampleRate
    }

    @_noLocks private mutating func forget(_ part: Int) {
        keys.forget(part: part)
        late.remove(part: part)
        sounding.forget(part: part)
    }

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        let start = io.sampleTime.rawValue, end = start &+ Int64(io.frames)
        if io[Parameter.hold].target < 0.5 { keys.letGo() }
        let period = period(Int(io[Parameter.division].target + 0.5), io[Parameter.tempo].target)
        if place.begins(at: io.sampleTime, quarter: 60 / Double(io[Parameter.tempo].target) * sampleRate), isRunning,
            io[Parameter.start].target > 0.5
        {
            // The step that was last is not played again.
            let parity = wait(from: max(Double(start), lastTime + period * 0.125), period)
            // The pattern goes on from its step; only whether the step is swung is the bar's.
            swing = (step ^ parity) & 1
        }
        let delay = period * (Double(io[Parameter.swing].target) * 0.02 - 1)
        while true {
            let due = isRunning ? Int64((time + ((step &+ swing) & 1 == 1 ? delay : 0)) + 0.5) : .max
            if min(due, late.nextTime) >= end { break }
            if late.nextTime <= due {
                let note = late.take()
                sounding.end(note.key, part: note.part, velocity: 64, io.outlet(at: Int(max(note.time &- start, 0))))
                continue
            }
            if keys.count == 0 {
                isRunning = false
                continue
            }
            // The first of two steps is as much longer as the second is shorter.
            let own = (step &+ swing) & 1 == 1 ? period - delay : period + delay
            let length = max(Int64(own * Double(io[Parameter.gate].target) * 0.01), 1)
            play(io, at: Int(max(due &- start, 0)), until: due &+ length)
            lastTime = time
            step &+= 1
            time += period
        }
        return isRunning || late.count > 0 ? .sounding : .silent
    }

    @_noLocks private mutating func play(_ io: borrowing RenderIO, at frame: Int, until end: Int64) {
        let octaves = Int(io[Parameter.octaves].target + 0.5), count = keys.count, mode = Int(io[Parameter.mode].target + 0.5)
        if mode == 6 {
            for place in 0..<count { begin(keys[place], step % octaves, io, at: frame, until: end) }
            return
        }
        let total = count &* octaves
        var place = step % total
        switch mode {
        case 1: place = total &- 1 &- place
        case 2, 3:
            let turn = max(2 &* total &- 2, 1), along = step % turn
            place = along < total ? along : turn &- along
            if mode == 3 { place = total &- 1 &- place }
        case 5:
            let chance = CounterNoise(seed: 0xA4B3).pair(at: Int64(step)).left * 0.5 + 0.5
            place = min(Int(chance * Double(total)), total &- 1)
        default: break
        }
        let key = mode == 4 ? keys.struck(place % count) : keys[place % count]
        begin(key, place / count, io, at: frame, until: end)
    }

    @_noLocks private mutating func begin(
        _ key: HeldKeys.Key, _ octave: Int, _ io: borrowing RenderIO, at frame: Int, until end: Int64
    ) {
        let sound = Int(key.key) &+ 12 &* octave, fixed = io[Parameter.velocity].target
        if sound > 127 || !late.hasRoom { return }
        let velocity = fixed >= 0.5 ? UInt8(fixed + 0.5) : key.velocity
        sounding.begin(UInt8(truncatingIfNeeded: sound), part: key.part, velocity: velocity, io.outlet(at: frame))
        late.add(
            .init(
                at: end, part: key.part, key: UInt8(truncatingIfNeeded: sound), velocity: 0, struck: key.key))
    }

    @_noLocks public mutating func reset() {
        keys.reset()
        sounding.forget()
        late.removeAll()
        isRunning = false
        (step, swing) = (0, 0)
        (time, lastTime) = (0, -1e18)
    }
}
