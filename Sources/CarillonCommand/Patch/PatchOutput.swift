import ArgumentParser
import Carillon
import Glibc

/// Where a patch is written: standard output, or a file that is not there yet.
struct PatchOutput: ParsableArguments {
    @Option(
        name: [.short, .long],
        help: ArgumentHelp("The file to write, which must not be there yet; by default standard output.", valueName: "file"),
        completion: .file())
    var output: String?

    func validate() throws {
        if output == "" { throw ValidationError("--output: the name is empty") }
    }

    /// The file's path; nil for standard output.
    var path: String? { output == "-" ? nil : output }

    /// Writes `text`, which ends with its last line: whole, or not at all.
    func write(_ text: String) throws {
        guard let output = path else {
            return try StandardOutput.print(text.last == "\n" ? String(text.dropLast()) : text)
        }
        let descriptor = open(output, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        if descriptor < 0 {
            let reason = errno == EEXIST ? "is there already; choose another name" : "cannot be created: \(Self.text(errno))"
            throw Failure.report("\(output): \(reason)", exitCode: 73)
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
