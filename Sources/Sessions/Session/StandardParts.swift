import EngineCore
import Graphs
import Patches
import RealtimeCore
import RemoteIO
import Reports
import Sequencer
import SongRendering

/// Every kind of part that a session of this package can have: their requests and facts are those of every surface.
enum SessionParts {
    static let all: [any SessionPart.Type] =
        [
            SongsPart.self, SoundsPart.self, KeysPart.self, ButtonsPart.self, MetronomePart.self, StagePart.self,
            EntriesPart.self, RecorderPart.self, LooperPart.self,
            CardPart.self, CapturePart.self, OutputsPart.self, FollowingPart.self, EffectsPart.self,
        ] + alone

    /// Parts that need no other: every session has them.
    static let alone: [any LonePart.Type] = [
        MixPart.self,
        SoundFilesPart.self, TuningPart.self, LockPart.self,
    ]
}

/// The parts of a session as `live`, `play` and an installation have it, made from options: sounds are read, device and
/// sequencer are opened.
struct StandardParts {
    let core: SessionCore
    let parts: [any SessionPart]
    let remarks: [Remark]

    /// - Throws: `unavailable` when there is no device or no sequencer, and the faults of options, sounds, files.
    init(
        _ given: LiveOptions, songs: [SessionSong], on port: any DevicePort, midi: (any MIDISystem)? = nil,
        outlet: (any MIDIOutlet)?, start: SampleTime
    ) throws(Fault) {
        var options = given
        try options.check()
        if options.patches.count == 1 { try options.play(options.patches[0]) }
        var demand = SongDemand()
        let playlist =
            songs.isEmpty
            ? nil
            : try Playlist(
                songs, layers: options.layers, silent: options.sentParts, sampleRate: options.sampleRate,
                loudness: SongLoudness(options, waits: !port.hasOwnThread),
                demand: &demand)
        options.songBank = playlist?.bankAhead
        let inputs = try StagePart.inputs(options)
        let list = PatchList(
            options, keyboards: inputs.keyboards, songs: playlist == nil ? nil : demand, isThreaded: port.hasOwnThread)
        let stage = try list.begin(at: start)
        if list.isSetList { try options.play(list.listed(list.current)) }
        let core = SessionCore(stage, on: port, options), structure = core.engine.beginJournal()
        // A simulated device is never late.
        if port.hasOwnThread { try Rehearsal.run(options) }
        let others = list.others, trims = ([options.patch].compactMap { $0 } + others.map(\.patch)).flatMap(\.trimRemarks)
        var remarks = list.takeRemarks()
        remarks +=
            options.list.trims + core.graph.remarks + (stage.hasOwnSongs ? stage.songGraph.remarks : [])
            + trims + StagePart.unheardInputs(others)
            + StagePart.folds(options, besideSongs: stage.hasOwnSongs)
        // A fault of the device and one of the sequencer are reported together.
        let wish = try DeviceWish(options, core.engine)
        let queue = options.capturePath.map { _ in
            CapturePart.makeQueue(channels: wish.request.channels, sampleRate: options.sampleRate)
        }
        var deviceFault: DeviceError?, inlet: (any MIDIInlet)?, ownOutlet: (any MIDIOutlet)?, inletFault: MIDIInletError?
        do throws(DeviceError) {
            remarks += try wish.open(port, core.engine.renderer, capture: queue, mustCapture: options.device.input != nil)
        } catch { deviceFault = error }
        let zones = options.patch != nil || inputs.areNamed ? try StagePart.zones(options.patch ?? Patch(), inputs) : nil
        let given = options.keyboardsPlay ? options.filter : options.filter ?? SilentFilter()
        let calls = options.connections.programs.map { PatchCalls($0, inputs) }
        let always = try options.list.always.map { (patch) throws(Fault) in
            (zones: try StagePart.zones(patch, inputs), ports: stage.alwaysPorts)
        }
        let filter = LiveFilter(given, calls: calls, zones: zones, ports: core.graph.ports, always: always)
        let outputs = OutputsPart(core)
        let wantsKeyboards = options.ports > 0
        let wantsOutput = outlet == nil && (outputs.isNeeded(by: options.patch) || options.connections.master != nil)
        // In simulated time only a system passed by the caller gives keyboards.
        if wantsKeyboards || wantsOutput, let midi = midi ?? (port.hasOwnThread ? SoundSystems.midi : nil) {
            do throws(MIDIInletError) {
                (inlet, ownOutlet) = try midi.open(Self.inlet(options, inputs, hasZones: zones != nil, core, filter))
            } catch { inletFault = error }
        }
        if let fault = inletFault, options.canDoWithoutKeyboards(fault, on: port.grant) {
            remarks.append(Remark(.missing, "keyboards", fault.description))
            inletFault = nil
        }
        outputs.attach(outlet ?? ownOutlet)
        outputs.open(zones, options.patch)
        let sounds = SoundsPart(core, hasSongs: playlist != nil)
        let keys = KeysPart(core, outputs, filter, inputs: inputs, inlet: inlet)
        keys.sound = { [unowned sounds] in sounds.sound(ofPart: $0, unit: $1) }
        sounds.zones = { filter.zones }
        let songsPart = playlist.map { SongsPart(core, $0, SongInstruments(core, keys, sounds, demand), outputs) }
        let effects = EffectsPart(core, keys, songsPart)
        let capture: CapturePart?
        do throws(Fault) {
            if deviceFault != nil || inletFault != nil {
                throw .unavailable(device: deviceFault, sequencer: inletFault)
            }
            capture = try queue.map { (queue) throws(Fault) in
                try CapturePart(
                    core, options.capturePath ?? "", from: queue, layout: wish.request.layout ?? .stereo, patch: structure)
            }
        } catch {
            port.stop()
            throw error
        }
        remarks += capture?.remarks ?? []
        let following = options.connections.master.map { FollowingPart(core, $0, songsPart, outputs, inlet: inlet) }
        let patches = StagePart(core, list, keys, sounds, outputs, songsPart)
        let entries = options.patches.isEmpty ? nil : try EntriesPart(core, patches, keys, songsPart, outputs)
        let metronome = MetronomePart(core, outputs, songsPart, following)
        // In the order in which they have their turns.
        let parts: [(any SessionPart)?] = [
            CardPart(core, wish.feeds, songsPart), outputs, patches,
            entries, keys,
            ButtonsPart(core, keys), effects, sounds, RecorderPart(core, patch: structure), capture, following, songsPart,
            metronome, LooperPart(core, metronome),
        ]
        (self.core, self.remarks) = (core, remarks)
        self.parts = parts.compactMap { $0 } + SessionParts.alone.map { $0.init(core) } + [WholePart(core)]
    }

    /// Each keyboard that zones name has an input port of its own.
    private static func inlet(
        _ options: LiveOptions, _ inputs: KeyboardInputs, hasZones: Bool, _ core: SessionCore, _ filter: LiveFilter
    ) -> MIDIInletSetup {
        let hasZones = hasZones || options.patches.contains { !$0.patch.zones.isEmpty }
        var connections: [MIDIInletSetup.Connection] = []
        for (input, text) in inputs.keyboards.enumerated() where options.ports > 0 {
            // Zones that name no keyboard have the default connections.
            for text in text == "any" ? options.connections.sources : [text] {
                connections.append(.init(text, input: hasZones ? input : nil))
            }
        }
        return MIDIInletSetup(
            ports: options.ports > 0 ? max(options.ports, inputs.keyboards.count) : 0, connections: connections,
            isImmediate: options.device.isImmediate, master: options.connections.master, core.engine.renderer,
            PortClock(core.port),
            filter: { filter.commands(for: $0, at: $1 == .inTurn ? nil : $1) })
    }
}

extension Session {
    /// Builds the graph (SoundFonts are read here), opens the device and the sequencer; nothing sounds yet.
    ///
    /// - Parameters:
    ///   - songs: the songs to play, in order. One that cannot be read is left out and reported, as long as there is another.
    ///   - port: simulated time; nil means the devices of every system.
    ///   - inbox: the inbox whose commands it carries out from its first turn on; it may have been made before sounds were
    ///     read.
    /// - Throws: `unavailable` when there is no device or no sequencer, and the faults of options, sounds, files.
    public convenience init(
        _ options: LiveOptions, songs: [SessionSong] = [], on port: SimulatedPort? = nil,
        inbox: CommandInbox = CommandInbox()
    ) throws(Fault) {
        try self.init(
            options, songs: songs, on: (port as (any DevicePort)?) ?? SoundSystems.port, inbox: inbox, start: .zero)
    }

    /// Builds it with a sample time for the first slice, and with more parts, which have their turns after the others.
    package convenience init(
        _ options: LiveOptions, songs: [SessionSong] = [], on port: any DevicePort, midi: (any MIDISystem)? = nil,
        outlet: (any MIDIOutlet)? = nil, inbox: CommandInbox = CommandInbox(), start: SampleTime = .zero,
        with more: (SessionCore, [any SessionPart]) -> [any SessionPart] = { _, _ in [] }
    ) throws(Fault) {
        let made = try StandardParts(options, songs: songs, on: port, midi: midi, outlet: outlet, start: start)
        self.init(made.core, made.parts + more(made.core, made.parts), remarks: made.remarks, inbox: inbox)
    }
}

extension LiveOptions {
    /// The patch of a list that plays from now on.
    fileprivate mutating func play(_ listed: ListedPatch) throws(Fault) {
        if let fault = listed.fault { throw Fault(fault) }
        (patch, patchPath, list.level) = (listed.hasPatch ? listed.patch : nil, listed.path, listed.gain)
    }
}
