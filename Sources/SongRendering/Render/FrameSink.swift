import AudioFiles
import RealtimeCore
import RemoteIO
import Reports

/// Carries rendered frames to a receiver that measures, encodes and writes them, on a thread of its own, while the next are
/// rendered.
///
/// Frames wait in a ring of eight blocks; a renderer that is faster than the receiver sleeps until there is room. They arrive
/// in order, but in other pieces than they were given. With a single thread they are taken at once, on the thread that gives
/// them. An error of the receiver is thrown where the next frames are given, or at the end; it gets no more frames then.
///
/// Control side; one thread gives.
package final class FrameSink {
    /// The kinds of frames that are given beside one another.
    package enum Lane: Sendable { case mix, stems }

    /// The receiver: one pointer per channel, and frames.
    package typealias Receiver = (Lane, [UnsafePointer<Float>], Int) throws(AudioFileError) -> Void

    private let receiver: Receiver
    private let ring: Ring?
    private var thread: PlainThread?

    /// Creates a way to `receiver`, which another thread calls if `threads` is more than 1; it must not touch state of the
    /// giving thread until `finish` has returned.
    ///
    /// - Parameter channels: the most of a lane.
    /// - Throws: `engine` if no thread can be started.
    package init(threads: Int, channels: Int, _ receiver: @escaping Receiver) throws(Fault) {
        self.receiver = receiver
        ring = threads > 1 ? Ring(channels: channels, receiver) : nil
        guard let ring else { return }
        do throws(DeviceError) { thread = try PlainThread(name: "carillon-write") { ring.run() } } catch {
            throw Fault(error)
        }
    }

    deinit { end() }

    /// Gives the next frames of a lane. - Throws: the receiver's error, for these frames or for earlier ones.
    package func give(_ lane: Lane, _ samples: [UnsafePointer<Float>], frames: Int) throws(AudioFileError) {
        guard let ring else { return try receiver(lane, samples, frames) }
        try ring.give(lane, samples, frames: frames)
    }

    /// Waits until all frames are taken. No more may be given. - Throws: the receiver's error.
    package func finish() throws(AudioFileError) {
        end()
        if let failure = ring?.failure { throw failure }
    }

    /// Calls `body`, which gives frames, and finishes. The receiver's error is thrown in preference to that of `body`: it came
    /// first.
    package func feeding<Made>(_ body: () throws(Fault) -> Made) throws(Fault) -> Made {
        let made = Result { () throws(Fault) in try body() }
        do { try finish() } catch { throw Fault(error) }
        return try made.get()
    }

    private func end() {
        guard let thread else { return }
        self.thread = nil
        ring?.close()
        thread.join()
    }
}

/// Blocks of frames on their way from one thread to another.
private final class Ring: @unchecked Sendable {
    private static let count = 8, capacity = 4_096

    private struct Block {
        let planes: AudioBuffer
        /// Nil for the last, which has no frames.
        var lane: FrameSink.Lane?
        var channels = 0
        var frames = 0
    }

    /// Each belongs to the giving thread until it is given, and to the taking one until it is taken.
    private let blocks: UnsafeMutablePointer<Block>
    /// Blocks that were given, and taken.
    private let given = EventCount(), taken = EventCount()
    private let receiver: FrameSink.Receiver
    /// The block at which the giving thread is, and if it is at one.
    private var place: Int32 = 0
    private var isFilling = false
    /// Written by the taking thread before it shows the flag.
    private var refusal: AudioFileError?
    private let isRefused = AtomicFlag()

    init(channels: Int, _ receiver: @escaping FrameSink.Receiver) {
        self.receiver = receiver
        blocks = .allocate(capacity: Self.count)
        for index in 0..<Self.count {
            (blocks + index).initialize(to: Block(planes: AudioBuffer(blank: channels, capacity: Self.capacity)))
        }
    }

    deinit {
        blocks.deinitialize(count: Self.count)
        blocks.deallocate()
    }

    /// The error that the receiver has thrown.
    var failure: AudioFileError? { isRefused.isSet ? refusal : nil }

    // MARK: - The thread that gives

    func give(_ lane: FrameSink.Lane, _ samples: [UnsafePointer<Float>], frames: Int) throws(AudioFileError) {
        var done = 0
        while done < frames {
            if let failure { throw failure }
            if isFilling, block(place).pointee.lane != lane { pass() }
            if !isFilling { begin(lane, channels: samples.count) }
            let block = block(place), before = block.pointee.frames, part = min(frames - done, Self.capacity - before)
            precondition(samples.count == block.pointee.channels, "a lane has its channels")
            for (channel, source) in samples.enumerated() {
                (block.pointee.planes.channels[channel] + before).update(from: source + done, count: part)
            }
            block.pointee.frames += part
            done += part
            if block.pointee.frames == Self.capacity { pass() }
        }
    }

    func close() {
        if isFilling { pass() }
        begin(nil, channels: 0)
        pass()
    }

    private func begin(_ lane: FrameSink.Lane?, channels: Int) {
        while true {
            let number = taken.number
            if place &- number < Int32(Self.count) { break }
            taken.wait(past: number)
        }
        let block = block(place)
        precondition(channels <= block.pointee.planes.channelCount, "a block has room for all channels")
        (block.pointee.lane, block.pointee.channels, block.pointee.frames) = (lane, channels, 0)
        isFilling = true
    }

    private func pass() {
        isFilling = false
        place &+= 1
        given.announce()
    }

    private func block(_ number: Int32) -> UnsafeMutablePointer<Block> { blocks + Int(number & Int32(Self.count - 1)) }

    // MARK: - The thread that takes

    func run() {
        var next: Int32 = 0
        while true {
            if given.number == next { given.wait(past: next) }
            let block = block(next)
            guard let lane = block.pointee.lane else { return }
            if !isRefused.isSet { take(block.pointee, lane) }
            next &+= 1
            taken.announce()
        }
    }

    private func take(_ block: Block, _ lane: FrameSink.Lane) {
        do throws(AudioFileError) {
            try receiver(lane, (0..<block.channels).map { UnsafePointer(block.planes.channels[$0]) }, block.frames)
        } catch {
            refusal = error
            isRefused.publish(true)
        }
    }
}
