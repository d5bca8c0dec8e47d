import ArgumentParser
import Carillon
import Document
import Glibc

/// Where a patch is written: standard output, or a file.
struct PatchOutput: ParsableArguments {
    @Option(
        name: [.short, .long],
        help: ArgumentHelp("The file to write; by default standard output.", valueName: "file"),
        completion: .file())
    var output: String?

    @OptionGroup var existing: SettingGroup<ForceSettings>

    func validate() throws {
        if output == "" { throw ValidationError("--output: the name is empty") }
    }

    var path: String? { output == "-" ? nil : output }

    /// Whole, or not at all; `text` ends with its last line.
    func write(_ text: String) throws {
        guard let output = path else {
            return try StandardOutput.print(text.last == "\n" ? String(text.dropLast()) : text)
        }
        if existing.force {
            let code = WholeText.write(text, toFile: output)
            if code != 0 { throw Failure.report("\(output): cannot be written: \(Self.text(code))", exitCode: 73) }
            return
        }
        let descriptor = open(output, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        if descriptor < 0 {
            let code = errno
            let reason = code == EEXIST ? ExistingFile.refusal(output) : "\(output): cannot be created: \(Self.text(code))"
            throw Failure.report(reason, exitCode: 73)
        }
        var code = WholeText.write(text, to: descriptor)
        if close(descriptor) != 0, code == 0 { code = errno }
        if code != 0 {
            unlink(output)
            throw Failure.report("\(output): cannot be written: \(Self.text(code))", exitCode: 74)
        }
    }

    private static func text(_ code: Int32) -> String { String(cString: strerror(code)) }
}
