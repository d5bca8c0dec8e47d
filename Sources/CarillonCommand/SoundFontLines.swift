import Carillon

/// The SoundFonts that play, in words.
struct SoundFontLines {
    private let names: [String]
    private let origin: SoundFontLocator.Origin?

    /// `names` are paths; `origin` is nil where none plays.
    init(_ names: [String], _ origin: SoundFontLocator.Origin?) { (self.names, self.origin) = (names, origin) }

    /// The files with the reason for them, and the better one that can be had; nothing where none plays.
    var lines: [String] {
        if names.isEmpty { return [] }
        let files = (names.count == 1 ? "SoundFont: " : "SoundFonts: ") + names.joined(separator: ", ")
        let reason = origin.flatMap { $0 == .named ? nil : " (\($0.rawValue))" } ?? ""
        return [files + reason] + (better.map { ["a better SoundFont: \($0.title), \($0.source ?? "")"] } ?? [])
    }

    /// The one that should be installed; nil where the user has chosen, or nothing is better.
    var better: KnownSoundFont? {
        switch origin {
        case .system, .installed, .embedded: names.last.flatMap { KnownSoundFont.better(than: $0) }
        case .named, .environment, nil: nil
        }
    }

    /// `gain: +12.0 dB (TimGM6mb)`: the gain that was measured for them, as `--gain` takes it.
    func line(gain: Double) -> String { "gain: \(Self.decibels(gain)) (\(names.last.map(Self.title) ?? ""))" }

    static func decibels(_ gain: Double) -> String { "\(gain < 0 ? "" : "+")\(RenderJob.fixed(gain, 1)) dB" }

    /// The name of a file without its ending.
    private static func title(_ path: String) -> String {
        let name = path.split(separator: "/").last.map { String($0) } ?? path
        return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    }
}
