import ArgumentParser
import Carillon
import Corpus
import Reports
import Synchronization

/// Ends a command that failed: one line on standard error, and the code of `sysexits.h`.
enum Failure {
    /// The last message of a process that does one job after the other for another one, and prints none.
    private static let message = Mutex<String?>(nil)
    private static let isKeeping = Atomic<Bool>(false)

    static var isKept: Bool {
        get { isKeeping.load(ordering: .relaxed) }
        set {
            isKeeping.store(newValue, ordering: .relaxed)
            message.withLock { $0 = nil }
        }
    }

    static var kept: String? { message.withLock { $0 } }

    /// Prints `message`, without line breaks or control characters, and returns what the command throws.
    static func report(_ message: String, exitCode: Int32) -> ExitCode {
        if isKept {
            self.message.withLock { $0 = message }
            return ExitCode(exitCode)
        }
        StandardError.print("carillon: \(OneLine.text(message))")
        return ExitCode(exitCode)
    }

    /// Ends a command with the text of a fault: one line for each thing that is missing.
    ///
    /// - Parameter passage: the options that choose the passage of a song.
    static func report(_ fault: Fault, passage: String = "--from, --to") -> ExitCode {
        let sentences = fault.commandSentences(passage)
        for sentence in sentences.dropLast() { StandardError.print("carillon: \(OneLine.text(sentence))") }
        return report(sentences.last ?? fault.description, exitCode: fault.exitCode)
    }
}
