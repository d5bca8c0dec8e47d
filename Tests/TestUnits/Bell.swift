import DSP
import MIDI
import RealtimeCore
import Synchronization
import UnitAPI

/// An instrument whose sound has no edges: a sine for each key, which swells in 512 frames and dies away in 4096, so that
/// whatever steps is somebody else's. Counted while it lives.
package struct Bell: AudioUnit, ~Copyable {
    package static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .instrument, subtype: "bell", manufacturer: "Test"), name: "test-bell",
        summary: "Rings.", outputs: [.init("main")], acceptsMusic: true, tail: 1, readouts: ["voices"])
    package static let alive = Atomic(0)
    /// The highest a key rings, and the steepest: 440 Hz at 48 kHz, and its swell.
    package static let peak: Float = 0.1
    package static let slope: Float = 0.1 * (2 * .pi * 440 / 48_000 + 1 / 512)

    package typealias Parameter = NoParameter

    private struct Voice: BitwiseCopyable {
        var phase = 0.0
        var level: Float = 0
        var isDown = false
    }
    private let voices: UnsafeMutablePointer<Voice>
    private var isHeld = false

    package init(_ setup: UnitSetup) {
        voices = .allocate(capacity: 128)
        voices.initialize(repeating: Voice(), count: 128)
        Self.alive.add(1, ordering: .relaxed)
    }

    deinit {
        voices.deallocate()
        Self.alive.subtract(1, ordering: .relaxed)
    }

    // [render]

    @_noLocks package mutating func handle(_ event: MusicEvent) {
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

    @_noLocks package mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
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

    @_noLocks package mutating func reset() {
        for key in 0..<128 { voices[key] = Voice() }
        isHeld = false
    }
}
