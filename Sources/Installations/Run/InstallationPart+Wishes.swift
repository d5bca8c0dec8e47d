import Carillon

/// Requests of users that override the calendar for a while, and for songs.
extension InstallationPart {
    /// Seconds of a wish that no change of the calendar ends.
    private static let always: Int64 = 3_652 * 86_400

    func open(until text: String?) throws(Fault) {
        let until = try end(text)
        wish { $0.opening = .init(value: .open(playlist: nil), until: until, by: requester) }
    }

    /// Until midnight, if no end is given.
    func close(until text: String?) throws(Fault) {
        let until = try end(text, otherwise: world.zone.moment(of: CivilTime(local.civil.date, second: 86_400)))
        wish { $0.opening = .init(value: .closed, until: until, by: requester) }
    }

    func lower(by reduction: Double, until text: String?) throws(Fault) {
        let until = try end(text)
        wish { $0.reduction = reduction > 0 ? .init(value: reduction, until: until, by: requester) : nil }
    }

    /// Throws `unknown` for a playlist that is not there.
    func play(list name: String, until text: String?) throws(Fault) {
        let known = playlists.map(\.name)
        guard known.contains(name) else { throw .unknown(kind: "playlist", name, known: known) }
        let until = try end(text)
        wish { $0.opening = .init(value: .open(playlist: name), until: until, by: requester) }
    }

    func returnToCalendar() {
        programme?.clearQueue()
        wish { $0 = InstallationWishes() }
    }

    private func wish(_ change: (inout InstallationWishes) -> Void) {
        hours.wish(change)
        hasWished()
    }

    /// A time of day that comes, or a while from now.
    private func end(_ text: String?, otherwise: WallTime? = nil) throws(Fault) -> WallTime {
        let now = world.clock()
        guard let text else { return otherwise ?? hours.nextPlannedChange(after: now) ?? now + Self.always }
        let isWhile = text.hasPrefix("+"), parts = text.drop { $0 == "+" }.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { $0.count <= 2 && $0.allSatisfy { $0.isASCII && $0.isNumber } ? Int64($0) : nil }
        guard parts.count == 2, numbers.count == 2, numbers[0] < 24 || isWhile, numbers[1] < 60 else {
            throw .noTime(text)
        }
        let seconds = numbers[0] * 3600 + numbers[1] * 60
        if isWhile {
            guard seconds > 0 else { throw .noTime(text) }
            return now + seconds
        }
        let zone = world.zone, today = local.civil.date
        let moment = zone.moment(of: CivilTime(today, second: Int(seconds)))
        return moment > now ? moment : zone.moment(of: CivilTime(today.advanced(by: 1), second: Int(seconds)))
    }

    /// Throws `unknown` for a song that no playlist has, `closed` or `silent` while nothing plays.
    func play(song name: String, atOnce: Bool) throws(Fault) {
        try change { (programme) throws(Fault) in
            let song = try songs.song(called: name, playing: situation.playlist)
            try song.requireFile()
            try programme.play(song, atOnce: atOnce)
        }
    }

    /// Moves a song to the front of the queue. Throws `notQueued` for one that does not wait.
    func prefer(_ name: String) throws(Fault) { try change { (programme) throws(Fault) in try programme.prefer(name) } }

    /// Throws `notQueued` for a song that does not wait.
    func withdraw(_ name: String) throws(Fault) { try change { (programme) throws(Fault) in try programme.withdraw(name) } }

    func clearQueue() throws(Fault) { try change { (programme) throws(Fault) in programme.clearQueue() } }

    private func change(_ queue: (ProgrammePart) throws(Fault) -> Void) throws(Fault) {
        guard let programme else { throw silence }
        try queue(programme)
        hasWished()
    }

    /// The refusal of a command for music that does not play.
    var silence: Fault { isOpen ? .silent(fault.map { "\($0)" } ?? "it opens") : .closed }
}
