import EngineCore
import Graphs
import RealtimeCore
import RemoteIO
import Reports
import Sequencer
import SongRendering
import Units

/// The engine of a session, its device and the graph that plays: shared by its parts. Session's thread.
package final class SessionCore {
    /// The engine that plays.
    package var engine: Engine { stage.engine }
    /// The device, or simulated time.
    package let port: any DevicePort
    /// The options that it was started with; patch and SoundFont are those of now.
    package internal(set) var options: LiveOptions
    /// The graph: the patch that sounds, and what rings.
    let stage: PatchStage
    /// The folder for saved files, under names of its own; nil: each request names its file.
    package var savingFolder: SavingFolder?
    /// True once `quit` was requested, or the last song has ended and nothing else is to be played.
    var isOver = false
    /// The ports on which notes were played. All keys that sound or are held belong to one of them.
    private var playedPorts: Set<UInt8> = []
    private var notices: [String] = []
    /// The remarks from the start on.
    var remarks = RemarkLedger()

    /// The sample time at which the request that is performed was made; nil means now.
    var requestTime: SampleTime?
    /// The sample time that the next snapshot shows.
    var moment = SampleTime.zero
    /// Returns when the next beat, bar or marker begins, at which a request may take effect.
    var boundary: (TransportBoundary) throws(Fault) -> SampleTime = { (_) throws(Fault) in throw .noBeat }
    /// Called when something begins that a recorded song marks: a patch, a scene.
    var mark: (String, SampleTime) -> Void = { _, _ in }
    /// The volume that was asked for; nil: that of the start.
    private(set) var volume: Double?
    /// The unit of loops of sound, at the end of the graph; nil before it was needed.
    var loops: NodeID?
    /// Events of keyboards that found no room.
    var droppedEvents: () -> Int = { 0 }
    /// Events of MIDI units that were lost, because they were not read in time.
    private var unreadEvents = 0

    /// The most notices that are kept while they are not taken out.
    private static let mostNotices = 100

    init(_ stage: PatchStage, on port: any DevicePort, _ options: LiveOptions) {
        (self.stage, self.port, self.options) = (stage, port, options)
    }

    /// The units of the patch that sounds, by their part.
    var graph: SongGraph { stage.graph }

    /// The sample time of the next slice.
    package var now: SampleTime { engine.renderer.sampleTime }

    /// The earliest time at which a command from here can take effect, even after a late wake-up of the audio thread: it then
    /// fills a whole buffer at once, though hardly ever one of more than three periods.
    package var soon: SampleTime {
        let grant = port.grant
        let slice = max(grant?.sliceFrames ?? 0, options.device.period)
        return now + (min(max(grant?.periods ?? 0, options.device.periods), 3) + 1) * slice
    }

    var mix: MixControl { mix(of: graph) }
    /// The mix of the patch that sounds, that of songs that have instruments of their own, that of a patch that stays.
    var mixes: [MixControl] {
        [mix] + stage.songGraphs.map { mix(of: $0) } + (stage.alwaysUnits.map { [mix(of: $0)] } ?? [])
    }
    /// The mix of songs: the same where they have no instruments of their own.
    var songMix: MixControl { stage.hasOwnSongs ? mix(of: stage.songGraph) : mix }

    /// Gives a deck of songs the switches of the channels of another, and the volume of the session.
    func copyMix(fromDeck from: Int, to deck: Int) throws(Fault) {
        let old = mix(of: stage.songGraph(deck: from)), new = mix(of: stage.songGraph(deck: deck))
        for channel in new.graph.strips.map({ $0.part + 1 }) {
            for (parameter, before, after) in [
                (ChannelStrip.Parameter.mute, new.muted, old.muted), (.solo, new.soloed, old.soloed),
            ] where before.contains(channel) != after.contains(channel) {
                try new.set(parameter, after.contains(channel), channel: channel)
            }
        }
        if new.volume != old.volume { try new.setVolume(old.volume) }
    }

    private func mix(of graph: SongGraph) -> MixControl {
        MixControl(engine: engine, graph: graph, ports: unrecorded > 0 ? nil : playedPorts)
    }

    /// Sets the volume of all that sounds, of patches that ring on and of loops too, or takes `seconds` to get there.
    func setVolume(_ decibels: Double, over seconds: Double? = nil) throws(Fault) {
        for mix in mixes + stage.ringing.groups.compactMap(\.graph).map(mix(of:)) { try mix.setVolume(decibels, over: seconds) }
        try turnLoops(.volume, to: decibels, over: seconds)
        volume = decibels
    }

    /// True if the patch that sounds has the volume that was asked for, and no scene has set another.
    var isTurned: Bool { mix.volume == volume }

    /// Gives a patch that sounds from now on the volume of the session.
    func keepVolume() {
        guard let volume, !isTurned else { return }
        do throws(Fault) { try mix.setVolume(min(volume, mix.mostVolume)) } catch { tell(["\(error)"]) }
    }

    /// Loops of sound lie after volume and fader.
    private func turnLoops(_ parameter: Looper.Parameter, to decibels: Double, over seconds: Double?) throws(Fault) {
        guard let loops, engine.graph[loops] != nil else { return }
        let value = parameter.spec.clamped(Float(decibels))
        if let seconds {
            try engine.ramp(parameter, to: value, of: loops, over: seconds)
        } else {
            try engine.set(parameter, value, of: loops)
        }
    }

    var meters: SessionMeters {
        SessionMeters(
            engine: engine, graph: graph, hasChannels: options.patch != nil || options.instrument != .squareWave,
            besides: (stage.hasOwnSongs ? stage.songGraphs : [graph]).flatMap(\.instruments)
                + stage.ringing.groups.flatMap(\.instruments))
    }

    /// Events that recorder and capture have missed because `maintain` was not called for too long.
    var unrecorded: Int { engine.renderer.counters.unrecordedEvents }

    /// Events that found a full queue or a unit that is not there, and notes that began and reached no instrument.
    var lostEvents: Int {
        let counters = engine.renderer.counters
        return counters.lostEvents + counters.unheardEvents + unrecorded + unreadEvents + droppedEvents()
    }

    func hear(_ performance: Performance) {
        unreadEvents = performance.unrecorded
        for command in performance.commands {
            if case .music(.message(let message)) = command.event { playedPorts.insert(message.port) }
        }
    }

    /// Keeps sentences for `takeNotices`.
    package func tell(_ sentences: [String]) {
        notices += sentences
        // They are not taken out: the oldest go.
        if notices.count > Self.mostNotices { notices.removeFirst(notices.count - Self.mostNotices) }
    }

    func takeNotices() -> [String] {
        defer { notices = [] }
        return notices
    }

    /// Fades the whole sound to a level within `seconds`, if the graph has a fader (`LiveOptions.faderLevel`).
    ///
    /// - Throws: `engine` for a number out of range, or with `queueFull`.
    package func fade(to decibels: Double, over seconds: Double) throws(Fault) {
        for fader in Set(([graph] + stage.songGraphs).compactMap(\.fader)) {
            try engine.ramp(MultichannelMixer.Parameter.volume, to: Float(decibels), of: fader, over: seconds)
        }
        try turnLoops(.fader, to: decibels, over: seconds)
    }
}
