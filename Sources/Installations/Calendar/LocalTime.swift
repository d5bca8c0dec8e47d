/// A moment as the clocks of a place show it, with what they are ahead of Greenwich's: unmistakable also in the hour that comes twice.
public struct LocalTime: Hashable, Sendable, CustomStringConvertible {
    public let civil: CivilTime
    /// Minutes ahead of Greenwich.
    public let offset: Int

    private var zone: String { "\(offset < 0 ? "-" : "+")\(Padded(abs(offset) / 60)):\(Padded(abs(offset) % 60))" }

    /// The time as text: `2026-02-28 09:30:00 +01:00`.
    public var description: String { "\(civil) \(zone)" }

    /// The time as programs read it (RFC 3339): `2026-02-28T09:30:00+01:00`.
    public var stamp: String { "\(civil.date)T\(civil.timeOfDay)\(zone)" }
}

extension WallZone {
    /// Returns what the clocks show at a moment, with their offset.
    public func local(at moment: WallTime) -> LocalTime {
        let civil = civil(at: moment)
        return LocalTime(civil: civil, offset: Int(civil.seconds - moment.seconds) / 60)
    }
}
