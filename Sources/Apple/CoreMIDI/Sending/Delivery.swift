internal import RemoteIO

struct TimedBytes: Sendable {
    /// Host time; 0 is at once.
    var time: MIDITimeStamp
    var bytes: [UInt8]
}

/// A pointer of the program's that is only passed back.
struct Context: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer?
}

/// The thread on which read procedures and blocks run, and what waits for its moment. Any thread adds to it.
final class Delivery: @unchecked Sendable {
    static let shared = Delivery()

    private struct Item {
        let time: MIDITimeStamp
        /// The endpoint that it waits for; 0 where it cannot be withdrawn.
        let destination: MIDIObjectRef
        let work: @Sendable () -> Void
    }

    private let lock = NSLock()
    private let bell = DispatchSemaphore(value: 0)
    /// By time; those of one time in the order in which they came.
    private var items: [Item] = []
    private var hasThread = false

    /// Starts the thread, once. False where the system gives none.
    func start() -> Bool {
        lock.lock()
        defer { lock.unlock() }
        if hasThread { return true }
        do throws(DeviceError) {
            try PlainThread(name: "carillon-read") { [self] in run() }.detach()
            hasThread = true
        } catch { report("Core MIDI: \(error)") }
        return hasThread
    }

    /// Runs `work` at a host time; 0 is now, after what was added before.
    func add(at time: MIDITimeStamp = 0, for destination: MIDIObjectRef = 0, _ work: @escaping @Sendable () -> Void) {
        lock.withLock {
            let place = (items.lastIndex { $0.time <= time } ?? -1) + 1
            items.insert(Item(time: time, destination: destination, work: work), at: place)
        }
        bell.signal()
    }

    var waiting: Int { lock.withLock { items.count { $0.destination != 0 } } }

    /// Withdraws what waits for an endpoint, or for all.
    func withdraw(for destination: MIDIObjectRef?) {
        lock.withLock {
            items.removeAll { $0.time > 0 && $0.destination != 0 && (destination == nil || $0.destination == destination) }
        }
    }

    private func run() { while true { step() } }

    /// Does what is due, or waits. A function of its own: Swift 6.3.1 keeps the work of a loop that never ends.
    private func step() {
        lock.lock()
        let time = items.first?.time, isDue = time.map { $0 <= mach_absolute_time() } ?? false
        let work = isDue ? items.removeFirst().work : nil
        lock.unlock()
        if let work {
            work()
        } else if let time {
            _ = bell.wait(timeout: DispatchTime(uptimeNanoseconds: time))
        } else {
            bell.wait()
        }
    }
}
