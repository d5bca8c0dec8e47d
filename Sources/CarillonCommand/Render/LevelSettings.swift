import Carillon

/// `--loudness`: a number, or `off`.
struct LoudnessOption: Hashable, Sendable, CustomStringConvertible {
    /// LUFS; nil: off.
    let loudness: Float?
    let description: String

    init(_ text: String) throws(ParameterError) {
        description = text
        if text == "off" {
            loudness = nil
            return
        }
        let spec = LoudnessTarget.loudness, bare = text.hasSuffix("LUFS") ? String(text.dropLast(4)) : text
        do { loudness = try spec.value(bare) } catch .notANumber(let name, _, let valid) {
            throw .notANumber(parameter: name, text: text, valid: "off or \(valid)")
        }
    }
}

extension LoudnessOption {
    static func check(_ loudness: LoudnessOption?, beside gain: Float?) throws {
        if gain != nil, loudness?.loudness != nil {
            throw SettingError("--gain says how loud, and so does --loudness; leave one of them out")
        }
    }
}

/// The options for the level of a render's files.
struct LevelSettings: SettingOwner, Hashable {
    var loudness: LoudnessOption?
    var peak: Float?
    var isAlbum = false

    static let settings: [Setting<LevelSettings>] = [
        Setting(
            "loudness", \.loudness, "LUFS|off",
            "Bring each file to this loudness, in LUFS; off keeps the level. (default: -16; with a gain: off)",
            completes: .words(["off", "-14", "-16", "-23"]), takesDashes: true, read: LoudnessOption.init),
        Setting(
            "peak", \.peak, "dBTP", "The highest true peak allowed for it, -20 to 0 dBTP. (default: -1)", takesDashes: true,
            read: LoudnessTarget.peak.value),
        .flag(
            "album-loudness", \.isAlbum,
            "Use one gain for all songs, so that their levels keep their relation and together have the loudness."
        ).ofCall,
    ]

    var isDefault: Bool { loudness == nil && peak == nil && !isAlbum }

    func check(beside gain: Float?) throws {
        try LoudnessOption.check(loudness, beside: gain)
        if isAlbum, gain != nil || loudness?.description == "off" {
            throw SettingError("--album-loudness chooses one gain for all songs; leave --gain and --loudness off out")
        }
        if peak != nil, gain != nil || loudness?.description == "off" {
            throw SettingError("--peak belongs to --loudness; without it set limiter.ceiling")
        }
    }

    /// nil means the level is left as it is.
    func target(beside gain: Float?) -> LoudnessTarget? {
        if gain != nil { return nil }
        if let loudness, loudness.loudness == nil { return nil }
        return LoudnessTarget(loudness: loudness?.loudness, peak: peak)
    }
}
