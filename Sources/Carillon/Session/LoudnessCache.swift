import Glibc
import Patch

/// Gains that songs were found to need, kept from one run to the next: a file for each, by all that decides it. Any thread.
struct LoudnessCache: Sendable {
    /// The folder; it is made with the first gain that is kept.
    let folder: String

    /// The user's: `$CACHE_DIRECTORY` of a service, `$XDG_CACHE_HOME/carillon`, `~/.cache/carillon`; nil where there is none.
    static var standard: LoudnessCache? {
        func variable(_ name: String) -> String? {
            guard let value = getenv(name).map({ String(cString: $0) }), value.hasPrefix("/") else { return nil }
            // systemd lists several with colons between.
            return value.split(separator: ":").first.map { String($0) }
        }
        let own = variable("CACHE_DIRECTORY") ?? variable("XDG_CACHE_HOME").map { $0 + "/carillon" }
        guard let folder = own ?? variable("HOME").map({ $0 + "/.cache/carillon" }) else { return nil }
        return LoudnessCache(folder: folder + "/loudness")
    }

    private static let largest = 1 << 16

    private func path(_ key: String) -> String { "\(folder)/\(Checksum.text(key.utf8))" }

    /// The gain that was kept for a key, in decibels; nil where there is none, or its file was changed.
    func gain(for key: String) -> Double? {
        let text: String
        do { text = try BoundedFile.text(path: path(key), limit: Self.largest) } catch { return nil }
        guard text.hasPrefix(key), let line = text.dropFirst(key.count).split(separator: "\n").first, line.hasPrefix("gain "),
            let gain = Double(line.dropFirst(5)), gain.isFinite, abs(gain) <= 120
        else { return nil }
        return gain
    }

    /// Keeps a gain. Returns 0, or `errno` of the call that failed.
    func keep(_ gain: Double, for key: String) -> Int32 {
        var parent = ""
        for part in folder.split(separator: "/") {
            parent += "/" + part
            if mkdir(parent, 0o755) != 0, errno != EEXIST { return errno }
        }
        return WholeText.write("\(key)gain \(gain)\n", toFile: path(key))
    }
}
