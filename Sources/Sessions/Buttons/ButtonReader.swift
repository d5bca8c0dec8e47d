import MIDI
import RealtimeCore

/// Tells presses, releases, holds and double presses of buttons apart, by the times of their messages. Pure; control side.
///
/// A change within 20 ms of the one before is a bounce: it counts once the 20 ms
/// are over, if the switch still stands there.
struct ButtonReader {
    /// A movement of a button.
    struct Call: Hashable {
        let button: Button
        let time: SampleTime
        /// The place of a control that is turned, 0...1.
        var place: Float = 0
    }

    private struct Slot: Hashable {
        let control: Button.Control
        let part: Int
    }

    private struct Switch {
        /// As the last message says, and as it counts.
        var said = false, isDown = false
        var changed: SampleTime?
        var pressed = SampleTime.zero
        /// A press may still become a hold or a double press.
        var waits = false
        /// A second press within this press's time is a double one.
        var mayDouble = false
        /// The holds of this press that were called, by their length.
        var held: Set<Int> = []
    }

    private let bounce: Int, double: Int, hold: Int, end: Int
    private(set) var buttons: [Button]
    private var switches: [Slot: Switch] = [:]

    init(_ buttons: [Button] = [], sampleRate: Int) {
        self.buttons = buttons
        (bounce, double, hold, end) = (sampleRate / 50, sampleRate * 35 / 100, sampleRate * 6 / 10, sampleRate * 2)
    }

    /// Replaces the buttons; switches that are down stay so.
    mutating func replace(_ buttons: [Button]) { self.buttons = buttons }

    /// True while time alone may bring a call.
    var isWaiting: Bool { switches.values.contains { $0.said != $0.isDown || $0.waits || $0.isDown } }

    /// Takes a message of a time; times do not go back.
    mutating func take(_ message: MIDIMessage, at time: SampleTime) -> [Call] {
        guard let control = Button.Control(moving: message) else { return [] }
        let slot = Slot(control: control, part: message.part), bound = buttons(of: slot)
        if bound.isEmpty { return [] }
        var calls: [Call] = []
        for button in bound {
            guard case .turn = button.action else { continue }
            calls.append(Call(button: button, time: time, place: Float(message.data2) / 127))
        }
        var state = switches[slot] ?? Switch()
        advance(&state, bound, to: time, &calls)
        switch control {
        case .program: change(&state, bound, at: time, &calls, isDown: true)
        case .key: say(message.kind == .noteOn && message.data2 > 0, &state, bound, at: time, &calls)
        case .controller:
            say(Button.Control.isDown(message.data2, after: state.said), &state, bound, at: time, &calls)
        }
        switches[slot] = state
        return calls
    }

    /// Lets time pass: holds, presses that are no double ones, switches that bounced.
    mutating func advance(to time: SampleTime) -> [Call] {
        var calls: [Call] = []
        for (slot, state) in switches where state.said != state.isDown || state.waits || state.isDown {
            var state = state
            advance(&state, buttons(of: slot), to: time, &calls)
            switches[slot] = state
        }
        let places = Dictionary(buttons.enumerated().map { ($1, $0) }) { first, _ in first }
        return calls.sorted { ($0.time, places[$0.button] ?? 0) < ($1.time, places[$1.button] ?? 0) }
    }

    private func buttons(of slot: Slot) -> [Button] {
        buttons.filter { $0.hears(slot.control, part: slot.part) }
    }

    private func say(_ isDown: Bool, _ state: inout Switch, _ bound: [Button], at time: SampleTime, _ calls: inout [Call]) {
        if isDown == state.said { return }
        state.said = isDown
        if let changed = state.changed, time < changed + bounce { return }
        if isDown != state.isDown { change(&state, bound, at: time, &calls, isDown: isDown) }
    }

    private func change(
        _ state: inout Switch, _ bound: [Button], at time: SampleTime, _ calls: inout [Call], isDown: Bool
    ) {
        state.changed = time
        state.isDown = isDown
        func call(_ gesture: Button.Gesture) { calls += self.calls(gesture, of: bound, at: time) }
        if bound.contains(where: \.toggles) { return call(.press) }
        if isDown {
            let hasDouble = bound.contains { $0.gesture == .double }
            if state.mayDouble, time <= state.pressed + double {
                (state.waits, state.mayDouble) = (false, false)
                call(.double)
            } else {
                state.waits = hasDouble || bound.contains(where: \.delaysPress)
                state.mayDouble = hasDouble
                if !state.waits { call(.press) }
            }
            (state.pressed, state.held) = (time, [])
            // A program has no end.
            if case .program = bound[0].control { state.isDown = false }
        } else {
            call(.release)
            if state.waits, !state.mayDouble || time > state.pressed + double {
                state.waits = false
                call(.press)
            }
        }
    }

    private func advance(_ state: inout Switch, _ bound: [Button], to time: SampleTime, _ calls: inout [Call]) {
        if state.said != state.isDown, let changed = state.changed, time >= changed + bounce,
            !bound.contains(where: \.isProgram)
        {
            change(&state, bound, at: changed + bounce, &calls, isDown: state.said)
        }
        if state.isDown {
            for (length, ends) in [(hold, false), (end, true)] where time >= state.pressed + length {
                let called = bound.filter { ends ? $0.ends : $0.gesture == .hold && !$0.ends }
                if called.isEmpty || bound.contains(where: \.toggles) || !state.held.insert(length).inserted { continue }
                (state.waits, state.mayDouble) = (false, false)
                calls += called.map { Call(button: $0, time: state.pressed + length) }
            }
        }
        let canHold = state.isDown && bound.contains(where: \.delaysPress)
        if state.waits, state.mayDouble, !canHold, time > state.pressed + double {
            (state.waits, state.mayDouble) = (false, false)
            calls += self.calls(.press, of: bound, at: state.pressed + double)
        }
    }

    private func calls(_ gesture: Button.Gesture, of bound: [Button], at time: SampleTime) -> [Call] {
        bound.filter { $0.gesture == gesture && !$0.isTurned && !$0.ends }.map { Call(button: $0, time: time) }
    }
}

extension Button {
    fileprivate var isTurned: Bool { if case .turn = action { true } else { false } }
    fileprivate var delaysPress: Bool { gesture == .hold && !ends && !follows }
    fileprivate var isProgram: Bool { if case .program = control { true } else { false } }
}
