import Carillon
import Glibc
import Reports

/// Ends the program when a library call never returns: the unfinished file is removed, one line reports it, the code is 70.
struct StuckCall {
    /// Processor seconds for a block of sound, which takes milliseconds.
    static let renderPatience = 4
    /// Processor seconds for reading songs and SoundFonts, and for each sample: large compressed ones take some on a small machine.
    static let loadPatience = 60

    private let watchdog: Watchdog

    /// Watches the calling thread, and those that load samples for it, work on `what`, a file's name, from now on.
    init(over what: String, patience: Int) {
        let name = OneLine.text(what), caller = pthread_self()
        watchdog = Watchdog(
            patience: .seconds(patience), progress: { SampleMemory.process.progress },
            helperTime: { SampleDecoder.longestWork(for: caller) }
        ) { _ in
            UnfinishedOutput.removeAll()
            StandardError.print(
                "carillon: \(name): a library call has not returned in \(patience) s of computing; it was given up. "
                    + "Try another --rate or SoundFont")
            _exit(70)
        }
        do { try watchdog.start() } catch { StandardError.print("carillon: no watchdog: \(error)") }
    }

    func beat() { watchdog.beat() }
    func stop() { watchdog.stop() }
}
