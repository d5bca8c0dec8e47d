import Document
import MIDI
import Patches
import RealtimeCore
import Reports

/// The buttons of keyboards: they make requests, which no instrument hears. They are given at the start or learned.
final class ButtonsPart: SessionPart {
    private let core: SessionCore
    private let keys: KeysPart
    /// The buttons that were given or learned.
    private var buttons: [Button]
    /// It reads what follows the press of a pedal, too.
    private var reader: ButtonReader
    private var learning: ButtonLearning?
    private var pickUps: [Button: PickUp] = [:]
    private var remarks: [Remark] = []

    static let verbs = [Verb.learn, .learnOff, .learnRequest, .forgetRequest, .saveList]

    static let fields: [PartField<ButtonsPart>] = [
        PartField(\.buttons, "buttons", "The buttons of keyboards that make requests.") { $0.buttons.map { .init($0) } },
        PartField(\.learning, "learning", "The parameter or the request that waits for a control.") {
            $0.learning?.action.description ?? $0.keys.filter.controls?.learning?.description
        },
    ]

    init(_ core: SessionCore, _ keys: KeysPart) {
        (self.core, self.keys) = (core, keys)
        buttons = core.options.allButtons
        reader = ButtonReader(sampleRate: core.options.sampleRate)
        replace(with: buttons)
        // Those of a list's file are checked with it.
        let check = core.options.buttonCheck
        for button in core.options.connections.buttons { note(button, check) }
    }

    /// Remarks on likely mistakes in a button.
    private func note(_ button: Button, _ check: ButtonCheck) {
        // Without instruments for keys a button takes nothing from them.
        var findings = core.options.playedPorts > 0 ? check.findings(on: button.control, of: button) : []
        if case .request(let command) = button.action { findings += check.findings(on: command) }
        remarks += findings.map { Remark($0.kind, button.text, $0.sentence, remedy: $0.remedy) }
    }

    func takeRemarks() -> [Remark] {
        defer { remarks = [] }
        return remarks
    }

    /// True while time alone may bring a request: a button is held, or may be pressed twice.
    var isWaiting: Bool { reader.isWaiting || learning != nil }

    func takeRequests(_ parts: [any SessionPart]) -> [SessionRequest] {
        var calls: [ButtonReader.Call] = []
        for (message, time) in keys.filter.takePressed() {
            if learning != nil {
                if let button = learning?.take(message, at: time ?? core.now) { learn(button) }
            } else {
                calls += reader.take(message, at: time ?? core.now)
            }
        }
        calls += reader.advance(to: core.now)
        if let button = learning?.settled(at: core.now) { learn(button) }
        return requests(calls, parts)
    }

    private func requests(_ calls: [ButtonReader.Call], _ parts: [any SessionPart]) -> [SessionRequest] {
        // Of a control that was turned its last place counts.
        var turned: [Button: ButtonReader.Call] = [:], requests: [SessionRequest] = []
        for call in calls {
            switch call.button.action {
            case .request(let command): requests.append(SessionRequest(command: command, time: call.time))
            case .turn: turned[call.button] = call
            }
        }
        for button in reader.buttons {
            guard case .turn(let action) = button.action, let turn = action.verb.turn, let call = turned[button],
                let standing = turn.standing(parts),
                let value = pickUps[button, default: PickUp()].value(
                    at: call.place, standing: Float(standing), turn.value(of:))
            else { continue }
            requests.append(SessionRequest(command: ControlCommand(action.verb, [.number(Double(value))]), time: call.time))
        }
        return requests
    }

    /// Waits for a control of one of the two, in the place of what it has waited for; for none with neither.
    func learn(parameter: String? = nil, request action: Button.Action? = nil) throws(Fault) {
        try keys.learn(parameter)
        wait(for: action)
        if case .request = action {
            core.tell(["press the button for \"\(action?.description ?? "")\"; a foot switch twice"])
        }
    }

    private func wait(for action: Button.Action?) {
        learning = action.map { ButtonLearning($0, sampleRate: core.options.sampleRate) }
        keys.filter.learnsButton = learning != nil
    }

    private func learn(_ button: Button) {
        wait(for: nil)
        var button = button
        (button.keyboard, button.input) = (button.input.flatMap { keys.inputs.keyboard(of: Int($0)) }, nil)
        // One request for a button; the same request may have several.
        replace(with: buttons.filter { !($0.meets(button) && $0.gesture == button.gesture) } + [button])
        note(button, core.options.buttonCheck)
        let advice = core.options.list.path.map { "; save-list writes it into \($0)" } ?? ""
        core.tell(["learned: \(button.text)=\(button.action)\(advice)"])
    }

    func forget(_ action: Button.Action) throws(Fault) {
        let rest = buttons.filter { $0.action != action }
        if rest.count == buttons.count {
            throw .unknownRequestOfButton("\(action)", known: buttons.map(\.action.description))
        }
        replace(with: rest)
    }

    /// Makes these the buttons of the list in the place of its former ones; others stay.
    func exchange(_ listed: [SetList.Button]) {
        let former = core.options.list.buttons.compactMap(\.made)
        core.options.list.buttons = listed
        exchange(former, for: listed.compactMap(\.made))
    }

    func exchange(_ former: [Button], for new: [Button]) {
        replace(with: buttons.filter { !former.contains($0) && !new.contains($0) } + new)
    }

    /// Writes the buttons into the file of the list: those that were learned come, those that were forgotten go. Those that were
    /// given at the start from elsewhere are not written. Returns its path.
    func saveList() throws(Fault) -> String {
        guard let path = core.options.list.path else { throw .noListFile }
        do throws(DocumentError) {
            let source = try PatchFile.source(path: path)
            var list = try SetList(text: source, path: path)
            let known = core.options.list.buttons.compactMap { listed in listed.made.map { (listed.control, $0) } }
            let made = Dictionary(known) { first, _ in first }
            list.buttons.removeAll { made[$0.control].map { !buttons.contains($0) } ?? false }
            let others = core.options.connections.buttons + made.values
            let learned = buttons.filter { !others.contains($0) }.map { button in
                var listed = SetList.Button(control: button.text, request: button.action.description)
                listed.made = button
                return listed
            }
            let replaced = Set(learned.map(\.control))
            list.buttons.removeAll { replaced.contains($0.control) }
            list.buttons += learned
            let text = try list.update(source: source)
            try PatchFile.write(text, to: path)
            core.options.list.buttons = list.buttons.map { listed in
                var listed = listed
                listed.made = listed.made ?? made[listed.control]
                return listed
            }
            return path
        } catch { throw Fault(error) }
    }

    private func replace(with buttons: [Button]) {
        self.buttons = buttons
        let heard = buttons.compactMap { $0.on(keys.inputs) }
        core.tell(
            buttons.filter { $0.on(keys.inputs) == nil }.map {
                "\($0.text): its keyboard was not named at the start, and the button is not heard; start again"
            })
        reader.replace(heard.withFollowers)
        pickUps = pickUps.filter { heard.contains($0.key) }
        keys.filter.claim(heard)
    }
}

extension Session {
    /// Makes these the buttons of its list in the place of the former ones; others stay, such as those that were learned.
    package func exchange(buttons: [SetList.Button]) { self[ButtonsPart.self]?.exchange(buttons) }

    /// Makes these its buttons in the place of `former`; others stay.
    package func exchange(buttons former: [Button], for new: [Button]) { self[ButtonsPart.self]?.exchange(former, for: new) }
}

extension [Button] {
    /// With the other movements of each pedal of a loop: a hold, and that it goes up.
    fileprivate var withFollowers: [Button] {
        self
            + flatMap { button -> [Button] in
                guard case .request(let command) = button.action, button.gesture == .press, !button.toggles else { return [] }
                if case .program = button.control { return [] }
                return command.followers.map { gesture, request in
                    var follower = button
                    (follower.gesture, follower.action, follower.follows) = (gesture, .request(request), true)
                    return follower
                }
            }
    }
}

extension SnapshotKeys {
    /// The buttons of keyboards that make requests.
    public var buttons: SnapshotKey<[SessionSnapshot.Button]> { SnapshotKey([]) }
    /// The parameter or the request for which a control is waited for.
    public var learning: SnapshotKey<String?> { SnapshotKey(nil) }
}

extension SessionSnapshot {
    /// A button of a keyboard and its request.
    public struct Button: Sendable, Hashable {
        /// The button: `controller-80,hold`.
        public var button: String
        /// The request, as a line.
        public var request: String

        init(_ button: Session.Button) { (self.button, request) = (button.text, button.action.description) }
    }
}

extension SessionSnapshot.Button: Fielded {
    package static let fields: [Field<Self>] = [
        Field("button", \.button, "The button, and the gesture if it is not a press."),
        Field("request", \.request, "The request that it makes."),
    ]
}

extension Verb {
    static let learn = Verb(
        "learn", [.parameter], help: "Assigns the next control that is moved to this parameter.", "learn reverb.decay"
    ) { (buttons: ButtonsPart, values) throws(Fault) in try buttons.learn(parameter: values.text(0)) }.changingSetup
    static let learnOff = Verb("learn off", help: "Stops waiting for a control.", "learn off") {
        (buttons: ButtonsPart, _) throws(Fault) in try buttons.learn()
    }
    static let learnRequest = Verb(
        "learn request", [.request], help: "Assigns the next button that is pressed to a request.", "learn request patch next"
    ) { (buttons: ButtonsPart, values) throws(Fault) in try buttons.learn(request: values.action(0)) }.changingSetup
    static let forgetRequest = Verb(
        "forget request", [.request], help: "Removes the buttons of a request.", "forget request patch next"
    ) { (buttons: ButtonsPart, values) throws(Fault) in try buttons.forget(values.action(0)) }.changingSetup
    static let saveList = Verb(
        "save-list", help: "Writes the buttons that were learned into the file of the set list.", "save-list",
        saves: { (buttons: ButtonsPart, _) throws(Fault) in try buttons.saveList() }
    ).changingSetup
}

extension Fault {
    /// No file has a set list into which buttons could be written.
    static var noListFile: Fault { Fault("no list file plays", .usage, remedy: "name the file of a set list at the start") }
}

extension ControlCommand {
    /// Gives this request to the next button of a keyboard that is pressed: a key, a foot switch, a program.
    public static func learn(request: Session.Button.Action) -> ControlCommand { Verb.learnRequest(request) }
    /// Writes the buttons that were learned into the file of the set list.
    public static let saveList = Verb.saveList()
    /// Removes the buttons of this request.
    public static func forget(request: Session.Button.Action) -> ControlCommand { Verb.forgetRequest(request) }
}
