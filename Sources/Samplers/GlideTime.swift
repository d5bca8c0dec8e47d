// [render]
import DSP
import MIDI

/// The time that a glide takes by controllers 5 and 37.
enum GlideTime {
    /// A channel's time over so many keys, in seconds. Until controller 37 comes, controller 5 means what Roland's and Yamaha's
    /// modules mean by it: a pace. Then both are one number, milliseconds over any distance.
    @_noLocks static func seconds(_ part: UnsafePointer<Part>, keys: Double) -> Double {
        part.pointee.hasFinePortamento
            ? Double(part.pointee.portamentoTime) * 0.001 : threeOctaves(part.pointee.value(of: 5)) * keys * (1.0 / 36)
    }

    /// Sets the pace of a voice that glides.
    @_noLocks static func set(_ voice: UnsafeMutablePointer<Voice>, _ part: UnsafePointer<Part>, _ periodsPerSecond: Double) {
        let seconds = seconds(part, keys: abs(voice.pointee.glide) / 100)
        voice.pointee.glideStep = voice.pointee.glide / max(seconds * periodsPerSecond, 1)
    }

    /// The seconds that three octaves take, between the values that John Novak measured on a Roland SC-55 along a straight line
    /// of their logarithms.
    ///
    /// Source: https://github.com/dosbox-staging/dosbox-staging/pull/2705.
    @_noLocks static func threeOctaves(_ value: UInt8) -> Double {
        switch value {
        case 0: 0
        case ..<2: between(value, 1, 0.006, 2, 0.023)
        case ..<4: between(value, 2, 0.023, 4, 0.050)
        case ..<8: between(value, 4, 0.050, 8, 0.110)
        case ..<16: between(value, 8, 0.110, 16, 0.250)
        case ..<32: between(value, 16, 0.250, 32, 0.500)
        case ..<64: between(value, 32, 0.500, 64, 2.06)
        case ..<80: between(value, 64, 2.06, 80, 4.2)
        case ..<96: between(value, 80, 4.2, 96, 8.4)
        case ..<112: between(value, 96, 8.4, 112, 19.5)
        case ..<120: between(value, 112, 19.5, 120, 40)
        case ..<124: between(value, 120, 40, 124, 80)
        default: between(value, 124, 80, 127, 480)
        }
    }

    @_noLocks private static func between(
        _ value: UInt8, _ low: Double, _ first: Double, _ high: Double, _ second: Double
    ) -> Double {
        first * DeterministicMath.exp2(DeterministicMath.log2(second / first) * (Double(value) - low) / (high - low))
    }
}
