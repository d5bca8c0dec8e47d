// [render]
import CRealtime
import SoundFonts
import Synchronization

/// The streams of the voices of one share: what each voice reads now, for the thread that fills pages ahead of it.
struct StreamReader: ~Copyable {
    let voices: UnsafeMutablePointer<VoiceStream>
    let count: Int
    let turn: UnsafeMutablePointer<SampleGuard>
    /// True if frames that are not in memory are read when they are needed: offline. False: they are silent, and counted.
    let waits = Atomic<Bool>(false)
    /// Periods of 64 frames so far: what a voice read long ago, it reads no more.
    let period = Atomic<UInt32>(0)
    /// Frames of sound that were silent because they came too late.
    private(set) var late = 0
    /// Room for one frame.
    let single: UnsafeMutableRawPointer
    private let fetch: rt_fetch
    private let context: UnsafeMutableRawPointer

    /// Room for `count` voices. `fetch` reads frames of a sample, for `context`. Control side.
    init(voices count: Int, _ context: UnsafeMutableRawPointer, _ fetch: @escaping rt_fetch) {
        (self.count, self.context, self.fetch) = (count, context, fetch)
        single = .allocate(byteCount: 16, alignment: 16)
        turn = .allocate(capacity: 1)
        turn.initialize(to: SampleGuard())
        voices = .allocate(capacity: count)
        for index in 0..<count { (voices + index).initialize(to: VoiceStream()) }
    }

    deinit {
        turn.deinitialize(count: 1)
        turn.deallocate()
        voices.deinitialize(count: count)
        voices.deallocate()
        single.deallocate()
    }

    @_noLocks func begin(period: Int64) { self.period.store(UInt32(truncatingIfNeeded: period), ordering: .relaxed) }

    @_noLocks mutating func countLate(_ frames: UnsafePointer<StreamedFrames>) {
        late &+= 64
        frames.pointee.countLate(64)
    }

    // Never inlined: the one function of the sampler that calls through a pointer.
    @_noLocks @inline(never) func read(_ sample: Int32, _ frame: Int, _ count: Int, _ to: UnsafeMutableRawPointer) {
        // No device waits, so this may: the thread is no render thread meanwhile.
        rt_leave()
        rt_fetch_frames(fetch, context, sample, Int64(frame), Int64(count), to)
        rt_enter()
    }
}

/// The stream that one voice reads. The fields that another thread reads are hints: they need not agree with each other.
struct VoiceStream: ~Copyable {
    private(set) var frames: UnsafePointer<StreamedFrames>?
    private(set) var reader: UnsafeMutablePointer<StreamReader>?
    private(set) var sample: Int32 = -1
    /// True if some of the frames of this period were not there.
    private(set) var isLate = false
    /// The sample's number and the frame; the loop's start and its end, 0 for none; the period and the pace in 1/256.
    let place = Atomic<UInt64>(.max), loop = Atomic<UInt64>(0), pace = Atomic<UInt64>(0)

    /// Control side.
    init() {}

    @_noLocks mutating func begin(
        _ sample: Int32, _ frames: UnsafePointer<StreamedFrames>, _ reader: UnsafeMutablePointer<StreamReader>
    ) { (self.sample, self.frames, self.reader) = (sample, frames, reader) }

    /// Publishes where the voice is, for a period that begins.
    @_noLocks mutating func publish(_ voice: UnsafePointer<Voice>, isLooping: Bool) {
        isLate = false
        guard let reader else { return }
        let frame = UInt64(UInt32(truncatingIfNeeded: voice.pointee.position &>> 32))
        let (start, end) = (UInt32(bitPattern: voice.pointee.loopStart), UInt32(bitPattern: voice.pointee.loopEnd))
        let speed = UInt64(UInt32(truncatingIfNeeded: min(voice.pointee.increment &>> 24, 0xFFFF_FFFF)))
        place.store(UInt64(UInt32(bitPattern: sample)) &<< 32 | frame, ordering: .relaxed)
        loop.store(isLooping ? UInt64(start) &<< 32 | UInt64(end) : 0, ordering: .relaxed)
        pace.store(UInt64(reader.pointee.period.load(ordering: .relaxed)) &<< 32 | speed, ordering: .relaxed)
    }

    /// Copies frames that follow each other. Those that are not there are read now if the reader waits, else they are silent.
    @_noLocks mutating func copy(_ first: Int, _ count: Int, _ to: UnsafeMutableRawPointer) {
        guard let frames, let reader else { return }
        let shift = frames.pointee.shift, size = frames.pointee.isFloat ? 4 : 2
        var done = 0
        while done < count {
            let frame = first &+ done, inside = frame & (frames.pointee.framesPerPage &- 1)
            let part = min(frames.pointee.framesPerPage &- inside, count &- done), target = to + done &* size
            done &+= part
            reader.pointee.turn.pointee.enter()
            let page = frames.pointee.page(frame &>> shift)
            if let page { rt_copy_bytes(target, page + inside &* size, part &* size) }
            reader.pointee.turn.pointee.leave()
            if page != nil { continue }
            if reader.pointee.waits.load(ordering: .relaxed) {
                reader.pointee.read(sample, frame, part, target)
            } else {
                rt_zero_bytes(target, part &* size)
                isLate = true
            }
        }
    }

    /// One frame, in the scale of 16 bits.
    @_noLocks mutating func value(_ frame: Int) -> Float {
        guard let frames, let reader else { return 0 }
        let single = reader.pointee.single
        copy(frame, 1, single)
        return frames.pointee.isFloat ? single.load(as: Float.self) : Float(single.load(as: Int16.self))
    }

    /// Counts the period if it was late.
    @_noLocks func count() {
        if let frames, let reader, isLate { reader.pointee.countLate(frames) }
    }
}
