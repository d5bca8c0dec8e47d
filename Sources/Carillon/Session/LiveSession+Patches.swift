import MIDI
import Patch
import RealtimeCore
import SoundFonts

/// A session with a set list: one patch takes over from another while it sounds.
extension LiveSession {
    /// A set list with its graph.
    struct Patches {
        let list: PatchList
        let stage: PatchStage

        init(_ options: LiveOptions, keyboards: [String], _ engine: Engine, isThreaded: Bool) {
            list = PatchList(options, keyboards: keyboards, isThreaded: isThreaded)
            stage = PatchStage(engine)
        }

        /// Makes the first patch ready, SoundFonts are read here, and lets it be what sounds. Whoever calls gives its parts
        /// their sounds.
        func begin() throws(LiveError) -> (PreparedPatch, SongGraph) {
            let first = try list.make(list.listed(0), at: 0, kept: nil)
            list.enter(0, first, leaving: nil)
            return (first, try stage.enter(first, at: .zero))
        }
    }

    /// Goes to another patch of the list: from the next slice on new keys play it. One that is not ready yet comes as soon as
    /// it is, and until then everything stays.
    func change(to place: PatchPlace) throws(LiveError) {
        guard let patches else { throw .noPatchList }
        guard let index = try patches.list.index(of: place) else { return }
        patches.list.ask(for: index)
        if let ready = patches.list.takeWanted() { try enter(ready.patch, at: ready.index) }
    }

    /// Another patch for a place of the list, counted from 1: what sounds changes where that one sounds, all at once and
    /// with what was set by hand; another is made ready anew. For files that are saved.
    ///
    /// - Throws: `noPatchList`, `outOfRange`, and what is wrong with a patch that is to sound at once; nothing has changed
    ///   then.
    public func replace(patch number: Int, by patch: Patch) throws(LiveError) {
        guard let patches else { throw .noPatchList }
        guard let index = try patches.list.index(of: .number(number)) else { return }
        let former = patches.list.listed(index), fold = Self.fold(patch, of: former.name)
        defer { if let fold, fold != Self.fold(former.patch, of: former.name) { notices.append(fold) } }
        guard index == patches.list.current else { return patches.list.replace(index, by: patch) }
        let listed = ListedPatch(former.name, patch, path: former.path)
        let prepared = try patches.list.make(listed, at: index, kept: kept(patches))
        patches.list.replace(index, by: patch)
        try enter(prepared, at: index)
    }

    /// Does what is to be done now and then: what was made ready is taken in, what was asked for comes, what has rung out goes.
    func advancePatches() throws(LiveError) {
        guard let patches else { return }
        notices += patches.list.attend()
        if let ready = patches.list.takeWanted() { try enter(ready.patch, at: ready.index) }
        try patches.stage.clear(
            now: now, isHeld: { liveFilter.holds($0) || engine.midi.holds($0) }, rate: options.sampleRate,
            workshop: patches.list.workshop)
    }

    private func enter(_ prepared: PreparedPatch, at index: Int) throws(LiveError) {
        guard let patches else { return }
        let left = kept(patches)
        // Outputs have numbers in the session that whoever made the patch ready could not know.
        let patch = patches.list.listed(index).patch, router = try Self.zones(patch, inputs, outputs.names)
        graph = try patches.stage.enter(prepared, at: now)
        engine.clock = patch.clock
        patches.list.enter(index, prepared, leaving: left)
        files[options.patchPath ?? ""] = saved
        adopt(patches.list.listed(index))
        saved = files[options.patchPath ?? ""]
        renewControls(isOtherPatch: true)
        if options.measuresUnits { for node in engine.graph.nodes { node.instance.measureTime() } }
        // Units hear what they are to play before they hear a key.
        var fault: LiveError?
        do throws(LiveError) { try choose(prepared) } catch { fault = error }
        outputs.open(router, patch)
        liveFilter.play(router, on: graph.ports)
        engine.midi.filter = liveFilter.player
        if let fault { throw fault }
    }

    /// Gives the parts of a patch that begins the sounds that its zones and its player have chosen.
    func choose(_ prepared: PreparedPatch) throws(LiveError) {
        for port in prepared.ports {
            if let part = graph.ports.engine(part: port * 16) { sounds.forget(port: part / 16) }
        }
        for sound in prepared.router?.sounds ?? [] where prepared.sounds[sound.part] == nil { try set(sound) }
        for (part, request) in prepared.sounds.sorted(by: { $0.key < $1.key }) {
            guard let part = graph.ports.engine(part: part), let events = sounds.choose(request, part: part) else { continue }
            try desk.play(events)
        }
    }

    /// The keyboards that have to be told apart, by whatever patch.
    static func inputs(_ options: LiveOptions) throws(LiveError) -> KeyboardInputs {
        var keyboards: [String] = []
        for patch in options.patches.isEmpty ? [options.patch ?? Patch()] : options.patches.map(\.patch) {
            do throws(PatchError) {
                for name in try KeyboardInputs(patch).keyboards where !keyboards.contains(name) { keyboards.append(name) }
            } catch { throw .sound(.patch(.patch(error))) }
        }
        return KeyboardInputs(keyboards: keyboards)
    }

    /// The zones of a patch; nil where it has none, and everybody plays the parts of the same number. Keyboards that are told
    /// apart must not play parts of further ports for that.
    static func zones(
        _ patch: Patch, _ inputs: KeyboardInputs, _ outputs: [String] = []
    ) throws(LiveError) -> ZoneRouter? {
        do throws(PatchError) {
            _ = try KeyboardInputs(patch, given: inputs.keyboards)
            return patch.zones.isEmpty && !inputs.areNamed
                ? nil : try ZoneRouter(patch, keyboards: inputs.keyboards, outputs: outputs)
        } catch { throw .sound(.patch(.patch(error))) }
    }

    /// Takes down what the patch that sounds is now, for the next time.
    private func kept(_ patches: Patches) -> PreparedPatch.Kept {
        var left = engine.patch
        left.patches.removeAll { PatchStage.owns($0.name) }
        (left.connections, left.inputs, left.outputs, left.zones) = ([], [], [], [])
        var chosen: [Int: PresetRequest] = [:]
        let plain = ChannelSounds()
        for part in graph.parts {
            guard let place = graph.ports.engine(part: part) else { continue }
            let request = sounds.request(part: place)
            if request != plain.request(part: part) { chosen[part] = request }
        }
        return PreparedPatch.Kept(written: graph.patch, left: left, zones: engine.zones, sounds: chosen)
    }
}
