import Graphs
import MIDI
import UnitAPI
import Units

extension SongRenderer {
    /// Returns the reason why a stem of this song has no sound, as half a sentence; after the render.
    public func reasonForSilence(of stem: Stem) -> String {
        let end = plan.start + (renderedFrames ?? 0), silent = options.channels.silent
        if plan.notes(before: end, silencing: silent) == 0, timeline.summary.noteCount > 0, stem.kind == .effect {
            return "no note begins in what is rendered"
        }
        if stem.kind == .effect { return "nothing is sent to it" }
        let strips = engine.graph.nodes.filter { $0.role == .strip }
        let own = strips.filter { stem.units.contains($0.name) }
        if !own.isEmpty, own.allSatisfy({ $0.isOn(ChannelStrip.Parameter.mute.spec.name) }) { return "it is muted" }
        let solo = ChannelStrip.Parameter.solo.spec.name
        if strips.contains(where: { $0.isOn(solo) }), !own.contains(where: { $0.isOn(solo) }) { return "others are soloed" }
        if stem.notes == 0 { return "no note is played on it" }
        let parts = Set(stem.channels.map { $0 - 1 })
        if parts.isSubset(of: silent) { return "its notes are left out: other channels alone are played" }
        if plan.notes(before: end, silencing: silent.union(Set(0..<256).subtracting(parts))) == 0 { return absence(of: parts) }
        return stem.notes == 1 ? "its note cannot be heard" : "none of its \(stem.notes) notes can be heard"
    }

    /// The reason why no note of some channels begins in the rendered passage.
    private func absence(of parts: Set<Int>) -> String {
        let begins = timeline.events.compactMap { timed -> Int64? in
            guard case .message(let message) = timed.event, message.beginsNote, parts.contains(message.part) else { return nil }
            return timed.time.rawValue
        }
        if plan.isWhole || begins.contains(where: plan.part.contains) { return "it begins after the end" }
        let isOne = begins.count == 1, notes = isOne ? "its note begins" : "its notes begin"
        if begins.allSatisfy({ $0 >= plan.part.upperBound }) { return "\(notes) after the part that is rendered" }
        if begins.allSatisfy({ $0 < plan.part.lowerBound }) { return "\(notes) before the part that is rendered" }
        return "none of its notes begins in the part that is rendered"
    }
}

extension Graph.Node {
    /// The value that a parameter of the unit is set to; nil if it has none of that name.
    func target(_ parameter: String) -> Float? {
        instance.parameters.specs.firstIndex { $0.name == parameter }.map { instance.parameters.target($0) }
    }

    func isOn(_ parameter: String) -> Bool { (target(parameter) ?? 0) >= 0.5 }
}
