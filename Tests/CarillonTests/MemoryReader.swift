import Carillon
import Glibc
import Synchronization

/// Sound in memory, behind a disk that stands still when it is told to.
final class MemoryReader: FrameReading, @unchecked Sendable {
    let path = "memory"
    let planes: [[Float]]
    let sampleRate: Int
    let isSeekable = true
    private var next = 0
    private let gate = Gate()
    /// Frames that were read.
    private let count = Atomic<Int>(0)

    init(_ planes: [[Float]], rate: Int = 48_000) {
        self.planes = planes
        sampleRate = rate
    }

    var channels: Int { planes.count }
    var frames: Int64 { Int64(planes[0].count) }
    var framesRead: Int { count.load(ordering: .acquiring) }

    /// Lets the disk stand still, or go on.
    func stall() { gate.close() }
    func goOn() { gate.open() }
    /// Whether somebody waits for the disk.
    var isWaitedFor: Bool { gate.isWaitedFor }

    func seek(to frame: Int64) throws(AudioFileError) { next = Int(frame) }

    func read(_ output: [UnsafeMutablePointer<Float>], capacity: Int) throws(AudioFileError) -> Int {
        gate.pass()
        let frames = min(capacity, planes[0].count - next)
        for (channel, plane) in planes.enumerated() {
            for i in 0..<frames { output[channel][i] = plane[next + i] }
        }
        next += frames
        count.add(frames, ordering: .releasing)
        return frames
    }

    /// A door that holds up whoever comes while it is closed.
    private final class Gate: @unchecked Sendable {
        private var mutex = pthread_mutex_t(), condition = pthread_cond_t()
        private var isClosed = false, waiting = 0

        init() {
            pthread_mutex_init(&mutex, nil)
            pthread_cond_init(&condition, nil)
        }

        private func locked<Result>(_ body: () -> Result) -> Result {
            pthread_mutex_lock(&mutex)
            defer { pthread_mutex_unlock(&mutex) }
            return body()
        }

        var isWaitedFor: Bool { locked { waiting > 0 } }
        func close() { locked { isClosed = true } }

        func open() {
            locked {
                isClosed = false
                pthread_cond_broadcast(&condition)
            }
        }

        func pass() {
            locked {
                waiting += 1
                while isClosed { pthread_cond_wait(&condition, &mutex) }
                waiting -= 1
            }
        }
    }
}

/// Waits for what another thread does, without a bound on time: a test that hangs says where.
func wait(until isDone: () -> Bool) { while !isDone() { sched_yield() } }
