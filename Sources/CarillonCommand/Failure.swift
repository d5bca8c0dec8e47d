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
        StandardError.print("carillon: \(oneLine(message))")
        return ExitCode(exitCode)
    }

    /// Ends a command with the text that a library's error has on a command line.
    static func report(_ error: RenderError) -> ExitCode { report(error.commandSentence, exitCode: error.exitCode) }

    /// Ends a batch with the text of its fault.
    static func report(_ fault: BatchFault) -> ExitCode { report(fault.reason, exitCode: fault.code.rawValue) }

    /// Ends a command with the text of a session's error: one line for each thing that is missing.
    static func report(_ error: LiveError) -> ExitCode {
        if case .song(let fault) = error, case .notASong(let name, _) = fault { return report(.song(fault), ofSong: name) }
        let sentences = error.commandSentences
        for sentence in sentences.dropLast() { StandardError.print("carillon: \(oneLine(sentence))") }
        return report(sentences.last ?? error.description, exitCode: error.exitCode)
    }

    /// Ends a command that wanted a song and got something else; a journal is known for what it is.
    static func report(_ error: RenderError, ofSong path: String) -> ExitCode {
        if case .song(.notASong) = error, Journal.isJournal(path: path) {
            return report("\(path): is a journal, not a song; carillon render turns it into sound", exitCode: error.exitCode)
        }
        return report(error)
    }

    static func oneLine(_ message: String) -> String { OneLine.text(message) }
}
