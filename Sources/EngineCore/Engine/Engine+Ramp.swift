import Graphs
import RealtimeCore
import UnitAPI

/// Parameters that take their time.
extension Engine {
    /// Moves a parameter to `value` within `seconds`, from where it is at `time` (nil means with the next slice). A `time` that
    /// has passed is the next slice too, with the whole duration still ahead, and is counted (`RenderCounters.lateEvents`).
    ///
    /// - Parameters:
    ///   - value: in the parameter's own unit and range.
    ///   - seconds: 0 for what its declaration says, up to `ParameterRamp.longest` frames.
    ///   - curve: `.exponential` suits hertz and seconds; decibels are linear already.
    /// - Throws: as `set`; and `ParameterError` when the parameter has nothing between its values, or the duration is out of
    ///   range.
    public func ramp<P: UnitParameter>(
        _ parameter: P, to value: Float, element: Int = 0, of node: NodeID, at time: SampleTime? = nil,
        over seconds: Double, curve: RampCurve = .linear
    ) throws(Fault) {
        let frames = (seconds * sampleRate).rounded(), longest = Double(ParameterRamp.longest)
        guard seconds >= 0, frames <= longest else {
            throw Fault(
                ParameterError.outOfRange(
                    parameter: parameter.spec.name, text: "\(seconds) s", low: "0 s", high: "\(longest / sampleRate) s"))
        }
        // However short, it is not the declaration's duration.
        try ramp(
            parameter, to: value, element: element, of: node, at: time,
            overFrames: seconds > 0 ? max(Int(frames), 1) : 0, curve: curve)
    }

    /// Moves a parameter to `value` within a duration, as `ramp(_:to:element:of:at:over:curve:)` in seconds does.
    public func ramp<P: UnitParameter>(
        _ parameter: P, to value: Float, element: Int = 0, of node: NodeID, at time: SampleTime? = nil,
        over duration: Duration, curve: RampCurve = .linear
    ) throws(Fault) {
        try ramp(parameter, to: value, element: element, of: node, at: time, over: duration.inSeconds, curve: curve)
    }

    /// Moves a parameter to `value` within a number of frames, 0...`ParameterRamp.longest`.
    public func ramp<P: UnitParameter>(
        _ parameter: P, to value: Float, element: Int = 0, of node: NodeID, at time: SampleTime? = nil,
        overFrames frames: Int, curve: RampCurve = .linear
    ) throws(Fault) {
        let target = try target(parameter, value, element: element, of: node), spec = parameter.spec
        if spec.applies == .atStart { throw Fault(ParameterError.onlyAtStart(parameter: spec.name)) }
        switch spec.unit {
        // A switch that is declared to fade may fade slower.
        case .toggle, .choice: if spec.smoothing == 0 { throw Fault(ParameterError.stepsOnly(parameter: spec.name)) }
        case .none, .decibels, .hertz, .seconds, .percent, .cents, .semitones, .ratio, .voices, .frames, .pan: break
        }
        guard (0...Int(ParameterRamp.longest)).contains(frames) else {
            throw Fault(
                ParameterError.outOfRange(
                    parameter: spec.name, text: "\(frames) frames", low: "0", high: "\(ParameterRamp.longest)"))
        }
        let event = UnitEvent.ramp(
            index: target.index, element: target.element, value: target.value, frames: Int32(frames), curve: curve)
        try send(RenderCommand(time: time ?? .immediately, node: node, event: event))
        asked[node, Int(target.index), Int(target.element)] = target.value
    }
}
