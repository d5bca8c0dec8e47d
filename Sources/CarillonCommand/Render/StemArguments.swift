import ArgumentParser
import Carillon

/// `--stems`.
enum StemsName: String, CaseIterable, ExpressibleByArgument {
    case channel, group, track, instrument

    var division: StemChoice.Division {
        switch self {
        case .channel: .channel
        case .group: .group
        case .track: .track
        case .instrument: .instrument
        }
    }
}

/// The parts of a mix that `carillon render` writes beside it.
struct StemArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Write stems beside the mix, in the same pass: one for each channel, group (family of instruments), track or \
            instrument, dry, and one for each effect. In their order they add up to the mix before the limiter, bit for bit \
            with --bits 32f.
            """, valueName: "channel|group|track|instrument"),
        completion: .list(StemsName.allCases.map(\.rawValue)))
    var stems: StemsName?

    @Flag(help: "Give each stem its own share of reverb and chorus; the effects then run once per stem.")
    var stemsWet = false

    @Option(
        help: ArgumentHelp(
            """
            Names of the stems' files, beside the mix, without ending: {song}, {number} and {name} are filled in; a folder \
            before the last / is created. (default: \(StemNames.standard))
            """, valueName: "template"))
    var stemNames: String?

    @Flag(help: "Write one file with all stems, two channels each in their order, instead of one file for each.")
    var stemFile = false

    @Flag(help: "Also measure the integrated loudness of each stem, for the report and labels.")
    var stemLoudness = false

    func validate() throws {
        if stems == nil, stemsWet || stemNames != nil || stemFile || stemLoudness {
            let option =
                stemsWet ? "--stems-wet" : stemFile ? "--stem-file" : stemLoudness ? "--stem-loudness" : "--stem-names"
            throw ValidationError("\(option) belongs to --stems; add --stems channel, group, track or instrument")
        }
    }

    var choice: StemChoice? { stems.map { StemChoice($0.division, isWet: stemsWet) } }

    /// nil means none. `isSingle`: one song is rendered.
    /// - Throws: `option` for a template that cannot name them.
    func request(isSingle: Bool) throws(RenderError) -> StemRequest? {
        guard let choice else { return nil }
        let names = try StemNames(stemNames ?? standardNames, isOneFile: stemFile)
        if !isSingle && !names.tellsSongs {
            throw .option(
                name: "stem-names", value: names.template, remedy: "the stems of several songs would have these names; add {song}"
            )
        }
        return request(choice, names)
    }

    /// The stems of a song, with files named after `name`, which has no braces; nil means none.
    func request(for name: String) throws(RenderError) -> StemRequest? {
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
