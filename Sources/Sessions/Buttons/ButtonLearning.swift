import MIDI
import RealtimeCore

/// Finds the button that a player presses for a request: a key or a program at once, a controller after two presses, since some
/// foot switches send 127 and 0 in turns. Pure; control side.
struct ButtonLearning {
    let action: Button.Action
    /// The controller that was pressed first, and the times at which it went down and up.
    private var switched: (control: Button.Control, part: Int, changes: [SampleTime], isDown: Bool)?
    private let bounce: Int, quick: Int, patience: Int

    init(_ action: Button.Action, sampleRate: Int) {
        self.action = action
        (bounce, quick, patience) = (sampleRate / 50, sampleRate * 3 / 10, sampleRate * 2)
    }

    /// The controller that is to be pressed once more; nil before the first press.
    var awaited: Button.Control? { switched?.control }

    /// Returns the button that is meant; nil where it is not known yet.
    mutating func take(_ message: MIDIMessage, at time: SampleTime) -> Button? {
        guard let control = Button.Control(moving: message) else { return nil }
        let part = message.part
        guard case .controller = control else {
            if message.endsNote { return nil }
            if case .turn = action { return nil }
            return button(control, part, toggles: false)
        }
        if case .turn = action { return button(control, part, toggles: false) }
        if switched?.control != control || switched?.part != part {
            switched = message.data2 >= 64 ? (control, part, [time], true) : (control, part, [], false)
            return nil
        }
        guard var state = switched else { return nil }
        let isDown = Button.Control.isDown(message.data2, after: state.isDown)
        if isDown == state.isDown || state.changes.last.map({ time < $0 + bounce }) == true { return nil }
        state.isDown = isDown
        state.changes.append(time)
        switched = state
        // Down, up, down.
        return state.changes.count == 3 ? button(control, part, toggles: false) : nil
    }

    /// Returns the button once it stands still: a switch that needs a press for each value, or one that was pressed once, quickly.
    func settled(at time: SampleTime) -> Button? {
        guard let state = switched, state.changes.count == 2, time >= state.changes[1] + patience else { return nil }
        return button(state.control, state.part, toggles: state.changes[1] - state.changes[0] > quick)
    }

    private func button(_ control: Button.Control, _ part: Int, toggles: Bool) -> Button {
        var button = Button(control, action)
        (button.channel, button.input) = (part % 16 + 1, UInt8(part / 16))
        button.toggles = toggles && !button.ends
        return button
    }
}
