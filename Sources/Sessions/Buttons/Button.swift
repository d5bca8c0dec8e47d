import MIDI
import Patches
import Reports

extension Session {
    /// A switch of a MIDI keyboard that makes a request: a foot switch, a key, a program change.
    ///
    /// As text it is the control with the words that say more, and the request: `controller-80=patch next`,
    /// `key-C2,channel-10,hold=panic`, `controller-7=volume`.
    public struct Button: Hashable, Sendable {
        /// The switch.
        public enum Control: Hashable, Sendable {
            /// A MIDI key, 0...127; 60 is middle C.
            case key(UInt8)
            /// A controller, 0...119, that goes up to its middle, such as a foot switch.
            case controller(UInt8)
            /// A program change, 0...127.
            case program(UInt8)
        }

        /// The movement that makes the request.
        public enum Gesture: String, CaseIterable, Sendable, Hashable {
            /// It goes down. If the same switch has a hold or a double press too: once it is clear that it is neither.
            case press
            /// It goes up.
            case release
            /// It stays down for 0.6 s.
            case hold
            /// It goes down twice within 0.35 s.
            case double
        }

        /// The request of a button.
        public enum Action: Hashable, Sendable {
            /// A request with its values.
            case request(ControlCommand)
            /// A request whose value is the place of the control: `volume`, `tempo`. It changes nothing until the control has come
            /// to the present value.
            case turn(Turn)
        }

        /// The switch that makes the request.
        public var control: Control
        /// The movement that makes it.
        public var gesture = Gesture.press
        /// The channel that it listens to, 1...16 on each input port; nil means any.
        public var channel: Int?
        /// The keyboard that it is on, by a part of its name or its identity; nil means any.
        public var keyboard: String?
        /// True for a foot switch that sends its values in turns, each with a press; each is a press.
        public var toggles = false
        /// True if the patch hears the message too.
        public var passes = false
        /// The request.
        public var action: Action
        /// True if a press of the same switch acts at once, and this takes it back.
        var follows = false
        /// The input port of its keyboard; nil means any.
        var input: UInt8?

        /// Creates a button that makes a request when it is pressed, on any channel.
        public init(_ control: Control, _ request: ControlCommand) { self.init(control, .request(request)) }

        package init(_ control: Control, _ action: Action) { (self.control, self.action) = (control, action) }

        /// Creates a button from the text before the equals sign. - Throws: an error that shows the form.
        package init(_ text: String, _ action: Action) throws(Fault) {
            let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            guard let control = Control(words[0]) else { throw .unknownButton(text) }
            self.init(control, action)
            for word in words.dropFirst() {
                switch word {
                case "toggle": toggles = true
                case "passes": passes = true
                default:
                    if let gesture = Gesture(rawValue: word) {
                        self.gesture = gesture
                    } else if word.hasPrefix("channel-"), let number = Int(word.dropFirst(8)), (1...16).contains(number) {
                        channel = number
                    } else if word.hasPrefix("keyboard-"), word.count > 9 {
                        keyboard = String(word.dropFirst(9))
                    } else {
                        throw .unknownButton(text)
                    }
                }
            }
            if let reason = fault { throw .impossibleButton(text, reason) }
        }

        /// The text that it is read from, without its request.
        public var text: String {
            var words = [control.text]
            if let channel { words.append("channel-\(channel)") }
            if let keyboard { words.append("keyboard-\(keyboard)") }
            if gesture != .press { words.append(gesture.rawValue) }
            if toggles { words.append("toggle") }
            if passes { words.append("passes") }
            return words.joined(separator: ",")
        }

        /// True if the request ends the session: the button must be held for it.
        var ends: Bool { if case .request(let command) = action { command.verb.role == .end } else { false } }

        /// A combination that cannot work; nil if this can.
        private var fault: String? {
            let isController = if case .controller = control { true } else { false }
            let isProgram = if case .program = control { true } else { false }
            if case .turn = action {
                return isController && gesture == .press && !toggles ? nil : "a control that is turned is a controller alone"
            }
            if toggles, !isController { return "a key or a program does not toggle" }
            if toggles || isProgram, gesture == .hold || gesture == .release || ends {
                return ends ? "this request needs a button that can be held for 2 s" : "it cannot be held"
            }
            if ends, gesture == .release || gesture == .double { return "this request needs to be held for 2 s" }
            return nil
        }

        /// Returns whether one message could move both this and `other`.
        func meets(_ other: Button) -> Bool {
            control == other.control && (channel == nil || other.channel == nil || channel == other.channel)
                && (keyboard == nil || other.keyboard == nil || keyboard == other.keyboard)
        }

        /// Returns whether a switch on a part, port * 16 + channel, moves it.
        func hears(_ control: Control, part: Int) -> Bool {
            control == self.control && channel ?? (part % 16 + 1) == part % 16 + 1 && input.map { Int($0) == part / 16 } ?? true
        }

        /// Returns whether a message moves it.
        func hears(_ message: MIDIMessage) -> Bool { Control(moving: message).map { hears($0, part: message.part) } ?? false }

        /// This button on the input port of its keyboard; nil where that keyboard has none.
        func on(_ inputs: KeyboardInputs) -> Button? {
            guard let keyboard else { return self }
            guard let input = inputs.input(of: keyboard) else { return nil }
            var button = self
            button.input = input
            return button
        }
    }
}

package typealias Button = Session.Button

extension Button.Control {
    /// Reads `key-C2`, `controller-80`, `program-3`; nil for anything else.
    public init?(_ text: String) {
        let words = text.split(separator: "-", maxSplits: 1).map(String.init)
        guard words.count == 2 else { return nil }
        switch words[0] {
        case "key":
            guard let span = KeySpan(words[1]), span.keys.count == 1 else { return nil }
            self = .key(span.keys.lowerBound)
        case "controller":
            guard let number = UInt8(words[1]), number < 120 else { return nil }
            self = .controller(number)
        case "program":
            guard let number = UInt8(words[1]), number < 128 else { return nil }
            self = .program(number)
        default: return nil
        }
    }

    /// The text that it is read from.
    public var text: String {
        switch self {
        case .key(let key): "key-\(KeySpan(key...key))"
        case .controller(let number): "controller-\(number)"
        case .program(let number): "program-\(number)"
        }
    }

    /// Returns whether a controller of this value is down: from 64 on, and once it is down until it falls below 54.
    static func isDown(_ value: UInt8, after wasDown: Bool) -> Bool { value >= (wasDown ? 54 : 64) }

    /// The switch that a message moves; nil where it moves none.
    init?(moving message: MIDIMessage) {
        switch message.kind {
        case .noteOn, .noteOff: self = .key(message.data1)
        case .controlChange where message.data1 < 120: self = .controller(message.data1)
        case .programChange: self = .program(message.data1)
        default: return nil
        }
    }
}

extension Fault {
    static func unknownButton(_ text: String) -> Fault {
        Fault(
            "there is no button \"\(text)\"", .usage,
            remedy: "give controller-80, key-C2 or program-3; after a comma channel-16, keyboard-NAME, hold, double, release, "
                + "toggle or passes")
    }
    static func impossibleButton(_ text: String, _ reason: String) -> Fault {
        Fault(reason, .usage, of: text, remedy: "choose another button or gesture")
    }
    static func unknownRequestOfButton(_ text: String, known: [String]) -> Fault {
        unknown("button", text, known: known, none: "no buttons were learned")
    }
}
