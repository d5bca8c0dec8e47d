import ArgumentParser
import Carillon
import Installations
import Reports

/// `carillon serve --simulate`: what would play, a line for each thing that happens.
struct SimulationRun {
    private let installation: Installation
    private let from: WallTime, to: WallTime
    private let zone = WallZone.system

    /// The longest that is walked through, in days: ten years.
    private static let longest: Int64 = 3660

    init(_ installation: Installation, from: String, to: String) throws {
        self.installation = installation
        self.from = try Self.moment(from, zone)
        self.to = try Self.moment(to, zone)
        let days = (self.to - self.from) / 86_400
        if self.to <= self.from || days > Self.longest {
            throw Failure.report("--simulate \(from) \(to): the second is to be later, by ten years at most", exitCode: 64)
        }
    }

    func run() throws {
        let (lists, remarks) = installation.playlists()
        for remark in remarks { StandardError.print(OneLine.text(remark)) }
        var run = DryRun(installation, playlists: lists, zone: zone), failure: (any Error)?, lines: [String] = []
        let summary = run.run(from: from, to: to) { entry in
            if failure != nil { return }
            lines.append(OneLine.text("\(entry.local) \(entry.event.sentence)"))
            // A year has a hundred thousand of them.
            if lines.count == 1000 {
                do { try StandardOutput.print(lines.joined(separator: "\n")) } catch { failure = error }
                lines = []
            }
        }
        if let failure { throw failure }
        if !lines.isEmpty { try StandardOutput.print(lines.joined(separator: "\n")) }
        let hours = RenderJob.fixed(Double(summary.openSeconds) / 3600, 1)
        StandardError.print(
            "open for \(hours) h, \(summary.songs) songs, \(summary.differentSongs) different"
                + (summary.leftOut > 0 ? "; \(summary.leftOut) times one was left out that cannot be played" : ""))
    }

    /// A date, or a date and a time of day: `2026-12-01`, `2026-12-01T09:30`.
    private static func moment(_ text: String, _ zone: WallZone) throws -> WallTime {
        let parts = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
        let date = parts[0].split(separator: "-").map { Int($0) }, time = parts.count == 2 ? parts[1].split(separator: ":") : []
        let numbers = time.map { Int($0) }
        guard date.count == 3, let year = date[0], let month = date[1], let day = date[2],
            let civil = CivilDate(year: year, month: month, day: day), parts.count == 1 || (2...3).contains(time.count),
            !numbers.contains(nil), zip(numbers, [24, 59, 59]).allSatisfy({ (0...$1).contains($0 ?? -1) })
        else {
            throw Failure.report("--simulate \(text): give dates like 2026-12-01 or 2026-12-01T09:30", exitCode: 64)
        }
        let seconds = zip(numbers, [3600, 60, 1]).reduce(0) { $0 + ($1.0 ?? 0) * $1.1 }
        return zone.moment(of: CivilTime(civil, second: seconds))
    }
}
