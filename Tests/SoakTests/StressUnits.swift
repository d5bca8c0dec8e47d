import DSP
import MIDI
import RealtimeCore
import Synchronization
import UnitAPI

/// Passes its input on, late by as many frames as it is told, and is counted while it lives.
struct TalliedUnit: AudioUnit, ~Copyable {
    static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "tali", manufacturer: "Test"), name: "tallied",
        summary: "Is there, or not.", inputs: [.init("main")], outputs: [.init("main")])
    static let alive = Atomic(0)

    enum Parameter: Int, UnitParameter {
        case lag
        var spec: ParameterSpec {
            ParameterSpec("lag", 0...60, default: 0, unit: .frames, applies: .atStart, help: "How late it passes on.")
        }
    }

    let latency: Int
    private let ring: UnsafeMutablePointer<Float>
    private var position = 0

    init(_ setup: UnitSetup) {
        latency = Int(setup.value(of: Parameter.lag))
        ring = .allocate(capacity: 2 * latency + 2)
        ring.initialize(repeating: 0, count: 2 * latency + 2)
        Self.alive.add(1, ordering: .relaxed)
    }

    deinit {
        ring.deallocate()
        Self.alive.subtract(1, ordering: .relaxed)
    }

    // [render]

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        let start = position
        for channel in 0..<2 {
            let input = io.input(0, channel), output = io.output(0, channel)
            position = start
            for i in 0..<io.frames {
                if latency == 0 {
                    output[i] = input[i]
                    continue
                }
                output[i] = ring[channel &* latency &+ position]
                ring[channel &* latency &+ position] = input[i]
                position &+= 1
                if position == latency { position = 0 }
            }
        }
        return .sounding
    }

    @_noLocks mutating func reset() {
        for i in 0..<(2 * latency) { ring[i] = 0 }
        position = 0
    }
}

/// One second of a sine of one hertz, at 48 000 frames a second: every n-th sample is one of n hertz.
private func sineTable() -> UnsafeMutablePointer<Float> {
    let table = UnsafeMutablePointer<Float>.allocate(capacity: 48_000)
    for i in 0..<48_000 { (table + i).initialize(to: Float(DeterministicMath.sine(turns: Double(i) / 48_000))) }
    return table
}

/// A sine that never ends.
struct SineUnit: AudioUnit, ~Copyable {
    static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .generator, subtype: "sin1", manufacturer: "Test"), name: "sine",
        summary: "Hums.", outputs: [.init("main")])
    static let amplitude: Float = 0.4

    enum Parameter: Int, UnitParameter {
        case pitch
        var spec: ParameterSpec {
            ParameterSpec("pitch", 1...100, default: 20, unit: .hertz, applies: .atStart, help: "How often it swings.")
        }
    }

    private let table: UnsafeMutablePointer<Float>
    private let pitch: Int

    init(_ setup: UnitSetup) {
        table = sineTable()
        pitch = Int(setup.value(of: Parameter.pitch))
    }

    deinit { table.deallocate() }

    // [render]

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        let left = io.output(0, 0), right = io.output(0, 1), start = Int(io.sampleTime.rawValue)
        for i in 0..<io.frames {
            left[i] = 0.4 * table[(start &+ i) &* pitch % 48_000]
            right[i] = left[i]
        }
        return .sounding
    }

    @_noLocks mutating func reset() {}
}

/// An instrument of three sines that swell and fade: however a song plays it, its sound never steps.
struct SoftOrganUnit: AudioUnit, ~Copyable {
    static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .instrument, subtype: "soft", manufacturer: "Test"), name: "soft-organ",
        summary: "Hums what it is given.", outputs: [.init("main")], acceptsMusic: true)
    /// Of the three pipes together.
    static let amplitude: Float = 0.2
    /// Frames that a pipe takes from silence to its amplitude.
    static let swell: Float = 480
    /// The most that its sound moves from one frame to the next: every pipe at its steepest, and swelling.
    static var slope: Float { amplitude / 3 * (Float(2 * Double.pi * (40 + 48 + 60) / 48_000) + 3 / swell) }

    private let table: UnsafeMutablePointer<Float>
    private var levels = SIMD4<Float>()
    private var goals = SIMD4<Float>()

    init(_ setup: UnitSetup) { table = sineTable() }

    deinit { table.deallocate() }

    // [render]

    @_noLocks mutating func handle(_ event: MusicEvent) {
        guard case .message(let message) = event else { return }
        let pipe = Int(message.data1) % 3
        switch message.status & 0xF0 {
        case 0x90: goals[pipe] = 0.2 / 3
        case 0x80: goals[pipe] = 0
        default: break
        }
    }

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        let left = io.output(0, 0), right = io.output(0, 1), start = Int(io.sampleTime.rawValue)
        let step: Float = 0.2 / 3 / 480
        for i in 0..<io.frames {
            for pipe in 0..<3 {
                let way = goals[pipe] - levels[pipe]
                levels[pipe] = abs(way) <= step ? goals[pipe] : levels[pipe] + (way > 0 ? step : -step)
            }
            let time = start &+ i
            left[i] =
                levels[0] * table[time &* 40 % 48_000] + levels[1] * table[time &* 48 % 48_000]
                + levels[2] * table[time &* 60 % 48_000]
            right[i] = left[i]
        }
        return .sounding
    }

    @_noLocks mutating func reset() {
        levels = SIMD4()
        goals = SIMD4()
    }
}
