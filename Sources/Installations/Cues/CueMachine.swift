/// Decides which cues start and stop. A pure machine: its input is the requests and the time, its output is what starts and
/// stops.
///
/// Sounds may overlap; only one song plays at a time. Layers are a part of the music and play beside everything else. A cue
/// of lower priority than what plays is refused, and the refusal is reported.
public struct CueMachine: Sendable {
    /// Something that is to be done about a cue.
    public enum Action: Hashable, Sendable {
        case start(Cue)
        case stop(Cue)
        /// The cue is not played, and why.
        case refuse(Cue, String)
    }

    /// The cues, by their names.
    public private(set) var cues: [Cue]
    /// The cues that play, and since when; those that have ended, and when.
    private var playing: [String: Double] = [:]
    private var ended: [String: Double] = [:]

    /// Creates a machine of cues none of which plays.
    public init(_ cues: [Cue]) { self.cues = cues }

    /// The names of those that play, in the order of the file.
    public var names: [String] { cues.map(\.name).filter { playing[$0] != nil } }

    /// The change of the music's level for the cues that play, in decibels; not more than 0.
    public var duck: Double { cues.filter { playing[$0.name] != nil }.map(\.duck).min().map { min($0, 0) } ?? 0 }

    /// Returns the cue of a name.
    public func cue(named name: String) -> Cue? { cues.first { $0.name == name } }

    /// Handles a request for a cue; no actions if there is no such cue.
    public mutating func ask(for name: String, at seconds: Double) -> [Action] {
        guard let cue = cue(named: name) else { return [] }
        if playing[name] != nil {
            if cue.mode == .toggle { return stop(cue) }
            if cue.mode == .hold { return [] }
            return [.refuse(cue, "it plays already")]
        }
        if let end = ended[name], seconds - end < cue.coolDown {
            return [.refuse(cue, "it rests for another \(Int((cue.coolDown - (seconds - end)).rounded(.up))) s")]
        }
        let others = cues.filter { playing[$0.name] != nil && $0.isInTheWay(of: cue) }
        if let stronger = others.first(where: { $0.priority > cue.priority }) {
            return [.refuse(cue, "\(stronger.name) is more important")]
        }
        // A song takes the place of a song; a sound that is more important silences the others.
        var actions: [Action] = []
        for other in others where cue.takesPlace(of: other) { actions += stop(other) }
        if cue.lasts { playing[name] = seconds } else { ended[name] = seconds }
        return actions + [.start(cue)]
    }

    /// A cue plays by other means than being asked for.
    mutating func begin(_ name: String, at seconds: Double) { playing[name] = seconds }

    /// Releases a cue that was held.
    public mutating func release(_ name: String) -> [Action] {
        guard let cue = cue(named: name), cue.mode == .hold, playing[name] != nil else { return [] }
        return stop(cue)
    }

    /// Handles the end of a cue, by itself or by a request; what follows it is requested.
    public mutating func end(_ name: String, at seconds: Double) -> [Action] {
        guard playing.removeValue(forKey: name) != nil || ended[name] == nil else { return [] }
        ended[name] = seconds
        return cues.filter { $0.after == name }.flatMap { ask(for: $0.name, at: seconds) }
    }

    /// A cue that plays and is gone is forgotten.
    mutating func replace(_ cues: [Cue]) {
        self.cues = cues
        let names = Set(cues.map(\.name))
        playing = playing.filter { names.contains($0.key) }
    }

    /// Ends all cues; nothing follows them.
    public mutating func clear(at seconds: Double) {
        for name in playing.keys { ended[name] = seconds }
        playing = [:]
    }

    private func stop(_ cue: Cue) -> [Action] { playing[cue.name] == nil ? [] : [.stop(cue)] }
}

extension Cue {
    /// A scene is called, and that is all.
    var lasts: Bool { content.lasts }

    private var isLayer: Bool { if case .layer = content { true } else { false } }
    private var isSong: Bool { if case .song = content { true } else { false } }

    fileprivate func isInTheWay(of other: Cue) -> Bool {
        if !other.lasts || isLayer || other.isLayer { return false }
        return isSong && other.isSong || priority != other.priority
    }

    fileprivate func takesPlace(of other: Cue) -> Bool { isSong && other.isSong || priority > other.priority }
}
