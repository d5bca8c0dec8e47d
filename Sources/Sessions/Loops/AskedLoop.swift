import RealtimeCore
import Units

/// What a track of the looper was asked to do; the unit does it a little later. Pure.
struct AskedLoop {
    /// A layer: how many times as long as the first recording it is, and the lengths from which it was made longer.
    struct Layer: Hashable {
        var times = 1
        var grown: [Int] = []

        /// Often enough for any performance, and what the unit follows.
        static let mostGrown = 2
    }

    var state = LoopState.empty
    /// When its recording begins or began, and the frames of the loop.
    var start = SampleTime.zero
    var length = 0
    private(set) var layers: [Layer] = []
    /// Layers that are taken back.
    var undone = 0
    /// When the last request takes effect.
    var time = SampleTime.zero
    /// The tempo to whose bars it was recorded, or that it has set; nil for one that goes its own way.
    var tempo: Double?
    var isRestarted = false
    /// True if the pedal has taken a layer back: its next hold brings it back.
    var wasUndone = false

    /// The layers that a looper keeps.
    private static let most = 5

    /// True if there is nothing to be heard: no loop, or all its layers are taken back.
    var isEmpty: Bool { state == .empty || state != .recording && undone == layers.count }

    /// True if what comes in is written.
    var writes: Bool { state == .recording || state == .overdubbing || state == .replacing }

    /// The layer that sounds.
    var layer: Layer? {
        let index = layers.count - 1 - undone
        return layers.indices.contains(index) ? layers[index] : nil
    }

    /// A layer begins on the one that sounds: those that were taken back are gone, and the oldest of five, too.
    mutating func add(_ layer: Layer) {
        layers.removeLast(undone)
        undone = 0
        if layers.count == Self.most { layers.removeFirst() }
        layers.append(layer)
    }

    /// It forgets all layers.
    mutating func forget() { (layers, undone) = ([], 0) }

    /// Follows the unit, which has given up old layers where memory was short.
    mutating func follow(layers count: Int) {
        if count > 0, count < layers.count { layers.removeFirst(layers.count - count) }
        undone = min(undone, layers.count)
    }
}
