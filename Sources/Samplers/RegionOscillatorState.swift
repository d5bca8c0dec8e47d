// [render]
import DSP
import SoundFonts

/// A low-frequency oscillator of an SFZ region as it runs: one step a period of 64 frames. Source: sfzformat.com, "lfoN_wave".
struct RegionOscillatorState: BitwiseCopyable {
    private(set) var value: Float = 0
    /// Turns, one count for each wave.
    private var phases = InlineArray<4, Float>(repeating: 0)
    private var turns: Float = 0
    /// Seconds before it begins, and of its fade; how far that is.
    private var delay: Float = 0, fade: Float = 0, faded: Float = 0
    private var held: Float = 0, draws: Int64 = 0, wasHigh = false

    @_noLocks init() {}

    @_noLocks init(_ oscillator: RegionOscillator, _ registers: UnsafePointer<Float>) {
        delay = max(oscillator.delay + Self.value(registers, oscillator.delayRegister), 0)
        fade = max(oscillator.fade + Self.value(registers, oscillator.fadeRegister), 0)
    }

    @_noLocks private static func value(_ registers: UnsafePointer<Float>, _ index: UInt8) -> Float {
        index == 0 ? 0 : registers[Int(index)]
    }

    /// One period of `seconds`; `tempo` in beats per second. Its chance begins with the number `draw`.
    @_noLocks mutating func step(
        _ oscillator: UnsafePointer<RegionOscillator>, _ steps: UnsafePointer<Float>, _ registers: UnsafePointer<Float>,
        seconds: Float, tempo: Float, _ chance: CounterNoise, draw: Int64
    ) {
        if delay >= seconds {
            delay -= seconds
            return
        }
        let passed = seconds - delay
        delay = 0
        let own = oscillator.pointee.frequency + Self.value(registers, oscillator.pointee.frequencyRegister)
        let beats = oscillator.pointee.beats
        let frequency = min(max(beats > 0 && tempo > 0 ? tempo / beats : own, -1e6), 1e6)
        let shift = oscillator.pointee.phase + Self.value(registers, oscillator.pointee.phaseRegister)
        turns += frequency * passed
        if oscillator.pointee.count > 0 && turns >= Float(oscillator.pointee.count) {
            value = 0
            return
        }
        var sum: Float = 0
        for index in 0..<Int(oscillator.pointee.partCount) {
            let part = oscillator.pointee.parts[index]
            phases[index] = Self.wrapped(phases[index] + frequency * part.ratio * passed)
            let phase = Self.wrapped(phases[index] + shift)
            if index == 0 && oscillator.pointee.stepCount > 0 {
                let step = min(Int(phase * Float(oscillator.pointee.stepCount)), Int(oscillator.pointee.stepCount) &- 1)
                sum += part.offset + part.scale * steps[Int(oscillator.pointee.firstStep) &+ step]
            } else {
                sum += part.offset + part.scale * shape(part.wave, phase, chance, draw)
            }
        }
        if fade > 0 && faded < 1 {
            sum *= faded
            faded = min(faded + passed / fade, 1)
        }
        value = sum
    }

    @_noLocks private static func wrapped(_ phase: Float) -> Float {
        let rest = phase - Float(Int32(phase))
        return rest < 0 ? rest + 1 : rest
    }

    @_noLocks private mutating func shape(
        _ wave: RegionOscillator.Wave, _ phase: Float, _ chance: CounterNoise, _ draw: Int64
    ) -> Float {
        switch wave {
        case .triangle: return phase < 0.25 ? 4 * phase : phase > 0.75 ? 4 * phase - 4 : 2 - 4 * phase
        case .sine:
            let x = 2 * phase - 1
            return -4 * x * (1 - abs(x))
        case .pulse75: return phase < 0.75 ? 1 : 0
        case .square: return phase < 0.5 ? 1 : 0
        case .pulse25: return phase < 0.25 ? 1 : 0
        case .pulse12: return phase < 0.125 ? 1 : 0
        case .ramp: return 2 * phase - 1
        case .saw: return 1 - 2 * phase
        case .random:
            // A new value twice a turn.
            let isHigh = phase > 0.5
            if isHigh != wasHigh || draws == 0 {
                draws &+= 1
                held = Float(chance.pair(at: draw &+ draws).left)
            }
            wasHigh = isHigh
            return held
        }
    }
}
