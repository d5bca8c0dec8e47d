import ArgumentParser
import Carillon

/// The options of `carillon record` for what is recorded.
struct RecordedArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp("The patch that processes the input, in its unit input.", valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var patch: String?

    @Option(
        parsing: .unconditional, help: Self.width.argumentHelp("with --patch its unit input says it"),
        transform: Self.width.wholeNumber)
    var channels: Int?

    @Flag(help: "Also play what is being recorded; use headphones to avoid feedback.")
    var monitor = false

    @Option(
        parsing: .unconditional, help: Self.length.argumentHelp("by default until you stop it", isDefault: false),
        transform: Self.length.number)
    var duration: Double?

    private static let length = ParameterSpec(
        "duration", 0.1...31_622_400, default: 60, unit: .seconds, help: "How long to record.")

    private static let width = ParameterSpec(
        UnitDescriptor.widthProperty, 1...8, default: 2, help: "Number of channels to record.")

    func validate() throws {
        if patch != nil, channels != nil {
            throw ValidationError("--channels: with --patch its unit input says it, by the property channels")
        }
        if patch == "" { throw ValidationError("--patch: the name is empty") }
    }
}

/// The options of `carillon record` for its file.
struct RecordFileArguments: ParsableArguments {
    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "The file; its extension chooses the format. By default recording-DATE-TIME.wav in the current folder.",
            valueName: "file"),
        completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp(
            "The format, regardless of the extension; by default chosen by it.", valueName: "name"),
        completion: .list(AudioFileFormat.Container.allCases.map(\.rawValue)))
    var format: String?

    @Option(
        help: ArgumentHelp(
            "Sample format: 16 or 24 bits, or 32f (32-bit floating point); by default the best of the file format.",
            valueName: "bits"))
    var bits: BitsName?

    func validate() throws {
        if output == "" { throw ValidationError("--output: the name is empty") }
        if output == "-" { throw ValidationError("--output -: give a file's name; standard output is not for this") }
    }
}

/// The options of `carillon record` for the device that captures, and the one that plays.
struct RecordDeviceArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The audio device; give several as fallbacks, best first. (default: default)", valueName: "name"))
    var device: [String] = []

    @Option(help: ArgumentHelp("The device that captures, if it is not the one that plays.", valueName: "name"))
    var inputDevice: String?

    @OptionGroup var stream: StreamArguments

    func validate() throws {
        if device.contains("") { throw ValidationError("--device: the name is empty; carillon devices lists names") }
        if inputDevice == "" { throw ValidationError("--input-device: the name is empty") }
    }
}
