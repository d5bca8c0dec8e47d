import ArgumentParser
import Glibc

/// Ends a command that failed: one line on standard error, and the code of `sysexits.h`.
enum Failure {
    /// Prints `message`, without line breaks or control characters, and returns what the command throws.
    static func report(_ message: String, exitCode: Int32) -> ExitCode {
        StandardError.print("carillon: \(oneLine(message))")
        return ExitCode(exitCode)
    }

    /// `message` with everything that would break or rewrite the line taken out: names of files can hold anything.
    static func oneLine(_ message: String) -> String {
        var line = ""
        for scalar in message.unicodeScalars {
            if scalar.value < 32 || (127..<160).contains(scalar.value) {
                line += "?"
            } else {
                line.unicodeScalars.append(scalar)
            }
        }
        return line
    }
}

/// Standard error, unbuffered: it never waits behind what goes to standard output.
enum StandardError {
    /// Whether a person watches.
    static var isTerminal: Bool { isatty(2) == 1 }

    /// Writes a line.
    static func print(_ text: String) { write(text + "\n") }

    /// Writes text as it is. An error here has nowhere to be reported and changes nothing.
    static func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { Glibc.write(2, $0.baseAddress, $0.count) }
            if written <= 0 && errno != EINTR { return }
            bytes = bytes.dropFirst(max(written, 0))
        }
    }
}
