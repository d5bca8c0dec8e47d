/// A moment, as host time, as a sample time at a rate, or both.
open class AVAudioTime: NSObject {
    public let hostTime: UInt64
    public let isHostTimeValid: Bool
    public let sampleTime: AVAudioFramePosition
    public let sampleRate: Double
    public let isSampleTimeValid: Bool

    init(_ host: UInt64?, _ sample: AVAudioFramePosition?, _ rate: Double) {
        (hostTime, isHostTimeValid) = (host ?? 0, host != nil)
        (sampleTime, sampleRate, isSampleTimeValid) = (sample ?? 0, rate, sample != nil)
    }

    public convenience init(hostTime: UInt64) { self.init(hostTime, nil, 0) }
    public convenience init(sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
        self.init(nil, sampleTime, sampleRate)
    }
    public convenience init(hostTime: UInt64, sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
        self.init(hostTime, sampleTime, sampleRate)
    }
    public convenience init(audioTimeStamp ts: UnsafePointer<AudioTimeStamp>, sampleRate: Double) {
        let flags = ts.pointee.mFlags
        self.init(
            flags.contains(.hostTimeValid) ? ts.pointee.mHostTime : nil,
            flags.contains(.sampleTimeValid) ? AVAudioFramePosition(ts.pointee.mSampleTime) : nil, sampleRate)
    }

    open class func hostTime(forSeconds seconds: TimeInterval) -> UInt64 { UInt64(max(0, min(seconds, 1e10)) * 1e9) }
    open class func seconds(forHostTime hostTime: UInt64) -> TimeInterval { Double(hostTime) / 1e9 }

    /// The moment as a time stamp.
    public var audioTimeStamp: AudioTimeStamp {
        var stamp = AudioTimeStamp()
        (stamp.mSampleTime, stamp.mHostTime) = (Double(sampleTime), hostTime)
        if isSampleTimeValid { stamp.mFlags.insert(.sampleTimeValid) }
        if isHostTimeValid { stamp.mFlags.insert(.hostTimeValid) }
        return stamp
    }

    /// This moment with the half that it lacks, reckoned from one that has both; nil where that has not.
    open func extrapolateTime(fromAnchor anchorTime: AVAudioTime) -> AVAudioTime? {
        if isHostTimeValid && isSampleTimeValid { return self }
        guard anchorTime.isHostTimeValid, anchorTime.isSampleTimeValid, anchorTime.sampleRate > 0 else { return nil }
        let rate = anchorTime.sampleRate
        if isSampleTimeValid, sampleRate > 0 {
            let seconds = Double(sampleTime) / sampleRate - Double(anchorTime.sampleTime) / rate
            let host = Double(anchorTime.hostTime) + seconds * 1e9
            return AVAudioTime(hostTime: UInt64(max(0, host.rounded())), sampleTime: sampleTime, atRate: sampleRate)
        }
        guard isHostTimeValid else { return nil }
        let seconds = (Double(hostTime) - Double(anchorTime.hostTime)) / 1e9
        let sample = (Double(anchorTime.sampleTime) + seconds * rate).rounded()
        return AVAudioTime(hostTime: hostTime, sampleTime: AVAudioFramePosition(sample), atRate: rate)
    }

    open override var description: String {
        let sample = isSampleTimeValid ? ", \(sampleTime) at \(sampleRate) Hz" : ""
        return "<AVAudioTime:\(isHostTimeValid ? " host \(hostTime)" : "")\(sample)>"
    }
}
