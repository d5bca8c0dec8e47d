import EngineCore
import Reports
import SongRendering
import SoundFonts

/// The measured gains of songs, kept from one run to the next, by everything that determines them. Any thread.
struct LoudnessCache: Sendable {
    private let cache: UserCache

    var folder: String { cache.folder }

    init(folder: String) { cache = UserCache(folder: folder) }

    private init(_ cache: UserCache) { self.cache = cache }

    /// The user's; nil where there is none.
    static var standard: LoudnessCache? { UserCache(named: "loudness").map { LoudnessCache($0) } }

    /// The gain that was kept for a key, in decibels; nil where there is none, or its file was changed.
    func gain(for key: String) -> Double? {
        guard let text = cache.text(for: key), text.hasPrefix("gain "), let gain = Double(text.dropFirst(5)), gain.isFinite,
            abs(gain) <= 120
        else { return nil }
        return gain
    }

    /// Keeps a gain. Returns 0, or `errno` of the call that failed.
    func keep(_ gain: Double, for key: String) -> Int32 { cache.keep("gain \(gain)", for: key) }

    /// Lines that determine a gain, as a key.
    static func key(_ lines: [String]) -> String { lines.map { $0.filter { !$0.isNewline } + "\n" }.joined() }

    /// Lines for SoundFonts, `FILE` or `FILE:OFFSET`, in their present state. Throws if one is missing.
    static func lines(forFonts names: [String]) throws -> [String] {
        try SoundFontSources.locate(names).0.map {
            "font \($0.path):\($0.bankOffset) \(FileIdentity(path: $0.path)?.stamp ?? "-")"
        }
    }
}

extension LoudnessCache? {
    /// The gain that was kept for lines, or the measured one to a tenth of a decibel, which is kept then; -`most`...`most`, nil if it
    /// cannot be measured. Without lines, or without a cache, it is measured each time.
    func gain(
        for lines: [String]?, most: Double, measure: () throws(Fault) -> Double?
    ) throws(Fault) -> Double? {
        let key = lines.map(LoudnessCache.key)
        var gain = key.flatMap { self?.gain(for: $0) }
        if gain == nil {
            gain = try measure().map { ($0 * 10).rounded() / 10 }
            // A cache that cannot be written costs a moment the next time.
            if let key, let gain { _ = self?.keep(gain, for: key) }
        }
        return gain.map { Swift.min(Swift.max($0, -most), most) }
    }
}
