import Carillon

/// Requests of users that override the calendar for a while, and for songs.
extension InstallationRunner {
    /// Seconds of a wish that no change of the calendar ends.
    private static let always: Int64 = 3_652 * 86_400

    /// `asker` as the status names it. Throws `notOfHouse` for a playlist or a song that no playlist has, `noTime`, `houseClosed`
    /// for a song while nothing plays, `notQueued` for one that does not wait.
    func grant(_ command: ControlCommand, by asker: String?) throws(LiveError) {
        let now = house.world.clock()
        switch command.verb {
        case .openHouse:
            let until = try end(command.text(0), from: now)
            house.hours.wish { $0.opening = .init(value: .open(playlist: nil), until: until, by: asker) }
        case .closeHouse:
            let midnight = house.world.zone.moment(of: CivilTime(house.local.civil.date, second: 86_400))
            let until = try end(command.text(0), from: now, otherwise: midnight)
            house.hours.wish { $0.opening = .init(value: .closed, until: until, by: asker) }
        case .quieter:
            let until = try end(command.text(1), from: now), reduction = command.number(0) ?? 0
            house.hours.wish { $0.reduction = reduction > 0 ? .init(value: reduction, until: until, by: asker) : nil }
        case .playList:
            let name = command.text(0) ?? "", known = house.playlists.map(\.name)
            guard known.contains(name) else { throw .notOfHouse(kind: "playlist", name, known: known) }
            let until = try end(command.text(1), from: now)
            house.hours.wish { $0.opening = .init(value: .open(playlist: name), until: until, by: asker) }
        case .asPlanned:
            house.hours.wish { $0 = InstallationWishes() }
            programme?.clearQueue()
        default: try change(queue: command)
        }
        house.hasWished()
        save()
    }

    /// A time of day that comes, or a while from now.
    private func end(_ text: String?, from now: WallTime, otherwise: WallTime? = nil) throws(LiveError) -> WallTime {
        guard let text else { return otherwise ?? house.hours.nextPlannedChange(after: now) ?? now + Self.always }
        let isWhile = text.hasPrefix("+"), parts = text.drop { $0 == "+" }.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { $0.count <= 2 && $0.allSatisfy { $0.isASCII && $0.isNumber } ? Int64($0) : nil }
        guard parts.count == 2, numbers.count == 2, numbers[0] < 24 || isWhile, numbers[1] < 60 else { throw .noTime(text) }
        let seconds = numbers[0] * 3600 + numbers[1] * 60
        if isWhile {
            guard seconds > 0 else { throw .noTime(text) }
            return now + seconds
        }
        let zone = house.world.zone, today = house.local.civil.date
        let moment = zone.moment(of: CivilTime(today, second: Int(seconds)))
        return moment > now ? moment : zone.moment(of: CivilTime(today.advanced(by: 1), second: Int(seconds)))
    }

    private func change(queue command: ControlCommand) throws(LiveError) {
        guard let programme else { throw silence }
        let name = command.text(0) ?? ""
        switch command.verb {
        case .playSong, .queueSong:
            let song = try house.songs.song(called: name, playing: house.situation.playlist)
            try song.requireFile()
            try programme.play(song, atOnce: command.verb == .playSong)
        case .queueFirst: try programme.prefer(name)
        case .unqueueSong: try programme.withdraw(name)
        case .clearQueue: programme.clearQueue()
        default: break
        }
    }
}
