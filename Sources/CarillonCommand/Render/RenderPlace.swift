import Carillon
import Glibc
import Reports
import Synchronization

/// The place where a render is, song, stage and frame: written as it goes on, and read where it dies, by the handler of faults or by
/// the batch that started the process.
///
/// A place is written by one thread. Records lie in memory of their own, which a batch shares with its processes; reading one is
/// safe in a signal handler.
struct RenderPlace {
    /// The stages of a render, in their order.
    enum Stage: Int {
        case reading = 1
        case loading, rendering, measuring, writing
    }

    struct Record: ~Copyable {
        fileprivate let thread = Atomic<UInt>(0)
        /// A C string of the process that renders.
        fileprivate let song = Atomic<UInt>(0)
        fileprivate let stage = Atomic<Int>(0)
        fileprivate let frames = Atomic<Int64>(0)
        fileprivate let sampleRate = Atomic<Int>(0)
        /// The fault that the process has seen, and whether memory had run out; 0: none.
        fileprivate let signal = Atomic<Int32>(0)
        fileprivate let lacksMemory = Atomic<Bool>(false)
    }

    /// The most renders at a time; one without a place goes unknown.
    private static let count = UnfinishedOutput.room
    /// Bytes of the records that a batch shares with a process of its own.
    static let bytes = MemoryLayout<Record>.stride * count

    nonisolated(unsafe) private static var records: UnsafeMutablePointer<Record> = {
        let records = UnsafeMutablePointer<Record>.allocate(capacity: count)
        for place in 0..<count { (records + place).initialize(to: Record()) }
        return records
    }()

    /// Makes what a signal handler reads, before there is one.
    static func prepare() { _ = records }

    /// Gives the batch that started this process access to its places. To be called before the first render.
    static func share(_ descriptor: Int32) {
        if let shared = map(descriptor) { records = shared }
        close(descriptor)
    }

    /// Maps shared records, which begin with zeros; nil if that cannot be.
    static func map(_ descriptor: Int32) -> UnsafeMutablePointer<Record>? {
        let memory = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        return memory == MAP_FAILED ? nil : memory?.bindMemory(to: Record.self, capacity: count)
    }

    private let record: UnsafeMutablePointer<Record>?

    /// Takes a free place for the calling thread, which reads the song.
    init(of song: String, sampleRate: Int) {
        let own = UInt(pthread_self())
        record = (0..<Self.count).lazy.map { Self.records + $0 }.first {
            $0.pointee.thread.compareExchange(expected: 0, desired: own, ordering: .acquiringAndReleasing).exchanged
        }
        guard let record else { return }
        record.pointee.song.store(UInt(bitPattern: strdup(OneLine.text(song))), ordering: .relaxed)
        record.pointee.frames.store(0, ordering: .relaxed)
        record.pointee.sampleRate.store(sampleRate, ordering: .relaxed)
        enter(.reading)
    }

    func enter(_ stage: Stage) { record?.pointee.stage.store(stage.rawValue, ordering: .releasing) }

    func reach(_ progress: RenderProgress) {
        record?.pointee.frames.store(progress.frames, ordering: .relaxed)
        switch progress.stage {
        case .rendering: enter(.rendering)
        case .measuring: enter(.measuring)
        case .writing: enter(.writing)
        }
    }

    /// The render is over, with or without success.
    func leave() {
        guard let record else { return }
        record.pointee.stage.store(0, ordering: .releasing)
        free(UnsafeMutablePointer<CChar>(bitPattern: record.pointee.song.exchange(0, ordering: .acquiringAndReleasing)))
        record.pointee.thread.store(0, ordering: .releasing)
    }

    /// The record of the calling thread, or of the only render; nil if the render at fault is not known.
    static func atFault() -> UnsafeMutablePointer<Record>? {
        let own = UInt(pthread_self())
        var found: UnsafeMutablePointer<Record>?, busy = 0
        for place in 0..<count where records[place].thread.load(ordering: .acquiring) != 0 {
            if records[place].thread.load(ordering: .relaxed) == own { return records + place }
            (found, busy) = (records + place, busy + 1)
        }
        return busy == 1 ? found : nil
    }

    /// Notes the fault in the record that a batch reads.
    static func note(_ signal: Int32, lacksMemory: Bool) {
        records.pointee.lacksMemory.store(lacksMemory, ordering: .relaxed)
        records.pointee.signal.store(signal, ordering: .releasing)
    }
}

extension RenderPlace.Record {
    /// The fault that was noted; nil without one.
    var fault: (signal: Int32, lacksMemory: Bool)? {
        let number = signal.load(ordering: .acquiring)
        return number == 0 ? nil : (number, lacksMemory.load(ordering: .relaxed))
    }

    /// The song's name, in the process that renders.
    var songName: UnsafePointer<CChar>? { UnsafePointer(bitPattern: song.load(ordering: .acquiring)) }

    /// The stage, and milliseconds of sound if there are some; nil before the first and after the last.
    var position: (stage: RenderPlace.Stage, milliseconds: Int64?)? {
        guard let stage = RenderPlace.Stage(rawValue: stage.load(ordering: .acquiring)) else { return nil }
        let rate = Int64(sampleRate.load(ordering: .relaxed))
        if stage.rawValue < RenderPlace.Stage.rendering.rawValue || rate == 0 { return (stage, nil) }
        return (stage, frames.load(ordering: .relaxed) &* 1_000 / rate)
    }
}
