import Carillon

/// The activity of the music, as the status of an installation has it.
extension ProgrammePart {
    func activity(_ snapshot: SessionSnapshot) -> InstallationStatus.Activity {
        // An installation that closes is heard until its bells have ended.
        if !house.isOpen, closing == nil { return .init(house.cues.hasSound ? .playing : .closed) }
        if let fault = snapshot.device.fault ?? (snapshot.device.state == "lost" ? "the sound card is lost" : nil) {
            return .init(.silent, reason: fault)
        }
        switch phase {
        case .over, .fading(_, .end): return .init(.opening)
        case .paused, .fading(_, .pause): return .init(.paused, by: Self.calendar)
        case .resting, .fading(_, .change):
            if isHeld { return .init(.stopped, by: asker) }
            return .init(snapshot.transport?.isPlaying == true ? .playing : .between)
        case .interlude where snapshot.transport.map { !$0.isPlaying && !$0.hasEnded } ?? false: return .init(.paused, by: asker)
        case .interlude, .returning, .fading(_, .interlude), .fading(_, .comeBack): return .init(.playing)
        case .playing: return playing(snapshot)
        }
    }

    private func playing(_ snapshot: SessionSnapshot) -> InstallationStatus.Activity {
        guard let transport = snapshot.transport else { return .init(.silent, reason: "there is no song") }
        if house.situation.level <= InstallationTimes.softest { return .init(.silent, reason: "faded by the calendar") }
        if transport.isPlaying { return .init(core.now == .zero ? .opening : .playing) }
        if let seconds = transport.nextIn { return .init(.between, nextIn: seconds) }
        if let master = snapshot.following, !master.isHeld { return .init(.paused, by: "the master \(master.name)") }
        // Music that has ended by itself waits for the next song, and was not stopped by a request.
        guard transport.hasEnded || songs?.hasNothingToPlay == true else {
            return .init(transport.seconds > 0 ? .paused : .stopped, by: asker)
        }
        if house.feed.hasEnded { return .init(.silent, reason: "the playlist has come to its end") }
        return .init(.silent, reason: "no song of \(house.situation.playlist ?? "the playlist") can be played")
    }

    static let calendar = "the calendar"
    private var asker: String { house.asker.map { "\($0)" } ?? "a client" }

    /// True if the calendar, or a playlist that is over, asks for silence.
    var isHushed: Bool {
        switch phase {
        case .paused, .fading(_, .pause): true
        default: house.level <= InstallationTimes.softest || house.feed.hasEnded && list?.isAtEnd == true
        }
    }
}
