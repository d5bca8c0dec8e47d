import Carillon

/// The keys, each with what it does: used by the keyboard and by the help, so that both agree.
struct KeyTable {
    enum Surface: Sendable { case live, play }

    /// The request that a key makes. If it depends on the session's state, `KeyInterpreter` makes a command of it.
    enum Action: Hashable, Sendable {
        case command(ControlCommand)
        /// Tempo up or down: of the song by steps of 5 %, of the metronome in a session without songs by 2 a minute.
        case tempoSteps(Int)
        /// The patch before or after in a set list, else the song.
        case listSteps(Int)
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
        /// Panic of the keyboard whose place on the screen the digit that follows is; of the selected channel.
        case keyboardNext
        case channelPanic
        /// Select another zone or channel, or another sound for it, by places in the list; search among sounds.
        case channelSteps(Int)
        case soundSteps(Int)
        case searchSound
        /// A search for a parameter that a control is to move, or for a unit to silence.
        case search(NameChoice.Purpose)
        case sceneSteps(Int)
        /// Shows what is read from afar, or all.
        case stage
        /// Louder or quieter, in decibels.
        case volumeSteps(Int)
        /// Keyboards up or down, in semitones.
        case keySemitones(Int)
        /// Letters are notes, and whether these are held.
        case toggleTyping
        case toggleHold
        case toggleMetronome
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
        let scope: Scope
        let actions: [Action]

        fileprivate init(_ scope: Scope, _ keys: [Key], _ shown: String?, _ help: String, _ actions: [Action]) {
            self.keys = keys
            self.shown = shown
            self.help = help
            self.scope = scope
            self.actions = actions
        }

        fileprivate init(_ scope: Scope, _ keys: String, _ shown: String?, _ help: String, _ actions: [Action]) {
            self.init(scope, keys.map(Key.character), shown, help, actions)
        }
    }

    /// What a key is for: a key that is for songs does nothing in a session without any, one for keyboards nothing in `play`.
    enum Scope: Sendable { case songs, keyboards, all }

    private static let all: [Binding] = [
        Binding(.songs, " ", "space", "play/pause", [.command(.togglePlay)]),
        Binding(
            .songs, [.left, .right], "left/right", "5 s back/on",
            [.command(.seek(.bySeconds(-5))), .command(.seek(.bySeconds(5)))]),
        Binding(
            .songs, [.down, .up], "down/up", "a bar back/on", [.command(.seek(.byBars(-1))), .command(.seek(.byBars(1)))]),
        Binding(
            .songs, "Jj", "J/j", "marker back/on", [.command(.seek(.byMarkers(-1))), .command(.seek(.byMarkers(1)))]),
        Binding(.songs, [.home], "home", "to the beginning", [.command(.seek(.seconds(0)))]),
        Binding(.all, "bn", "b/n", "list back/on", [.listSteps(-1), .listSteps(1)]),
        // While letters are notes.
        Binding(.keyboards, [.control("b"), .control("n")], nil, "list back/on", [.listSteps(-1), .listSteps(1)]),
        Binding(.songs, "BN", "B/N", "song back/on", [.command(.previous), .command(.next)]),
        Binding(.all, "-+", "-/+", "slower/faster", [.tempoSteps(-1), .tempoSteps(1)]),
        Binding(.all, "=", nil, "faster", [.tempoSteps(1)]),
        Binding(.songs, "[]", "[/]", "song a semitone down/up", [.semitones(-1), .semitones(1)]),
        Binding(.songs, "r", "r", "tempo and pitch as written", [.asWritten]),
        Binding(.songs, "l", "l", "repeat", [.nextRepetition]),
        Binding(.songs, "0123456789", "1-9 0", "mute channel 1-10", (0...9).map { .channel($0 == 0 ? 10 : $0) }),
        Binding(.songs, ";", "; 1-6", "mute channel 11-16", [.tenMoreNext]),
        Binding(.songs, "o", "o 1-9 0", "solo", [.soloNext]),
        Binding(.songs, "u", "u", "all channels", [.everyChannel]),
        Binding(.songs, "y", "y 1-9", "layer", [.layerNext]),
        Binding(.keyboards, "Cc", "C/c", "zone, channel back/on", [.channelSteps(-1), .channelSteps(1)]),
        Binding(.keyboards, "Vv", "V/v", "its sound back/on", [.soundSteps(-1), .soundSteps(1)]),
        Binding(
            .keyboards, [.pageUp, .pageDown], "page up/down", "ten sounds back/on", [.soundSteps(-10), .soundSteps(10)]),
        Binding(.keyboards, "/", "/", "find a sound", [.searchSound]),
        Binding(.all, "<>", "</>", "quieter/louder", [.volumeSteps(-1), .volumeSteps(1)]),
        Binding(.keyboards, "()", "(/)", "keys a semitone down/up", [.keySemitones(-1), .keySemitones(1)]),
        Binding(.keyboards, "{}", "{/}", "keys an octave down/up", [.keySemitones(-12), .keySemitones(12)]),
        Binding(.keyboards, "k", "k", "letters are keys", [.toggleTyping]),
        Binding(.keyboards, [.tab], "tab", "hold their notes", [.toggleHold]),
        Binding(.keyboards, "m", "m", "metronome", [.toggleMetronome]),
        Binding(.keyboards, "M", "M", "beats of its bar", [.metronomeBeat]),
        Binding(.all, "t", "t", "tap the tempo", [.command(.tap)]),
        Binding(.keyboards, ".,", "./,", "scene on/back", [.sceneSteps(1), .sceneSteps(-1)]),
        Binding(.keyboards, "Ee", "E/e", "part back/on", [.command(.previousPart), .command(.nextPart)]),
        Binding(.all, "S", "S", "stage view", [.stage]),
        Binding(.keyboards, "L", "L", "learn a control", [.search(.learn)]),
        Binding(.all, "w", "w", "save the patch", [.command(.savePatch(path: nil))]),
        Binding(.all, "s", "s", "save recording", [.command(.saveRecording(path: nil))]),
        Binding(.all, "p", "p", "panic", [.command(.panic(.all))]),
        Binding(.keyboards, "x", "x", "panic of the channel", [.channelPanic]),
        Binding(.keyboards, "X", "X", "panic of one unit", [.search(.silence)]),
        Binding(.keyboards, "P", "P 1-4", "panic of one keyboard", [.keyboardNext]),
        Binding(.all, "q", "q", "quit", [.command(.quit)]),
        Binding(.all, [.control("d")], nil, "quit", [.command(.quit)]),
        Binding(.all, "?", "?", "help", [.help]),
        Binding(.all, "h", nil, "help", [.help]),
        Binding(.all, [.control("l")], nil, "redraw", [.redraw]),
        Binding(.all, [.escape], nil, "forget o, ;, y and P, learn nothing", [.cancel]),
    ]

    /// The lines that hold for one surface, in the order of the help.
    let bindings: [Binding]
    private let surface: Surface
    private let actions: [Key: Action]

    init(_ surface: Surface) {
        self.surface = surface
        bindings = Self.all.filter { surface == .live || $0.scope != .keyboards }
        var actions: [Key: Action] = [:]
        for binding in bindings {
            for (key, action) in zip(binding.keys, binding.actions) { actions[key] = action }
        }
        self.actions = actions
    }

    func action(of key: Key) -> Action? { actions[key] }

    struct Situation: Sendable {
        var hasSongs = false
        var hasPatches = false
        var hasScenes = false
        var isTyping = false
        var hasParts = false
    }

    /// Each key with what it does, `space play/pause`; those of songs where there are any.
    func help(in situation: Situation = Situation()) -> [String] { lines(in: situation) { _ in true } }

    private func lines(in situation: Situation, _ isWanted: (String) -> Bool) -> [String] {
        bindings.filter { $0.scope != .songs || surface == .play || situation.hasSongs }.compactMap { binding in
            binding.shown.flatMap { isWanted($0) ? "\($0) \(binding.help)" : nil }
        }
    }

    /// The ones to know before all others.
    func shortHelp(in situation: Situation = Situation()) -> [String] {
        if situation.isTyping {
            let patches = situation.hasPatches || situation.hasSongs ? ["ctrl-b/ctrl-n list back/on"] : []
            return ["k letters are keys no longer", "space end their notes", "tab hold them", "(/) an octave"] + patches
                + ["? help"]
        }
        var first: Set = ["space", "q", "?", "s", "p", "/", "k", "m"]
        if surface == .live { first.formUnion(["L", "w"]) }
        if surface == .play || situation.hasPatches || situation.hasSongs { first.insert("b/n") }
        if situation.hasScenes { first.insert("./,") }
        if situation.hasPatches { first.insert("S") }
        if situation.hasParts { first.insert("E/e") }
        return lines(in: situation, first.contains)
    }
}
