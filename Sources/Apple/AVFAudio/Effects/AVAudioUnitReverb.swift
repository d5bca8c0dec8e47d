internal import Units

/// Rooms of a reverb.
public enum AVAudioUnitReverbPreset: Int, Sendable {
    case smallRoom, mediumRoom, largeRoom, mediumHall, largeHall, plate, mediumChamber, largeChamber, cathedral, largeRoom2,
        mediumHall2, mediumHall3, largeHall2

    /// Decay and pre-delay in seconds, size, damping and width in percent, low cut in hertz: rooms of the engine's own.
    fileprivate var room: (decay: Float, preDelay: Float, size: Float, damping: Float, width: Float, lowCut: Float) {
        switch self {
        case .smallRoom: (0.4, 0.001, 55, 55, 80, 120)
        case .mediumRoom: (0.7, 0.003, 75, 55, 85, 120)
        case .largeRoom: (1.1, 0.006, 95, 50, 90, 110)
        case .largeRoom2: (1.3, 0.008, 100, 60, 95, 110)
        case .mediumChamber: (0.9, 0.006, 80, 40, 90, 100)
        case .largeChamber: (1.4, 0.01, 100, 40, 90, 100)
        case .plate: (1.6, 0, 100, 12, 100, 180)
        case .mediumHall: (1.7, 0.016, 105, 45, 100, 80)
        case .mediumHall2: (1.9, 0.018, 110, 55, 100, 80)
        case .mediumHall3: (2, 0.02, 110, 35, 100, 80)
        case .largeHall: (2.4, 0.026, 125, 45, 100, 80)
        case .largeHall2: (2.8, 0.03, 135, 50, 100, 80)
        case .cathedral: (6.5, 0.045, 170, 60, 100, 60)
        }
    }
}

/// A room around the sound.
open class AVAudioUnitReverb: AVAudioUnitEffect {
    public override init() {
        super.init()
        (self[kReverb2Param_Gain], wetDryMix) = (6, 0)
        loadFactoryPreset(.mediumHall)
    }

    override var unitDescription: AudioComponentDescription { .init(kAudioUnitType_Effect, kAudioUnitSubType_Reverb2) }

    /// Percent: 0 is dry, 100 only the room.
    open var wetDryMix: Float {
        get { self[kReverb2Param_DryWetMix] }
        set { self[kReverb2Param_DryWetMix] = newValue }
    }

    open func loadFactoryPreset(_ preset: AVAudioUnitReverbPreset) {
        let room = preset.room
        (self[kReverb2Param_DecayTimeAt0Hz], self[kReverb2Param_MinDelayTime]) = (room.decay, room.preDelay)
        adjust(Reverb.Parameter.size, room.size)
        adjust(Reverb.Parameter.damping, room.damping)
        adjust(Reverb.Parameter.width, room.width)
        adjust(Reverb.Parameter.lowCut, room.lowCut)
    }
}
