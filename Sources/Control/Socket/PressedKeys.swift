import Carillon

/// The keys and pedals that a client has pressed and not lifted, so that a client that disconnects leaves no hanging note.
struct PressedKeys {
    /// The requests that lift them.
    private var held: Set<ControlCommand> = []

    mutating func take(_ command: ControlCommand) {
        guard let channel = command.whole(0) else {
            if command.verb == .release { held = [] }
            return
        }
        switch command.verb {
        case .press, .lift:
            guard let key = command.whole(1) else { return }
            hold(command.verb == .press, until: .liftKey(channel: channel, key: key))
        case .pedal:
            guard let pedal = command.text(1).flatMap(ControlCommand.Pedal.init), let isOn = command.flag(2) else { return }
            hold(isOn, until: .pedal(channel: channel, pedal, false))
        default: break
        }
    }

    private mutating func hold(_ isHeld: Bool, until end: ControlCommand) {
        if isHeld { held.insert(end) } else { held.remove(end) }
    }

    /// Keys first, then pedals.
    var lifts: [ControlCommand] {
        func place(_ command: ControlCommand) -> (Int, Int, String) {
            (command.whole(1) == nil ? 1 : 0, (command.whole(0) ?? 0) * 128 + (command.whole(1) ?? 0), command.text(1) ?? "")
        }
        return held.sorted { place($0) < place($1) }
    }
}
