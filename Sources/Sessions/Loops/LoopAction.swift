extension Session {
    /// What a track of the looper records.
    public enum LoopKind: String, CaseIterable, Sendable, Hashable {
        /// Sound.
        case audio
        /// Keys, which its instruments play again, in the session's tempo.
        case midi
    }

    /// What a track of the looper is asked to do.
    public enum LoopAction: String, CaseIterable, Sendable, Hashable {
        case record, play, overdub, replace, undo, redo, mute, solo, stop, clear, reverse, half, double, once, retrigger
        /// Records a new loop from the next key on, or from where sound comes in that is above -30 dBFS, if no song plays.
        case arm
        /// The one pedal goes down: record, play, overdub, play; twice within 0.35 s stops.
        case pedal
        /// The pedal has been down for 0.6 s: the press is taken back, and it undoes, redoes, or clears a loop that stood.
        case hold
        /// The pedal goes up. A press that might have been held to redo is a press now.
        case lift

        var help: String {
            switch self {
            case .record: "Records a new loop on a track."
            case .play: "Plays a loop; one that records is closed."
            case .overdub: "Adds a layer to a loop."
            case .replace: "Writes over a loop, as a layer."
            case .undo: "Takes back the last layer of a loop, and with the only one the loop."
            case .redo: "Brings back the layer that was taken back."
            case .mute: "Mutes a loop, or lets it be heard again; it goes on."
            case .solo: "Solos a loop, or ends that."
            case .stop: "Stops a loop."
            case .clear: "Forgets a loop."
            case .reverse: "Plays a loop backwards, or forwards again."
            case .half: "Plays a loop at half speed, or at its own again."
            case .double: "Plays a loop at double speed, or at its own again."
            case .once: "Plays a loop once."
            case .retrigger: "Plays a loop from its beginning."
            case .arm: "Records a new loop from the next key on, or from sound above -30 dB if no song plays."
            case .pedal: "One pedal for a loop: record, play, overdub, play; twice stops, holding undoes or redoes."
            case .hold: "The pedal has been down for 0.6 s: undoes, redoes, or clears a stopped loop."
            case .lift: "The pedal goes up."
            }
        }
    }
}
