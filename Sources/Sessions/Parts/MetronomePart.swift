import EngineCore
import MIDI
import Patches
import RealtimeCore
import Reports
import Sequencer
import UnitAPI
import Units

/// The session's tempo: that of the song that plays, else its own, which requests, taps and the metronome set. Units that follow
/// a tempo have it from the start.
final class MetronomePart: SessionPart {
    private let core: SessionCore
    private let outputs: OutputsPart
    private let songs: SongsPart?
    private let following: FollowingPart?
    /// True if a song played at the last look.
    private var songLeads = false
    /// The song that plays, once it has the tempo of loops, or its own beside none.
    private var ledSong: Playlist.Item.ID?
    /// True while the units that follow the tempo still have to get its last change.
    private var owesTime = false
    /// True once a request has set the tempo: a patch that begins does not change it then.
    private var isSet = false
    private var taps = TapTempo()
    /// Bars that are counted before a song begins.
    private var countIn = 0
    /// The count that sounds: its end, whether the metronome goes on after it, and whether it is still wanted.
    private var counting: (end: SampleTime, goesOn: Bool, isWanted: () -> Bool)?

    /// The loop that plays in a tempo of its own, from 1 on.
    var held: () -> (loop: Int, tempo: Double)? = { nil }
    /// Asks loops that play to be stretched to a tempo; returns true if it comes once they are.
    var waitsForLoops: (Double) throws(Fault) -> Bool = { (_) throws(Fault) in false }
    /// Called when a tempo is set at once: one that waits for loops comes no more.
    var onSet: () -> Void = {}

    static let verbs = [Verb.metronome, .tempo, .tap]
    static let fields: [PartField<MetronomePart>] = [
        PartField(\.metronome, "metronome", "The metronome.") { $0.snapshot },
        PartField(
            \.tempo, "tempo", "Quarter notes a minute: of the song unless it waits while a metronome runs, else of the session."
        ) { $0.shownTempo },
    ]

    init(_ core: SessionCore, _ outputs: OutputsPart, _ songs: SongsPart?, _ following: FollowingPart?) {
        (self.core, self.outputs, self.songs, self.following) = (core, outputs, songs, following)
        outputs.metronome = { [unowned self] in setting }
        outputs.onPatch = { [unowned self] in begin($0) }
        songs?.countIn = { [unowned self, unowned songs] (start) throws(Fault) in
            guard self.following == nil else { return start }
            return try count(from: start, tempo: songs?.tempoAhead, meter: songs?.meterAhead) { songs?.isPlaying == true }
        }
        songs?.willBegin = { [unowned self] () throws(Fault) in try takeLoopTempo() }
        core.boundary = { [unowned self] (boundary) throws(Fault) in try time(of: boundary) }
        begin(core.options.patch)
    }

    private var unit: SessionMetronome { SessionMetronome(engine: core.engine) }
    /// The meter that was set, until the unit has it.
    private var setMeter: Meter?
    private var meter: Meter { setMeter ?? unit.meter }

    /// When the units that follow the tempo get its last change.
    private var leads = SampleTime.zero

    /// The metronome's setting; its tempo is the session's while a song gives it another, and until it has the session's again.
    private var setting: (isRunning: Bool, tempo: Double)? {
        guard let setting = unit.setting else { return nil }
        let isLed = songLeads || songs?.isPlaying == true || owesTime || core.now <= leads + 2 * (core.soon - core.now)
        return isLed ? (setting.isRunning, outputs.beat.tempo) : setting
    }

    private var snapshot: SessionSnapshot.Metronome? {
        var metronome = unit.snapshot
        metronome?.countIn = countIn
        if songs?.isPlaying == true { metronome?.tempo = tempo }
        return metronome
    }

    /// Quarter notes a minute.
    var tempo: Double { (songs?.isPlaying == true ? songs?.tempo : nil) ?? outputs.beat.tempo }

    /// That of a song that waits, too, unless the metronome runs.
    private var shownTempo: Double {
        let ahead = outputs.beat.isRunning || songs?.isOfEntry() != true ? 0 : songs?.tempoAhead ?? 0
        return !followsSong && ahead > 0 ? ahead : tempo
    }

    /// A patch plays from now on: its first unit with a tempo sets the session's, until a request does.
    private func begin(_ patch: Patch?) {
        guard !isSet, let tempo = setTempo ?? patch?.tempo, tempo != outputs.beat.tempo else { return }
        outputs.change(isRunning: outputs.beat.isRunning, tempo: tempo, at: core.soon)
        owesTime = true
    }

    /// The tempo that a setting of the start gives a unit: the last of them.
    private var setTempo: Double? {
        let name = Metronome.Parameter.tempo.spec.name
        do throws(ParameterError) {
            for text in core.options.settings.reversed() {
                let setting = try ParameterSetting(text)
                if setting.parameter == name { return try setting.targets(in: core.engine.graph).last.map { Double($0.value) } }
            }
        } catch {
            // A unit that the patch of now does not have.
        }
        return nil
    }

    func start() throws(Fault) { owesTime = true }

    /// The session leads again when the song has ended or is paused. Tried again if the queue is full.
    func turn() throws(Fault) {
        core.engine.renderer.monitor.delay(by: core.graph.latency)
        if setMeter == unit.meter { setMeter = nil }
        try again { () throws(Fault) in try endCount() }
        let plays = songs?.isPlaying ?? false
        if !plays { ledSong = nil } else if ledSong != songs?.playlist.currentID { try again(takeLoopTempo) }
        if plays, let tempo = songs?.tempo {
            owesTime = false
            // What was heard last goes on.
            if !isSet, unit.setting?.isRunning != true, held() == nil {
                outputs.change(isRunning: false, tempo: tempo, at: core.soon)
            }
        }
        if songLeads, !plays, isSet || unit.setting?.isRunning == true { owesTime = true }
        songLeads = plays
        // One frame after the event that stops the song.
        if owesTime { try again { () throws(Fault) in try lead(from: core.soon + 1) } }
    }

    func release(at stop: SampleTime) throws(Fault) { try unit.run(false, at: stop) }

    /// Starts or stops the metronome, and with it the clock and, while no song plays, the units that follow one.
    func run(_ isRunning: Bool, tempo: Double?, meter: Meter?, countIn bars: Int?) throws(Fault) {
        var tempo = tempo
        if let asked = tempo, try waits(for: asked) { tempo = nil }
        if tempo != nil { onSet() }
        // One that was never there begins with the session's tempo; a count alone needs its clicks, too.
        let begins = unit.setting == nil
        let meter = meter ?? (begins && bars != nil ? .common : nil)
        try unit.prepare(isRunning, tempo: tempo, meter: meter)
        let start = core.soon
        try unit.run(
            isRunning, tempo: tempo ?? (begins && isRunning ? outputs.beat.tempo : nil), meter: meter, at: start)
        setMeter = meter ?? setMeter
        if let bars { countIn = bars }
        isSet = isSet || tempo != nil
        counting = nil
        try lead(isRunning, tempo: tempo, at: start)
    }

    /// Returns true if a tempo that is asked for comes later, with the loops that play.
    private func waits(for tempo: Double) throws(Fault) -> Bool {
        if held() == nil { return false }
        if let following { throw .followsClock(following.name) }
        var quarters = tempo
        if isFactor(tempo) {
            guard let songs else { throw .noSong }
            quarters = try songs.tempo(ofFactor: tempo)
        }
        do { try Metronome.Parameter.tempo.spec.check(quarters) } catch { throw Fault(error) }
        return try waitsForLoops(quarters)
    }

    /// True for a factor of the song's own tempo.
    private func isFactor(_ tempo: Double) -> Bool { tempo < Double(Metronome.Parameter.tempo.spec.range.lowerBound) }

    /// Each song that begins while loops keep their tempo takes that.
    private func takeLoopTempo() throws(Fault) {
        guard let songs else { return }
        let song = songs.playlist.currentID
        if let held = held(), let own = songs.tempoAhead, abs(own - held.tempo) > 0.005 {
            var said = "the song plays at \(Quantity(held.tempo, .none)), the tempo of loop \(held.loop)"
            do throws(Fault) { try songs.request(.tempo(try songs.factor(ofTempo: held.tempo))) } catch {
                if error.kind == .queueFull { throw error }
                said = "the song does not take the tempo of loop \(held.loop): \(error)"
            }
            core.tell([said])
        }
        ledSong = song
    }

    /// A request sets the tempo.
    fileprivate func ask(tempo: Double) throws(Fault) { if try !waits(for: tempo) { try set(tempo: tempo) } }

    /// Sets the tempo: a factor of the song's own, or from 20 on quarter notes a minute.
    ///
    /// - Parameters:
    ///   - ofSongs: false to leave songs that wait at their own.
    ///   - time: from when on; nil means as soon as possible.
    func set(tempo: Double, ofSongs: Bool = true, at time: SampleTime? = nil) throws(Fault) {
        if time == nil { onSet() }
        if isFactor(tempo) {
            guard let songs else { throw .noSong }
            return try songs.request(.tempo(tempo))
        }
        do { try Metronome.Parameter.tempo.spec.check(tempo) } catch { throw Fault(error) }
        if let following { throw .followsClock(following.name) }
        if let songs, ofSongs || songs.isPlaying {
            try songs.set(factor: try songs.factor(ofTempo: tempo), at: time)
            if songs.isPlaying { return }
        }
        let start = time ?? core.soon
        try unit.run(nil, tempo: tempo, at: start)
        isSet = true
        try lead(outputs.beat.isRunning, tempo: tempo, at: start)
    }

    /// Takes a tap at the time at which it is performed: two and more set the tempo.
    func tap(at time: SampleTime) throws(Fault) {
        if let following { throw .followsClock(following.name) }
        guard let tempo = taps.tap(at: time, sampleRate: core.options.sampleRate) else { return }
        do throws(Fault) { try ask(tempo: tempo) } catch {
            taps.forget()
            throw error
        }
    }

    private func lead(_ isRunning: Bool, tempo: Double?, at start: SampleTime) throws(Fault) {
        outputs.change(isRunning: isRunning, tempo: tempo, at: start)
        if songs?.isPlaying == true { return }
        owesTime = true
        // The change is sent as soon as there is room.
        try again { () throws(Fault) in try lead(from: start) }
    }

    private func lead(from time: SampleTime) throws(Fault) {
        leads = time
        for said in outputs.beat.musicalTime(at: time, meter) { try core.engine.send(.time(said), at: time) }
        owesTime = false
    }

    /// Counts the bars of the count-in from `start` on, as long as they are wanted. Returns when what was counted begins.
    ///
    /// - Parameter tempo, meter: nil means those of the session.
    func count(
        from start: SampleTime, tempo: Double? = nil, meter: Meter? = nil, while isWanted: @escaping () -> Bool
    ) throws(Fault) -> SampleTime {
        guard countIn > 0 else { return start }
        try unit.prepare(true, tempo: tempo)
        let start = max(start, core.soon)
        let tempo = tempo ?? outputs.beat.tempo, meter = meter ?? self.meter
        let goesOn = counting?.goesOn ?? unit.setting?.isRunning ?? false
        // A metronome that runs begins anew, by itself.
        try unit.run(false, at: start)
        try core.engine.send(.time(.stopped), at: start)
        try unit.run(true, tempo: tempo, meter: meter, at: start + 1)
        let beat = 4 / Double(meter.denominator) * 60 / Double(Float(tempo)) * Double(core.options.sampleRate)
        let end = start + 1 + Int((Double(countIn * Int(meter.beats)) * beat - 1e-6).rounded(.up))
        counting = (end, goesOn, isWanted)
        songs?.countEnd = end
        return end
    }

    /// Starts the metronome for a loop if there is a count-in and nothing runs. Returns when its bars are over; nil if none are counted.
    func countIntoLoop() throws(Fault) -> SampleTime? {
        guard countIn > 0, following == nil, songs?.isPlaying != true, next(.bar, after: core.now) == nil else { return nil }
        try run(true, tempo: nil, meter: nil, countIn: nil)
        var end = core.soon
        for _ in 0..<countIn { end = outputs.beat.next(every: Int(meter.beats), of: meter, after: end) ?? end }
        return end
    }

    /// Ends the clicks of a count at its end, or where it was called off.
    private func endCount() throws(Fault) {
        guard let counting else { return }
        let isCalledOff = !counting.isWanted()
        owesTime = owesTime || isCalledOff
        if !isCalledOff, counting.end - core.now > core.options.sampleRate / 2 { return }
        if !counting.goesOn { try unit.run(false, at: isCalledOff ? core.soon : max(counting.end, core.now)) }
        self.counting = nil
    }

    /// Returns when the next beat, bar or marker begins after a time: of the song that plays, else of the metronome; nil for none.
    func next(_ boundary: TransportBoundary, after time: SampleTime) -> SampleTime? {
        if let songs, songs.isPlaying { return songs.playlist.current.transport.next(boundary, after: time)?.time }
        guard boundary != .marker, unit.setting?.isRunning == true else { return nil }
        return outputs.beat.next(every: boundary == .bar ? Int(meter.beats) : 1, of: meter, after: time)
    }

    /// True while a song gives the tempo.
    var followsSong: Bool { songs?.isPlaying == true }

    /// Quarter notes that have passed at a time: of the song that plays, else of the metronome; nil while neither goes on.
    func quarters(at time: SampleTime) -> Double? {
        guard let passage = outputs.beat.filling(outputs.passages()).last(where: { $0.start <= time }), passage.isCounted else {
            return nil
        }
        return passage.position(at: time) / Double(ClockMessage.pulsesPerQuarter)
    }

    /// Called with the session's tempo when that is another, and from when on.
    func onTempo(_ body: @escaping (Double, SampleTime) -> Void) { outputs.onTempo = body }

    private func time(of boundary: TransportBoundary) throws(Fault) -> SampleTime {
        if let time = next(boundary, after: core.soon) { return time }
        throw songs?.isPlaying == true || boundary == .marker ? .nothingFollows(boundary) : .noBeat
    }
}

extension Patch {
    /// The tempo of the first unit that says one of its own, and does not hold it.
    var tempo: Double? {
        let name = Metronome.Parameter.tempo.spec.name
        for unit in units {
            guard let tempo = unit.values[name]?.first, !EffectLink.held(in: unit.properties).contains(name) else { continue }
            return Double(tempo)
        }
        return nil
    }
}

extension SnapshotKeys {
    /// The metronome, once one was requested.
    public var metronome: SnapshotKey<SessionSnapshot.Metronome?> { SnapshotKey(nil) }
    /// Quarter notes a minute: of the song that plays or, where no metronome runs, waits; else of the session.
    public var tempo: SnapshotKey<Double> { SnapshotKey(MetronomeBeat.usualTempo) }
}

extension SessionSnapshot {
    /// A metronome that was requested.
    public struct Metronome: Sendable, Hashable {
        public var isRunning: Bool
        /// Quarter notes a minute.
        public var tempo: Double
        /// Beats of a bar.
        public var beats: Int
        /// The beat and the bar, from 1 on; 0 before the first.
        public var beat: Int
        public var bar: Int
        /// The note that is a beat: 4 is a quarter.
        public var unit = 4
        /// Bars that are counted before a song begins.
        public var countIn = 0
    }
}

extension SessionSnapshot.Metronome: Fielded {
    package static let fields: [Field<Self>] = [
        Field("isRunning", \.isRunning, "Whether it clicks."),
        Field("tempo", \.tempo, "Quarter notes a minute."),
        Field("beats", \.beats, "Beats of a bar."),
        Field("beat", \.beat, "The beat, from 1 on; 0 before the first."),
        Field("bar", \.bar, "The bar, from 1 on; 0 before the first."),
        Field("unit", \.unit, "The note that is a beat: 4 is a quarter."),
        Field("countIn", \.countIn, "Bars that are counted before a song begins."),
    ]
}

extension Verb {
    static let metronome = Verb(
        "metronome",
        [
            .onOff, .init("TEMPO", .number(Metronome.Parameter.tempo.spec), isOptional: true),
            .init("METER", .meter, isOptional: true), .init("count-in BARS", .labelled("count-in", countIn), isOptional: true),
        ],
        help: "Switches the metronome on or off, and sets how many bars it counts before a song.",
        "metronome on 120 7/8 count-in 1", movesSound: true
    ) { (metronome: MetronomePart, values) throws(Fault) in
        try metronome.run(
            values.flag(0), tempo: values.optionalNumber(1), meter: values.optionalText(2).flatMap { Meter(text: $0) },
            countIn: values.optionalWhole(3))
    }
    static let tempo = Verb(
        "tempo", [.init("TEMPO", .tempo)], help: "Sets the tempo, in quarter notes a minute or as a factor of the song's own.",
        "tempo 96bpm"
    ) { (metronome: MetronomePart, values) throws(Fault) in try metronome.ask(tempo: values.number(0)) }.turned(
        from: 40, to: 240
    ) { (metronome: MetronomePart) in metronome.tempo }
    static let tap = Verb("tap", help: "Taps the tempo: the mean of the last four beats.", "tap") {
        (metronome: MetronomePart, _) throws(Fault) in try metronome.tap()
    }
    /// Bars of a count.
    package static let countIn = ParameterSpec("count-in", 0...4, default: 0, help: "Bars that are counted before a song.")
}

extension MetronomePart {
    /// Takes a tap: that of a button when it was pressed.
    fileprivate func tap() throws(Fault) { try tap(at: core.requestTime ?? core.now) }
}

extension ControlCommand {
    /// Starts or stops the metronome; it begins with the first beat of a bar. Quarter notes a minute, 20...400; nil means as
    /// before, at first 120. The same for the meter, at first 4/4, and for the bars that are counted before a song, 0...4.
    public static func metronome(_ isOn: Bool, tempo: Double?, meter: Meter? = nil, countIn: Int? = nil) -> ControlCommand {
        Verb.metronome(isOn, tempo, meter?.text, countIn)
    }
    /// Tempo as a factor of the song's own, 0.1...10, or in quarter notes a minute, 20...400, of the song that plays or else of
    /// the session.
    public static func tempo(_ tempo: Double) -> ControlCommand { Verb.tempo(tempo) }
    /// Taps the tempo.
    public static let tap = Verb.tap()
}
