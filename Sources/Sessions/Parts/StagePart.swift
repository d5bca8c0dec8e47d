import EngineCore
import Graphs
import Patches
import RealtimeCore
import Reports
import Sequencer
import SongRendering
import Units

/// The patch that sounds, one of a list of one or more, of which one takes over from another while it sounds.
final class StagePart: SessionPart {
    let core: SessionCore
    private let keys: KeysPart
    let sounds: SoundsPart
    private let outputs: OutputsPart
    private let songs: SongsPart?
    let list: PatchList
    /// The patch as its file had it when it was read, with later saves; nil: the same as the graph's patch.
    var saved: Patch?
    /// The other patches of a set list as their files had them, with later saves, by file.
    private var files: [String: Patch] = [:]
    /// Called when another entry of the list plays from now on.
    var onEntry: (ListedPatch) -> Void = { _ in }
    /// Called when the entry that plays has other properties from now on, those of its list.
    var onExchange: (ListedPatch) -> Void = { _ in }
    /// When the patch that was asked for may play.
    private enum Due {
        case now, keysUp
        case at(SampleTime)
    }
    private var due = Due.now

    static let isMissing = Fault.noPatchList

    init(
        _ core: SessionCore, _ list: PatchList, _ keys: KeysPart, _ sounds: SoundsPart, _ outputs: OutputsPart,
        _ songs: SongsPart?
    ) {
        (self.core, self.list, self.keys, self.sounds) = (core, list, keys, sounds)
        (self.outputs, self.songs) = (outputs, songs)
    }

    func start() throws(Fault) {
        try list.start()
        for sound in keys.filter.zones?.sounds ?? [] { try sounds.set(sound) }
        callFirstScene(of: list.listed(list.current))
    }

    /// Does the work of a turn: takes in patches that are ready, enters the one that was requested, removes what has rung out.
    func turn() throws(Fault) {
        // In each turn, since a fault answers a request.
        core.tell(list.attend().map(\.description))
        if let program = keys.filter.calls?.take() { try select(program: program) }
        try enterWanted()
        let dead = try core.stage.clear(isHeld: keys.hold)
        if !dead.isEmpty { list.loader.discard(dead) }
    }

    func stop() { list.stop() }

    func apply(_ patch: Patch) throws(Fault) { try exchange(patch, at: list.current) }

    func replace(patch number: Int, by patch: Patch) throws(Fault) {
        if let index = try list.index(of: .number(number)) { try exchange(patch, at: index) }
    }

    /// Takes another version of the list, and of the patch that sounds.
    func exchange(_ listed: [ListedPatch], _ changes: SetList.Change) throws(Fault) {
        if !list.isSetList { throw .noPatchList }
        list.exchange(listed)
        core.options.list.changes = changes
        let name = list.listed(list.current).name
        onExchange(list.listed(list.current))
        core.options.list.level = list.listed(list.current).gain
        guard let new = listed.first(where: { $0.name == name }), new.fault == nil, new.hasPatch else { return }
        core.options.patchPath = new.path
        if new.patch != list.listed(list.current).patch { try exchange(new.patch, at: list.current) }
    }

    /// Takes another version of the patch that stays through all entries.
    func exchange(always patch: Patch?) throws(Fault) {
        if patch == core.options.list.always { return }
        var wanted = core.options
        wanted.list.always = patch
        let zones = try patch.map { (patch) throws(Fault) in try Self.zones(patch, keys.inputs) } ?? nil
        let before = core.engine.graph
        try core.stage.exchange(always: wanted)
        core.options = wanted
        keys.filter.playAlways(zones, on: core.stage.alwaysPorts)
        try endWhatNobodyHears(since: before)
    }

    /// Gives a place of the list another version of its patch.
    private func exchange(_ patch: Patch, at index: Int) throws(Fault) {
        let former = list.listed(index), patch = patch.trimmed(like: former.patch), fold = Self.fold(patch, of: former.name)
        if index == list.current { try edit(patch) }
        list.replace(index, by: patch)
        if list.isSetList, let fold, fold != Self.fold(former.patch, of: former.name) { core.remarks.note([fold]) }
    }

    /// Changes the patch that sounds to another version of it: units that fit stay.
    private func edit(_ patch: Patch) throws(Fault) {
        var wanted = core.options
        wanted.patch = patch
        let zones = try Self.zones(patch, keys.inputs, outputs.names), former = keys.filter.zones
        // A patch that could not play out at the start has been reported then.
        if outputs.outlet == nil, core.port.hasOwnThread, outputs.isNeeded(by: patch),
            !outputs.isNeeded(by: core.options.patch)
        {
            throw .nothingPlaysOut
        }
        let before = core.engine.graph, isTurned = core.isTurned
        try core.stage.edit(list.version(patch, of: list.current, wanted, songs: songs?.instruments.demand))
        if isTurned { core.keepVolume() }
        core.options = wanted
        saved = nil
        try play(zones, isOtherPatch: false) { () throws(Fault) in
            try endWhatNobodyHears(since: before)
            for sound in zones?.sounds ?? [] {
                // A new unit has not received what the one before it got.
                let isNew =
                    sound.unit.map { core.engine.graph.node(named: $0)?.id != before.node(named: $0)?.id } ?? false
                if isNew || former?.sounds.contains(sound) != true { try sounds.set(sound) }
            }
        }
    }

    /// Lets keyboards play the patch as the graph has it now. Units get their sounds before they hear a key.
    private func play(
        _ zones: ZoneRouter?, isOtherPatch: Bool, from time: SampleTime? = nil, _ chooseSounds: () throws(Fault) -> Void
    ) throws(Fault) {
        if core.options.measuresUnits { for node in core.engine.graph.nodes { node.instance.measureTime() } }
        keys.renewControls(isOtherPatch: isOtherPatch)
        var fault: Fault?
        do throws(Fault) { try chooseSounds() } catch { fault = error }
        outputs.open(zones, core.options.patch)
        keys.play(zones, isOtherPatch: isOtherPatch, from: time)
        if let fault { throw fault }
    }

    /// Ends the keys that units which stay were given on parts that they do not hear any more: their note-offs would not
    /// arrive.
    private func endWhatNobodyHears(since before: Graph) throws(Fault) {
        let now = core.engine.graph, players = Set(core.graph.players + (core.stage.alwaysUnits?.players ?? []))
        for part in before.routes.indices {
            for node in before.routes[part] where players.contains(node) && !now.routes[part].contains(node) {
                try core.mix.lift(keys.down(on: part), part: part, of: node)
            }
        }
    }

    /// Goes to another patch of the list: from the next slice on new keys play it, or later, as the list or `change` says. A patch
    /// that is not ready yet comes as soon as it is, and until then nothing changes.
    func change(to place: PatchPlace, _ change: SetList.Change? = nil) throws(Fault) {
        switch change ?? core.options.list.changes {
        case .now: try ask(for: place, .now)
        case .keysUp: try ask(for: place, .keysUp)
        case .beat: try ask(for: place, time(of: .beat))
        case .bar: try ask(for: place, time(of: .bar))
        }
    }

    /// Where nothing plays there is no beat to wait for.
    private func time(of boundary: TransportBoundary) throws(Fault) -> Due {
        do throws(Fault) { return .at(try core.boundary(boundary)) } catch { return .now }
    }

    private func ask(for place: PatchPlace, _ due: Due) throws(Fault) {
        guard let index = try list.index(of: place) else { return }
        list.ask(for: index)
        self.due = due
        try enterWanted()
    }

    private func enterWanted() throws(Fault) {
        if isDue, let ready = list.takeWanted() { try enter(ready.patch, at: ready.index) }
    }

    private var isDue: Bool {
        switch due {
        case .now: true
        case .keysUp: keys.areUp
        // Its units come early, so that the key on the beat plays it.
        case .at(let time): time - core.soon <= core.options.sampleRate / 10
        }
    }

    private func select(program: Int) throws(Fault) {
        guard let index = list.index(ofProgram: program) else {
            return core.tell(["program \(program): no entry of the set list has it"])
        }
        if list.isSetList { try change(to: .number(index + 1)) }
    }

    /// Calls the scene with which a patch begins.
    private func callFirstScene(of listed: ListedPatch) {
        guard let scene = listed.start else { return }
        do throws(Fault) { try keys.call(.named(scene)) } catch { core.tell(["\(listed.name): \(error)"]) }
    }

    /// Goes to another patch of the list with the first key from the next beat, bar or marker on.
    func change(to place: PatchPlace, at boundary: TransportBoundary) throws(Fault) {
        try ask(for: place, .at(core.boundary(boundary)))
    }

    private func enter(_ prepared: PreparedPatch, at index: Int) throws(Fault) {
        // The numbers of outputs are the session's, unknown when the patch was made ready.
        let left = kept, listed = list.listed(index), zones = try Self.zones(listed.patch, keys.inputs, outputs.names)
        let start: SampleTime? = if case .at(let time) = due, time > core.now { time } else { nil }
        try core.stage.enter(prepared)
        core.keepVolume()
        list.enter(index, prepared, leaving: left)
        files[core.options.patchPath ?? ""] = saved
        (core.options.patch, core.options.patchPath) = (listed.hasPatch ? listed.patch : nil, listed.path)
        core.options.list.level = listed.gain
        saved = files[core.options.patchPath ?? ""]
        onEntry(listed)
        try play(zones, isOtherPatch: true, from: start) { () throws(Fault) in try sounds.choose(prepared, zones) }
        core.mark("patch \(listed.name)", start ?? core.now)
        callFirstScene(of: listed)
    }

    /// The keyboards that any of the patches distinguishes, or a button or the list's programs do.
    static func inputs(_ options: LiveOptions) throws(Fault) -> KeyboardInputs {
        var patches = options.patches.isEmpty ? [options.patch].compactMap(\.self) : options.patches.map(\.patch)
        if let always = options.list.always { patches.append(always) }
        do throws(PatchError) {
            return try KeyboardInputs(patches, buttons: options.allButtons, programs: options.connections.programs)
        } catch { throw .patch(Fault(error)) }
    }

    /// The zones of a patch; nil if it has none and each keyboard plays the parts of its own number. A keyboard that has a port
    /// only to be distinguished must not play the parts of that port.
    static func zones(_ patch: Patch, _ inputs: KeyboardInputs, _ outputs: [String] = []) throws(Fault) -> ZoneRouter? {
        do throws(PatchError) {
            _ = try KeyboardInputs(patch, given: inputs.keyboards)
            return patch.zones.isEmpty && !inputs.areNamed
                ? nil : try ZoneRouter(patch, keyboards: inputs.keyboards, outputs: outputs)
        } catch { throw .patch(Fault(error)) }
    }

    /// Remarks on patches of a set list, other than the first that plays, whose inputs get no sound: the device captures for
    /// that one.
    static func unheardInputs(_ others: [ListedPatch]) -> [Remark] {
        others.filter { listed in
            listed.patch.units.contains { $0.component == DeviceInput.descriptor.name }
        }.map { listed in
            Remark(
                .missing, listed.name, "its unit input is silent, since the patch that plays first has the microphone",
                remedy: "let it be the first that can be played")
        }
    }

    /// Remarks on each patch beside others, or beside songs, that is made for more loudspeakers than two.
    static func folds(_ options: LiveOptions, besideSongs: Bool) -> [Remark] {
        if options.patches.count > 1 { return options.patches.compactMap { fold($0.patch, of: $0.name) } }
        guard besideSongs, let patch = options.patch else { return [] }
        return fold(patch, of: options.patches.first?.name ?? "patch", "beside songs it plays stereo").map { [$0] } ?? []
    }

    /// Puts into words that a patch of a set list is folded down to stereo; nil where it is not.
    static func fold(_ patch: Patch, of name: String, _ reason: String = "set lists play stereo") -> Remark? {
        let made = patch.outputLayout
        return made.channels > 2
            ? Remark(.substituted, name, "plays on \(made.rawValue) and is folded down to stereo: \(reason)")
            : nil
    }

    /// The patch that sounds as it is now, for the next time.
    private var kept: PreparedPatch.Kept {
        var left = core.engine.patch
        (left.connections, left.inputs, left.outputs, left.zones) = ([], [], [], [])
        return PreparedPatch.Kept(
            written: core.graph.patch, left: left, zones: core.engine.zones, sounds: sounds.chosen)
    }
}

extension Session {
    /// Replaces the patch while it sounds, in one edit: values glide, edges fade, and units that stay sound on with the notes
    /// that they have; a held key ends where it began, even if its zone has changed.
    ///
    /// A value that was set by hand stays if both patches agree on that parameter.
    ///
    /// - Throws: `locked`; the fault of the patch, such as zones that name a keyboard that was not connected at the start. Nothing has
    ///   changed then; `bankOutOfReach` for a sound that a channel cannot be given, while all else has changed.
    public func apply(_ patch: Patch) throws(Fault) {
        try parts.requireUnlocked()
        try part(StagePart.self).apply(patch)
    }

    /// Another version of the set list: entries of the same name keep what was set by hand, and what sounds goes on.
    ///
    /// - Parameter songs: those of the entries, which count them from 1. Songs that no entry has any more leave.
    /// - Throws: `locked`, `noPatchList` where one patch alone plays, `noSong` for songs where none play, and the fault of a patch
    ///   that is to sound at once.
    package func exchange(
        list listed: [ListedPatch], songs: [SessionSong], changes: SetList.Change
    ) throws(Fault) {
        try parts.requireUnlocked()
        let stage = try part(StagePart.self), playlist = self.playlist
        if !songs.isEmpty, playlist == nil { throw .noSong }
        let numbers = playlist.map { Self.exchange(songs, in: $0) } ?? []
        try stage.exchange(
            listed.map { entry in
                var entry = entry
                entry.song = entry.song.map { numbers[$0 - 1] }
                return entry
            }, changes)
    }

    /// Another version of the patch that stays through all entries of the set list: units that fit stay, and held keys end where they
    /// began.
    ///
    /// - Throws: `locked`, `noPatchList`, `option` where there was none or is none any more, and the fault of the patch; nothing has
    ///   changed then.
    package func exchange(always patch: Patch?) throws(Fault) {
        try parts.requireUnlocked()
        try part(StagePart.self).exchange(always: patch)
    }

    /// Makes these the songs of a list; those with a file that is there stay. Returns the place of each, from 1. The song that plays
    /// is played to its end.
    private static func exchange(_ songs: [SessionSong], in list: Playlist) -> [Int] {
        var free = list.items, new: [Playlist.Item] = []
        for song in songs {
            let place = free.firstIndex { $0.song.path == song.path }
            new.append(place.map { free.remove(at: $0) } ?? list.order.made(song))
        }
        list.edit { $0 = new + free.filter { $0.id == list.currentID } }
        return new.compactMap { list.order.place(of: $0.id) }.map { $0 + 1 }
    }

    /// Another patch for a place of the list, counted from 1: if that one sounds, it changes as with `apply`; another is made
    /// ready anew. For files that are saved.
    ///
    /// - Throws: `locked`, `noPatchList`, `outOfRange`, and the fault of a patch that is to sound at once; nothing has changed then.
    public func replace(patch number: Int, by patch: Patch) throws(Fault) {
        try parts.requireUnlocked()
        try part(StagePart.self).replace(patch: number, by: patch)
    }
}
