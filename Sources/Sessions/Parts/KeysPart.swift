import EngineCore
import Graphs
import MIDI
import Patches
import RealtimeCore
import RemoteIO
import Reports
import Sequencer
import SongRendering

/// Keys: those of keyboards, those that other surfaces press, the zones that they play and the controls beside them.
final class KeysPart: SessionPart {
    private let core: SessionCore
    let outputs: OutputsPart
    /// The keyboards that have input ports of their own.
    let inputs: KeyboardInputs
    let filter: LiveFilter
    /// The keyboards; nil means there are none.
    let inlet: (any MIDIInlet)?
    private var sounding = SoundingKeys()
    /// The sound that a part of the patch plays, if it is a SoundFont's.
    var sound: (Int, String?) -> SoundPreset? = { _, _ in nil }
    /// Those of keyboards and other surfaces.
    private var played = SoundingKeys()
    private var notes = CommandedNotes()
    /// A scene that is called at a time.
    private var waiting: (scene: SceneChoice, time: SampleTime)?
    /// The scene that was marked last.
    private var markedScene: String?
    /// The number of kinds of messages without effect that were reported.
    private var reported = 0

    init(
        _ core: SessionCore, _ outputs: OutputsPart, _ filter: LiveFilter, inputs: KeyboardInputs, inlet: (any MIDIInlet)?
    ) {
        (self.core, self.outputs, self.filter, self.inputs, self.inlet) = (core, outputs, filter, inputs, inlet)
        core.droppedEvents = { [inlet] in inlet?.droppedEvents ?? 0 }
        renewControls()
    }

    func start() throws(Fault) { do { try inlet?.start() } catch { throw .unavailable(device: nil, sequencer: error) } }

    func hear(_ performance: Performance) {
        for command in performance.commands { sounding.take(command) }
        for command in performance.live { played.take(command) }
    }

    func turn() throws(Fault) {
        learnWhatWasHeard()
        filter.reach(core.now)
        callWaiting()
        markScene(at: core.now)
        try again { () throws(Fault) in try play(notes.due(core.now)) }
    }

    func takeNotices() -> [String] { inlet?.takeSentences() ?? [] }

    /// One for each kind of message, when its first has come.
    func takeRemarks() -> [Remark] {
        guard let entries = inlet?.unfollowed, entries.count > reported else { return [] }
        defer { reported = entries.count }
        return entries[reported...].filter(\.isSound).map {
            Remark(.notFollowed, "keyboards", Remark.notFollowed($0.title, 1))
        }
    }

    func silence() throws(Fault) {
        try releaseAll()
        inlet?.releaseAll()
    }

    func leave() { inlet?.stop() }

    func release(at stop: SampleTime) throws(Fault) { try releaseAll() }

    /// Sends events of surfaces through the filter.
    private func play(_ events: [MusicEvent]) throws(Fault) { try send(events.flatMap(filter.commands(ofSurface:))) }

    /// Sends commands of the filter. What finds no room waits, and goes first with the next.
    private func send(_ commands: [RenderCommand]) throws(Fault) { try core.engine.midi.post(outputs.divert(commands)) }

    /// Plays a note through the filter that keyboards have.
    func strike(channel: Int, key: Int, velocity: Int, seconds: Double?) throws(Fault) {
        let part = try part(ofChannel: channel)
        if let seconds, !(seconds > 0 && seconds <= 3600) {
            throw .outOfRange(name: "length of the note", value: "\(seconds)", remedy: "give more than 0 s, at most 3600 s")
        }
        let end = seconds.map { core.now + Int($0 * Double(core.options.sampleRate)) }, key = UInt8(key)
        let ends = notes.strike(part: part, key: key, end: end) + [.lifting(key, part: part)]
        try play(ends + [.pressing(key, UInt8(velocity), part: part)])
    }

    /// Presses a key until it is lifted, through the filter that keyboards have.
    func press(channel: Int, key: Int, velocity: Int) throws(Fault) {
        let part = try part(ofChannel: channel), key = UInt8(key)
        notes.forget(part: part, key: key)
        try play([.lifting(key, part: part), .pressing(key, UInt8(velocity), part: part)])
    }

    func lift(channel: Int, key: Int) throws(Fault) {
        let part = try part(ofChannel: channel), key = UInt8(key)
        notes.forget(part: part, key: key)
        try play([.lifting(key, part: part)])
    }

    /// Moves a controller of a channel as a keyboard would; a pedal is one.
    func control(channel: Int, controller: Int, value: Int) throws(Fault) {
        let part = try part(ofChannel: channel)
        try play([.message(MIDIMessage(part: part, 0xB0, UInt8(controller), UInt8(value)))])
    }

    func press(channel: Int, by value: Int) throws(Fault) {
        try play([.message(MIDIMessage(part: try part(ofChannel: channel), 0xD0, UInt8(value), 0))])
    }

    /// Bends a channel by a share of its range, -1...1.
    func bend(channel: Int, by share: Double) throws(Fault) {
        do { try Self.bendRange.check(share) } catch { throw Fault(error) }
        // The wheel goes from 0 to 16 383, and its middle is 8192.
        let bend = 8192 + Int((share * (share < 0 ? 8192 : 8191)).rounded())
        try play([.message(MIDIMessage(part: try part(ofChannel: channel), 0xE0, UInt8(bend & 127), UInt8(bend >> 7)))])
    }

    /// Ends the notes that were begun from here.
    func releaseAll() throws(Fault) {
        notes.forgetAll()
        try send(filter.releaseSurfaces())
    }

    /// The part that a note of a command is for. If there are zones, they decide what a keyboard's channel plays.
    private func part(ofChannel channel: Int) throws(Fault) -> Int {
        filter.zones == nil ? try core.mix.part(ofChannel: channel) : channel - 1
    }

    func receive(_ event: MusicEvent, at time: SampleTime?) throws(Fault) {
        if inlet != nil { throw .keyboardsPlay }
        // An event after one that found no room may be the end of another note.
        var isComplete = true
        for var command in outputs.divert(filter.commands(for: event, at: time)) {
            command.time = time ?? .inTurn
            isComplete = core.engine.renderer.sendLive(command) && isComplete
        }
        if !isComplete { throw .queueFull }
    }

    /// Plays a message of a keyboard that is not there, given by its bytes in hexadecimal.
    func play(_ bytes: [String]) throws(Fault) {
        let data = bytes.compactMap { UInt8($0, radix: 16) }
        guard data.count == bytes.count, let status = data.first, (0x80...0xEF).contains(status),
            data.dropFirst().allSatisfy({ $0 < 128 }), data.count == ((0xC0...0xDF).contains(status) ? 2 : 3)
        else {
            throw .option(
                name: "midi", value: bytes.joined(separator: " "),
                remedy: "give a status from 80 to EF, and one or two bytes from 0 to 7F, such as B0 50 7F")
        }
        let message = MIDIMessage(status: status, data1: data[1], data2: data.count > 2 ? data[2] : 0)
        var music: [RenderCommand] = [], settings: [RenderCommand] = []
        for var command in filter.commands(for: .message(message), at: core.now) {
            command.time = .immediately
            if case .music = command.event { music.append(command) } else { settings.append(command) }
        }
        try set(settings, at: core.soon)
        try send(music)
    }

    /// Sends settings, which begin on one frame.
    private func set(_ commands: [RenderCommand], at time: SampleTime) throws(Fault) {
        for var command in commands {
            command.time = time
            if !core.engine.renderer.send(command) { throw .queueFull }
        }
    }

    /// Ends keys and pedals that a keyboard holds.
    func silence(source name: String) throws(Fault) {
        let keyboards = inlet?.keyboards ?? [], meant = keyboards.filter { $0.name == name || $0.identity == name }
        if meant.isEmpty { throw .unknownSource(name, known: keyboards.map(\.name)) }
        for keyboard in meant { inlet?.release(keyboard: keyboard.identity) }
    }

    /// True if no key is down, whatever songs and loops play.
    var areUp: Bool { played.isEmpty }

    func down(on part: Int) -> [UInt8] { sounding.keys(on: part) }

    /// The keys that are down, on the channels of the patch that each of them plays.
    var notesOfPatches: [SessionSnapshot.Note] {
        if core.graph.ports == .same && core.graph.ownParts.isEmpty { return sounding.notes }
        // Layers of one channel have one key.
        let notes = sounding.notes.map { note in
            let part = core.stage.patchPart(note.channel - 1)
            return SessionSnapshot.Note(channel: core.graph.channel(ofPart: part) + 1, key: note.key)
        }
        return Set(notes).sorted { ($0.channel, $0.key) < ($1.channel, $1.key) }
    }

    /// The channel by which surfaces call a part of the patch, from 0.
    func channel(ofPart part: Int) -> Int { core.graph.channel(ofPart: part) }

    var given: (any MIDIFilter)? {
        get { filter.filter }
        set { filter.filter = newValue }
    }

    var transposition: Int { filter.transposition }

    func transpose(by semitones: Int) { filter.transpose(by: semitones) }

    /// Plays other zones from the next event on, or from the first of a later time; held keys end where they began.
    /// `isOtherPatch`: no scene has chosen any yet.
    func play(_ zones: ZoneRouter?, isOtherPatch: Bool, from time: SampleTime?) {
        filter.play(zones, on: core.graph.ports, isOtherPatch: isOtherPatch, from: time)
    }

    /// True while a key or a pedal holds anything on these ports of the engine.
    func hold(_ ports: Set<UInt8>) -> Bool { filter.holds(ports) }

    /// Parts of the patch that can be played: those of keyboards, and those that zones play.
    var playedParts: Set<Int> {
        Set(0..<core.options.playedPorts * 16).union(filter.zones?.playedParts ?? [])
    }

    /// Looks controllers and scenes up in the current graph. Their knowledge of moves and calls so far stays.
    func renewControls(isOtherPatch: Bool = false) {
        markScene(at: core.now)
        var patch = Patch()
        (patch.controllers, patch.scenes) = (core.engine.controllers, core.engine.scenes)
        patch.zones = core.options.patch?.zones ?? []
        let controls = PlayerControls(patch, in: core.engine.graph, inputs: inputs, sampleRate: core.engine.sampleRate)
        filter.replaceControls(with: controls, isOtherPatch: isOtherPatch)
        // The scene in which a patch begins was not called.
        markedScene = filter.controls?.scene
    }

    func learn(_ text: String?) throws(Fault) {
        var parameter: ParameterAddress?
        if let text {
            _ = try core.engine.value(text)
            parameter = ParameterAddress(text)
        }
        _ = filter.withControls { $0.learning = parameter }
    }

    func forget(_ text: String) throws(Fault) {
        let engine = core.engine, count = engine.controllers.count
        engine.controllers.removeAll { $0.parameter.description == text }
        if engine.controllers.count == count { throw .notLearned(text, known: engine.controllers.map(\.parameter.description)) }
        renewControls()
    }

    /// Calls a scene. All its settings begin on one frame.
    func call(_ choice: SceneChoice) throws(Fault) { try call(choice, at: core.soon) }

    /// Calls a scene on the next beat, bar or marker.
    func call(_ choice: SceneChoice, at boundary: TransportBoundary) throws(Fault) {
        if filter.controls?.scenes.isEmpty ?? true { throw .unknownScene(choice.name, known: []) }
        waiting = (choice, try core.boundary(boundary))
    }

    private func callWaiting() {
        guard let scene = waiting, scene.time - core.soon < core.options.sampleRate / 5 else { return }
        do throws(Fault) { try call(scene.scene, at: max(scene.time, core.soon)) } catch {
            if error.kind == .queueFull { return }
            // The patch is another one by now.
            core.tell(["\(error)"])
        }
        waiting = nil
    }

    private func call(_ choice: SceneChoice, at time: SampleTime) throws(Fault) {
        let names = filter.controls?.scenes ?? []
        let commands: [RenderCommand]?
        switch choice {
        case .named(let name): commands = filter.recall(named: name, by: 0)
        case .next: commands = filter.recall(named: nil, by: 1)
        case .previous: commands = filter.recall(named: nil, by: -1)
        }
        guard let commands else { throw .unknownScene(choice.name, known: names) }
        try set(commands, at: time)
        markScene(at: time)
    }

    /// Marks the scene that has begun since the last time, by a request or by a keyboard.
    private func markScene(at time: SampleTime) {
        let scene = filter.controls?.scene
        if let scene, scene != markedScene { core.mark("scene \(scene)", time) }
        markedScene = scene
    }

    private func learnWhatWasHeard() {
        guard let heard = filter.withControls({ $0.takeHeard() }) ?? nil else { return }
        let engine = core.engine
        var map = ControllerMap(heard.parameter.description, heard.control, moves: heard.parameter)
        map.channels = PartList([heard.channel - 1])
        map.keyboard = inputs.keyboard(of: heard.input)
        let inTheWay = engine.controllers.filter { $0.parameter != map.parameter && $0.isMoved(with: map) }
        // One control for a parameter, and one parameter for a control: a file may say otherwise.
        engine.controllers.removeAll { $0.parameter == map.parameter || $0.isMoved(with: map) }
        let names = Set(engine.controllers.map(\.name)), name = map.name
        var number = 2
        while names.contains(map.name) {
            map.name = "\(name)-\(number)"
            number += 1
        }
        engine.controllers.append(map)
        renewControls()
        let former = inTheWay.map(\.parameter.description).joined(separator: ", "), pedal = map.control.pedal
        core.tell([
            "\(map.control.name) on channel \(heard.channel) moves \(heard.parameter)"
                + (former.isEmpty ? "" : ", and \(former) no more")
                + (pedal.map { "; instruments no longer hear this \($0) pedal" } ?? "")
        ])
    }
}

extension ControllerMap {
    /// Returns whether one move of a keyboard's control could move both this and `other`.
    fileprivate func isMoved(with other: ControllerMap) -> Bool {
        control == other.control && (keyboard == nil || other.keyboard == nil || keyboard == other.keyboard)
            && (channels.isEmpty || other.channels.isEmpty || !channels.parts.isDisjoint(with: other.channels.parts))
    }
}

extension ControllerMap.Control {
    /// The pedal of a piano that it is; nil for another control.
    var pedal: ControlCommand.Pedal? {
        guard case .controller(let number) = self else { return nil }
        return ControlCommand.Pedal.allCases.first { $0.controller == number }
    }

    /// The control's name, as players call it.
    public var name: String {
        switch self {
        case .controller(let number): "controller \(number)"
        case .bend: "the pitch wheel"
        case .pressure: "pressure"
        }
    }
}

extension Session {
    /// Plays an event as a keyboard would that is connected to the input port that the event names: through the filter and
    /// the zones, at `time` (nil means with the next slice). For keys that are not a keyboard's: a typing keyboard, a test.
    ///
    /// Not on a sound card while keyboards play: there the MIDI thread alone plays live. - Throws: `keyboardsPlay`,
    /// `queueFull`.
    public func receive(_ event: MusicEvent, at time: SampleTime? = nil) throws(Fault) {
        try part(KeysPart.self).receive(event, at: time)
    }

    /// The filter for all events of keyboards from now on; nil means all pass unchanged. Sounding notes go on until their own
    /// note-off. The player's transposition comes after it.
    public var filter: (any MIDIFilter)? {
        get { self[KeysPart.self]?.given }
        set { self[KeysPart.self]?.given = newValue }
    }

    /// Every parameter that a control can be learned for, as `reverb.decay`, in the order of the graph.
    public var learnableParameters: [String] {
        engine.graph.knownNodes.flatMap { node in
            node.instance.parameters.specs.filter { $0.applies == .live }.map { "\(node.name).\($0.name)" }
        }
    }
}
