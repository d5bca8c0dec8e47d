import MIDI
import RealtimeCore
import Reports

/// A song that plays over another one: a beat over a melody, a loop over a loop.
///
/// Its notes follow the beats of the song below it through all tempo changes, so that the two never drift apart. Its own
/// tempos are not used. It is repeated: the loop that it asks for (`LoopPoints`), else all of it up to the end of its last bar;
/// without end, or a number of times and then on to its end. A value; `Timeline` lays it out.
public struct SongLayer: Sendable {
    let ticksPerQuarter: Int64
    /// The events that the layer plays, on the ports that it is heard on; times are ticks.
    let events: [TimedMusicEvent]
    /// The settings that the layer has given its instruments at a tick.
    let chase: Chase
    /// The range that is repeated, and the place where all ends. Unit: ticks.
    let loop: Range<Int64>
    let length: Int64
    /// The number of times that the loop is played; nil means without end.
    public let rounds: Int?
    /// True if only the layer plays on its ports: instruments may be reset there.
    let ownsPorts: Bool

    /// The most events of a song with all its layers.
    public static let mostEvents = 4_000_000

    /// Makes a layer of a song.
    ///
    /// - Parameters:
    ///   - port: the MIDI port, 0...15, that its first port becomes, the second one the next. On port 0 it shares channels
    ///     with the song below it: nothing is reset there, and `level` has no effect.
    ///   - rounds: how often its loop is played, at least once; nil means without end.
    ///   - level: linear amplitude, 0...1.
    public init(_ song: Song, port: UInt8 = 0, rounds: Int? = nil, level: Float = 1) throws(Fault) {
        if !level.isFinite { throw .levelIsNoNumber }
        try Self.checkBars(of: song)
        guard case .ticksPerQuarter(let ticks) = song.division else { throw .countsFilmFrames }
        ticksPerQuarter = Int64(min(max(ticks, 1), 32_767))
        self.rounds = rounds.map { max($0, 1) }
        ownsPorts = port > 0
        let layout = TrackLayout(song, track: nil), level = min(max(level, 0), 1)
        var events: [TimedMusicEvent] = [], ports: Set<UInt8> = []
        for placed in layout.inOrderOfEffect() {
            guard let event = placed.event.moved(by: port) else { throw .tooManyPorts }
            if !ownsPorts, !event.isOfChannel { continue }
            ports.insert(event.port)
            events.append(TimedMusicEvent(time: SampleTime(placed.tick), event: event.scaled(by: level)))
            // A reset sets the volume too.
            if level < 1, event.isReset {
                events.append(TimedMusicEvent(time: SampleTime(placed.tick), event: .masterVolume(level, port: event.port)))
            }
        }
        if ownsPorts, level < 1 {
            events.insert(
                contentsOf: ports.sorted().map { TimedMusicEvent(time: .zero, event: .masterVolume(level, port: $0)) }, at: 0)
        }
        self.events = events
        var chase = Chase(events)
        // Where channels are the song's too, what is counted there is not the layer's alone.
        chase.countsStrikes = ownsPorts
        self.chase = chase
        let map = TempoMap(division: song.division, tempos: [], meters: layout.meters, sampleRate: 48_000)
        length = Self.wholeBars(layout.endTick, map)
        let markers = layout.markers.map {
            SongMarker(tick: $0.tick, time: SampleTime($0.tick), text: $0.text.string)
        }
        let points = LoopPoints(events: events, markers: markers, length: length, beat: ticksPerQuarter)
        // A layer is repeated in any case.
        let written = points.flatMap { $0.playsOnce ? nil : $0.frames } ?? 0..<length
        // A loop of nothing would never end.
        let shortest = max(ticksPerQuarter / 8, 1)
        loop = written.lowerBound..<max(written.upperBound, written.lowerBound + shortest)
    }

    /// The ports that it plays on, 0...15.
    public var ports: Set<UInt8> { Set(events.map(\.event.port)) }

    /// Two rounds of it over nothing: what it asks of instruments.
    public func alone(sampleRate: Int) throws(Fault) -> Timeline {
        let silence = Track(endTick: length + loop.upperBound - loop.lowerBound)
        return try Timeline(
            Song(division: .ticksPerQuarter(Int(ticksPerQuarter)), tracks: [silence]), sampleRate: sampleRate,
            layers: [Placement(self)])
    }

    static func checkBars(of song: Song) throws(Fault) {
        guard case .ticksPerQuarter = song.division else { throw .countsFilmFrames }
        if song.format == .sequential, song.tracks.count > 1 { throw .playsPatterns }
    }

    /// A tick, or the end of the bar that it falls in.
    private static func wholeBars(_ tick: Int64, _ map: TempoMap) -> Int64 {
        guard let bar = map.position(ofTick: max(tick, 1) - 1)?.bar, let end = map.tick(ofBar: bar + 1) else { return tick }
        return max(end, tick)
    }
}

extension MusicEvent {
    fileprivate func moved(by ports: UInt8) -> MusicEvent? {
        let moved = port + ports
        return moved > 15 ? nil : self.moved(toPort: moved)
    }

    fileprivate func scaled(by level: Float) -> MusicEvent {
        if case .masterVolume(let volume, let port) = self { return .masterVolume(volume * level, port: port) }
        return self
    }

    fileprivate var isOfChannel: Bool { if case .message = self { true } else { false } }

    fileprivate var isReset: Bool {
        switch self {
        case .reset, .standard: true
        case .message, .partMode, .masterVolume, .masterTuning, .masterBalance, .scaleTuning, .keyTuning, .effect, .part,
            .insertion, .time:
            false
        }
    }
}
