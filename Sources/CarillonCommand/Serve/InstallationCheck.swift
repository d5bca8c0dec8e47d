import ArgumentParser
import Carillon
import Glibc
import Installation

/// `carillon serve --check`: everything that can be found wrong before anybody hears it.
struct InstallationCheck {
    private let installation: Installation

    init(_ installation: Installation) { self.installation = installation }

    func run() throws {
        let (lists, remarks) = installation.playlists()
        for remark in remarks { StandardError.print(Failure.oneLine(remark)) }
        // The sound: a patch, SoundFonts, settings.
        var faults: [String]
        do throws(LiveError) {
            var options = try LiveOptions(installation)
            options.devices = ["null"]
            let session = try Session(options, on: SimulatedPort())
            for remark in session.remarks { StandardError.print(Failure.oneLine("\(installation.path): \(remark)")) }
            faults = installation.faultsOfCues(in: session)
        } catch { throw Failure.report(error) }
        faults += installation.faultsOfNetwork { path in
            var status = stat()
            return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
        }.map { "\(installation.path): \($0)" }
        for fault in faults { StandardError.print(Failure.oneLine(fault)) }
        var bad = 0, read: Set<String> = []
        for list in lists {
            for song in list.songs where read.insert(song.path).inserted {
                // What is not there has been told with its line.
                if access(song.path, R_OK) != 0 {
                    bad += 1
                    continue
                }
                let listed = SessionSong(name: song.name, path: song.path)
                do throws(LiveError) { _ = try listed.length(sampleRate: installation.device.sampleRate) } catch {
                    bad += 1
                    StandardError.print(Failure.oneLine("\(list.name): \(error)"))
                }
            }
        }
        for remark in installation.advice { StandardError.print(Failure.oneLine("\(installation.path): \(remark)")) }
        let good = read.count - bad
        let silent = lists.count { $0.songs.isEmpty }
        for list in lists where list.songs.isEmpty {
            let text = "\(installation.path): \(list.name): has no song; nothing is heard while it plays"
            StandardError.print(Failure.oneLine(text))
        }
        if good == 0 { throw Failure.report("\(installation.path): no song of it can be played", exitCode: 66) }
        let zone = WallZone.system, now = WallTime.now, calendar = installation.calendar(in: zone)
        func counted(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }
        var lines = [
            "\(installation.path): it runs: \(counted(lists.count, "playlist")), \(counted(good, "song"))"
                + (bad > 0 ? ", \(bad) that cannot be played" : "")
                + (installation.layers.isEmpty ? "" : ", \(counted(installation.layers.count, "layer"))")
                + (installation.cues.isEmpty ? "" : ", \(counted(installation.cues.count, "cue"))")
                + (faults.isEmpty ? "" : ", \(faults.count) that cannot be played")
        ]
        lines.append("now \(zone.local(at: now)) (\(zone.name)): \(calendar.situation(at: now).words)")
        if let change = calendar.nextChange(after: now) {
            let words = calendar.situation(at: change).words(after: calendar.situation(at: now))
            lines.append("then \(zone.local(at: change)): \(words)")
        }
        try StandardOutput.print(lines.map(Failure.oneLine).joined(separator: "\n"))
        if bad + faults.count + silent > 0 { throw ExitCode(65) }
    }
}
