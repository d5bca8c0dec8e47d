// [render]
import MIDI
import RealtimeCore
import UnitAPI

/// An event that one unit receives between two frames.
@frozen public enum UnitEvent: BitwiseCopyable, Sendable {
    /// Music, for instruments; and for the parameters that a controller moves.
    case music(MusicEvent)
    /// A new target for a parameter, in its own unit; it glides there by its declaration.
    case parameter(index: Int32, element: Int32, value: Float)
    /// A new target for a parameter, reached over `frames` frames, 1...`ParameterRamp.longest`, along a curve; 0 frames means
    /// as declared.
    case ramp(index: Int32, element: Int32, value: Float, frames: Int32, curve: RampCurve)
    /// Back to silence, as if just made. Parameters stay.
    case reset
    /// Less work, 0...3: see `AudioUnit.shed`. A command without a unit means all.
    case shed(level: UInt8)
    /// The renderer has adopted the plan of that number (`Renderer.adopt`). It occurs among performed events only, and not
    /// for a first plan that was there before the first frame: a performance starts from it. Sent as a command it does
    /// nothing.
    case adopted(plan: Int32)
}

/// An event on its way from the control side to one unit, or to the units of its part.
package struct RenderCommand: BitwiseCopyable, Sendable {
    /// When it takes effect: a frame, `SampleTime.immediately` or `.inTurn`. With a frame that has passed it takes effect
    /// with the next slice, and is counted as late.
    package var time: SampleTime
    /// The unit; nil sends music to the units its part is routed to, and shedding to all.
    package var node: NodeID?
    /// The event to deliver.
    package var event: UnitEvent

    /// Creates a command.
    @_noLocks package init(time: SampleTime, node: NodeID?, event: UnitEvent) {
        (self.time, self.node, self.event) = (time, node, event)
    }
}

struct SliceEvent: BitwiseCopyable {
    /// Frames from the start of the slice.
    var offset: Int32
    /// The unit's next event of this slice, or -1.
    var next: Int32
    var event: UnitEvent

    @_noLocks init(offset: Int32, next: Int32, event: UnitEvent) {
        (self.offset, self.next, self.event) = (offset, next, event)
    }
}
