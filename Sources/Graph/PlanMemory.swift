import RealtimeCore
import Synchronization
import UnitAPI

/// Everything that one plan allocates, freed together when the plan dies; and the units that it borrows.
final class PlanMemory {
    private var blocks: [UnsafeMutableRawPointer] = []
    private var units: [UnitInstance] = []
    private var lanes: [EdgeLane] = []
    private var audio: [AudioBuffer] = []

    private(set) lazy var wire = UnitInstance.boxing(Wire(), UnitSetup(sampleRate: 48_000, maximumFrames: 1))

    /// Room for `count` values, each starting as `value`. At least one, so that every pointer is real.
    func allocate<T>(_ count: Int, _ value: T) -> UnsafeMutablePointer<T> {
        let pointer = UnsafeMutablePointer<T>.allocate(capacity: max(count, 1))
        pointer.initialize(repeating: value, count: max(count, 1))
        blocks.append(UnsafeMutableRawPointer(pointer))
        return pointer
    }

    func queue(_ steps: [RenderStep]) -> StepQueue {
        let count = steps.count
        func words() -> UnsafeMutablePointer<Atomic<Int32>> {
            let words = UnsafeMutablePointer<Atomic<Int32>>.allocate(capacity: count * PlanTables.sliceLimit)
            for index in 0..<count * PlanTables.sliceLimit { (words + index).initialize(to: Atomic(0)) }
            blocks.append(UnsafeMutableRawPointer(words))
            return words
        }
        let ends = UnsafeMutablePointer<StepQueue.Ends>.allocate(capacity: 1)
        ends.initialize(to: StepQueue.Ends())
        blocks.append(UnsafeMutableRawPointer(ends))
        return StepQueue(count: count, ends: ends, waiting: words(), places: words(), weights: StepWeights(steps, in: self))
    }

    func buffer<T>(_ values: [T]) -> UnsafeMutableBufferPointer<T> {
        let pointer = UnsafeMutablePointer<T>.allocate(capacity: max(values.count, 1))
        pointer.initialize(from: values, count: values.count)
        blocks.append(UnsafeMutableRawPointer(pointer))
        return UnsafeMutableBufferPointer(start: pointer, count: values.count)
    }

    /// Audio memory of its own lines: silence.
    func audio(channels: Int, frames: Int) -> AudioBuffer {
        let buffer = AudioBuffer(channels: channels, capacity: frames)
        audio.append(buffer)
        return buffer
    }

    /// Audio memory, untouched: it may hold anything.
    func blank(channels: Int, frames: Int) -> AudioBuffer {
        let buffer = AudioBuffer(blank: channels, capacity: frames)
        audio.append(buffer)
        return buffer
    }

    func table(_ buffer: AudioBuffer) -> UnsafeMutablePointer<UnsafeMutablePointer<Float>> {
        UnsafeMutablePointer(mutating: buffer.channels)
    }

    func keep(_ unit: UnitInstance) { units.append(unit) }

    func keep(_ lane: EdgeLane) { lanes.append(lane) }

    deinit { for block in blocks { block.deallocate() } }
}
