import EngineCore
import Graphs
import MIDI
import RealtimeCore
import SongRendering
import Synchronization

/// The whole filter of a session: the one that it was given, then the zones, then the player's transposition, so that a split
/// stays on its keys.
struct PlayerFilter: MIDIFilter {
    /// The filter that the session was given.
    var given: (any MIDIFilter)?
    /// The zones that get the output of the filter; nil means none.
    var zones: ZoneRouter?
    /// The player's transposition; drums stay.
    var transposer = TransposeFilter(semitones: 0)
    /// The ports of the patch that sounds.
    var ports = PartPorts.same

    /// The patch that stays through all others: its zones and ports, and what its keys are transposed by.
    var always: Always?

    struct Always {
        var zones: ZoneRouter?
        let ports: PartPorts
        var transposer = TransposeFilter(semitones: 0)

        mutating func events(_ events: [MusicEvent]) -> [MusicEvent] {
            PlayerFilter.events(events, &zones, &transposer, ports)
        }
    }

    /// The event as the given filter makes it, in its zones, transposed.
    mutating func events(for event: MusicEvent) -> [MusicEvent] {
        let filtered = given?.events(for: event) ?? [event]
        let heard = Self.events(filtered, &zones, &transposer, ports)
        return heard + (always?.events(filtered) ?? [])
    }

    private static func events(
        _ events: [MusicEvent], _ zones: inout ZoneRouter?, _ transposer: inout TransposeFilter, _ ports: PartPorts
    ) -> [MusicEvent] {
        let routed = zones.map { zones in events.flatMap { zones.events(for: $0) } } ?? events
        var heard: [MusicEvent] = []
        for event in routed { heard += transposer.events(for: event) }
        return ports == .same ? heard : heard.compactMap(ports.event)
    }

    mutating func transpose(by semitones: Int) {
        transposer.semitones = semitones
        always?.transposer.semitones = semitones
    }
}

/// The filter of a live session, with the ledgers of held keys and the controls that move parameters: the MIDI thread runs it
/// for keyboards, the control side for other surfaces, and may exchange it.
///
/// The MIDI thread needs the lock for each key: values that the control side exchanges are made before it takes the lock, and
/// freed after.
final class LiveFilter: Sendable {
    private struct State {
        var filter: PlayerFilter
        /// The keys of keyboards, and those of other surfaces: neither ends keys that the other holds.
        var keyboards = FilterLedger(), surfaces = FilterLedger()
        var controls: PlayerControls?
        /// The buttons, which hear messages before all others, and what they have heard.
        var buttons: [Button] = []
        var learnsButton = false
        var onPress: @Sendable () -> Void = {}
        var pressed: [(message: MIDIMessage, time: SampleTime?)] = []
        /// The zones and ports that events of a later time play, nil in it once it has come; then those that went.
        var coming: (time: SampleTime?, zones: ZoneRouter?, ports: PartPorts)?

        /// Plays the zones whose time has come. The former ones are freed on the control side.
        mutating func reach(_ time: SampleTime) {
            guard let start = coming?.time ?? nil, time >= start else { return }
            swap(&filter.zones, &coming!.zones)
            filter.ports = coming!.ports
            coming!.time = nil
        }

        /// Keeps a message of a button. Returns true if the patch does not hear it.
        mutating func claims(_ event: MusicEvent, at time: SampleTime?) -> Bool {
            guard case .message(let message) = event, learnsButton || !buttons.isEmpty else { return false }
            if learnsButton, Button.Control(moving: message) == nil { return false }
            var isHeard = learnsButton, passes = !learnsButton
            for button in buttons where button.hears(message) { (isHeard, passes) = (true, passes && button.passes) }
            if isHeard, pressed.count < LiveFilter.mostPressed { pressed.append((message, time)) }
            return isHeard && !passes
        }
    }
    /// Messages of buttons that may wait to be taken; further ones are dropped.
    private static let mostPressed = 1024
    private let state: Mutex<State>
    /// The programs that select patches of the list; nil means none do.
    let calls: PatchCalls?

    init(
        _ given: (any MIDIFilter)?, calls: PatchCalls? = nil, zones: ZoneRouter? = nil, ports: PartPorts = .same,
        always: (zones: ZoneRouter?, ports: PartPorts)? = nil
    ) {
        self.calls = calls
        let beside = always.map { PlayerFilter.Always(zones: $0.zones, ports: $0.ports) }
        state = Mutex(State(filter: PlayerFilter(given: given, zones: zones, ports: ports, always: beside)))
    }

    /// Plays other zones from the next event on, or from the first of a later time; held keys end where they began. Of the same
    /// patch, the zones that a scene has chosen stay, as far as they exist. Control side.
    func play(_ zones: ZoneRouter?, on ports: PartPorts, isOtherPatch: Bool, from time: SampleTime? = nil) {
        var coming: (time: SampleTime?, zones: ZoneRouter?, ports: PartPorts)? = (time ?? .zero, zones, ports)
        state.withLock { state in
            if !isOtherPatch, let chosen = state.filter.zones?.heard { coming?.zones?.hear(chosen) }
            swap(&state.coming, &coming)
            if time == nil { state.reach(.zero) }
        }
    }

    /// The patch that stays plays other zones from the next event on; held keys end where they began. Control side.
    func playAlways(_ zones: ZoneRouter?, on ports: PartPorts) {
        var always: PlayerFilter.Always? = PlayerFilter.Always(zones: zones, ports: ports)
        state.withLock { state in
            if let former = state.filter.always { always?.transposer = former.transposer }
            swap(&state.filter.always, &always)
        }
    }

    /// Lets events of other surfaces play the zones whose time has come. Control side.
    func reach(_ time: SampleTime) { state.withLock { $0.reach(time) } }

    /// Returns whether a key or a pedal holds anything on these ports of the engine. Control side.
    func holds(_ ports: Set<UInt8>) -> Bool { state.withLock { $0.keyboards.holds(ports) || $0.surfaces.holds(ports) } }

    /// The filter that was given, for events from now on. Sounding notes go on until their own note-off. Control side.
    var filter: (any MIDIFilter)? {
        get { state.withLock { $0.filter.given } }
        set {
            var filter = newValue
            state.withLock { swap(&$0.filter.given, &filter) }
        }
    }

    var isEmpty: Bool { state.withLock { $0.keyboards.isEmpty && $0.surfaces.isEmpty } }

    /// Semitones by which all keys are transposed. Control side.
    var transposition: Int { state.withLock { $0.filter.transposer.semitones } }

    /// Plays higher or lower from now on, by `semitones`. Control side.
    func transpose(by semitones: Int) { state.withLock { $0.filter.transpose(by: semitones) } }

    /// The zones that get the output of the filter; nil: none. Control side.
    var zones: ZoneRouter? { state.withLock { $0.filter.zones } }

    /// The controls that move parameters and call scenes. Control side.
    var controls: PlayerControls? { state.withLock { $0.controls } }

    /// Replaces the controls; the new ones take over the state of the former, unless `isOtherPatch`. The new controls are made
    /// from the graph, and matched to the former ones, before the lock is taken, so that no key waits for that. Control side.
    func replaceControls(with controls: consuming PlayerControls, isOtherPatch: Bool) {
        let former = isOtherPatch ? nil : state.withLock { $0.controls?.maps }
        let places = former.map(controls.places)
        var controls: PlayerControls? = controls
        state.withLock { state in
            if let places, let former = state.controls { controls?.goOn(from: former, places) }
            swap(&state.controls, &controls)
        }
    }

    /// The messages of these buttons are theirs from the next one on. Control side.
    func claim(_ buttons: [Button]) {
        var buttons = buttons
        state.withLock { swap(&$0.buttons, &buttons) }
    }

    /// True while the next button is to be learned: keys, controllers and programs are heard by no instrument. Control side.
    var learnsButton: Bool {
        get { state.withLock { $0.learnsButton } }
        set { state.withLock { $0.learnsButton = newValue } }
    }

    /// Called when a button was moved or a program selected a patch, on the MIDI thread. Control side.
    func onPress(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onPress = body } }

    /// Takes out the messages of buttons, each with its time; nil means it has none. Control side.
    func takePressed() -> [(message: MIDIMessage, time: SampleTime?)] {
        state.withLock { state in
            defer { state.pressed = [] }
            return state.pressed
        }
    }

    /// Asks the controls for something. Control side.
    func withControls<Result>(_ body: (inout PlayerControls) -> Result) -> Result? {
        state.withLock { state in state.controls != nil ? body(&state.controls!) : nil }
    }

    /// Calls a scene, by its name or `steps` places further. Returns the commands to send for it, or nil if there is none.
    /// Control side.
    func recall(named name: String?, by steps: Int) -> [RenderCommand]? {
        state.withLock { state -> [RenderCommand]? in
            guard let outcome = state.controls?.recall(named: name, by: steps) else { return nil }
            if let zones = outcome.zones { state.filter.zones?.hear(zones) }
            return outcome.commands
        }
    }

    /// Returns the commands to send for an event that no keyboard has played: it moves no control and calls no scene, and the end
    /// of a key that no surface holds is none. Control side.
    func commands(ofSurface event: MusicEvent) -> [RenderCommand] {
        state.withLock { state in
            if case .message(let message) = event, message.endsNote, !state.surfaces.holds(message) { return [] }
            return Self.commands(state.surfaces.events(for: event, filtered: state.filter.events(for: event)), at: .immediately)
        }
    }

    /// Returns the commands that end all keys that surfaces hold. Control side.
    func releaseSurfaces() -> [RenderCommand] { Self.commands(state.withLock { $0.surfaces.releaseAll() }, at: .immediately) }

    private static func commands(_ events: [MusicEvent], at time: SampleTime) -> [RenderCommand] {
        events.map { RenderCommand(time: time, node: nil, event: .music($0)) }
    }

    /// Returns the commands to send for an event of a keyboard: music for the units that hear it, parameters of units. Buttons
    /// hear it first, then the list of patches, then scenes, then controllers, then zones. MIDI thread.
    ///
    /// - Parameter time: when it takes effect; nil means at once.
    func commands(for event: MusicEvent, at time: SampleTime? = nil) -> [RenderCommand] {
        let (commands, onPress) = state.withLock { state -> ([RenderCommand], (@Sendable () -> Void)?) in
            state.reach(time ?? SampleTime(.max))
            let former = state.pressed.count
            let isButton = state.claims(event, at: time), isCall = !isButton && calls?.claims(event) == true
            let outcome = isButton || isCall ? .claimed : state.controls?.take(event) ?? PlayerControls.Outcome()
            if let zones = outcome.zones { state.filter.zones?.hear(zones) }
            // The ledger hears all events: a note that has begun before ends, even if the event now serves another purpose.
            let made = outcome.passes ? state.filter.events(for: event) : []
            return (
                outcome.commands + Self.commands(state.keyboards.events(for: event, filtered: made), at: .inTurn),
                isCall || state.pressed.count > former ? state.onPress : nil
            )
        }
        onPress?()
        return commands
    }
}
