import ArgumentParser
import Carillon

/// Tempo and key of songs, for `render` and `play`.
struct MannerArguments: ParsableArguments {
    @Option(
        parsing: .unconditional, help: EngineSetting.tempo.help("80% is 0.8"), transform: Self.factor)
    var tempo = 1.0

    @Option(
        parsing: .unconditional, help: EngineSetting.transpose.help(),
        transform: EngineSetting.transpose.spec.wholeNumber)
    var transpose = 0

    /// Reads the factor of a tempo. For a text that looks like percent or beats per minute, the error shows what is wanted.
    private static func factor(_ text: String) throws -> Double {
        let spec = EngineSetting.tempo.spec
        do throws(ParameterError) { return try spec.number(text) } catch {
            let words = text.lowercased(), isBeats = words.hasSuffix("bpm")
            let number = Double(isBeats ? words.dropLast(3).filter { $0 != " " } : words)
            guard let number, isBeats || number > 10 else { throw error }
            let percent = isBeats || !(10...1_000).contains(number) ? "" : "; for percent write \(text)% or \(number / 100)"
            throw ValidationError(
                "give a factor of the song's own tempo, \(spec.valid)\(percent); for beats a minute divide them by those of the "
                    + "song, which carillon inspect shows")
        }
    }
}
