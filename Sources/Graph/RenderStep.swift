// [render]
import RealtimeCore
import UnitAPI

/// One edge of a plan, with its pointers resolved.
struct Feed: BitwiseCopyable {
    /// The output bus it reads.
    let source: UnsafeMutablePointer<RenderBus>
    /// The edge's gain; outlives the plan.
    let gain: UnsafeMutablePointer<ParameterRamp>
    /// Where the gain goes once the plan is adopted: 1, or 0 for an edge that leaves.
    let target: Float
    /// A ring per channel that delays the edge by `delay` frames, so that parallel paths arrive together; nil for none.
    let ring: UnsafeMutablePointer<UnsafeMutablePointer<Float>>?
    /// Frames of delay.
    let delay: Int
    /// Where the ring is written next; one number per feed.
    let ringPosition: UnsafeMutablePointer<Int>
    /// Frames since the source last sounded, at most `delay`.
    let quietFrames: UnsafeMutablePointer<Int>
}

/// One input bus of a step: the edges that lead there, and memory for their sum.
struct Inlet: BitwiseCopyable {
    let firstFeed: Int
    let feedCount: Int
    /// The bus's own buffers, used when there is anything to add up.
    let sum: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// Whether the own buffers hold zeros throughout.
    var isClear: Bool
}

/// One unit in a plan: what the render thread walks.
struct RenderStep: BitwiseCopyable {
    let instance: Unmanaged<UnitInstance>
    let id: NodeID
    let ports: UnsafeMutablePointer<RenderPorts>
    let inlets: UnsafeMutablePointer<Inlet>
    let memory: UnsafeMutablePointer<UnitMemory>
    let parameterCount: Int
    let movingCount: UnsafeMutablePointer<Int>
    let glides: UnsafeMutablePointer<Int32>
    let initials: UnsafeMutablePointer<Float>
    /// What other threads are told of the parameters: where each is or goes to.
    let targets: UnsafeMutablePointer<Readout>
    let controllerParameters: UnsafeMutablePointer<Int16>?
    let controllerValues: UnsafeMutablePointer<Float>?
    let acceptsMusic: Bool
    /// Mixers only add finite numbers up: they are not scanned for others.
    let isScanned: Bool
    /// Events take effect on multiples of this many frames of sample time.
    let granularity: Int
    /// This slice's events, oldest first, or -1.
    var firstEvent: Int32 = -1
    var lastEvent: Int32 = -1
}

/// The units that hear a part.
struct PartRoute: BitwiseCopyable {
    var first: Int32 = 0
    var count: Int32 = 0
}
