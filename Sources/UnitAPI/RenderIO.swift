// [render]
import RealtimeCore

/// Everything a unit may touch during one call of `render`: some frames of its buses, its parameters, its readouts.
///
/// It can neither be copied nor kept. The frames are a segment of a slice: no event falls inside it. A bus, a channel or a frame
/// that is not there ends the process: the render thread has no way to throw.
@frozen public struct RenderIO: ~Copyable, ~Escapable {
    @usableFromInline let ports: UnsafePointer<RenderPorts>
    @usableFromInline let offset: Int
    /// Frames to render in this call: 1...MaximumFramesPerSlice.
    public let frames: Int
    /// The sample time of the first frame.
    public let sampleTime: SampleTime

    /// Creates access to `frames` frames of the slice, starting at `offset`. Only the renderer calls it.
    @_noLocks @inlinable @inline(__always) @_lifetime(immortal)
    package init(_ ports: UnsafePointer<RenderPorts>, offset: Int, frames: Int, sampleTime: SampleTime) {
        (self.ports, self.offset, self.frames, self.sampleTime) = (ports, offset, frames, sampleTime)
    }

    /// Frames per second on every bus.
    @inlinable
    public var sampleRate: Double { @_noLocks @inline(__always) get { ports.pointee.sampleRate } }

    /// The number of input buses.
    @inlinable
    public var inputCount: Int { @_noLocks @inline(__always) get { ports.pointee.inputCount } }

    /// The number of output buses.
    @inlinable
    public var outputCount: Int { @_noLocks @inline(__always) get { ports.pointee.outputCount } }

    /// Returns the number of channels that input bus `bus` has.
    ///
    /// Precondition: the unit has input bus `bus`.
    @_noLocks @inlinable @inline(__always)
    public func inputChannels(_ bus: Int = 0) -> Int {
        precondition(UInt(bitPattern: bus) < UInt(bitPattern: ports.pointee.inputCount))
        return ports.pointee.inputs[bus].channelCount
    }

    /// Returns the number of channels that output bus `bus` has.
    ///
    /// Precondition: the unit has output bus `bus`.
    @_noLocks @inlinable @inline(__always)
    public func outputChannels(_ bus: Int = 0) -> Int {
        precondition(UInt(bitPattern: bus) < UInt(bitPattern: ports.pointee.outputCount))
        return ports.pointee.outputs[bus].channelCount
    }

    /// Channel `channel` of input bus `bus`: read only; zeros if nothing is connected.
    ///
    /// Precondition: the unit has input bus `bus`, and the bus channel `channel`.
    @_noLocks @inlinable @inline(__always) @_lifetime(borrow self)
    public func input(_ bus: Int = 0, _ channel: Int) -> InputChannel {
        precondition(UInt(bitPattern: bus) < UInt(bitPattern: ports.pointee.inputCount))
        precondition(UInt(bitPattern: channel) < UInt(bitPattern: ports.pointee.inputs[bus].channelCount))
        return InputChannel(UnsafePointer(ports.pointee.inputs[bus].channels[channel]) + offset, count: frames)
    }

    /// Channel `channel` of output bus `bus`. Holds anything before the unit has written it: write every frame, or mark
    /// the bus silent.
    ///
    /// Precondition: the unit has output bus `bus`, and the bus channel `channel`.
    @_noLocks @inlinable @inline(__always) @_lifetime(borrow self)
    public func output(_ bus: Int = 0, _ channel: Int) -> OutputChannel {
        precondition(UInt(bitPattern: bus) < UInt(bitPattern: ports.pointee.outputCount))
        precondition(UInt(bitPattern: channel) < UInt(bitPattern: ports.pointee.outputs[bus].channelCount))
        return OutputChannel(ports.pointee.outputs[bus].channels[channel] + offset, count: frames)
    }

    /// Returns true if anything is led to input bus `bus`, sounding or not, also while it fades in or out. It changes with
    /// the graph, between two calls.
    ///
    /// Precondition: the unit has input bus `bus`.
    @_noLocks @inlinable @inline(__always)
    public func isConnected(_ bus: Int = 0) -> Bool {
        precondition(UInt(bitPattern: bus) < UInt(bitPattern: ports.pointee.inputCount))
        return ports.pointee.inputs[bus].isConnected
    }

    /// Returns true if output bus `bus` leads anywhere, also while it fades in or out. A bus that leads nowhere is not
    /// audible: the unit may skip the work and mark it silent. It changes with the graph, between two calls; sound that a
    /// unit has made ahead of them lacks the bus until then.
    ///
    /// Precondition: the unit has output bus `bus`.
    @_noLocks @inlinable @inline(__always)
    public func isHeard(_ bus: Int = 0) -> Bool {
        precondition(UInt(bitPattern: bus) < UInt(bitPattern: ports.pointee.outputCount))
        return ports.pointee.outputs[bus].isHeard
    }

    /// Returns true if every sample of input bus `bus` is zero in this slice. A hint: an unmarked bus may hold zeros too.
    ///
    /// Precondition: the unit has input bus `bus`.
    @_noLocks @inlinable @inline(__always)
    public func isSilent(_ bus: Int = 0) -> Bool {
        precondition(UInt(bitPattern: bus) < UInt(bitPattern: ports.pointee.inputCount))
        return ports.pointee.inputs[bus].isSilent
    }

    /// True if every sample of every input bus is zero in this slice: a hint, as `isSilent(_:)` is.
    @inlinable
    public var isSilentEverywhere: Bool {
        @_noLocks get {
            for bus in 0..<inputCount where !isSilent(bus) { return false }
            return true
        }
    }

    /// Marks output bus `bus` as silent in these frames; the renderer writes the zeros, the unit writes nothing.
    ///
    /// Precondition: the unit has output bus `bus`.
    @_noLocks @inlinable @inline(__always)
    public func markSilent(_ bus: Int = 0) {
        precondition(UInt(bitPattern: bus) < UInt(bitPattern: ports.pointee.outputCount))
        ports.pointee.outputs[bus].isMarkedSilent = true
    }

    /// The way of a parameter through these frames.
    @inlinable @inline(__always)
    public subscript<P: UnitParameter>(parameter: P) -> ParameterRamp {
        ports.pointee.parameters[parameter.rawValue &* ports.pointee.elements]
    }

    /// The way of the value that input bus or band `element` has of a parameter of that scope.
    ///
    /// Precondition: `element` is one of those that the unit has.
    @inlinable @inline(__always)
    public subscript<P: UnitParameter>(parameter: P, element: Int) -> ParameterRamp {
        precondition(UInt(bitPattern: element) < UInt(bitPattern: ports.pointee.elements))
        return ports.pointee.parameters[parameter.rawValue &* ports.pointee.elements &+ element]
    }

    /// Returns the way of the parameter that was declared at place `index`, for units whose parameters have no enum.
    ///
    /// Precondition: `index` is that of a declared parameter; only one below 0 is noticed.
    @_noLocks @inlinable @inline(__always)
    public func parameter(at index: Int) -> ParameterRamp {
        precondition(index >= 0)
        return ports.pointee.parameters[index &* ports.pointee.elements]
    }

    /// Shows `value` as the unit's readout `index`, in the order of its descriptor.
    ///
    /// Precondition: the descriptor has readout `index`.
    @_noLocks @inlinable @inline(__always)
    public func publish(_ index: Int, _ value: Float) {
        precondition(UInt(bitPattern: index) < UInt(bitPattern: ports.pointee.readoutCount))
        ports.pointee.readouts[index].publish(value)
    }
}

/// The outcome of a call of `render`.
@frozen public enum RenderStatus: UInt8, BitwiseCopyable, Sendable {
    /// The output buses hold sound, or some do.
    case sounding
    /// Every output bus is silent (the renderer writes the zeros), and the unit is at rest: rendering more silent input
    /// would give more zeros and change nothing in it but what is a function of the sample time alone. It is not called
    /// again until an event or a sound arrives. So that the moment of falling asleep does not depend on how time is cut
    /// into slices, a unit that decays decides on a grid of its own (every 64 frames of sample time, say).
    case silent
}
