/// Cues at their times of day, whether a session plays or not.
extension InstallationRunner {
    /// The cues that have become due, before and after the calendar's change.
    var dueCues: (first: [String], last: [String]) {
        var due: (first: [String], last: [String]) = ([], [])
        let cues = house.cues.due(at: house.world.clock(), in: house.world.zone)
        for name in cues.missed { house.tell(.cueRefused(name, reason: CueTimes.missed)) }
        for cue in cues.due {
            switch CueTimes.order(at: cue.moment, in: house.hours) {
            case .last: due.last.append(cue.cue.name)
            case .first where !cue.cue.content.waitsForMusic: due.first.append(cue.cue.name)
            // The music that a song would wait for does not come any more.
            case .first, .never: house.tell(.cueRefused(cue.cue.name, reason: CueTimes.closed))
            }
        }
        return due
    }

    func play(cue name: String) {
        if let cues = session?[CuesPart.self] { cues.hear(name) } else { house.tell(refusal(of: name)) }
    }

    func refusal(of cue: String) -> InstallationEvent {
        .cueRefused(cue, reason: isOpen ? "there is no sound" + (fault.map { ": \($0)" } ?? "") : CueTimes.closed)
    }
}
