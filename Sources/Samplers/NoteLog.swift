import CRealtime
import RealtimeCore
import SoundFonts
import Synchronization
import UnitAPI

/// The log of a sampler's notes: what answered each note-on, when its key went up, when it was released, when its last voice
/// was over.
///
/// A sampler has one if its property `note-log` is true. Each of its shares writes into a ring of its own; `attend` empties
/// them, before each pull and after the last. A ring that is full loses records, which `lostRecords` counts. Control side,
/// any thread.
///
/// Sendable: a share writes its ring, a queue, on the render side; readers hold the ledger's lock, also to empty them.
package final class NoteLog: UnitCompanion, @unchecked Sendable {
    /// The property that turns it on.
    package static let propertyName = "note-log"
    /// Records that a ring has room for between two calls of `attend`.
    static let room = 1 << 16

    let rings: [UnsafeMutablePointer<NoteRing>]
    /// The feed of the same sampler's streams, if it has any: a unit has one companion.
    let feed: SampleFeed?
    private let ledger: Mutex<LoggedNoteLedger>

    init(shares: Int, voices: Int, frames: Int, feed: SampleFeed?) {
        self.feed = feed
        rings = (0..<shares).map { _ in
            let ring = UnsafeMutablePointer<NoteRing>.allocate(capacity: 1)
            ring.initialize(to: NoteRing(room: Self.room, shares: shares, voices: voices, frames: frames))
            return ring
        }
        ledger = Mutex(LoggedNoteLedger(shares: shares))
    }

    deinit {
        for ring in rings {
            ring.deinitialize(count: 1)
            ring.deallocate()
        }
    }

    static func wanted(_ setup: UnitSetup, shares: Int, feed: SampleFeed?) throws(SoundFontError) -> NoteLog? {
        switch setup.properties[propertyName] {
        case nil, .flag(false): return nil
        case .flag(true):
            let voices = Int(setup.value(of: Sampler.Parameter.polyphony)) + VoicePool.spare
            return NoteLog(shares: shares, voices: voices, frames: setup.maximumFrames, feed: feed)
        default: throw .property(name: propertyName, reason: .wrongType(expected: "true or false"))
        }
    }

    /// Measures the peaks of notes up to a frame, with which the sound ends. Before the first pull.
    package func measure(until frame: Int64) { for ring in rings { ring.pointee.levels.end = frame } }

    package override var mayWait: Bool { feed != nil }
    package override var complaint: String? { feed?.complaint }

    package override func beginLive() { feed?.beginLive() }

    package override func look() {
        // Rings are emptied before a file is waited for.
        record()
        feed?.look()
    }

    package override func attend() {
        feed?.attend()
        record()
    }

    /// Records what the sampler has written.
    private func record() {
        ledger.withLock { ledger in
            for (share, ring) in rings.enumerated() {
                while let record = ring.pointee.next() { ledger.take(record, share: share) }
            }
            addSplitPeriods(&ledger)
        }
    }

    /// Adds up the periods of notes that several shares have played; what comes of a pull comes whole.
    private func addSplitPeriods(_ ledger: inout LoggedNoteLedger) {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 128) { sum in
            guard let base = sum.baseAddress else { return }
            while true {
                var least: SplitPeriods.Key?
                for ring in rings {
                    guard let key = ring.pointee.levels.split.first else { continue }
                    if least.map(key.isBefore) ?? true { least = key }
                }
                guard let least else { return }
                sum.update(repeating: 0)
                for ring in rings {
                    guard let key = ring.pointee.levels.split.first else { continue }
                    if key.note == least.note, key.frame == least.frame { ring.pointee.levels.split.take(addingTo: base) }
                }
                ledger.raise(least.note, to: SIMD2(rt_peak(base, 64), rt_peak(base + 64, 64)))
            }
        }
    }

    /// The note-ons that the sampler received, in their order, as far as `attend` has recorded them.
    package var notes: [LoggedNote] {
        ledger.withLock { ledger in
            for ring in rings {
                ring.pointee.levels.forEach { ledger.raise($0, to: $1) }
            }
            return ledger.settled
        }
    }

    /// Records that found no room: if there are any, `notes` is not to be trusted.
    package var lostRecords: Int { rings.reduce(0) { $0 + $1.pointee.lost } }
}

struct NoteRecord: BitwiseCopyable {
    enum Kind: UInt8, BitwiseCopyable {
        case struck
        case noPreset
        /// The note goes on with the voices of another, which it takes over.
        case takenOver
        /// A key went up; all keys of a channel did.
        case keyUp, channelUp
        /// A voice began; was released; was ended for a newer one; found no place; is over.
        case began, released, stolen, unplaced, ended
        case bent
        case level
        case frame

        /// True for what keys did, not voices.
        var isOfKeys: Bool {
            switch self {
            case .keyUp, .channelUp, .frame: true
            case .struck, .noPreset, .takenOver, .began, .released, .stolen, .unplaced, .ended, .bent, .level: false
            }
        }
    }

    var kind: Kind
    var channel: UInt8 = 0, key: UInt8 = 0, velocity: UInt8 = 0
    /// The shift of the note's pitch against equal temperament, bend and tuning; no number for a drum. Unit: cents.
    var cents: Float = 0
    var peak = SIMD2<Float>(repeating: 0)
    /// The note-on, from 1; and the one whose voices it takes over, or the key that sounds.
    var note: UInt32 = 0, other: UInt32 = 0
    /// The sample time, if it is known already; else `unknown`.
    var frame = NoteRecord.unknown

    static var unknown: Int64 { @_noLocks get { .min } }

    @_noLocks init(_ kind: Kind, note: UInt64 = 0) {
        self.kind = kind
        self.note = UInt32(truncatingIfNeeded: note)
    }

    @_noLocks init(_ kind: Kind, channel: Int, key: UInt8 = 0) {
        self.kind = kind
        self.channel = UInt8(truncatingIfNeeded: channel)
        self.key = key
    }
}

/// The records of one share on their way to the control side.
struct NoteRing: ~Copyable {
    private let queue: SPSCQueue<NoteRecord>
    private let lostCount = Atomic<Int>(0)
    /// True if records wait for their frame. [render]
    private var isWaiting = false
    /// The peaks of the notes that sound. [render]
    var levels: NoteLevels

    /// Control side.
    init(room: Int, shares: Int, voices: Int, frames: Int) {
        queue = SPSCQueue(capacity: room, filler: NoteRecord(.frame))
        levels = NoteLevels(shares: shares, voices: voices, frames: frames)
    }

    /// The oldest record. Control side.
    func next() -> NoteRecord? { queue.pop() }

    /// Records that found no room. Any thread.
    var lost: Int { lostCount.load(ordering: .relaxed) }

    // [render]

    /// Writes what happens between two calls of `render`: on the first frame of the next.
    @_noLocks mutating func write(_ record: NoteRecord) {
        isWaiting = true
        put(record)
    }

    @_noLocks mutating func stamp(_ time: SampleTime) {
        if !isWaiting { return }
        isWaiting = false
        var record = NoteRecord(.frame)
        record.frame = time.rawValue
        put(record)
    }

    @_noLocks func end(_ note: UInt64, at frame: Int64) {
        var record = NoteRecord(.ended, note: note)
        record.frame = frame
        put(record)
    }

    @_noLocks func writeLevel(_ note: UInt64, place: Int) {
        var record = NoteRecord(.level, note: note)
        record.peak = levels.take(place: place)
        record.frame = 0
        if record.peak.x > 0 || record.peak.y > 0 { put(record) }
    }

    @_noLocks mutating func measure(
        _ voice: UnsafePointer<Voice>, _ samples: UnsafePointer<Float>, place: Int, frame: Int64, _ kernels: VoiceKernels
    ) { if !levels.add(voice, samples, place: place, frame: frame, kernels) { lostCount.add(1, ordering: .relaxed) } }

    @_noLocks mutating func endPeriod() { if !levels.finish() { lostCount.add(1, ordering: .relaxed) } }

    @_noLocks private func put(_ record: NoteRecord) { if !queue.push(record) { lostCount.add(1, ordering: .relaxed) } }
}
