internal import DSP
internal import RealtimeCore
import Synchronization
internal import UnitAPI

/// A parameter of queues that their sound obeys: its place in a feed, and its range. What is beyond counts as the end.
struct QueueSetting {
    static let all: [AudioQueueParameterID: QueueSetting] = [
        kAudioQueueParam_Volume: QueueSetting(place: 0, range: 0...1),
        kAudioQueueParam_VolumeRampTime: QueueSetting(place: 1, range: 0...3_600),
        kAudioQueueParam_Pan: QueueSetting(place: 2, range: -1...1),
    ]

    /// What nothing here changes.
    static let fixed: [AudioQueueParameterID: Float] = [kAudioQueueParam_PlayRate: 1, kAudioQueueParam_Pitch: 0]

    let place: Int
    let range: ClosedRange<Float>

    func hold(_ value: Float) -> Float { min(max(value, range.lowerBound), range.upperBound) }
}

struct QueuedBuffer: BitwiseCopyable {
    var buffer: AudioQueueBufferRef?
    var data = UnsafeMutableRawPointer(bitPattern: 16)
    /// To be played or filled; once it is done with, those that were.
    var frames = 0
    /// The frame of the queue on which it begins, at the earliest; once it is filled, the one on which it began, and its host time.
    var start: Int64 = 0
    var host: UInt64 = 0
    var number = 0
    /// The settings that it brings along, no number for the others.
    var settings = SIMD4<Float>(repeating: .nan)
}

/// The buffers of a queue between the program and the render thread, which neither waits nor takes memory.
///
/// Sendable: the program's side pushes to `pending` and pops from `finished` under locks of the queue; the rest is atomic or the
/// render thread's, and the program's where no unit runs.
final class QueueFeed: @unchecked Sendable {
    /// Buffers that may be in a queue at once, and frames that are decoded at once.
    static let capacity = 1_024, block = 4_096

    let layout: PCMLayout
    /// Channels of what is played: one channel is heard on both sides.
    let channels: Int
    let pending = SPSCQueue(capacity: capacity, filler: QueuedBuffer())
    let finished = SPSCQueue(capacity: capacity, filler: QueuedBuffer())
    /// Raised with each buffer that is done with.
    let signal = EventCount()
    /// Buffers with lower numbers are given back as they are.
    let firstNumber = Atomic<Int>(0)
    /// The queue ends with its last buffer; it has ended; levels are measured.
    let ends = Atomic<Bool>(false), hasEnded = Atomic<Bool>(false), isMetering = Atomic<Bool>(false)
    /// The host time at which the first frame is due, and that of the device's frame 0.
    let due = Atomic<UInt64>(0), deviceZero = Atomic<UInt64>(0)
    /// Frames of the queue that have passed.
    let clock = Atomic<Int64>(0)
    private let words: UnsafeMutablePointer<Atomic<UInt32>>
    private let values = UnsafeMutablePointer<Double>.allocate(capacity: block)
    private let samples = UnsafeMutablePointer<Float>.allocate(capacity: block)
    private let meters: UnsafeMutablePointer<LevelMeter>
    private var time: Int64 = 0
    private var used = 0
    private var start: (frame: Int64, host: UInt64) = (0, 0)
    private var gain = ParameterRamp(1)

    init(_ layout: PCMLayout) {
        self.layout = layout
        channels = max(2, layout.channels)
        words = .allocate(capacity: 3 + 2 * layout.channels)
        for index in 0..<3 + 2 * layout.channels { (words + index).initialize(to: Atomic(index == 0 ? Float(1).bitPattern : 0)) }
        meters = .allocate(capacity: layout.channels)
        meters.initialize(repeating: LevelMeter(sampleRate: layout.rate), count: layout.channels)
        quieten()
    }

    deinit {
        words.deallocate()
        values.deallocate()
        samples.deallocate()
        meters.deallocate()
    }

    /// The settings by their places; then the average and the peak of each channel in decibels.
    subscript(index: Int) -> Float {
        get { Float(bitPattern: words[index].load(ordering: .relaxed)) }
        set { words[index].store(newValue.bitPattern, ordering: .relaxed) }
    }

    /// Gives the buffers back that are to be; while no unit runs.
    func discard() { _ = next() }

    /// Time begins anew; while no unit runs.
    func rewind() {
        time = 0
        clock.store(0, ordering: .relaxed)
        ends.store(false, ordering: .relaxed)
        quieten()
    }

    private func quieten() {
        for channel in 0..<layout.channels {
            meters[channel].clear()
            show(channel)
        }
    }

    private func show(_ channel: Int) {
        (self[3 + 2 * channel], self[4 + 2 * channel]) = (meters[channel].averageLevel, meters[channel].peakLevel)
    }

    // MARK: - The render thread

    /// Plays into a planar list of zeros. Returns the frames until buffers ran out; without a device, time stands still then.
    func play(_ list: UnsafeMutablePointer<AudioBufferList>, _ frames: Int, _ stamp: UnsafePointer<AudioTimeStamp>?) -> Int {
        var done = stamp.map { begin($0.pointee, frames) } ?? 0
        while done < frames, let entry = next(), let data = entry.data {
            var count = Int(min(entry.start - time, Int64(frames - done)))
            if used > 0 || count <= 0 {
                if used == 0 { for place in 0..<3 where !entry.settings[place].isNaN { self[place] = entry.settings[place] } }
                count = min(frames - done, entry.frames - used, Self.block)
                mix(data + used * layout.bytesPerFrame, count, list, done)
                used += count
                if used == entry.frames { finish(entry) }
            }
            done += count
            time += Int64(count)
        }
        if done < frames {
            quieten()
            if stamp != nil { time += Int64(frames - done) }
            if ends.load(ordering: .acquiring) {
                hasEnded.store(true, ordering: .releasing)
                signal.advance()
            }
        }
        clock.store(time, ordering: .relaxed)
        return done
    }

    /// Fills buffers with frames that were captured; without a buffer they are lost.
    func capture(_ bytes: UnsafeRawPointer, _ frames: Int, _ stamp: UnsafePointer<AudioTimeStamp>) {
        let size = layout.bytesPerFrame, host = stamp.pointee.mHostTime
        var done = begin(stamp.pointee, frames)
        while done < frames, let entry = next(), let data = entry.data {
            if used == 0 { start = (time, host + UInt64(Double(done) / layout.rate * 1e9)) }
            let count = min(frames - done, entry.frames - used)
            memcpy(data + used * size, bytes + done * size, count * size)
            if isMetering.load(ordering: .relaxed) {
                for channel in 0..<layout.channels { decode(bytes + done * size, channel, min(count, Self.block)) }
            }
            done += count
            used += count
            time += Int64(count)
            if used == entry.frames { finish(entry) }
        }
        time += Int64(frames - done)
        clock.store(time, ordering: .relaxed)
    }

    /// Notes the device's time. Returns the frames of a slice before the first one is due.
    private func begin(_ stamp: AudioTimeStamp, _ frames: Int) -> Int {
        let host = stamp.mHostTime, due = due.load(ordering: .relaxed), passed = stamp.mSampleTime / layout.rate * 1e9
        deviceZero.store(host - min(host, UInt64(max(0, passed))), ordering: .relaxed)
        return due <= host ? 0 : Int(min(Double(frames), Double(due - host) / 1e9 * layout.rate))
    }

    private func next() -> QueuedBuffer? {
        let first = firstNumber.load(ordering: .acquiring)
        while let entry = pending.peek() {
            if entry.number >= first { return entry }
            finish(entry)
        }
        return nil
    }

    private func finish(_ entry: QueuedBuffer) {
        var entry = entry
        (entry.frames, entry.start, entry.host, used) = (used, start.frame, start.host, 0)
        pending.drop()
        _ = finished.push(entry)
        signal.advance()
    }

    private func mix(_ data: UnsafeRawPointer, _ count: Int, _ list: UnsafeMutablePointer<AudioBufferList>, _ place: Int) {
        let buffers = UnsafeMutableAudioBufferListPointer(list), volume = self[0], frames = self[1] * Float(layout.rate)
        if volume != gain.target {
            gain.move(to: volume, over: Int32(min(frames.rounded(), Float(ParameterRamp.longest))), along: .linear)
        }
        for channel in 0..<channels {
            if channel < layout.channels { decode(data, channel, count) }
            guard let plane = buffers[channel].mData?.assumingMemoryBound(to: Float.self) else { continue }
            let side = layout.channels > 2 ? 1 : min(1, channel == 0 ? 1 - self[2] : 1 + self[2])
            for index in 0..<count { plane[place + index] = samples[index] * (gain[index] * side) }
        }
        gain.advance(count)
    }

    private func decode(_ data: UnsafeRawPointer, _ channel: Int, _ count: Int) {
        layout.decode(data + channel * layout.bytes, stride: layout.bytesPerFrame, count: count, values)
        for index in 0..<count { samples[index] = Float(values[index]) }
        guard isMetering.load(ordering: .relaxed) else { return }
        meters[channel].hear(samples, count, from: time)
        show(channel)
    }
}
