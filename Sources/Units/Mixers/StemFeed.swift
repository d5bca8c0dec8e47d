import CRealtime
import RealtimeCore
import UnitAPI

/// Carries a mixer's stems to the program that keeps them: the mixer writes each of them beside their sum, for a program that
/// renders offline and reads them after each pull.
///
/// Before a pull `begin` sets the place of its frames; after it `channels` gives access to them. Control side, the thread
/// that pulls.
package final class StemFeed: UnitCompanion, @unchecked Sendable {
    /// The stem that each input of the mixer belongs to, from 0.
    package let stems: [Int]
    /// Stems in all: none of them without an input.
    package let count: Int
    private var owned = OwnedMemory()
    /// The way by which the mixer finds its stems; nothing is written before `prepare`.
    let place: UnsafeMutablePointer<StemPlace>
    private let order: UnsafeMutablePointer<StemInput>
    private var buffer: AudioBuffer?
    private var last = 0

    /// Creates a feed for stems that are numbered without gaps.
    init(_ stems: [Int]) {
        self.stems = stems
        count = (stems.max() ?? -1) + 1
        order = owned.room(for: max(stems.count, 1))
        let sorted = stems.indices.sorted { (stems[$0], $0) < (stems[$1], $1) }
        for (place, input) in sorted.enumerated() {
            (order + place).initialize(to: StemInput(input: Int32(input), stem: Int32(stems[input])))
        }
        place = owned.make(1, of: StemPlace(order: order, inputCount: stems.count))
    }

    /// Makes room for pulls of `frames` frames.
    ///
    /// - Parameter delay: frames by which the stems are held back, so that they are in step with the later output of the graph.
    package func prepare(delay: Int, frames: Int) {
        let buffer = AudioBuffer(channels: 2 * count, capacity: delay + frames)
        self.buffer = buffer
        place.pointee.channels = buffer.channels
        place.pointee.delay = delay
        place.pointee.capacity = buffer.capacity
        last = 0
    }

    /// Makes the next pull write: the frames from `time` on.
    package func begin(at time: SampleTime, frames: Int) {
        guard let buffer else { return }
        let delay = place.pointee.delay
        for channel in 0..<buffer.channelCount {
            let base = buffer.channels[channel]
            // Frames that were held back come before the new ones.
            if delay > 0 && last > 0 { base.update(from: base + last, count: delay) }
            (base + delay).update(repeating: 0, count: frames)
        }
        place.pointee.origin = time
        last = frames
    }

    /// The channels of the last pull, left and right of each stem.
    package var channels: [UnsafeMutablePointer<Float>] { buffer?.planes ?? [] }

    static func stems(_ value: PropertyValue, inputs: Int) throws(UnitError) -> [Int] {
        var stems: [Int] = []
        if case .list(let list) = value { stems = list.compactMap { if case .integer(let number) = $0 { number } else { nil } } }
        guard stems.count == inputs, Set(stems) == Set(0...(stems.max() ?? 0)) else {
            throw .invalidProperty(
                unit: MultichannelMixer.descriptor.name, property: "stems",
                reason: "a list of \(inputs) whole numbers is wanted, one for each input, that count from 0 without gaps")
        }
        return stems
    }
}

struct StemInput: BitwiseCopyable {
    let input: Int32
    let stem: Int32
}

/// The place of stems on the render side: which inputs make them, and where they go.
struct StemPlace: BitwiseCopyable {
    /// Inputs in the order of their stems, those of one stem in their own.
    let order: UnsafeMutablePointer<StemInput>
    let inputCount: Int
    /// Left and right of each stem; nil means nowhere.
    var channels: UnsafePointer<UnsafeMutablePointer<Float>>?
    /// The time of the frame after those that are held back, their number, and the room for all.
    var origin = SampleTime.zero
    var delay = 0
    var capacity = 0

    init(order: UnsafeMutablePointer<StemInput>, inputCount: Int) { (self.order, self.inputCount) = (order, inputCount) }

    // [render]

    /// The place for some frames of a channel; nil if there is no room for them.
    @_noLocks func channel(_ index: Int, at time: SampleTime, _ frames: Int) -> UnsafeMutablePointer<Float>? {
        guard let channels else { return nil }
        let offset = time - origin &+ delay
        return offset >= delay && offset &+ frames <= capacity ? channels[index] + offset : nil
    }
}
