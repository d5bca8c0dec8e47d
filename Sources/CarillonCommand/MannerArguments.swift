import ArgumentParser
import Carillon

/// Tempo and key of songs, for `render` and `play`.
struct MannerArguments: ParsableArguments {
    @Option(
        parsing: .unconditional, help: EngineSetting.tempo.help("80% is 0.8"), transform: EngineSetting.tempo.spec.number)
    var tempo = 1.0

    @Option(
        parsing: .unconditional, help: EngineSetting.transpose.help(),
        transform: EngineSetting.transpose.spec.wholeNumber)
    var transpose = 0
}
