import Carillon
import Synchronization

/// The stems requested for each song of a call of `render`.
struct StemRequest: Sendable {
    let choice: StemChoice
    let names: StemNames
    let isOneFile: Bool
    let measuresLoudness: Bool
    let claims: OutputClaims
}

/// The files that a call writes, so that no two of them are the same one.
final class OutputClaims: Sendable {
    private let paths = Mutex<[String: String]>([:])

    /// Claims a path for an output called `owner`; returns the owner if it is taken, else nil.
    func claim(_ path: String, for owner: String) -> String? {
        paths.withLock { paths in
            if let other = paths[path] { return other }
            paths[path] = owner
            return nil
        }
    }
}

/// A stem that was rendered.
struct StemResult: Sendable {
    let number: Int
    let stem: Stem
    /// The file that has it; nil if it was left out.
    var path: String?
    /// The file's channels that are its left and right, or the one that it has, from 1.
    let fileChannels: [Int]
    /// Its peak, and its loudness if that was measured.
    let level: RenderLevel
    let isMeasured: Bool
    let clippedSamples: Int64
    /// True if the file took the place of another.
    let hasReplaced: Bool
    /// The reason why it has no sound; nil if it has.
    let silence: String?

    /// The stem in a sentence: `stem 3 (Grand Piano)`.
    var title: String { "stem \(number) (\(stem.name))" }

    /// One line of text: the file, its channels, its level.
    var line: String {
        let channels = stem.channels.map(String.init).joined(separator: ", ")
        var parts = [(path ?? "no file") + (hasReplaced ? " (replaced)" : "")]
        if fileChannels.first != 1 { parts[0] += " \(fileChannels.map(String.init).joined(separator: "+"))" }
        parts[0] += ": \(stem.name)"
        if !channels.isEmpty { parts.append("channel\(stem.channels.count == 1 ? "" : "s") \(channels)") }
        parts.append(silence.map { "silent: \($0)" } ?? RenderLevel.peak.phrase(of: level) ?? "peak -inf dBFS")
        return parts.joined(separator: ", ")
    }
}
