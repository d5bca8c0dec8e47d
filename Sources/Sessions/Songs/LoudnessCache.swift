import EngineCore

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
}
