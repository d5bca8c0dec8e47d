import Carillon

extension StemChoice.Division: SettingWord {}

/// The options for the parts of a mix that `carillon render` writes beside it.
struct StemSettings: SettingOwner, Hashable {
    var stems: StemChoice.Division?
    var stemsWet = false
    var stemNames: String?
    var stemFile = false
    var stemLoudness = false

    static let settings: [Setting<StemSettings>] = [
        .word(
            "stems", \.stems, "channel|group|track|instrument",
            """
            Write stems beside the mix, in the same pass: one for each channel, group (family of instruments), track or \
            instrument, dry, and one for each effect. In their order they add up to the mix before the limiter, bit for bit \
            with --bits 32f.
            """),
        .flag(
            "stems-wet", \.stemsWet, "Give each stem its own share of reverb and chorus; the effects then run once per stem."),
        Setting(
            "stem-names", \.stemNames, "template",
            """
            Names of the stems' files, beside the mix, without ending: {song}, {number} and {name} are filled in; a folder \
            before the last / is created. (default: \(StemNames.standard))
            """
        ) { $0 }.ofCall,
        .flag(
            "stem-file", \.stemFile,
            "Write one file with all stems, two channels each in their order, instead of one file for each."),
        .flag(
            "stem-loudness", \.stemLoudness,
            "Also measure the integrated loudness of each stem, for the report and labels."),
    ]

    func check() throws {
        if stems == nil, stemsWet || stemNames != nil || stemFile || stemLoudness {
            let option =
                stemsWet ? "--stems-wet" : stemFile ? "--stem-file" : stemLoudness ? "--stem-loudness" : "--stem-names"
            throw SettingError("\(option) belongs to --stems; add --stems channel, group, track or instrument")
        }
    }

    var choice: StemChoice? { stems.map { StemChoice($0, isWet: stemsWet) } }

    /// nil means none. `isSingle`: one song is rendered.
    /// - Throws: `option` for a template that cannot name them.
    func request(isSingle: Bool) throws(Fault) -> StemRequest? {
        guard let choice else { return nil }
        let names = try StemNames(stemNames ?? standardNames, isOneFile: stemFile)
        if !isSingle && !names.tellsSongs {
            throw .option(
                name: "stem-names", value: names.template, remedy: "the stems of several songs would have these names; add {song}"
            )
        }
        return request(choice, names)
    }

    /// The stems of a song, with files named after `name`, which has no braces; nil: none.
    func request(for name: String) throws(Fault) -> StemRequest? {
        guard let choice else { return nil }
        let template = standardNames.split(separator: "{song}", omittingEmptySubsequences: false).joined(separator: name)
        return request(choice, try StemNames(template, isOneFile: stemFile))
    }

    private func request(_ choice: StemChoice, _ names: StemNames) -> StemRequest {
        StemRequest(
            choice: choice, names: names, isOneFile: stemFile, measuresLoudness: stemLoudness, claims: OutputClaims())
    }

    private var standardNames: String { stemFile ? StemNames.standardOfOneFile : StemNames.standard }
}
