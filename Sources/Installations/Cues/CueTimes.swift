/// The times of day at which cues play, and what becomes of one at its time: the one rule of an installation and of a dry run.
enum CueTimes {
    enum Order {
        /// The installation closes then: the cue comes first.
        case first
        /// The installation is open from then on, or was before: the calendar's change comes first.
        case last
        /// The installation is closed: the cue is refused.
        case never
    }

    struct Due {
        let cue: Cue
        let moment: WallTime
    }

    static let closed = "the installation is closed"
    static let changing = "the music has been changing for \(Int(InstallationTimes.longestWait)) s"
    static let missed = "its time went by while the installation stood still or its clock was set"

    /// The cues with a time after one moment and up to another, in order.
    static func due(of cues: [Cue], after start: WallTime, through end: WallTime, in zone: WallZone) -> [Due] {
        let timed = cues.filter { !$0.times.isEmpty }
        if timed.isEmpty || start >= end { return [] }
        var due: [Due] = []
        // 24:00 belongs to the day before.
        var date = zone.civil(at: start).date.advanced(by: -1)
        let last = zone.civil(at: end).date
        while date <= last {
            for cue in timed {
                for time in cue.times {
                    let moment = zone.moment(of: CivilTime(date, second: time))
                    if moment > start, moment <= end { due.append(Due(cue: cue, moment: moment)) }
                }
            }
            date = date.advanced(by: 1)
        }
        return due.enumerated().sorted { ($0.element.moment, $0.offset) < ($1.element.moment, $1.offset) }.map(\.element)
    }

    static func order(at moment: WallTime, in hours: OpeningHours) -> Order {
        if hours.situation(at: moment).playlist != nil { return .last }
        return hours.situation(at: moment + -1).playlist != nil ? .first : .never
    }
}

extension Cue.Content {
    /// Content that sounds over everything, or is done at once, waits for nothing.
    var waitsForMusic: Bool {
        switch self {
        case .song, .layer: true
        case .sound, .scene, .commands: false
        }
    }
}
