import NIOCore

/// Statuses as one who watches is told them: the first as a whole, behind it what has changed. With sixteen channels that sound
/// that is a tenth of the wholes, and next to nothing at rest.
///
/// Meters are told in steps of half a decibel, and clocks, which go on by themselves, once a second.
struct StatusTelling {
    /// The status as it was told last; nil: the next one is told as a whole.
    private var told: StatusValue?
    private var clocksTold = NIODeadline.uptimeNanoseconds(0)

    /// Steps in a unit: a page shows no finer ones.
    private static let fineness: [String: Double] = [
        "peak": 2, "average": 2, "limiter": 2, "load": 100, "worstLoad": 100, "nextIn": 1, "secondsSinceSound": 1,
    ]
    /// Fields of the whole session that change with every slice, and say nothing new by that.
    private static let clocks = ["frames", "seconds", "load", "worstLoad", "voices"]
    private static let clocksInterval = TimeAmount.seconds(1)

    /// Tells the next status as a whole: one before it was not told.
    mutating func lose() { told = nil }

    /// Text for a session that is not there.
    static let away = #"{"isAway":true}"#

    /// Returns the text that tells a status, or that there is none; nil where it has no news.
    mutating func text(of status: SessionStatus?, at time: NIODeadline) -> String? {
        guard let status else {
            lose()
            return Self.away
        }
        guard let value = status.value else { return status.line }
        let now = Self.rounded(value)
        var next = now
        let tellsClocks = time - clocksTold >= Self.clocksInterval
        if !tellsClocks, case .members(let old) = told, case .members(var new) = next {
            for name in Self.clocks where new[name] != nil { new[name] = old[name] }
            next = .members(new)
        }
        switch told?.change(to: next) ?? .whole {
        case .none: return nil
        case .some(let change):
            told = next
            if tellsClocks { clocksTold = time }
            return #"{"changes":\#(change.json)}"#
        case .whole:
            (told, clocksTold) = (now, time)
            return status.line
        }
    }

    private static func rounded(_ value: StatusValue, _ fineness: Double? = nil) -> StatusValue {
        switch value {
        case .number(let number): fineness.map { .number((number * $0).rounded() / $0) } ?? value
        case .list(let items): .list(items.map { rounded($0) })
        case .members(let members):
            .members(members.reduce(into: [:]) { $0[$1.key] = rounded($1.value, Self.fineness[$1.key]) })
        case .null, .flag, .text: value
        }
    }
}
