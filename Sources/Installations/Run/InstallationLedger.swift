import Carillon

/// The state of an installation and its health: derived in one place, read by status, metrics, health, page, log and service
/// manager. A pure machine: all input comes from the caller, the time too.
struct InstallationLedger {
    typealias Activity = InstallationStatus.Activity

    struct Sound {
        /// Decibels.
        var level = -Double.infinity
        var hasNotes = false
        /// Seconds that are left of the current song.
        var rest = Double.infinity
    }

    /// Seconds for which a fault lasts until it is reported.
    private static let patience = 30.0
    /// Decibels.
    private static let audible = -90.0

    private(set) var activity = Activity(.closed)
    private var wrong: (trouble: InstallationStatus.Trouble, since: Double)?
    private var heard: Double?
    private var now = 0.0

    /// `found` has no `since`. `isHushed`: the calendar wants silence, by a pause or a fade. `uptime`: seconds of a clock that is
    /// never set.
    mutating func look(_ found: Activity, _ sound: Sound, isHushed: Bool, at uptime: Double, _ time: LocalTime) {
        var found = found
        let isSame = (found.state, found.reason, found.by) == (activity.state, activity.reason, activity.by)
        found.since = isSame && !activity.since.isEmpty ? activity.since : time.stamp
        activity = found
        now = uptime
        let isHeard = sound.level >= Self.audible
        if isHeard { heard = uptime }
        // Between two notes nothing is to be heard: what was wrong with those before is not well by that.
        if wrong != nil, found.state == .playing, isSame, !isHeard, !sound.hasNotes, !isHushed { return }
        guard let reason = Self.fault(found, sound, isHeard: isHeard, isHushed: isHushed) else { return wrong = nil }
        if wrong?.trouble.reason != reason {
            // What it is may change while it is silent all the time: since when, does not.
            let since = wrong?.since ?? uptime, first = wrong?.trouble.since ?? time.stamp
            wrong = (InstallationStatus.Trouble(reason: reason, since: first), since)
        }
    }

    /// Something that has been wrong for half a minute.
    var trouble: InstallationStatus.Trouble? {
        wrong.flatMap { now - $0.since >= Self.patience ? $0.trouble : nil }
    }

    /// nil before the first sound.
    var secondsSinceSound: Double? { heard.map { now - $0 } }

    /// Open, an installation should sound and does not; closed, it sounds.
    private static func fault(_ activity: Activity, _ sound: Sound, isHeard: Bool, isHushed: Bool) -> String? {
        switch activity.state {
        case .closed: isHeard ? "the installation is closed, and something sounds" : nil
        case .opening: "the installation is open, and nothing has been heard yet"
        case .playing:
            (sound.hasNotes || sound.rest < patience) && !isHeard ? "the song has notes, but nothing is heard" : nil
        case .between: nil
        case .paused, .stopped, .silent: isHushed ? nil : "the music is \(activity.sentence)"
        }
    }
}
