import EngineCore
import Graphs
import MIDI
import RealtimeCore
import Reports
import Sequencer
import SongRendering
import SoundFonts
import Units

/// The songs: one after another, each by instruments that know the SoundFont that it brings.
package final class SongsPart: SessionPart {
    let core: SessionCore
    let instruments: SongInstruments
    private let outputs: OutputsPart
    package let playlist: Playlist
    /// The refusal of requests to repeat the list, if repetition is decided elsewhere.
    package var loopRefusal: Fault?
    /// Changes what snapshots show of the song, for a list that is a part of something longer.
    package var revise: (inout SessionSnapshot.Transport) -> Void = { _ in }
    private var ending: SongEnding
    private var outbox = ScoreOutbox()
    private(set) var sheets = SongSheets()
    /// The place where the song was heard last, in seconds; nil while it did not play. Kept while nothing is heard.
    private var lastHeard: Double?
    private var isInterrupted = false
    /// True while a song goes on after the device was lost: it is not counted in.
    private var isResuming = false
    private var wait = LoudnessWait()
    /// A filter of requests while the songs follow a master; it returns true if the request is done. nil means they follow
    /// none.
    var master: ((SongRequest) throws(Fault) -> Bool)?
    /// Returns when a song begins that is to play from a time on: after the count.
    var countIn: (SampleTime) throws(Fault) -> SampleTime = { $0 }
    /// When the last count ends.
    var countEnd = SampleTime.zero
    /// Called before a song begins, and is counted in.
    var willBegin: () throws(Fault) -> Void = {}
    /// False while the song that stands ready belongs to another entry of a set list: it is not shown, and nothing starts it.
    var isOfEntry: () -> Bool = { true }

    package static let isMissing = Fault.noSong

    init(_ core: SessionCore, _ playlist: Playlist, _ instruments: SongInstruments, _ outputs: OutputsPart) {
        (self.core, self.playlist, self.instruments, self.outputs) = (core, playlist, instruments, outputs)
        ending = SongEnding(sampleRate: core.options.sampleRate)
        playlist.willPlay = { [unowned playlist, unowned instruments] (timeline, bank, deck, time) throws(Fault) in
            try instruments.makeRoom(for: timeline, bank: bank, on: deck, at: time, after: playlist.ports)
        }
        playlist.crossFade.didMove = { [unowned self] in move(to: $0) }
        playlist.clock = { [core] in (core.now, core.soon) }
        outputs.passages = { [playlist] in playlist.passages }
    }

    /// Plays; songs that follow a master wait for it, others for a request if they are to.
    package func start() throws(Fault) {
        if core.options.crossFade > 0 { try set(crossFade: core.options.crossFade) }
        if master == nil, !core.options.songsWait { try post(.play) }
    }

    package func turn() throws(Fault) {
        var faults = Attempts()
        faults.attempt { () throws(Fault) in
            switch wait.step(now: core.now, soon: core.soon, sampleRate: core.options.sampleRate, measured: { measured }) {
            case .setLevel:
                if let item = playlist.items.first(where: { $0.id == playlist.currentID }) {
                    playlist.levels.settle(&playlist.current, of: item, soon: core.soon)
                }
            case .play:
                try again { () throws(Fault) in
                    try perform(.play)
                    wait.end()
                }
            case nil: break
            }
            try again { () throws(Fault) in
                try post { $0.advance(now: core.now, soon: core.soon) }
                let meters = core.meters
                if ending.isOver(isAtEnd: playlist.isAtEnd, voices: meters.voices, levels: meters.levels, now: core.now),
                    core.options.playedPorts == 0, master == nil
                {
                    core.isOver = true
                }
            }
        }
        faults.attempt { () throws(Fault) in
            if instruments.needPrograms(), isPlaying { try request(.seek(.bySeconds(0))) }
            try instruments.keep(playlist.bankAhead, on: playlist.deckOfBank, for: playlist.current.transport.timeline)
        }
        sheets.look(at: playlist)
        if !isInterrupted { lastHeard = isPlaying ? seconds : nil }
        try faults.finish()
    }

    package func release(at stop: SampleTime) throws(Fault) { try request(.stop) }
    package func leave() { playlist.levels.end() }
    package func takeNotices() -> [String] { playlist.takeNotices() }
    package func takeRemarks() -> [Remark] { playlist.takeRemarks() }

    var transport: SessionSnapshot.Transport? {
        if !isOfEntry() { return nil }
        // The song's position at these frames, even if more has been rendered meanwhile.
        var transport = playlist.snapshot(at: core.moment)
        if wait.isOn { transport.measured = measured ?? 1 }
        transport.isCountedIn = transport.isPlaying && core.moment < countEnd
        (transport.muted, transport.soloed) = (core.songMix.muted.sorted(), core.songMix.soloed.sorted())
        revise(&transport)
        return transport
    }

    /// Carries out a request, unless the master decides about it.
    package func request(_ request: SongRequest) throws(Fault) {
        switch request {
        case .repetition: if let loopRefusal { throw loopRefusal }
        case .seek, .next, .previous, .nextAt: if !isOfEntry() { throw .noSongOfEntry }
        default: break
        }
        if let master, try master(request) { return }
        try post(request)
    }

    /// Plays a song of the list, by its name or its number; the list goes on after it.
    ///
    /// - Throws: `unknownSong`, `songRefused` where it cannot be played, and what `request` throws.
    func play(_ name: String) throws(Fault) {
        let item = try item(called: name)
        try request(.song(item.id))
        if let fault = playlist.items.first(where: { $0.id == item.id })?.fault {
            throw .songRefused(item.song.name, reason: fault)
        }
        // Songs that follow a master start with the master.
        if master == nil { try request(.play) }
    }

    private func item(called name: String) throws(Fault) -> Playlist.Item {
        guard let item = playlist.items.item(called: name) else {
            throw .unknownSong(name, known: playlist.items.map(\.song.name))
        }
        return item
    }

    /// Plays a song of the list after the current one. - Throws: `unknownSong`, `entriesDecide`.
    func queue(_ name: String) throws(Fault) {
        if playlist.manner.entriesDecide { throw .entriesDecide("queue") }
        let id = try item(called: name).id, playing = playlist.currentID, place = playlist.order.place
        playlist.edit { $0.queue(id, after: playing, at: place, &playlist.manner.queued) }
    }

    /// Plays the songs in random order, each once, or in that of the list. - Throws: `entriesDecide`.
    func shuffle(_ isOn: Bool, seed: UInt64 = .random(in: 0...(.max))) throws(Fault) {
        if playlist.manner.entriesDecide { throw .entriesDecide("shuffle") }
        playlist.manner.isShuffled = isOn
        let playing = playlist.currentID
        // Their numbers rise in the order in which they came.
        playlist.edit { isOn ? $0.shuffle(seed: seed, from: playing) : $0.sort { $0.id < $1.id } }
    }

    /// Moves the current song to a place, as `request(.seek)` does; the song must have that place.
    func begin(at place: TransportTarget) throws(Fault) {
        let timeline = playlist.current.transport.timeline
        var passage = SongPassage()
        passage.from = place
        let frame = try passage.frames(in: timeline).from
        try request(.seek(.seconds(Double(frame) / Double(timeline.sampleRate))))
    }

    /// Carries out a request even if the songs follow a master. A request that would start the first song waits until its
    /// loudness is known.
    func post(_ request: SongRequest) throws(Fault) {
        if wait.takes(request, measured: { measured }) { return }
        try perform(request)
    }

    /// Carries out a request; a song that begins is counted in.
    private func perform(_ request: SongRequest) throws(Fault) {
        let begins = !isPlaying && playlist.awaited == nil && (request == .play || request == .togglePlay)
        if begins {
            if !isOfEntry() { throw .noSongOfEntry }
            try willBegin()
        }
        try post { (list) throws(Fault) in
            let soon = begins && !isResuming ? try countIn(core.soon) : core.soon
            return list.perform(request, now: core.now, soon: soon)
        }
    }

    /// Plays the next song from the next beat, bar or marker on.
    func next(at boundary: TransportBoundary) throws(Fault) {
        guard isPlaying else { return try request(.next) }
        if playlist.nextName == nil { throw .noNextSong }
        if playlist.current.transport.next(boundary, after: core.soon) == nil { throw .nothingFollows(boundary) }
        try request(.nextAt(boundary))
    }

    /// Quarter notes a minute of the song that plays; nil while none does.
    var tempo: Double? { isPlaying ? position(at: core.now).tempo : nil }
    /// The tempo and the meter with which the song will go on.
    var tempoAhead: Double? { position(at: core.soon).tempo }
    var meterAhead: Meter? { playlist.current.transport.timeline.tempoMap.meter(atTick: position(at: core.soon).tick) }

    /// Returns the factor at which the song has a tempo, in quarter notes a minute.
    func factor(ofTempo tempo: Double, isChecked: Bool = true) throws(Fault) -> Double {
        let current = playlist.current, tick = position(at: core.soon).tick
        guard let own = current.transport.timeline.tempoMap.microsecondsPerQuarter(atTick: tick) else { throw .noMeasure }
        let written = 60_000_000 / Double(own), factor = tempo / written / current.manner.tempo
        let range = EngineSetting.tempo.spec.range
        guard !isChecked || range.contains(Float(factor)) else {
            let bounds = [range.lowerBound, range.upperBound].map { Int((Double($0) * written * current.manner.tempo).rounded()) }
            throw .outOfRange(
                name: "tempo", value: "\(tempo)", remedy: "choose from \(bounds[0]) to \(bounds[1]) bpm for this song")
        }
        return factor
    }

    /// Returns the tempo that the song has at a factor, in quarter notes a minute.
    func tempo(ofFactor factor: Double) throws(Fault) -> Double { factor / (try self.factor(ofTempo: 1, isChecked: false)) }

    /// Plays at a factor of the songs' own tempo, from a time on; nil means as soon as possible.
    func set(factor: Double, at time: SampleTime?) throws(Fault) {
        guard let time, master == nil else { return try request(.tempo(factor)) }
        try post { (list) throws(Fault) in list.perform(.tempo(factor), now: core.now, soon: time) }
    }

    private func position(at time: SampleTime) -> TransportPosition { playlist.current.transport.position(at: time) }

    /// Lets songs cross over for so many seconds; 0: they follow each other. - Throws: as `PatchStage.addDeck`; `option` for songs that
    /// are sent outside.
    func set(crossFade seconds: Double) throws(Fault) {
        if seconds > 0, playlist.crossFade.second == nil {
            if !playlist.silent.isEmpty {
                throw .option(
                    name: "cross-fade", value: "\(seconds)",
                    remedy: "songs are sent to MIDI ports, which fade nothing; send none")
            }
            let deck = try instruments.addDeck()
            playlist.crossFade.second = deck
            playlist.levels.silence(deck: deck.number, at: core.soon)
            try fade()
        }
        playlist.crossFade.seconds = seconds
    }

    /// The songs go on on another deck: what is muted there is muted here.
    private func move(to deck: SongDeck) {
        do throws(Fault) { try core.copyMix(fromDeck: core.stage.songDeck, to: deck.number) } catch { core.tell(["\(error)"]) }
        core.stage.songDeck = deck.number
    }

    /// Starts a layer over the songs, or ends it.
    package func set(layer name: String, _ isOn: Bool) throws(Fault) {
        try post { (list) throws(Fault) in try list.set(layer: name, isOn, now: core.now, soon: core.soon) }
    }

    /// Changes notes of the song that plays.
    func edit(_ change: (inout SongEdits) throws(Fault) -> Void) throws(Fault) {
        try post { (list) throws(Fault) in try list.edit(now: core.now, soon: core.soon, change) }
    }

    /// Returns the state of a layer; nil where there is none of this name.
    package func state(ofLayer name: String) -> SessionLayer.State? {
        playlist.layers.states.first { $0.name == name }?.state
    }

    /// Posts the segments that a change of the list gives; refused, with nothing changed, while older segments wait.
    private func post(_ segments: (Playlist) throws(Fault) -> [ScoreSegment]) throws(Fault) {
        outbox.post(to: core.engine.renderer)
        guard outbox.isEmpty else { throw .queueFull }
        playlist.current.transport.countsStrikes = core.engine.graph.countsStrikes
        let posted = try segments(playlist)
        outputs.post(posted)
        outbox.post(posted, to: core.engine.renderer)
        try fade()
    }

    var isPlaying: Bool { playlist.current.transport.state == .playing }
    /// The share of the song that is measured, 0...1; nil means its level is known.
    private var measured: Double? { playlist.levels.measured(of: playlist.currentID) }
    private var seconds: Double { playlist.snapshot(at: core.now).seconds }
    /// True while the song plays, or stands between its beginning and its end.
    var hasBegun: Bool { isPlaying || seconds > 0 && !playlist.isAtEnd }

    var sheet: SongSheet { sheets.sheet(of: playlist) }

    /// Handles the loss of sound. Returns a word on the song's state; nil means it goes on.
    func interrupt(by policy: InterruptionPolicy) throws(Fault) -> String? {
        isInterrupted = true
        guard let heard = lastHeard, policy != .goOn else { return nil }
        if policy == .stop {
            lastHeard = nil
            try request(.stop)
            return "the song has stopped"
        }
        try request(.pause)
        try request(.seek(.seconds(heard)))
        return "the song waits"
    }

    func resume(by policy: InterruptionPolicy) throws(Fault) {
        isInterrupted = false
        isResuming = true
        defer { isResuming = false }
        if policy == .pause, lastHeard != nil, !isPlaying { try request(.play) }
    }

    /// Moves the fader as the songs require; a move that finds no room is tried again in the next call.
    private func fade() throws(Fault) {
        while let change = playlist.levels.next {
            if let fader = core.stage.songGraph(deck: change.deck).fader {
                do {
                    try core.engine.ramp(
                        MultichannelMixer.Parameter.gain, to: Float(max(change.decibels, SongLevels.silence)), of: fader,
                        at: change.time < core.now ? core.soon : change.time, over: change.seconds)
                } catch { if error.kind == .queueFull { return } else { throw error } }
            }
            playlist.levels.removeNext()
        }
    }
}

extension Playlist {
    /// The deck of that song.
    var deckOfBank: SongDeck { following?.song.deck ?? current.deck }
    /// The SoundFont of the song that is posted to follow, or of the current one if none is.
    var bankAhead: SongBank? { if let following { following.song.bank } else { current.bank } }
}

extension Session {
    /// The songs; nil where none are played.
    public var playlist: Playlist? { self[SongsPart.self]?.playlist }

    /// Moves the song to a place, before `start` or while it plays.
    ///
    /// - Throws: `noSong`, and `sound` with `passage` for a place that it does not have.
    public func begin(at place: TransportTarget) throws(Fault) { try part(SongsPart.self).begin(at: place) }

    /// Fades the whole sound to a level within `seconds`, in a session with a fader (`LiveOptions.faderLevel`); songs have
    /// their levels beside it. Without a fader it does nothing.
    ///
    /// - Parameters:
    ///   - decibels: -120...40; -120 is silence.
    ///   - seconds: 0...3600; 0 is as soon as can be without a click.
    /// - Throws: `engine` for a number out of range, or with `queueFull`.
    public func fade(to decibels: Double, over seconds: Double) throws(Fault) {
        try core.fade(to: decibels, over: seconds)
    }
}
