import NIOCore

/// Statuses as a watcher gets them: the first one whole, then only what has changed. With sixteen channels that sound that is
/// a tenth of the whole statuses, and next to nothing at rest.
///
/// Meters are sent in whole decibels, those of channels five times a second; clocks, which go on by themselves, once a
/// second.
struct StatusTelling {
    /// The status as it was sent last; nil means the next one is sent whole.
    private var sent: StatusValue?
    /// The times at which fields with a pace were sent last.
    private var toldAt: [String: NIODeadline] = [:]

    /// Steps in a unit: a page shows no finer ones.
    private static let fineness: [String: Double] = [
        "peak": 1, "average": 1, "limiter": 2, "load": 100, "worstLoad": 100, "nextIn": 1, "measured": 100,
        "secondsSinceSound": 1,
    ]
    /// Fields of the whole session that change all the time, and the time between two updates: clocks bring nothing new, and
    /// meters of channels are many.
    private static let paces: [String: TimeAmount] = [
        "frames": .seconds(1), "seconds": .seconds(1), "load": .seconds(1), "worstLoad": .seconds(1), "voices": .seconds(1),
        "channels": .milliseconds(190),
    ]

    /// Makes the next status a whole one, because one before it was not sent.
    mutating func lose() { sent = nil }

    /// Text for a session that is not there.
    static let away = #"{"isAway":true}"#

    /// Returns the text for a status, or for its absence; nil if nothing has changed.
    mutating func text(of status: SessionStatus?, at time: NIODeadline) -> String? {
        guard let status else {
            lose()
            return Self.away
        }
        guard let value = status.value else { return status.line }
        let now = Self.rounded(value), held = Self.paces.filter { time - (toldAt[$0.key] ?? time - $0.value) < $0.value }
        var next = now
        if case .members(let old) = sent, case .members(var new) = next {
            for name in held.keys where new[name] != nil { new[name] = old[name] }
            next = .members(new)
        }
        switch sent?.change(to: next) ?? .whole {
        case .none: return nil
        case .some(let change):
            for name in Self.paces.keys where held[name] == nil { toldAt[name] = time }
            sent = next
            return #"{"changes":\#(change.json)}"#
        case .whole:
            toldAt = Self.paces.mapValues { _ in time }
            sent = now
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
