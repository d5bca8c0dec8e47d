// [render]

/// The sources that move something of a voice, each -1...1 or 0...1.
struct PolySynthSources: BitwiseCopyable {
    var lfo: Float = 0, envelope: Float = 0, velocity: Float = 0, key: Float = 0, wheel: Float = 0, pressure: Float = 0
    var random: Float = 0

    @_noLocks init() {}

    /// The source of that number, in the order of the parameter's names.
    @_noLocks func value(_ number: Int) -> Float {
        switch number {
        case 0: lfo
        case 1: envelope
        case 2: velocity
        case 3: key
        case 4: wheel
        case 5: pressure
        default: random
        }
    }
}

/// The effect of all slots of the matrix together on a voice, 1 being the whole of an amount.
struct PolySynthModulation: BitwiseCopyable {
    var pitch: Float = 0, secondPitch: Float = 0, width: Float = 0, cutoff: Float = 0, resonance: Float = 0
    var level: Float = 0, pan: Float = 0, rate: Float = 0

    @_noLocks init() {}

    @_noLocks mutating func add(_ value: Float, to destination: Int) {
        switch destination {
        case 0: pitch += value
        case 1: secondPitch += value
        case 2: width += value
        case 3: cutoff += value
        case 4: resonance += value
        case 5: level += value
        case 6: pan += value
        default: rate += value
        }
    }
}
