import RealtimeCore
import UnitAPI
import Units

/// Starts several file players together, and sets their level and speed.
extension Engine {
    /// Starts several players on the same frame, each at the beginning of its file, and keeps them in time: the part that one
    /// of them misses because its disk is slow is left out, and the others do not wait.
    ///
    /// - Parameter time: nil for a moment in which all can be made ready: at once offline, half a second from now on a device.
    /// - Returns: the frame on which they begin.
    /// - Throws: `outside` for an empty file.
    @discardableResult
    public func play(
        _ players: [FilePlayer], at time: SampleTime? = nil, passes: FileSegment.Passes = .once
    ) throws(Fault) -> SampleTime {
        let isLive = output?.port?.hasOwnThread ?? false
        let time = time ?? (isLive ? self.time(after: .milliseconds(500)) : now)
        for player in players { player.latePolicy = .keepsTime }
        for player in players { try player.play(at: time, passes: passes) }
        return time
    }

    /// Fades a player to a volume, from where it is at `time` (nil means with the next slice), in equal steps of decibels.
    ///
    /// - Parameters:
    ///   - decibels: 0 is as recorded, -120 silence.
    ///   - duration: the length of the fade; 0 for 20 ms.
    /// - Throws: as `ramp`.
    public func fade(
        _ player: FilePlayer, to decibels: Float, over duration: Duration, at time: SampleTime? = nil
    ) throws(Fault) {
        try ramp(
            FilePlayback.Parameter.volume, to: decibels, of: player.node, at: time, overFrames: frames(duration))
    }

    /// Makes a player play faster or slower, and higher or lower with that, from `time` on (nil means with the next slice).
    ///
    /// - Parameters:
    ///   - rate: 0.25...4; 1 is as recorded.
    ///   - duration: the length of the change; 0 for 20 ms.
    /// - Throws: as `ramp`.
    public func setRate(
        _ rate: Float, of player: FilePlayer, over duration: Duration = .zero, at time: SampleTime? = nil
    ) throws(Fault) {
        try ramp(
            FilePlayback.Parameter.rate, to: rate, of: player.node, at: time, overFrames: frames(duration),
            curve: .exponential)
    }
}
