import ArgumentParser
import Carillon

/// `--loudness`: a number, or `off`.
struct LoudnessOption: CustomStringConvertible {
    /// LUFS; nil means off.
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
            throw ValidationError("--gain says how loud, and so does --loudness; leave one of them out")
        }
    }
}

/// The level of a render's files.
struct LevelArguments: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Bring each file to this loudness, in LUFS; off keeps the level. (default: -16; with a gain: off)",
            valueName: "LUFS|off"),
        completion: .list(["off", "-14", "-16", "-23"]), transform: LoudnessOption.init)
    var loudness: LoudnessOption?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The highest true peak allowed for it, -20 to 0 dBTP. (default: -1)", valueName: "dBTP"),
        transform: LoudnessTarget.peak.value)
    var peak: Float?

    @Flag(
        name: .customLong("album-loudness"),
        help: "Use one gain for all songs, so that their levels keep their relation and together have the loudness.")
    var isAlbum = false

    var isDefault: Bool { loudness == nil && peak == nil && !isAlbum }

    func validate(beside gain: Float?) throws {
        try LoudnessOption.check(loudness, beside: gain)
        if isAlbum, gain != nil || loudness?.description == "off" {
            throw ValidationError("--album-loudness chooses one gain for all songs; leave --gain and --loudness off out")
        }
        if peak != nil, gain != nil || loudness?.description == "off" {
            throw ValidationError("--peak belongs to --loudness; without it set limiter.ceiling")
        }
    }

    /// nil means the level is left as it is.
    func target(beside gain: Float?) -> LoudnessTarget? {
        if gain != nil { return nil }
        if let loudness, loudness.loudness == nil { return nil }
        return LoudnessTarget(loudness: loudness?.loudness, peak: peak)
    }
}
