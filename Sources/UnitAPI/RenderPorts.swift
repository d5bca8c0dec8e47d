// [render]
import RealtimeCore

/// What the renderer keeps of one bus of a unit during a slice.
@frozen public struct RenderBus: BitwiseCopyable {
    /// One pointer per channel to the slice's first frame. An input's may point straight into another unit's output.
    public var channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// How many channels.
    public var channelCount: Int
    /// AU's OutputIsSilence, for the whole slice: every sample is zero.
    public var isSilent: Bool
    /// Whether the unit has marked the bus silent in the segment it is rendering.
    public var isMarkedSilent: Bool
    /// Whether the whole buffer is known to hold zeros, so that a silent bus need not be cleared again.
    public var isClear: Bool

    /// A bus whose buffers hold zeros.
    public init(channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, channelCount: Int) {
        self.channels = channels
        self.channelCount = channelCount
        isSilent = true
        isMarkedSilent = false
        isClear = true
    }
}

/// What a unit may touch during one call, as the renderer lays it out. Units see it through `RenderIO`.
@frozen public struct RenderPorts: BitwiseCopyable {
    /// The buses that the unit reads.
    public var inputs: UnsafeMutablePointer<RenderBus>
    /// How many.
    public var inputCount: Int
    /// The buses that the unit writes.
    public var outputs: UnsafeMutablePointer<RenderBus>
    /// How many.
    public var outputCount: Int
    /// Parameter values: parameter-major, `elements` values each.
    public var parameters: UnsafeMutablePointer<ParameterRamp>
    /// Values kept per parameter: 1, or the element count of a unit with per-input parameters.
    public var elements: Int
    /// The numbers the unit shows.
    public var readouts: UnsafeMutablePointer<Readout>
    /// How many.
    public var readoutCount: Int

    /// The layout of one unit.
    public init(
        inputs: UnsafeMutablePointer<RenderBus>, inputCount: Int, outputs: UnsafeMutablePointer<RenderBus>,
        outputCount: Int, parameters: UnsafeMutablePointer<ParameterRamp>, elements: Int,
        readouts: UnsafeMutablePointer<Readout>, readoutCount: Int
    ) {
        self.inputs = inputs
        self.inputCount = inputCount
        self.outputs = outputs
        self.outputCount = outputCount
        self.parameters = parameters
        self.elements = elements
        self.readouts = readouts
        self.readoutCount = readoutCount
    }
}
