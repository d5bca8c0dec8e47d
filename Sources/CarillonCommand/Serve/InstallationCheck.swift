import ArgumentParser
import Carillon
import Glibc
import Installations
import Reports

/// `carillon serve --check`: a look at an installation, printed, with its exit code.
struct InstallationCheck {
    private let installation: Installation
    private let trial: InstallationTrial

    init(_ installation: Installation) {
        self.installation = installation
        trial = InstallationTrial(installation) {
            SoundSystems.isThere($0, capturing: $1)
        } network: {
            NetworkAccess($0).trial
        }
    }

    func run() throws {
        for text in trial.sentences { StandardError.print(OneLine.text(text)) }
        if let fault = trial.soundFault { throw Failure.report(fault) }
        if let silence = trial.silence { throw Failure.report(silence, exitCode: 66) }
        let zone = WallZone.system, now = WallTime.now, calendar = installation.calendar(in: zone)
        var lines = [summary, "now \(zone.local(at: now)) (\(zone.name)): \(calendar.situation(at: now).words)"]
        if let change = calendar.nextChange(after: now) {
            let words = calendar.situation(at: change).words(after: calendar.situation(at: now))
            lines.append("then \(zone.local(at: change)): \(words)")
        }
        try StandardOutput.print(lines.map(OneLine.text).joined(separator: "\n"))
        if trial.isRefused { throw ExitCode(65) }
    }

    private var summary: String {
        func counted(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }
        return "\(installation.path): it runs: \(counted(trial.playlistCount, "playlist")), \(counted(trial.songs, "song"))"
            + (trial.badSongs > 0 ? ", \(trial.badSongs) that cannot be played" : "")
            + (installation.layers.isEmpty ? "" : ", \(counted(installation.layers.count, "layer"))")
            + (installation.cues.isEmpty ? "" : ", \(counted(installation.cues.count, "cue"))")
            + (trial.faults == 0 ? "" : ", \(counted(trial.faults, "thing")) that cannot be")
    }
}
