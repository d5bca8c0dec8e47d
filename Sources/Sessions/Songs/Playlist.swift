import Graphs
import MIDI
import RealtimeCore
import Reports
import Sequencer
import SongRendering
import SoundFonts

/// The part of a session that plays songs one after another, without a gap: one transport at a time, its segments made ready
/// for the renderer.
///
/// Only the current song and the next are laid out. A song that cannot be read is left out and reported, and tried again at its
/// next turn. The list may change while it plays. Control side, one thread. The returned segments must be posted in that order.
public final class Playlist {
    /// A song of the list.
    public struct Item: Sendable, Identifiable {
        /// The number of the item, which stays the same when its place in the list changes.
        public let id: Int
        public let song: SessionSong
        /// The reason why it could not be played the last time.
        public internal(set) var fault: String?
        /// The reason why the SoundFont that it brings was not played the last time; seconds that it lasts, once it was read.
        var bankFault: String?, length: Double?
        /// What was changed of its notes.
        var edits: SongEdits?
    }

    /// The songs in order.
    public var items: [Item] { order.items }
    var order = SongOrder()
    /// Called on the frame from which a song will play, before its first event is posted: so that the graph can play it. If it
    /// throws, the song is left out.
    var willPlay: (Timeline, SongBank?, SongDeck, SampleTime) throws(Fault) -> Void = { (_, _, _, _) throws(Fault) in }
    /// Returns the next frame to render and the earliest time of a command; it is read again after slow work such as loading a
    /// song's SoundFont. nil means neither changes meanwhile.
    var clock: (() -> (now: SampleTime, soon: SampleTime))?
    let sampleRate: Int
    let silent: Set<Int>
    var current: PlayingSong
    /// The number of the current song, playing or paused; it may have been taken out of the list.
    public var currentID: Item.ID { current.id }
    var following: PlayingSong.Following?
    /// How songs cross over, and the one that fades out.
    var crossFade = SongCrossFade()
    var manner = PlaylistManner()
    /// The levels of songs and their fades that still have to reach the fader.
    var levels: SongLevels
    /// True once the last song has come to its end by itself.
    public internal(set) var isAtEnd = false
    /// Rises with each change of a note.
    var edition = 0
    private(set) var rounds = SongRounds()
    /// Ports that any song so far has used: a new song finds all of them as after power-on.
    private(set) var ports: Set<UInt8> = []
    var notices: [String] = []
    /// Remarks on songs that were read since they were taken out last.
    private var remarks: [Remark] = []
    /// Songs that were left out, as sentences.
    private var faults: [String] = []
    /// True if the list reports songs that were left out; false if its owner checks `Item.fault` instead.
    public var tellsFaults = true
    var hasChanged = false
    var layers: LayerMachine
    /// When the song that plays took over, and what MIDI's clock did before.
    var takeover = (time: SampleTime.zero, before: [ClockPassage]())

    /// Seconds of a song after which `previous` goes to its beginning.
    private static let patience = 3.0
    /// Seconds before a song's end in which the next one is read and posted.
    static let foresight = 4

    /// Creates a list, stopped at the beginning of its first song that can be played.
    ///
    /// - Parameters:
    ///   - layers: what may lie over the songs.
    ///   - silent: parts, port * 16 + channel, that are played outside the session.
    ///   - loudness: the measuring that brings songs to one loudness; nil means they play as they are.
    ///   - demand: gets the demands of all songs and layers that can be read.
    /// - Throws: the fault of the first one, if none can be played; `noSong` for an empty list; the fault of a layer.
    init(
        _ songs: [SessionSong], layers: [SessionLayer] = [], silent: Set<Int> = [], sampleRate: Int,
        loudness: SongLoudness? = nil, demand: inout SongDemand
    ) throws(Fault) {
        (self.sampleRate, self.silent) = (sampleRate, silent)
        self.layers = try Self.machine(layers, sampleRate: sampleRate, demand: &demand, notices: &notices)
        levels = SongLevels(sampleRate: sampleRate, loudness)
        var first: (Int, PlayingSong)?, fault: Fault?
        for song in songs {
            var item = order.made(song)
            do throws(Fault) {
                let reading = try song.read()
                let laid = try Self.laidOut(item, reading.song, self.layers, sampleRate: sampleRate, notices: &notices)
                demand.add(laid.timeline, bank: reading.bank)
                remarks += reading.remarks(on: song.path, laid.timeline)
                (item.bankFault, item.length) = (reading.bankFault, song.manner.length(of: laid.timeline))
                if first == nil {
                    let gain = levels.gain(of: item, isFirst: true)
                    first = (order.items.count, PlayingSong(item, reading, laid, gain: gain, silent: silent))
                }
            } catch {
                fault = fault ?? error
                item.fault = "\(error)"
                faults.append(Self.leftOut(item))
            }
            order.items.append(item)
        }
        guard let first else { throw fault ?? .noSong }
        (order.place, current) = first
        ports = first.1.ports
        self.layers.begin(with: current)
        current = prepared(current, now: .zero, lookahead: 0)
        levels.adopt(current.level, on: 0, soon: .zero)
        levels.want(order.ahead)
    }

    func perform(_ request: SongRequest, now: SampleTime, soon: SampleTime) -> [ScoreSegment] {
        adoptFollowing(at: soon)
        let lookahead = soon - now
        func take(_ command: TransportCommand) -> [ScoreSegment] {
            let posted = current.segments(current.transport.take(command, now: now, lookahead: lookahead))
            // The song that was to follow was posted for the time at which this one would have ended.
            return posted.isEmpty ? [] : posted + dropFollowing()
        }
        func leap(_ seek: () -> [ScoreSegment]) -> [ScoreSegment] {
            let before = current.transport.position(at: soon).frame
            defer { if current.transport.position(at: soon).frame != before { rounds.jumps(at: soon) } }
            return seek()
        }
        isAtEnd = false
        if let posted = performInSilence(request, now: now, soon: soon) { return posted }
        switch request {
        case .play: return take(.play)
        case .pause: return endLeaving(now, soon) + take(.pause)
        case .togglePlay: return (current.transport.state == .playing ? endLeaving(now, soon) : []) + take(.togglePlay)
        case .stop: return endLeaving(now, soon) + take(.stop)
        case .seek(let position): return leap { take(.seek(position.target)) }
        case .tempo(let factor):
            manner.tempo = factor.isNaN ? 1 : factor
            return take(manner.tempo(of: current.manner))
        case .transpose(let semitones):
            manner.transpose = semitones
            return take(manner.transposition(of: current.manner))
        case .repetition(let repetition):
            manner.repetition = repetition
            return cancelFollowing() + take(loop(of: current))
        case .setPassage:
            let tick = current.transport.position(at: now).tick
            guard let passage = manner.passage, passage.song == current.id, passage.end == nil, passage.start != tick else {
                manner.passage = SongPassageLoop(song: current.id, start: tick)
                return cancelFollowing() + take(loop(of: current))
            }
            let bounds = (min(passage.start, tick), max(passage.start, tick))
            manner.passage = SongPassageLoop(song: current.id, start: bounds.0, end: bounds.1)
            let posted = cancelFollowing() + take(loop(of: current))
            // The command takes effect a little after B: as far after A, as if it had jumped at B.
            guard let loop = current.transport.loop, current.transport.state == .playing else { return posted }
            let past = current.transport.position(at: soon).frame - loop.upperBound
            if past < 0 { return posted }
            let frame = loop.lowerBound + past % Int64(loop.count)
            return posted + take(.seek(.seconds(Double(frame) / Double(sampleRate))))
        case .clearPassage:
            manner.passage = nil
            return cancelFollowing() + take(loop(of: current))
        case .nextAt(let boundary):
            guard current.transport.state == .playing, let next = nextSong(at: soon) else { return [] }
            // Reading it takes time.
            let (now, soon) = clock?() ?? (now, soon)
            adoptFollowing(at: soon)
            guard let place = current.transport.next(boundary, after: soon) else { return [] }
            let dropped = dropFollowing()
            let ending = current.transport.take(.end(place.frame), now: now, lookahead: soon - now)
            return dropped + current.segments(ending) + begin(next, now: now, at: current.transport.endTime ?? place.time)
        case .song(let id, let plays):
            let deck = plays == false ? current.deck : deckAhead
            return order.place(of: id).flatMap { song(at: $0, from: soon, on: deck) }
                .map { change(to: $0, now, soon, plays: plays) } ?? []
        case .next:
            // Nothing follows the last, and it is not there to be begun anew by mistake.
            return nextSong(at: soon, on: deckAhead).map { change(to: $0, now, soon) } ?? []
        case .previous:
            if awaited != nil { return take(.seek(.seconds(0))) + take(.play) }
            if current.transport.position(at: now).seconds > Self.patience { return leap { take(.seek(.seconds(0))) } }
            guard let former = formerSong(at: soon, on: deckAhead) else { return leap { take(.seek(.seconds(0))) } }
            return change(to: former, now, soon)
        }
    }

    /// Advances to `now`: posts ahead the stretches that follow by themselves, and the next song too, so that it begins on the
    /// frame on which this one ends.
    func advance(now: SampleTime, soon: SampleTime) -> [ScoreSegment] {
        rounds.countJump(current.transport, now: now)
        adoptFollowing(at: now)
        var posted = followLeaving(now, soon)
        if hasChanged {
            hasChanged = false
            // The next song has as good as begun, so it plays.
            adoptFollowing(at: soon)
            posted += cancelFollowing()
        }
        posted += current.segments(current.transport.advance(now: now, horizon: 2 * sampleRate)) + followLayers(now, soon)
        if !current.transport.hasEnded { levels.follow(current.transport.fading, soon: soon) }
        rounds.countRound(current.transport, now: now)
        posted += crossOver(now, soon)
        if following == nil, !manner.entriesDecide, current.transport.isEndPosted, let end = current.transport.endTime,
            end - now < Self.foresight * sampleRate, let next = nextSong(at: max(end, soon))
        {
            posted += begin(next, now: now, at: max(end + silence(before: next), soon))
        }
        if current.transport.hasEnded, following == nil, !isAtEnd {
            if !manner.entriesDecide, let next = nextSong(at: soon) {
                let (now, soon) = clock?() ?? (now, soon)
                posted += begin(next, now: now, at: soon + silence(before: next))
            } else {
                isAtEnd = true
            }
        }
        return posted
    }

    /// The current song as a command line names it: its file, if there is one.
    public var currentPath: String? { items.indices.contains(order.place) ? items[order.place].song.path : nil }

    func takeRemarks() -> [Remark] {
        defer { remarks = [] }
        return remarks
    }

    func takeNotices() -> [String] {
        defer { (notices, faults) = ([], []) }
        return (tellsFaults ? notices + faults : notices) + levels.takeNotices()
    }

    /// The name of the song that will play after this one as the list is now; nil if nothing follows.
    var nextName: String? {
        following?.song.name ?? placesAhead.map { items[$0] }.first { $0.fault == nil }?.song.name
    }

    var placesAhead: [Int] { order.placesAhead(of: current.id, isLooping: manner.repetition == .all) }

    /// The posted one plays from its time on.
    func adoptFollowing(at time: SampleTime) {
        guard let next = following, time >= next.time else { return }
        adopt(next.song, at: next.time, isNewRound: next.isNewRound)
    }

    func adopt(_ song: PlayingSong, at time: SampleTime, isNewRound: Bool = false) {
        following = nil
        if song.id != current.id { manner.passage = nil }
        closePassages(at: time)
        if song.deck != current.deck { crossFade.leave(current, for: song.deck) }
        order.place = order.place(of: song.id) ?? order.place
        current = song
        rounds.beginsSong(isNewRound: isNewRound)
        layers.begin(with: song)
        levels.adopt(song.level, on: song.deck.number, soon: time)
        levels.want(order.ahead)
    }

    /// Takes back the next song: the current one ends as if it were the last.
    func cancelFollowing() -> [ScoreSegment] {
        if following == nil { return [] }
        let isBeside = following?.song.deck != current.deck
        return dropFollowing() + (isBeside ? [] : current.ending.map { [$0] } ?? [])
    }

    /// The next song is not to come; on another deck than the current one's it is taken back.
    func dropFollowing() -> [ScoreSegment] {
        guard let next = following else { return [] }
        following = nil
        levels.cancel()
        return next.song.deck == current.deck ? [] : [ScoreSegment(Score([]), start: next.time, lane: next.song.deck.lane)]
    }

    /// A song with the tempo and in the key of the one that plays, stopped at its beginning.
    func prepared(_ song: PlayingSong, now: SampleTime, lookahead: Int) -> PlayingSong {
        var song = song
        song.transport.countsStrikes = current.transport.countsStrikes
        for command in [manner.tempo(of: song.manner), manner.transposition(of: song.manner), loop(of: song)] {
            _ = song.transport.take(command, now: now, lookahead: lookahead)
        }
        return song
    }

    private func loop(of song: PlayingSong) -> TransportCommand { manner.loop(of: song, isAlone: items.count == 1) }

    /// Frames of silence before a song that follows the one that plays.
    private func silence(before song: PlayingSong) -> Int {
        let ringing = current.transport.fading == nil && current.manner.fade == nil ? 0 : SongLevels.rest
        return Int((max(song.manner.pause, ringing) * Double(sampleRate)).rounded())
    }

    /// Posts a song to begin on a frame, with instruments as after power-on that go on ringing.
    func begin(_ song: PlayingSong, now: SampleTime, at time: SampleTime, crossing: Double = 0) -> [ScoreSegment] {
        var song = prepared(song, now: now, lookahead: time - now)
        ports.formUnion(song.ports)
        let resets = ports.sorted().map { MusicEvent.standard(.generalMIDIOff, port: $0) }
        song.transport.letsRing = true
        let posted = song.segments(song.transport.take(.play, now: now, lookahead: time - now), first: resets)
        // The place after the song that plays, or the place of the one that was taken out.
        let next = order.place(of: current.id).map { $0 + 1 } ?? order.place
        following = PlayingSong.Following(song: song, time: time, isNewRound: (order.place(of: song.id) ?? items.count) < next)
        if song.deck != current.deck {
            cross(to: song, at: time, over: crossing)
            return posted
        }
        levels.plan(song.level, at: time, isFaded: current.transport.fading != nil, now: now)
        return posted
    }

    /// Changes to another song at once; it plays if this one does, or if `plays` says so.
    /// It was requested at `now`, for `soon`; preparing it may have taken longer than that.
    func change(to song: PlayingSong, _ now: SampleTime, _ soon: SampleTime, plays: Bool? = nil) -> [ScoreSegment] {
        let (now, soon) = clock?() ?? (now, soon)
        let before = current.id
        adoptFollowing(at: soon)
        // The current song was over meanwhile, and the next one has begun by itself.
        if current.id != before { return [] }
        let plays = plays ?? (current.transport.state == .playing)
        if song.deck != current.deck {
            var posted = cancelFollowing() + begin(song, now: now, at: soon, crossing: crossFade.seconds)
            if let next = following { adopt(next.song, at: soon) }
            posted += followLeaving(now, soon)
            return posted
        }
        // Its notes end; the new song's first segment, at the same time, takes this one's place.
        var posted = current.segments(current.transport.take(.stop, now: now, lookahead: soon - now)) + dropFollowing()
        if plays {
            posted += begin(song, now: now, at: soon)
            if let next = following { adopt(next.song, at: soon) }
        } else {
            adopt(prepared(song, now: now, lookahead: soon - now), at: soon)
        }
        return posted
    }

    /// The next song that can be played, round the list's end when it loops; nil where there is none.
    func nextSong(at time: SampleTime, on deck: SongDeck? = nil) -> PlayingSong? {
        for place in placesAhead { if let song = song(at: place, from: time, on: deck ?? current.deck) { return song } }
        return nil
    }

    /// The song before that can be played; nil where this is the first.
    private func formerSong(at time: SampleTime, on deck: SongDeck) -> PlayingSong? {
        for place in items.indices.prefix(order.place).reversed() {
            if let song = song(at: place, from: time, on: deck) { return song }
        }
        return nil
    }

    /// Lays a song out; nil, with a notice, if that fails.
    private func song(at place: Int, from time: SampleTime, on deck: SongDeck) -> PlayingSong? {
        do throws(Fault) {
            let reading = try items[place].read()
            let laid = try Self.laidOut(items[place], reading.song, layers, sampleRate: sampleRate, notices: &notices)
            try willPlay(laid.timeline, reading.bank, deck, time)
            remarks += reading.remarks(on: items[place].song.path, laid.timeline)
            order.items[place].fault = nil
            order.items[place].bankFault = reading.bankFault
            order.items[place].length = items[place].song.manner.length(of: laid.timeline)
            return PlayingSong(items[place], reading, laid, gain: levels.gain(of: items[place]), silent: silent, on: deck)
        } catch {
            let isNews = items[place].fault != "\(error)"
            order.items[place].fault = "\(error)"
            if isNews { faults.append(Self.leftOut(items[place])) }
            return nil
        }
    }

    private static func leftOut(_ item: Item) -> String { "\(item.song.name) is left out: \(item.fault ?? "")" }
}
