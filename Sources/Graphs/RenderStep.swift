// [render]
import RealtimeCore
import UnitAPI

struct Feed: BitwiseCopyable {
    /// The change that an edge's gain makes when the plan is adopted.
    enum Role: BitwiseCopyable {
        /// Is 1, or gets there when everything crosses over.
        case live
        /// Goes to 1 without waiting: it fills a unit that is not audible yet.
        case filling
        /// Is 1 at once: both its ends are new.
        case full
        /// Goes to 0 when everything crosses over.
        case leaving
        /// Stays until then: at its destination, another edge fades out.
        case kept
    }

    /// The output bus that it reads in even slices; in odd ones it reads a bus at a fixed distance from it.
    let source: UnsafeMutablePointer<RenderBus>
    let twin: Int
    let sourceStep: Int32
    let role: Role
    /// The edge's gain; outlives the plan.
    let gain: UnsafeMutablePointer<EdgeFade>
    /// The share of the edge that solo leaves; outlives the plan too.
    let gate: UnsafeMutablePointer<EdgeFade>
    /// A ring per channel that delays the edge by `delay` frames, so that parallel paths arrive together; nil for none.
    let ring: UnsafeMutablePointer<UnsafeMutablePointer<Float>>?
    let delay: Int
    /// Where the ring is written next; one number per feed.
    let ringPosition: UnsafeMutablePointer<Int>
    /// Frames since the source last sounded, at most `delay`.
    let quietFrames: UnsafeMutablePointer<Int>
    /// True if solo silences the edge: known while that is found out.
    var isCut = false
}

/// One input bus of a step: the edges that lead there, and memory for their sum.
struct Inlet: BitwiseCopyable {
    let firstFeed: Int
    let feedCount: Int
    /// The bus's own buffers, used when there is anything to add up.
    let sum: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// True while the own buffers hold zeros throughout.
    var isClear: Bool
}

/// One unit in a plan, or a wire: what the render thread walks.
///
/// Its buses are there twice, for even and for odd slices of a round: it may write the next slice while others still read this
/// one.
struct RenderStep: BitwiseCopyable {
    enum Role: BitwiseCopyable {
        case live
        /// Adds up its inputs, and that is all: the outside, the entrance or exit of a bypassed unit.
        case wire
        /// No longer in the graph: rendered as long as an edge from it fades.
        case leaving
        /// Bypassed: like `leaving`, but it still receives events.
        case resting
    }

    let instance: Unmanaged<UnitInstance>
    let role: Role
    let id: NodeID
    /// True for a step that adds up the shares of a unit, which come before it, and is otherwise a wire.
    var isJoin = false
    /// The number of shares that the step's unit works in; equal in each of them and where they are added up.
    var shareCount: Int32 = 1
    /// The step whose events it gets: its own, or, for a share of a unit, those of the first.
    var eventStep: Int32 = -1
    /// The ports and inlets of the step's current slice; and those of even slices, followed by those of odd ones.
    var ports: UnsafeMutablePointer<RenderPorts>
    var inlets: UnsafeMutablePointer<Inlet>
    let bothPorts: UnsafeMutablePointer<RenderPorts>
    let bothInlets: UnsafeMutablePointer<Inlet>
    let memory: UnsafeMutablePointer<UnitMemory>
    let parameterCount: Int
    let movingCount: UnsafeMutablePointer<Int>
    let glides: UnsafeMutablePointer<Int32>
    let initials: UnsafeMutablePointer<Float>
    /// The values of the parameters for other threads: where each is or goes to.
    let targets: UnsafeMutablePointer<Readout>
    let controllerParameters: UnsafeMutablePointer<Int16>?
    let controllerValues: UnsafeMutablePointer<Float>?
    /// What messages to the effects move; and the values that every parameter was set to.
    let effects: EffectLinks
    let settings: UnsafeMutablePointer<Float>
    let tempo: Int
    let lowestTempo: Float, highestTempo: Float
    let acceptsMusic: Bool
    let followsTime: Bool
    var links: UnsafeMutablePointer<MusicFeed>
    var linkCount = 0
    /// A MIDI unit that the plan before did not have, and that may remember what has long passed, begins afresh.
    var isReturning = false
    /// True if the unit's music bypasses it, to the units that receive it.
    var isPassing = false
    /// Mixers only add finite numbers up: they are not scanned for others.
    let isScanned: Bool
    /// True for a unit that gets its input 64 frames late, and renders before the units that feed it.
    let closesLoop: Bool
    /// Events take effect on multiples of this many frames of sample time.
    let granularity: Int
    /// True while sound still leads from the step to the outside; true for all that do not leave or rest.
    var isHeard = true
    var wasHeard = false
    /// The number of steps that this one waits for; and those that wait for it, in `PlanTables.followers`.
    var sourceCount: Int32 = 0
    var firstFollower: Int32 = 0, followerCount: Int32 = 0
    /// Steps that read its buffers, also through wires; and the steps whose buffers it reads, in `PlanTables.origins`.
    var readerCount: Int32 = 0
    var firstOrigin: Int32 = 0, originCount: Int32 = 0

    /// True while the step's unit receives events: not when it has left and is no longer heard.
    var takesEvents: Bool { @_noLocks get { !isWire && (isHeard || isResting) } }

    /// True for a unit that plays its music itself.
    var isInstrument: Bool { @_noLocks get { acceptsMusic && bothPorts.pointee.music == nil } }

    @_noLocks mutating func turn(to side: Int) {
        ports = bothPorts + side
        inlets = bothInlets + side &* bothPorts.pointee.inputCount
    }

    // `==` of an enum is not for the render side: it can cost metadata.
    var isWire: Bool { @_noLocks get { if case .wire = role { true } else { isJoin } } }
    var isResting: Bool { @_noLocks get { if case .resting = role { true } else { false } } }
    var isLeaving: Bool { @_noLocks get { if case .leaving = role { true } else { false } } }
}

struct StepSlice: BitwiseCopyable {
    /// The events, oldest first, or -1.
    var firstEvent: Int32 = -1
    var lastEvent: Int32 = -1
    /// True if the unit gave samples that are not numbers.
    var isFaulty = false
    /// Nanoseconds that it took, while that is measured.
    var nanoseconds: Int64 = 0

    @_noLocks init() {}
}

struct PartRoute: BitwiseCopyable {
    var first: Int32 = 0
    var count: Int32 = 0
}
