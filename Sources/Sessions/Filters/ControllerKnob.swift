import DSP
import Graphs
import MIDI
import Patches
import UnitAPI

/// A control of a keyboard and the parameter that it moves, in the current graph.
struct ControllerKnob: Sendable {
    let map: ControllerMap
    /// The input port that it listens to; nil means all.
    private let input: UInt8?
    let target: ControlTarget
    private let from: Float
    private let to: Float
    private var pickUp = PickUp()

    /// nil if the graph has no such parameter.
    init?(_ map: ControllerMap, input: UInt8?, in graph: Graph) {
        guard let target = ControlTarget(map.parameter, in: graph) else { return nil }
        (self.map, self.input, self.target) = (map, input, target)
        from = target.spec.clamped(map.from ?? target.spec.range.lowerBound)
        to = target.spec.clamped(map.to ?? target.spec.range.upperBound)
    }

    /// Takes over the place of the former knob of the same control.
    mutating func goOn(from former: ControllerKnob) { pickUp = former.pickUp }

    /// Returns how far a message moves the control, 0...1; nil where the message is not for it.
    func place(of message: MIDIMessage) -> Float? { map.place(of: message, input: input) }

    /// Returns the value that the parameter gets with the control at `place`; nil where the control has not come to it yet.
    mutating func value(at place: Float) -> Float? {
        map.picksUp ? pickUp.value(at: place, standing: target.value, value(of:)) : value(of: place)
    }

    /// Returns the value for a place of the control.
    func value(of place: Float) -> Float {
        if case .toggle = target.spec.unit { return place < 0.5 ? from : to }
        if target.steps { return target.spec.clamped((from + place * (to - from)).rounded()) }
        if (map.curve ?? target.spec.curve) == .logarithmic, from > 0, to > 0 {
            return target.spec.clamped(
                Float(Double(from) * DeterministicMath.power(Double(to) / Double(from), Double(place))))
        }
        return target.spec.clamped(from + place * (to - from))
    }
}

extension ControllerMap {
    /// Returns how far a message moves the control, 0...1; nil where the message is not for it.
    ///
    /// - Parameter input: the input port of its keyboard; nil means any.
    func place(of message: MIDIMessage, input: UInt8?) -> Float? {
        if let input, input != message.port { return nil }
        if !channels.isEmpty, !channels.parts.contains(Int(message.channel)) { return nil }
        return control.place(in: message)
    }
}

extension ControllerMap.Control {
    /// Reads how far the control is moved by a message, 0...1; nil where the message is another control's.
    func place(in message: MIDIMessage) -> Float? {
        switch (self, message.kind) {
        case (.controller(let number), .controlChange) where Int(message.data1) == number: Float(message.data2) / 127
        case (.bend, .pitchBend): Float(Int(message.data2) << 7 | Int(message.data1)) / 16_383
        case (.pressure, .channelPressure): Float(message.data1) / 127
        default: nil
        }
    }

    /// The control that a message moves; nil if it moves none that may be learned. Bank selects, data entry and parameter
    /// numbers are left out, since they belong to other messages.
    init?(moving message: MIDIMessage) {
        switch message.kind {
        case .controlChange where message.data1 < 96 && ![0, 6, 32, 38].contains(message.data1),
            .controlChange where (102..<120).contains(message.data1):
            self = .controller(Int(message.data1))
        case .pitchBend: self = .bend
        case .channelPressure: self = .pressure
        default: return nil
        }
    }
}
