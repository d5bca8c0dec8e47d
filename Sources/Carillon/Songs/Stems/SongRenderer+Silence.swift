import Graph
import MIDI
import UnitAPI
import Units

extension SongRenderer {
    /// The reason why a stem of this song has no sound, as half a sentence; after the render.
    public func reasonForSilence(of stem: Stem) -> String {
        if stem.kind == .effect { return "nothing is sent to it" }
        let strips = engine.graph.nodes.filter { $0.role == .strip }
        let own = strips.filter { stem.units.contains($0.name) }
        if !own.isEmpty, own.allSatisfy({ $0.isOn(ChannelStrip.Parameter.mute.spec.name) }) { return "it is muted" }
        let solo = ChannelStrip.Parameter.solo.spec.name
        if strips.contains(where: { $0.isOn(solo) }), !own.contains(where: { $0.isOn(solo) }) { return "others are soloed" }
        if stem.notes == 0 { return "no note is played on it" }
        // Of what is played more than once the first time is enough.
        let end = engine.renderer.sampleTime.rawValue
        let begins = timeline.events.contains { timed in
            guard case .message(let message) = timed.event, message.beginsNote else { return false }
            return stem.channels.contains(Int(message.port) * 16 + Int(message.channel) + 1) && timed.time.rawValue < end
        }
        if !begins { return "it begins after the end" }
        return stem.notes == 1 ? "its note cannot be heard" : "none of its \(stem.notes) notes can be heard"
    }
}

extension Graph.Node {
    /// Tells whether a switch of the unit is on.
    fileprivate func isOn(_ parameter: String) -> Bool {
        guard let index = instance.parameters.specs.firstIndex(where: { $0.name == parameter }) else { return false }
        return instance.parameters.target(index) >= 0.5
    }
}
