// [render]
import RealtimeCore

/// The record that the renderer keeps of one bus of a unit during a slice.
@frozen @usableFromInline package struct RenderBus: BitwiseCopyable {
    /// One pointer per channel to the slice's first frame. An input's may point straight into another unit's output.
    @usableFromInline package var channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// The number of channels.
    @usableFromInline package var channelCount: Int
    /// AU's OutputIsSilence, for the whole slice: every sample is zero.
    @usableFromInline package var isSilent: Bool
    /// True if the unit has marked the bus silent in the segment it is rendering.
    @usableFromInline package var isMarkedSilent: Bool
    /// True while the whole buffer is known to hold zeros, so that a silent bus need not be cleared again.
    @usableFromInline package var isClear: Bool
    /// True if anything is led to the bus, sounding or not. An input's, for as long as the plan is at work.
    @usableFromInline package var isConnected: Bool
    /// True if the bus leads anywhere. An output's, for as long as the plan is at work.
    @usableFromInline package var isHeard: Bool

    /// Creates a bus whose buffers hold zeros.
    package init(channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, channelCount: Int) {
        self.channels = channels
        self.channelCount = channelCount
        isSilent = true
        isMarkedSilent = false
        isClear = true
        isConnected = false
        isHeard = true
    }
}

/// The memory that a unit may touch during one call, as the renderer lays it out. Units see it through `RenderIO`.
@frozen @usableFromInline package struct RenderPorts: BitwiseCopyable {
    /// The buses that the unit reads.
    @usableFromInline package var inputs: UnsafeMutablePointer<RenderBus>
    /// The number of input buses.
    @usableFromInline package var inputCount: Int
    /// Frames per second on every bus.
    @usableFromInline package var sampleRate: Double
    /// The buses that the unit writes.
    @usableFromInline package var outputs: UnsafeMutablePointer<RenderBus>
    /// The number of output buses.
    @usableFromInline package var outputCount: Int
    /// Parameter values: parameter-major, `elements` values each.
    @usableFromInline package var parameters: UnsafeMutablePointer<ParameterRamp>
    /// Values kept per parameter: 1, or the element count of a unit with per-input parameters.
    @usableFromInline package var elements: Int
    /// The numbers the unit shows.
    @usableFromInline package var readouts: UnsafeMutablePointer<Readout>
    /// The number of readouts.
    @usableFromInline package var readoutCount: Int
    /// True once the renderer has silenced every output bus, and its buffers hold zeros; of a step that adds up shares, every input
    /// bus.
    @usableFromInline package var isAtRest = false
    /// Where the music goes that it plays; nil for a unit that plays none.
    @usableFromInline package var music: UnsafeMutablePointer<MusicBuffer>?

    /// The layout of one unit.
    package init(
        inputs: UnsafeMutablePointer<RenderBus>, inputCount: Int, outputs: UnsafeMutablePointer<RenderBus>,
        outputCount: Int, parameters: UnsafeMutablePointer<ParameterRamp>, elements: Int,
        readouts: UnsafeMutablePointer<Readout>, readoutCount: Int, music: UnsafeMutablePointer<MusicBuffer>? = nil,
        sampleRate: Double
    ) {
        (self.inputs, self.inputCount, self.outputs, self.outputCount) = (inputs, inputCount, outputs, outputCount)
        (self.parameters, self.elements, self.readouts) = (parameters, elements, readouts)
        (self.readoutCount, self.music, self.sampleRate) = (readoutCount, music, sampleRate)
    }
}
