import RealtimeCore

/// The levels of the songs of a list and their fades, as timed moves of the session's fader.
///
/// A song that has faded is followed by a rest: its ringing would be heard again with the next one.
struct SongLevels {
    /// A move of a deck's fader, from `time` on.
    struct Change: Hashable {
        var deck: Int
        var time: SampleTime
        var decibels: Double
        /// 0: at once.
        var seconds: Double
    }

    /// Seconds of silence after a song that has faded, at least.
    static let rest = 3.0
    /// The depth of a fade before it jumps to silence, in decibels: a softer sound is masked by the noise of a room.
    static let depth = 60.0
    /// Silence, as the fader has it.
    static let silence = -120.0

    private let sampleRate: Int
    private var waiting: [Change] = []
    /// The level of the song that plays, and its fade, once it was sent to the fader.
    private var level = 0.0
    private var fade: Range<SampleTime>?
    /// The level of the song that is posted to follow, and when it begins.
    private var planned: (level: Double, time: SampleTime)?
    /// The deck of the song that plays, and the cross-fade that goes on or is to come.
    private var deck = 0
    private var crossing: SongCrossing?

    /// Songs of a list whose loudness is measured ahead.
    static let foresight = 100
    private let loudness: SongLoudness?

    /// - Parameter loudness: the measuring that brings songs to one loudness; nil means they play as they are.
    init(sampleRate: Int, _ loudness: SongLoudness? = nil) { (self.sampleRate, self.loudness) = (sampleRate, loudness) }

    /// The gain that brings a song to the loudness of the others, in decibels.
    func gain(of item: Playlist.Item, isFirst: Bool = false) -> Double {
        loudness?.gain(of: item.song, id: item.id, isFirst: isFirst) ?? 0
    }

    /// The share of a song that is measured, 0...1, while the list waits for its loudness; nil means nothing waits.
    func measured(of id: Playlist.Item.ID) -> Double? { loudness.flatMap { $0.waitsForFirst ? $0.part(of: id) : nil } }

    /// Brings a song that is ready to its loudness, which was not known when it was read.
    mutating func settle(_ song: inout PlayingSong, of item: Playlist.Item, soon: SampleTime) {
        song.level = song.manner.level + gain(of: item)
        adopt(song.level, on: song.deck.number, soon: soon)
    }

    /// Songs that will play, in this order, are measured ahead.
    func want(_ items: some Sequence<Playlist.Item>) { loudness?.want(items.map { ($0.id, $0.song) }) }

    func end() { loudness?.end() }
    func takeNotices() -> [String] { loudness?.takeNotices() ?? [] }

    /// From `time` on. `isFaded`: the song before it has faded by then.
    mutating func plan(_ level: Double, at time: SampleTime, isFaded: Bool, now: SampleTime) {
        planned = (level, time)
        if crossing?.to.deck == deck {
            crossing?.to.level = level
            return
        }
        let restores = isFaded || fade != nil
        if restores || level != self.level {
            // The fader moves in the rest after a fade, so that the first note has its attack.
            let isResting = restores && time - now > sampleRate
            tell(level, at: isResting ? SampleTime(time.rawValue - Int64(sampleRate / 10)) : time)
        }
    }

    /// The song that was to follow does not.
    mutating func cancel() {
        if let crossing, crossing.to.deck != deck {
            self.crossing = nil
            if crossing.hasBegun { tell(level, at: crossing.reached) }
            return
        }
        if let planned, planned.level != level { tell(level, at: planned.time) }
        planned = nil
    }

    /// The song that was to follow plays; if none was planned, `level` is that of a song at its beginning.
    mutating func adopt(_ level: Double, on deck: Int, soon: SampleTime) {
        if deck != self.deck {
            (self.deck, self.level, fade, planned) = (deck, level, nil, nil)
            return
        }
        if planned == nil, fade != nil || level != self.level { tell(level, at: soon) }
        (self.level, fade, planned) = (level, nil, nil)
    }

    /// Takes the fade of the current song; nil means it has none any more. The fade is sent as late as possible, since it
    /// may change until then.
    mutating func follow(_ fading: Range<SampleTime>?, soon: SampleTime) {
        if let fade {
            if fading == fade { return }
            // The song was sent to another place, or its tempo has changed.
            tell(level, at: max(soon, fade.lowerBound))
            self.fade = nil
        }
        guard let fading, fading.lowerBound - soon < sampleRate / 4 else { return }
        fade = fading
        let length = Double(fading.upperBound - fading.lowerBound) / Double(sampleRate)
        waiting.append(Change(deck: deck, time: max(fading.lowerBound, soon), decibels: level - Self.depth, seconds: length))
        tell(Self.silence, at: fading.upperBound)
    }

    /// The cross-fade with the song that is posted to follow, or plays from now on. Each step is sent as late as possible.
    mutating func cross(_ crossing: SongCrossing) { self.crossing = crossing }

    /// Sends the steps of a cross-fade that begin soon.
    mutating func stepCrossing(soon: SampleTime) {
        while let step = crossing?.next(before: soon + sampleRate / 4) { waiting += step }
        if crossing?.isOver == true { crossing = nil }
    }

    /// A deck that waits for its song is silent.
    mutating func silence(deck: Int, at time: SampleTime) {
        waiting.append(Change(deck: deck, time: time, decibels: Self.silence, seconds: 0))
    }

    private mutating func tell(_ decibels: Double, at time: SampleTime) {
        waiting.append(Change(deck: deck, time: time, decibels: max(decibels, Self.silence), seconds: 0))
    }

    var next: Change? { waiting.first }
    mutating func removeNext() { waiting.removeFirst() }
}
