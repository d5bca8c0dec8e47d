import RealtimeCore
import Synchronization
import UnitAPI

/// Everything that one plan allocates, freed together when the plan dies; and the units that it borrows.
final class PlanMemory {
    private var owned = OwnedMemory()
    private var units: [UnitInstance] = []
    private var lanes: [EdgeLane] = []
    private var audio: [AudioBuffer] = []

    private(set) lazy var wire = UnitInstance.boxing(Wire(), UnitSetup(sampleRate: 48_000, maximumFrames: 1))

    /// Room for `count` values, each starting as `value`. At least one, so that every pointer is real.
    func allocate<T>(_ count: Int, _ value: T) -> UnsafeMutablePointer<T> {
        let pointer = owned.room(for: count, T.self)
        pointer.initialize(repeating: value, count: max(count, 1))
        return pointer
    }

    func queue(_ steps: [RenderStep]) -> StepQueue {
        let count = steps.count
        func words() -> UnsafeMutablePointer<Atomic<Int32>> {
            let words = owned.room(for: count * PlanTables.sliceLimit, Atomic<Int32>.self)
            for index in 0..<count * PlanTables.sliceLimit { (words + index).initialize(to: Atomic(0)) }
            return words
        }
        let ends = owned.room(for: 1, StepQueue.Ends.self)
        ends.initialize(to: StepQueue.Ends())
        return StepQueue(count: count, ends: ends, waiting: words(), places: words(), weights: StepWeights(steps, in: self))
    }

    func buffer<T>(_ values: [T]) -> UnsafeMutableBufferPointer<T> {
        let pointer = owned.room(for: values.count, T.self)
        pointer.initialize(from: values, count: values.count)
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
}
