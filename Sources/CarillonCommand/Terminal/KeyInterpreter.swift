import Carillon

/// Turns keys into commands, from the session's present state: `+` is five per cent more than now.
struct KeyInterpreter {
    enum Outcome: Equatable {
        case commands([ControlCommand])
        case help
        case stage
        case redraw
        /// What would be cut off or lost: the same key again quits.
        case confirmation(String)
        /// A key that waits for another, or one that means nothing.
        case nothing
    }

    private struct State: Equatable {
        var rate = 1.0
        var transpose = 0
        var repetition = SessionSnapshot.Repetition.off
        var muted: [Int] = []
        var soloed: [Int] = []

        init(_ transport: SessionSnapshot.Transport) {
            rate = transport.rate
            transpose = transport.transpose
            repetition = transport.repetition
            muted = transport.muted
            soloed = transport.soloed
        }
    }

    private let table: KeyTable
    private var isSolo = false
    private var isTenMore = false
    private var isLayer = false
    private var isKeyboard = false
    /// When the key that quits was pressed while something would be cut off or lost; the same key within so many seconds is meant.
    private var askedToQuit: Double?
    static let patience = 5.0
    /// As the session reported last, and once all commands have arrived: two keys may come between two snapshots.
    private var said: State?
    private var wanted: State?
    /// The selected channel and its sound; letters that are notes.
    private(set) var choice: SoundChoice
    private(set) var typing = TypingKeys()
    private(set) var names: NameChoice?
    private let findNames: (NameChoice.Purpose) -> [NameChoice.Item]

    init(_ table: KeyTable, presets: [SoundPreset] = [], names: @escaping (NameChoice.Purpose) -> [NameChoice.Item] = { _ in [] })
    {
        self.table = table
        choice = SoundChoice(presets)
        findNames = names
    }

    mutating func offer(_ presets: [SoundPreset]) { choice.offer(presets) }

    /// The key that waits for another, for the screen.
    var waitingKeys: String? {
        let keys = [(isKeyboard, "P "), (isLayer, "y "), (isSolo, "o "), (isTenMore, "; ")].filter(\.0).map(\.1)
        return keys.isEmpty ? nil : keys.joined()
    }

    /// What the end of the session would cut off or lose; nil for nothing.
    private static func loss(_ snapshot: SessionSnapshot) -> String? {
        if snapshot.keyboards.contains(where: { $0.heldNotes > 0 }) { return "keys are down" }
        let isUnsaved = snapshot.loops.contains { $0.state != "empty" && !$0.isSaved }
        return isUnsaved ? "loops are not saved (carillon ctl looper save NAME saves them)" : nil
    }

    mutating func outcome(of key: Key, at snapshot: SessionSnapshot) -> Outcome {
        let isSure = askedToQuit.map { snapshot.seconds - $0 < Self.patience } ?? false
        askedToQuit = nil
        if choice.search != nil, !key.isControl { return .commands(choice.take(key, snapshot.zones)) }
        if var names, !key.isControl {
            let commands = names.take(key)
            self.names = commands == nil ? names : nil
            return .commands(commands ?? [])
        }
        if let commands = typing.commands(for: key, channel: choice.channel) { return .commands(commands) }
        guard let action = table.action(of: key) else {
            forget()
            return .nothing
        }
        if let commands = commands(for: action, snapshot) {
            forget()
            return .commands(commands)
        }
        learn(snapshot.transport)
        switch action {
        case .soloNext, .tenMoreNext:
            if action == .soloNext { isSolo = true } else { isTenMore = true }
            return .nothing
        case .layerNext, .keyboardNext:
            forget()
            if action == .layerNext { isLayer = true } else { isKeyboard = true }
            return .nothing
        case .channel(let number):
            defer { forget() }
            if isKeyboard {
                let keyboards = snapshot.keyboards
                return number <= keyboards.count ? .commands([.panic(.source(keyboards[number - 1].identity))]) : .nothing
            }
            if isLayer {
                guard snapshot.layers.indices.contains(number - 1) else { return .nothing }
                let layer = snapshot.layers[number - 1], isOn = layer.state == .on || layer.state == .coming
                return .commands([.layer(layer.name, !isOn)])
            }
            return .commands(toggle(channel: isTenMore ? number + 10 : number))
        case .command(let command):
            forget()
            if command == .quit, !isSure, let loss = Self.loss(snapshot) {
                askedToQuit = snapshot.seconds
                return .confirmation(loss)
            }
            return .commands([command])
        case .help: return .help
        case .stage: return .stage
        case .redraw: return .redraw
        case .cancel:
            forget()
            if snapshot.learning != nil { return .commands([.learn(nil)]) }
            return typing.isOn ? .commands(typing.toggle()) : .nothing
        case .search, .sceneSteps, .channelPanic, .channelSteps, .soundSteps, .searchSound, .volumeSteps, .keySemitones,
            .toggleTyping, .toggleHold, .toggleMetronome, .metronomeBeat, .listSteps:
            return .nothing
        case .tempoSteps(let steps):
            return change { state in
                state.rate = min(max(((state.rate * 20).rounded() + Double(steps)) / 20, 0.1), 10)
                return [.tempo(state.rate)]
            }
        case .semitones(let count):
            return change { state in
                state.transpose = min(max(state.transpose + count, -48), 48)
                return [.transpose(state.transpose)]
            }
        case .asWritten:
            return change { state in
                state.rate = 1
                state.transpose = 0
                return [.tempo(1), .transpose(0)]
            }
        case .nextRepetition:
            return change { state in
                state.repetition = state.repetition.next
                return [.repeats(state.repetition)]
            }
        case .everyChannel:
            return change { state in
                defer { (state.muted, state.soloed) = ([], []) }
                return state.muted.map { .mute(channel: $0, false) } + state.soloed.map { .solo(channel: $0, false) }
            }
        }
    }

    /// Returns the commands that a player's keys lead to; nil for keys that change how the song is played.
    private mutating func commands(for action: KeyTable.Action, _ snapshot: SessionSnapshot) -> [ControlCommand]? {
        switch action {
        case .channelSteps(let steps): choice.step(steps, in: snapshot)
        case .soundSteps(let steps): return choice.commands(steps: steps, in: snapshot)
        case .searchSound: choice.beginSearch()
        case .search(let purpose): names = NameChoice(purpose, among: findNames(purpose))
        case .sceneSteps(let steps): return [.scene(steps > 0 ? .next : .previous)]
        case .channelPanic: return [.panic(.channel(choice.channel(in: snapshot)))]
        case .volumeSteps(let steps): return [.volume(min(max(snapshot.volume.rounded() + Double(steps), -60), 20))]
        case .keySemitones(let count): return [.transposeKeys(min(max(snapshot.keyTranspose + count, -48), 48))]
        case .toggleTyping: return typing.toggle()
        case .toggleHold: return typing.toggleHold()
        case .toggleMetronome: return [.metronome(!(snapshot.metronome?.isRunning ?? false), tempo: nil)]
        case .listSteps(let steps):
            if snapshot.patches == nil, snapshot.transport != nil { return [steps > 0 ? .next : .previous] }
            return [.patch(steps > 0 ? .next : .previous)]
        case .tempoSteps(let steps) where snapshot.transport == nil:
            return snapshot.metronome.map { metronome in
                let tempo = min(max(metronome.tempo.rounded() + Double(2 * steps), 20), 400)
                return [.metronome(metronome.isRunning, tempo: tempo)]
            } ?? []
        case .metronomeBeat: return snapshot.metronome.map { [.set("metronome.beats=\($0.beats % 8 + 1)")] } ?? []
        default: return nil
        }
        return []
    }

    private mutating func toggle(channel: Int) -> [ControlCommand] {
        // 17 to 20 belong to the second port: the digits 7 to 0 mean nothing after the full stop.
        guard channel <= 16, var state = wanted else { return [] }
        defer { wanted = state }
        if isSolo {
            let isOn = state.soloed.toggle(channel)
            return [.solo(channel: channel, isOn)]
        }
        let isOn = state.muted.toggle(channel)
        return [.mute(channel: channel, isOn)]
    }

    private mutating func change(_ body: (inout State) -> [ControlCommand]) -> Outcome {
        forget()
        guard var state = wanted else { return .nothing }
        let commands = body(&state)
        wanted = state
        return .commands(commands)
    }

    private mutating func learn(_ transport: SessionSnapshot.Transport?) {
        let state = transport.map(State.init)
        if state == said { return }
        said = state
        wanted = state
    }

    private mutating func forget() {
        (isSolo, isTenMore, isLayer, isKeyboard) = (false, false, false, false)
    }
}

extension Key {
    /// Such a key always means the same.
    fileprivate var isControl: Bool { if case .control = self { true } else { false } }
}

extension [Int] {
    /// Adds the number, or removes it if it is there; returns true if it was added.
    fileprivate mutating func toggle(_ number: Int) -> Bool {
        if let index = firstIndex(of: number) {
            remove(at: index)
            return false
        }
        append(number)
        return true
    }
}
