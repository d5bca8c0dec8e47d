import MIDI
import RealtimeCore
import UnitAPI

/// Delays its input by 100 frames, and says so.
struct LateUnit: AudioUnit, ~Copyable {
    static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "late", manufacturer: "Test"), name: "late",
        summary: "Comes 100 frames later.", inputs: [.init("main")], outputs: [.init("main")])
    static let lag = 100

    private let ring: UnsafeMutablePointer<Float>

    init(_ setup: UnitSetup) {
        ring = .allocate(capacity: 2 * Self.lag)
        ring.initialize(repeating: 0, count: 2 * Self.lag)
    }

    deinit { ring.deallocate() }

    var latency: Int { Self.lag }

    // [render]

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        for channel in 0..<2 {
            let input = io.input(0, channel), output = io.output(0, channel)
            for i in 0..<io.frames {
                let place = channel &* 100 &+ Int(io.sampleTime.rawValue &+ Int64(i)) % 100
                let sample = input[i]
                output[i] = ring[place]
                ring[place] = sample
            }
        }
        return .sounding
    }

    @_noLocks mutating func reset() { for i in 0..<200 { ring[i] = 0 } }
}

/// Multiplies by `factor`, shows how often it was called.
struct CountingUnit: AudioUnit, ~Copyable {
    static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "coun", manufacturer: "Test"), name: "counting",
        summary: "Changes the level and counts.", inputs: [.init("main")], outputs: [.init("main")],
        readouts: ["calls"])

    enum Parameter: Int, UnitParameter {
        case factor, step
        var spec: ParameterSpec {
            switch self {
            case .factor: ParameterSpec("factor", 0...2, default: 1, controller: 7, help: "Multiplies the sound.")
            case .step: ParameterSpec("step", 0...127, default: 0, smoothing: 0, controller: 20, help: "Is added at once.")
            }
        }
    }

    private var calls: Float = 0

    init(_ setup: UnitSetup) {}

    // [render]

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        calls += 1
        io.publish(0, calls)
        if io.isSilent() && io[Parameter.step].target == 0 { return .silent }
        let factor = io[Parameter.factor], step = io[Parameter.step]
        for channel in 0..<2 {
            let input = io.input(0, channel), output = io.output(0, channel)
            for i in 0..<io.frames { output[i] = input[i] * factor[i] + step[i] }
        }
        return .sounding
    }

    @_noLocks mutating func reset() { calls = 0 }
}

/// Writes the running sum of the velocities it has heard as a level: what it hears when is what it sounds like.
struct StairsUnit: AudioUnit, ~Copyable {
    static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .instrument, subtype: "stai", manufacturer: "Test"), name: "stairs",
        summary: "Climbs by one with every note.", outputs: [.init("main")], acceptsMusic: true)

    private var level: Float = 0

    init(_ setup: UnitSetup) {}

    // [render]

    @_noLocks mutating func handle(_ event: MusicEvent) {
        if case .message(let message) = event, message.status & 0xF0 == 0x90 { level += Float(message.data2) }
    }

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        if level == 0 { return .silent }
        let left = io.output(0, 0), right = io.output(0, 1)
        for i in 0..<io.frames {
            left[i] = level
            right[i] = level
        }
        return .sounding
    }

    @_noLocks mutating func reset() { level = 0 }
}

/// The same with a grid of its own, in step with the sample time: what it hears counts from the next multiple of 64 on.
struct CoarseStairsUnit: AudioUnit, ~Copyable {
    static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .instrument, subtype: "sta6", manufacturer: "Test"), name: "coarse-stairs",
        summary: "Climbs by one, 64 frames at a time.", outputs: [.init("main")], acceptsMusic: true,
        eventGranularity: 64)

    private var heard: Float = 0
    private var level: Float = 0

    init(_ setup: UnitSetup) {}

    // [render]

    @_noLocks mutating func handle(_ event: MusicEvent) {
        if case .message(let message) = event, message.status & 0xF0 == 0x90 { heard += Float(message.data2) }
    }

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        let left = io.output(0, 0), right = io.output(0, 1)
        for i in 0..<io.frames {
            if (io.sampleTime.rawValue &+ Int64(i)) % 64 == 0 { level = heard }
            left[i] = level
            right[i] = level
        }
        return .sounding
    }

    @_noLocks mutating func reset() {
        heard = 0
        level = 0
    }
}

/// Gives the constant 0.5, until a note with velocity 1 makes it give no number, or with velocity 2 infinity.
struct FaultyUnit: AudioUnit, ~Copyable {
    static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .instrument, subtype: "flty", manufacturer: "Test"), name: "faulty",
        summary: "Breaks when told to.", outputs: [.init("main")], acceptsMusic: true)

    private var sample: Float = 0.5

    init(_ setup: UnitSetup) {}

    // [render]

    @_noLocks mutating func handle(_ event: MusicEvent) {
        if case .message(let message) = event { sample = message.data2 == 1 ? .nan : .infinity }
    }

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        for channel in 0..<2 {
            let output = io.output(0, channel)
            for i in 0..<io.frames { output[i] = sample }
        }
        return .sounding
    }

    @_noLocks mutating func reset() { sample = 0.5 }
}

/// One channel only: it fits no stereo bus.
struct MonoUnit: AudioUnit, ~Copyable {
    static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "mono", manufacturer: "Test"), name: "mono",
        summary: "Has one channel.", inputs: [.init("main", channels: 1)], outputs: [.init("main", channels: 1)])

    init(_ setup: UnitSetup) {}

    // [render]

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus { .silent }
    @_noLocks mutating func reset() {}
}

extension MusicEvent {
    /// A note on the first channel.
    static func note(velocity: UInt8 = 1, key: UInt8 = 60) -> MusicEvent {
        .message(MIDIMessage(status: 0x90, data1: key, data2: velocity))
    }

    /// A controller of the first channel.
    static func controller(_ number: UInt8, _ value: UInt8) -> MusicEvent {
        .message(MIDIMessage(status: 0xB0, data1: number, data2: value))
    }
}

/// `StairsUnit` in four shares, of which each climbs by the notes of every fourth key: together they stand as high. Its level
/// goes up in a straight line, and a note with velocity 127 makes one share give no number.
struct ChoirUnit: AudioUnit, ~Copyable {
    static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .instrument, subtype: "choi", manufacturer: "Test"), name: "choir",
        summary: "Climbs in four shares.", outputs: [.init("main"), .init("mono", channels: 1)], acceptsMusic: true,
        readouts: ["notes", "heard-buses"])

    enum Parameter: Int, UnitParameter {
        case factor
        var spec: ParameterSpec { ParameterSpec("factor", 0...4, default: 1, smoothing: 0.01, help: "Multiplies.") }
    }

    let shareCount = 4
    private let share: Int
    private var level: Float = 0, notes: Float = 0

    init(_ setup: UnitSetup) { share = 0 }
    private init(of index: Int) { share = index }

    borrowing func makeShare(_ index: Int, _ setup: UnitSetup) -> ChoirUnit? { ChoirUnit(of: index) }

    // [render]

    @_noLocks mutating func handle(_ event: MusicEvent) {
        guard case .message(let message) = event, message.status & 0xF0 == 0x90 else { return }
        if Int(message.data1) % 4 != share { return }
        level += message.data2 == 127 ? .nan : Float(message.data2)
        notes += 1
    }

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        io.publish(0, notes)
        io.publish(1, (io.isHeard(0) ? 1 : 0) + (io.isHeard(1) ? 100 : 0))
        if level == 0 { return .silent }
        let left = io.output(0, 0), right = io.output(0, 1), mono = io.output(1, 0), factor = io[Parameter.factor]
        for i in 0..<io.frames {
            left[i] = level * factor[i]
            right[i] = -level * factor[i]
            mono[i] = level
        }
        return .sounding
    }

    @_noLocks mutating func reset() {
        level = 0
        notes = 0
    }
}
