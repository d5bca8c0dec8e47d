import DSP
import MIDI
import Patch
import RealtimeCore
import Synchronization
import UnitAPI

@testable import Carillon

/// An instrument whose sound has no edges: a sine for each key, which swells in 512 frames and dies away in 4096, so that
/// whatever steps is somebody else's. Counted while it lives.
struct Bell: AudioUnit, ~Copyable {
    static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .instrument, subtype: "bell", manufacturer: "Test"), name: "test-bell",
        summary: "Rings.", outputs: [.init("main")], acceptsMusic: true, tail: 1, readouts: ["voices"])
    static let alive = Atomic(0)
    /// The highest a key rings, and the steepest: 440 Hz at 48 kHz, and its swell.
    static let peak: Float = 0.1
    static let slope: Float = 0.1 * (2 * .pi * 440 / 48_000 + 1 / 512)

    typealias Parameter = NoParameter

    private struct Voice: BitwiseCopyable {
        var phase = 0.0
        var level: Float = 0
        var isDown = false
    }
    private let voices: UnsafeMutablePointer<Voice>
    private var isHeld = false

    init(_ setup: UnitSetup) {
        voices = .allocate(capacity: 128)
        voices.initialize(repeating: Voice(), count: 128)
        Self.alive.add(1, ordering: .relaxed)
    }

    deinit {
        voices.deallocate()
        Self.alive.subtract(1, ordering: .relaxed)
    }

    // [render]

    @_noLocks mutating func handle(_ event: MusicEvent) {
        guard case .message(let message) = event else { return }
        let key = Int(message.data1 & 127)
        switch message.status & 0xF0 {
        case 0x90 where message.data2 > 0: voices[key].isDown = true
        case 0x80, 0x90: voices[key].isDown = false
        case 0xB0 where message.data1 == 64: isHeld = message.data2 >= 64
        case 0xB0 where message.data1 == 123: for key in 0..<128 { voices[key].isDown = false }
        default: break
        }
    }

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        let left = io.output(0, 0), right = io.output(0, 1)
        for i in 0..<io.frames { (left[i], right[i]) = (0, 0) }
        var sounding: Float = 0
        for key in 0..<128 where voices[key].isDown || voices[key].level > 0 {
            sounding += 1
            let turns = 220 * Double(1 + key % 12) / 12 / 48_000 * 2
            for i in 0..<io.frames {
                if voices[key].isDown {
                    voices[key].level = min(voices[key].level + 1 / 512, 1)
                } else if !isHeld {
                    voices[key].level = max(voices[key].level - 1 / 4096, 0)
                }
                let sample = Self.peak * voices[key].level * Float(DeterministicMath.sine(turns: voices[key].phase))
                voices[key].phase += turns
                if voices[key].phase >= 1 { voices[key].phase -= 1 }
                left[i] += sample
                right[i] += sample
            }
            if !voices[key].isDown && voices[key].level == 0 { voices[key] = Voice() }
        }
        io.publish(0, sounding)
        return sounding == 0 ? .silent : .sounding
    }

    @_noLocks mutating func reset() {
        for key in 0..<128 { voices[key] = Voice() }
        isHeld = false
    }
}

/// A generator that never ends: a sine of 200 Hz.
struct Drone: AudioUnit, ~Copyable {
    static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .generator, subtype: "dron", manufacturer: "Test"), name: "test-drone",
        summary: "Hums.", outputs: [.init("main")])
    static let peak: Float = 0.2
    static let slope: Float = 0.2 * 2 * .pi * 200 / 48_000

    typealias Parameter = NoParameter

    init(_ setup: UnitSetup) {}

    // [render]

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        for i in 0..<io.frames {
            let frame = Double((io.sampleTime.rawValue + Int64(i)) % 240)
            let sample = Self.peak * Float(DeterministicMath.sine(turns: frame / 240))
            (io.output(0, 0)[i], io.output(0, 1)[i]) = (sample, sample)
        }
        return .sounding
    }

    @_noLocks mutating func reset() {}
}

/// An effect that never says that it has come to rest.
struct Restless: AudioUnit, ~Copyable {
    static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .effect, subtype: "rest", manufacturer: "Test"), name: "test-restless",
        summary: "Passes on.", inputs: [.init("main")], outputs: [.init("main")])

    typealias Parameter = NoParameter

    init(_ setup: UnitSetup) {}

    // [render]

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        for channel in 0..<2 { for i in 0..<io.frames { io.output(0, channel)[i] = io.input(0, channel)[i] } }
        return .sounding
    }

    @_noLocks mutating func reset() {}
}

/// Patches of a set list.
enum SetListSamples {
    /// The catalogue has the bell and the drone from here on.
    static let isReady: Bool = {
        UnitCatalog.register(Bell.self)
        UnitCatalog.register(Drone.self)
        UnitCatalog.register(Restless.self)
        return true
    }()

    /// Bells through a mixer, as late as `latency` says, with what is wanted besides.
    static func bells(
        hasLimiter: Bool = false, hasReverb: Bool = false, hasDrone: Bool = false, isRestless: Bool = false
    ) -> Patch {
        _ = isReady
        var patch = Patch()
        patch.units = [
            PatchUnit("bell", "test-bell", role: .instrument), PatchUnit("mixer", "multichannel-mixer", role: .master),
        ]
        patch.connections = [PatchConnection(PatchPort("bell"), to: PatchPort("mixer"))]
        patch.outputs = [PatchPort("mixer")]
        func behind(_ name: String) {
            patch.connections.append(PatchConnection(patch.outputs[0], to: PatchPort(name)))
            patch.outputs = [PatchPort(name)]
        }
        if hasReverb {
            patch.units.append(PatchUnit("reverb", "reverb"))
            behind("reverb")
        }
        if isRestless {
            patch.units.append(PatchUnit("restless", "test-restless"))
            behind("restless")
        }
        if hasDrone {
            patch.units.append(PatchUnit("drone", "test-drone"))
            patch.connections.append(PatchConnection(PatchPort("drone"), to: PatchPort("mixer")))
        }
        if hasLimiter {
            patch.units.append(PatchUnit("limiter", "limiter", role: .master))
            behind("limiter")
        }
        return patch
    }

    static func options(_ patches: [Patch], ports: Int = 1) -> LiveOptions {
        var options = SessionInTime.options
        options.ports = ports
        options.patches = patches.enumerated().map { ListedPatch("patch \($0 + 1)", $1) }
        return options
    }
}
