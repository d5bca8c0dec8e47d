import CRealtime
import DSP
import RealtimeCore
import UnitAPI

/// Effects that each break one law, or look as if they did.
func effect(
    _ name: String, channels: Int = 2, inputs: Int = 1, tail: Double = 0, repeatsLastInput: Bool = false
) -> UnitDescriptor {
    UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "test", manufacturer: "Test"), name: name,
        summary: "Is wrong, or looks so.", inputs: (0..<inputs).map { .init("input-\($0)", channels: channels) },
        outputs: [.init("main", channels: channels)], repeatsLastInput: repeatsLastInput, tail: tail)
}

/// Delays by 100 frames, and says what it is told to say of it.
struct DelayOf100: AudioUnit, ~Copyable {
    static let descriptor = effect("delay-of-100", channels: 1, tail: 0.01)
    typealias Parameter = NoParameter
    let latency: Int
    private let line = DelayLine(longest: 100)
    private var quiet = 0

    init(_ setup: UnitSetup) { latency = 0 }
    init(declaring latency: Int) { self.latency = latency }

    // [render]

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        let input = io.input(0, 0), output = io.output(0, 0)
        // Frame by frame is slow and right.
        for i in 0..<io.frames {
            let time = Int((io.sampleTime + i).rawValue)
            line.open(time)[0] = input[i]
            line.close(time, 1)
            output[i] = line.read(100, before: time)[0]
        }
        return .sounding
    }

    @_noLocks mutating func reset() { line.clear() }
}

/// Nothing at all, 100 frames early: it says that it delays.
struct PassThrough: AudioUnit, ~Copyable {
    static let descriptor = effect("pass-through", channels: 1)
    typealias Parameter = NoParameter
    let latency: Int

    init(_ setup: UnitSetup) { latency = 0 }
    init(declaring latency: Int) { self.latency = latency }

    // [render]

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        if io.isSilent() { return .silent }
        rt_copy(io.output(0, 0).base, io.input(0, 0).base, io.frames)
        return .sounding
    }

    @_noLocks mutating func reset() {}
}

/// A tremolo whose phase is advanced by what it plays: it stands still while the effect sleeps. With the right grid, so
/// that neither the block size nor a look at the sleeping unit betrays it.
struct SleepingPhase: EffectWithMemory, ~Copyable {
    static let descriptor = effect("sleeping-phase", tail: 0.05)
    typealias Parameter = NoParameter
    var runs = EffectRuns()
    var memory: Int { @_noLocks get { 64 } }
    private var phase = 0

    init(_ setup: UnitSetup) {}

    // [render]

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus { renderRuns(io) }
    @_noLocks mutating func tune(_ io: borrowing RenderIO, at i: Int) {}

    @_noLocks mutating func process(_ io: borrowing RenderIO, _ run: EffectRun) {
        for channel in 0..<2 {
            let input = io.input(0, channel), output = io.output(0, channel)
            for k in 0..<run.count {
                let swing = Float((phase &+ k) % 20_000) / 20_000
                output[run.start &+ k] = input[run.start &+ k] * (0.5 + swing)
            }
        }
        phase &+= run.count
    }

    @_noLocks mutating func clear() {}

    @_noLocks mutating func reset() {
        phase = 0
        runs = EffectRuns()
    }
}

/// Sleeps and counts how often it is called all the same.
struct LightSleeper: AudioUnit, ~Copyable {
    static let descriptor = effect("light-sleeper")
    typealias Parameter = NoParameter
    private var calls: Float = 0

    init(_ setup: UnitSetup) {}

    // [render]

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        if io.isSilent() {
            calls += 1
            return .silent
        }
        for channel in 0..<2 {
            let input = io.input(0, channel), output = io.output(0, channel)
            for i in 0..<io.frames { output[i] = input[i] / (1 + calls) }
        }
        return .sounding
    }

    @_noLocks mutating func reset() { calls = 0 }
}

/// A mixer of mono inputs whose fourth does not glide.
struct ClickingMixer: AudioUnit, ~Copyable {
    static let descriptor = effect("clicking-mixer", channels: 1, repeatsLastInput: true)

    enum Parameter: Int, UnitParameter {
        case gain
        var spec: ParameterSpec { ParameterSpec("gain", 0...1, default: 1, scope: .input, help: "How loud it is.") }
    }

    init(_ setup: UnitSetup) {}

    // [render]

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        if io.isSilentEverywhere { return .silent }
        let output = io.output(0, 0)
        rt_zero(output.base, io.frames)
        for bus in 0..<io.inputCount where !io.isSilent(bus) {
            let input = io.input(bus, 0), gain = io[Parameter.gain, bus]
            for i in 0..<io.frames { output[i] += input[i] * (bus == 3 ? gain.target : gain[i]) }
        }
        return .sounding
    }

    @_noLocks mutating func reset() {}
}

/// Adds the key input to the second of five channels, but only looks whether the main input is silent.
struct DeafToItsKey: AudioUnit, ~Copyable {
    static let descriptor = effect("deaf-to-its-key", channels: 5, inputs: 2)
    typealias Parameter = NoParameter

    init(_ setup: UnitSetup) {}

    // [render]

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        if io.isSilent(0) { return .silent }
        for channel in 0..<5 {
            let main = io.input(0, channel), key = io.input(1, channel), output = io.output(0, channel)
            for i in 0..<io.frames { output[i] = main[i] + (channel == 1 ? key[i] : 0) }
        }
        return .sounding
    }

    @_noLocks mutating func reset() {}
}

/// A one-pole low-pass that keeps its state over a reset.
struct Unforgetting: AudioUnit, ~Copyable {
    static let descriptor = effect("unforgetting", channels: 1, tail: 0.1)
    typealias Parameter = NoParameter
    private var state: Float = 0

    init(_ setup: UnitSetup) {}

    // [render]

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        let input = io.input(0, 0), output = io.output(0, 0)
        for i in 0..<io.frames {
            state += 0.3 * (input[i] - state)
            if abs(state) < 1e-9 { state = 0 }
            output[i] = state
        }
        return .sounding
    }

    @_noLocks mutating func reset() {}
}
