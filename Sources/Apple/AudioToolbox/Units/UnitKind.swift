/// A parameter of Apple's, and the one of the engine that it sets.
struct UnitParameterRow {
    let id: AudioUnitParameterID
    let name: String
    let unit: AudioUnitParameterUnit
    let scope: AudioUnitScope
    let range: ClosedRange<Float>
    let initial: Float
    /// The engine's parameter, and its value for one of Apple's; nil for a name that does nothing here.
    let target: (name: String, value: @Sendable (Float) -> Float)?

    init(
        _ id: AudioUnitParameterID, _ name: String, _ unit: AudioUnitParameterUnit, _ range: ClosedRange<Float>,
        _ initial: Float, scope: AudioUnitScope = kAudioUnitScope_Global, _ target: String? = nil,
        _ value: @escaping @Sendable (Float) -> Float = { $0 }
    ) {
        (self.id, self.name, self.unit, self.range) = (id, name, unit, range)
        (self.initial, self.scope, self.target) = (initial, scope, target.map { ($0, value) })
    }
}

struct UnitKind: Sendable {
    enum Work: Sendable {
        /// Passes sound on: an output unit, with a device or without; a converter.
        case output(hasDevice: Bool, captures: Bool)
        case passing
        case engine(String)
        /// Sixteen channels of General MIDI, or one instrument, whatever the channel.
        case music(isSole: Bool)
        case filePlayer
    }

    let type: OSType
    let subtype: OSType
    let name: String
    let work: Work
    var inputs = 1
    var canRepeatInputs = false
    nonisolated(unsafe) var parameters: [UnitParameterRow] = []
    /// Values of the engine's unit that are not its own defaults.
    var settings: [String: Float] = [:]

    var outputs: Int { captures ? 2 : 1 }
    var isOutput: Bool { if case .output = work { true } else { false } }
    var hasDevice: Bool { if case .output(true, _) = work { true } else { false } }
    var captures: Bool { if case .output(_, true) = work { true } else { false } }
    var isMusicDevice: Bool { if case .music = work { true } else { false } }
    var isFilePlayer: Bool { if case .filePlayer = work { true } else { false } }
    /// True for a unit that only changes sound, which can be led around it.
    var isEffect: Bool { type == kAudioUnitType_Effect }

    var description: AudioComponentDescription { AudioComponentDescription(type, subtype) }
}

extension AudioComponentDescription {
    init(_ type: OSType, _ subtype: OSType) {
        self.init(
            componentType: type, componentSubType: subtype, componentManufacturer: kAudioUnitManufacturer_Apple,
            componentFlags: 0, componentFlagsMask: 0)
    }
}
