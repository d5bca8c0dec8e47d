internal import Units

/// An echo.
open class AVAudioUnitDelay: AVAudioUnitEffect {
    public override init() {
        super.init()
        wetDryMix = 100
        adjust(Delay.Parameter.lowCut, 10)
    }

    override var unitDescription: AudioComponentDescription { .init(kAudioUnitType_Effect, kAudioUnitSubType_Delay) }

    /// Seconds, 0...2; less than 0.01 as 0.01.
    open var delayTime: TimeInterval {
        get { TimeInterval(self[kDelayParam_DelayTime]) }
        set { self[kDelayParam_DelayTime] = Float(newValue) }
    }
    /// Percent, -100...100; the engine takes 0...90, without the sign.
    open var feedback: Float {
        get { self[kDelayParam_Feedback] }
        set { self[kDelayParam_Feedback] = newValue }
    }
    /// Hertz: what is above is lost with each repeat.
    open var lowPassCutoff: Float {
        get { self[kDelayParam_LopassCutoff] }
        set { self[kDelayParam_LopassCutoff] = newValue }
    }
    /// Percent: 0 is dry, 100 only the echo.
    open var wetDryMix: Float {
        get { self[kDelayParam_WetDryMix] }
        set { self[kDelayParam_WetDryMix] = newValue }
    }
}
