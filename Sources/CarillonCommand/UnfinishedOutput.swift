import Glibc
import Synchronization

/// A file that is being written and must be removed if the run fails. Signal handlers and the watchdog's thread, which reach
/// no `defer`, know it too. There may be several, one for each thread that renders.
struct UnfinishedOutput {
    /// The most songs that are rendered at a time.
    static let room = 64
    /// The most files that there may be at a time: a song's stems are many.
    private static let places = 4096

    /// Pointers to their paths as C strings; 0 for none.
    nonisolated(unsafe) private static let paths: UnsafeMutablePointer<Atomic<UInt>> = {
        let paths = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: places)
        for place in 0..<places { (paths + place).initialize(to: Atomic(0)) }
        return paths
    }()
    /// Threads that are giving a file a name, or telling of it here.
    private static let busy = Atomic<Int>(0)
    /// True once the program ends: from then on no file gets its name.
    private static let isOver = Atomic<Bool>(false)

    private let place: Int?

    /// Makes what a signal handler reads, before there is one.
    static func prepare() { _ = paths }

    static func opening<Output, Fault: Error>(
        _ open: () throws(Fault) -> Output, path: (Output) -> String?
    ) throws(Fault) -> (Output, UnfinishedOutput) {
        enter()
        defer { leave() }
        let output = try open()
        return (output, UnfinishedOutput(path(output)))
    }

    /// Takes a free place; without one the file goes unknown, as it does without a path.
    private init(_ path: String?) {
        guard let path, let text = strdup(path) else {
            place = nil
            return
        }
        place = (0..<Self.places).first { place in
            Self.paths[place].compareExchange(
                expected: 0, desired: UInt(bitPattern: text), ordering: .acquiringAndReleasing
            ).exchanged
        }
        if place == nil { free(text) }
    }

    /// Runs the body that gives the file its final name; after it nothing is removed any more, even if it fails.
    func finishing<Fault: Error>(_ body: () throws(Fault) -> Void) throws(Fault) { try Self.finishing([self], body) }

    /// Runs what gives several files their last names, as `finishing` for one.
    static func finishing<Fault: Error>(_ outputs: [UnfinishedOutput], _ body: () throws(Fault) -> Void) throws(Fault) {
        enter()
        defer {
            outputs.forEach { $0.isFinished() }
            leave()
        }
        try body()
    }

    func isFinished() { if let place { free(Self.take(place)) } }

    /// Removes them all, and sees to it that no other comes. Safe in a signal handler, but not on a thread that is about to
    /// give a file its name: such a one has until the end of the second that this waits.
    static func removeAll() {
        isOver.store(true, ordering: .sequentiallyConsistent)
        var pause = timespec(tv_sec: 0, tv_nsec: 1_000_000), tries = 1000
        while busy.load(ordering: .sequentiallyConsistent) > 0 && tries > 0 {
            nanosleep(&pause, nil)
            tries -= 1
        }
        for place in 0..<places { if let path = take(place) { unlink(path) } }
    }

    private static func take(_ place: Int) -> UnsafeMutablePointer<CChar>? {
        UnsafeMutablePointer(bitPattern: paths[place].exchange(0, ordering: .acquiringAndReleasing))
    }

    /// Waits for ever once the program ends.
    private static func enter() {
        busy.add(1, ordering: .sequentiallyConsistent)
        if !isOver.load(ordering: .sequentiallyConsistent) { return }
        leave()
        while true { pause() }
    }

    private static func leave() { busy.subtract(1, ordering: .sequentiallyConsistent) }
}
