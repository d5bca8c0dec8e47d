import Carillon

/// The keys, each with what it does: used by the keyboard and by the help, so that both agree.
struct KeyTable {
    enum Surface: Sendable { case live, play }

    /// The request that a key makes. If it depends on the session's state, `KeyInterpreter` makes a command of it.
    enum Action: Hashable, Sendable {
        case command(ControlCommand)
        /// Tempo up or down by steps of 5 %.
        case tempoSteps(Int)
        /// Transpose by semitones.
        case semitones(Int)
        /// The song's own tempo and pitch.
        case asWritten
        /// Repeats the list, the song, or nothing.
        case nextRepetition
        /// Mute a channel or let it be heard; after the keys below: solo it, and channels from 11 on.
        case channel(Int)
        case soloNext
        case tenMoreNext
        /// The digit that follows starts or ends a layer.
        case layerNext
        /// Every channel is heard again.
        case everyChannel
        /// Panic of one keyboard, counted from 1 as on the screen; of the selected channel.
        case keyboardPanic(Int)
        case channelPanic
        /// Select another channel, or another sound for it, by places in the list; search among sounds.
        case channelSteps(Int)
        case soundSteps(Int)
        case searchSound
        /// A search for a parameter that a control is to move, or for a unit to silence.
        case search(NameChoice.Purpose)
        case sceneSteps(Int)
        /// Louder or quieter, in decibels.
        case volumeSteps(Int)
        /// Keyboards up or down, in semitones.
        case keySemitones(Int)
        /// Letters are notes, and whether these are held.
        case toggleTyping
        case toggleHold
        /// The metronome, and its tempo in steps of 2 a minute.
        case toggleMetronome
        case metronomeSteps(Int)
        /// Adds a beat to the metronome's bar; after eight it has one again.
        case metronomeBeat
        /// Show all keys, or only the first ones.
        case help
        /// Draw everything anew.
        case redraw
        /// Forget a key that waits for another.
        case cancel
    }

    struct Binding: Sendable {
        let keys: [Key]
        /// The keys as the help shows them; nil leaves them out.
        let shown: String?
        let help: String
        let surfaces: [Surface]
        let actions: [Action]

        fileprivate init(
            _ keys: [Key], _ shown: String?, _ help: String, _ actions: [Action], on surfaces: [Surface] = [.play]
        ) {
            self.keys = keys
            self.shown = shown
            self.help = help
            self.surfaces = surfaces
            self.actions = actions
        }
    }

    private static let all: [Binding] = [
        Binding([.character(" ")], "space", "play/pause", [.command(.togglePlay)]),
        Binding(
            [.left, .right], "left/right", "5 s back/on",
            [
                .command(.seek(.bySeconds(-5))), .command(.seek(.bySeconds(5))),
            ]),
        Binding(
            [.down, .up], "down/up", "a bar back/on",
            [
                .command(.seek(.byBars(-1))), .command(.seek(.byBars(1))),
            ]),
        Binding(
            [.character("M"), .character("m")], "M/m", "marker back/on",
            [
                .command(.seek(.byMarkers(-1))), .command(.seek(.byMarkers(1))),
            ]),
        Binding([.home], "home", "to the beginning", [.command(.seek(.seconds(0)))]),
        Binding([.character("b"), .character("n")], "b/n", "song back/on", [.command(.previous), .command(.next)]),
        Binding([.character("-"), .character("+")], "-/+", "slower/faster", [.tempoSteps(-1), .tempoSteps(1)]),
        Binding([.character("=")], nil, "faster", [.tempoSteps(1)]),
        Binding([.character("["), .character("]")], "[/]", "semitone down/up", [.semitones(-1), .semitones(1)]),
        Binding([.character("r")], "r", "tempo and pitch as written", [.asWritten]),
        Binding([.character("l")], "l", "repeat", [.nextRepetition]),
        Binding(
            (0...9).map { Key.character(Character("\($0)")) }, "1-9 0", "mute channel 1-10",
            (0...9).map { .channel($0 == 0 ? 10 : $0) }),
        Binding([.character(".")], ". 1-6", "mute channel 11-16", [.tenMoreNext]),
        Binding([.character("o")], "o 1-9 0", "solo", [.soloNext]),
        Binding([.character("u")], "u", "all channels", [.everyChannel]),
        Binding([.character("y")], "y 1-9", "layer", [.layerNext]),
        Binding(
            [.character("b"), .character("n")], "b/n", "patch back/on",
            [.command(.patch(.previous)), .command(.patch(.next))], on: [.live]),
        // While letters are notes.
        Binding(
            [.control("b"), .control("n")], nil, "patch back/on",
            [.command(.patch(.previous)), .command(.patch(.next))], on: [.live]),
        Binding([.left, .right], "left/right", "channel", [.channelSteps(-1), .channelSteps(1)], on: [.live]),
        Binding([.up, .down], "up/down", "its sound", [.soundSteps(-1), .soundSteps(1)], on: [.live]),
        Binding([.pageUp, .pageDown], nil, "ten sounds on", [.soundSteps(-10), .soundSteps(10)], on: [.live]),
        Binding([.character("/")], "/", "find a sound", [.searchSound], on: [.live]),
        Binding(
            [.character("<"), .character(">")], "</>", "quieter/louder", [.volumeSteps(-1), .volumeSteps(1)],
            on: [.live, .play]),
        Binding(
            [.character("["), .character("]")], "[/]", "keys a semitone down/up",
            [.keySemitones(-1), .keySemitones(1)], on: [.live]),
        Binding(
            [.character("("), .character(")")], "(/)", "an octave", [.keySemitones(-12), .keySemitones(12)],
            on: [.live]),
        Binding([.character("k")], "k", "letters are keys", [.toggleTyping], on: [.live]),
        Binding([.tab], "tab", "hold their notes", [.toggleHold], on: [.live]),
        Binding([.character("m")], "m", "metronome", [.toggleMetronome], on: [.live]),
        Binding([.character("t")], "t", "tap the tempo", [.command(.tap)], on: [.live, .play]),
        Binding([.character("M")], "M", "beats of its bar", [.metronomeBeat], on: [.live]),
        Binding(
            [.character("-"), .character("+")], "-/+", "its tempo", [.metronomeSteps(-1), .metronomeSteps(1)],
            on: [.live]),
        Binding([.character("=")], nil, "its tempo", [.metronomeSteps(1)], on: [.live]),
        Binding([.character("."), .character(",")], "./,", "scene on/back", [.sceneSteps(1), .sceneSteps(-1)], on: [.live]),
        Binding([.character("L")], "L", "learn a control", [.search(.learn)], on: [.live]),
        Binding([.character("w")], "w", "save the patch", [.command(.savePatch(path: nil))], on: [.live, .play]),
        Binding([.character("s")], "s", "save recording", [.command(.saveRecording(path: nil))], on: [.live, .play]),
        Binding([.character("p")], "p", "panic", [.command(.panic(.all))], on: [.live, .play]),
        Binding([.character("x")], "x", "panic of the channel", [.channelPanic], on: [.live]),
        Binding([.character("X")], "X", "panic of one unit", [.search(.silence)], on: [.live]),
        Binding(
            (1...4).map { Key.character(Character("\($0)")) }, "1-4", "panic of one keyboard",
            (1...4).map(Action.keyboardPanic), on: [.live]),
        Binding([.character("q")], "q", "quit", [.command(.quit)], on: [.live, .play]),
        Binding([.control("d")], nil, "quit", [.command(.quit)], on: [.live, .play]),
        Binding([.character("?")], "?", "help", [.help], on: [.live, .play]),
        Binding([.character("h")], nil, "help", [.help], on: [.live, .play]),
        Binding([.control("l")], nil, "redraw", [.redraw], on: [.live, .play]),
        Binding([.escape], nil, "forget o, . and y, learn nothing", [.cancel], on: [.live, .play]),
    ]

    /// The lines that hold for one surface, in the order of the help.
    let bindings: [Binding]
    private let surface: Surface
    private let actions: [Key: Action]

    init(_ surface: Surface) {
        self.surface = surface
        bindings = Self.all.filter { $0.surfaces.contains(surface) }
        var actions: [Key: Action] = [:]
        for binding in bindings {
            for (key, action) in zip(binding.keys, binding.actions) { actions[key] = action }
        }
        self.actions = actions
    }

    func action(of key: Key) -> Action? { actions[key] }

    /// Each key with what it does, `space play/pause`.
    var help: [String] { bindings.compactMap { binding in binding.shown.map { "\($0) \(binding.help)" } } }

    struct Situation: Sendable {
        var hasPatches = false
        var hasScenes = false
        var isTyping = false
    }

    /// The ones to know before all others.
    func shortHelp(in situation: Situation = Situation()) -> [String] {
        if situation.isTyping {
            let patches = situation.hasPatches ? ["ctrl-b/ctrl-n patch back/on"] : []
            return ["k letters are keys no longer", "space end their notes", "tab hold them", "(/) an octave"] + patches
                + ["? help"]
        }
        var first: Set = ["space", "q", "?", "s", "p", "/", "k", "m"]
        if surface == .live { first.formUnion(["L", "w"]) }
        if surface == .play || situation.hasPatches { first.insert("b/n") }
        if situation.hasScenes { first.insert("./,") }
        return bindings.filter { $0.shown.map(first.contains) ?? false }.map { "\($0.shown ?? "") \($0.help)" }
    }
}
