import Document
import EngineCore
import Glibc
import Patches
import RemoteIO
import Sequencer
import SongFiles
import SongRendering
import SoundFonts
import Synchronization

/// The gains that bring songs to one loudness, known before they play: the first five minutes of each song are rendered with
/// the session's sound to measure the level, and the result is kept (`LoudnessCache`).
///
/// Measured on a thread of its own, which gives way to all others. Any thread.
final class SongLoudness: Sendable {
    /// Seconds of a song that are measured.
    static let longest = 300.0
    /// The highest gain, in decibels: as far as a song's fader goes.
    static let mostGain = 12.0

    /// All that decides a song's gain in one session: the current state of the file, or the song itself, and how it is played.
    private struct Identity: Hashable {
        enum Source: Hashable {
            case file(path: String, FileIdentity)
            case song(Song)
        }

        let source: Source
        let tempo: Double
        let transpose: Int
    }

    /// A song of a list, with its number there.
    typealias Wanted = (id: Playlist.Item.ID, song: SessionSong)

    private struct State {
        var gains: [Identity: Double] = [:]
        /// The keys of songs that are to be measured and were looked up before.
        var keys: [Identity: String] = [:]
        /// Songs in the queue, the one in hand with the share of it that is measured, and the numbers of all songs that were
        /// ever queued.
        var waiting: [Wanted] = []
        var inHand: (id: Playlist.Item.ID, part: Double)?
        var asked: Set<Playlist.Item.ID> = []
        var isMeasuring = false
        var isOver = false
        var notices: [String] = []
    }

    /// True if each gain is measured where it is requested.
    private let waits: Bool
    /// True if the first song is to wait for its loudness.
    let waitsForFirst: Bool
    private let options: RenderOptions
    private let wanted: SongLoudnessOptions
    private let target: LoudnessTarget
    private let cache: LoudnessCache?
    /// Lines of a key that are the same for all songs.
    private let sound: String
    private let state = Mutex(State())

    /// Nil where songs play as they are.
    /// `waits`: each song's loudness is measured before it plays, as in simulated time.
    init?(_ options: LiveOptions, waits: Bool) {
        guard let wanted = options.loudness, options.faderLevel != nil else { return nil }
        let waits = waits && wanted.pace == nil
        (self.waits, waitsForFirst, self.wanted) = (waits, wanted.waitsForFirst, wanted)
        cache = waits ? nil : wanted.folder.map { LoudnessCache(folder: $0) } ?? .standard
        var sound = options.soundOfSongs, target = wanted.target
        // Channels that are played elsewhere, meters, and as yet the song's own SoundFont are no part of a song's level.
        (sound.hasMeter, sound.hasStripMeters, sound.end, sound.songBank) = (false, false, RenderEnd(hasVolume: true), nil)
        sound.maximumDuration = Self.longest
        // The fader of a patch comes after its limiter.
        target.isLimited = sound.patch == nil
        (self.options, self.target) = (sound, target)
        self.sound = Self.lines(sound, target)
    }

    private static func lines(_ sound: RenderOptions, _ target: LoudnessTarget) -> String {
        var lines = ["carillon-loudness 1", "sound \(SoundVersion.number) \(sound.sampleRate) \(sound.gain) \(sound.hasEffects)"]
        lines.append("target \(target.loudness) \(target.peak.map { "\($0)" } ?? "-") \(target.isLimited)")
        lines += sound.settings.map { "set \($0)" }
        var fonts = sound.instrument.soundFonts, kind = "sampler"
        switch sound.instrument {
        case .soundFont: break
        case .fluidSynth: kind = "fluidsynth"
        case .squareWave: kind = "square-wave"
        }
        if let patch = sound.patch {
            if fonts.isEmpty { fonts = patch.soundFonts }
            var text = ""
            // A patch that cannot be written is measured each time.
            do { text = try PatchFile.text(of: patch, units: UnitCatalog.entries) } catch { text = "\(getpid()) \(error)" }
            lines.append("patch \(Checksum.text(text.utf8))")
        }
        if kind != "square-wave" || sound.patch != nil {
            do { lines += try LoudnessCache.lines(forFonts: fonts) } catch { lines.append("font none: \(error)") }
        }
        return LoudnessCache.key([lines[0], "instrument \(kind)"] + lines.dropFirst())
    }

    /// The share of a song that is measured, 0...1, while it is queued or being measured; nil means its gain is known, or never
    /// will be.
    func part(of id: Playlist.Item.ID) -> Double? {
        state.withLock { state in
            if let inHand = state.inHand, inHand.id == id { return inHand.part }
            return state.waiting.contains { $0.id == id } ? 0 : nil
        }
    }

    /// The gain of a song in decibels; 0 where it is not known yet.
    func gain(of song: SessionSong, id: Playlist.Item.ID = 0, isFirst: Bool = false) -> Double {
        guard let identity = identity(of: song) else { return 0 }
        if let known = state.withLock({ $0.gains[identity] }) { return known }
        if waits { return measure(song, identity) }
        // The first song is to play soon: a gain in the cache needs no other thread.
        if isFirst, let key = key(of: song, identity) {
            let kept = cache?.gain(for: key)
            state.withLock { ($0.gains[identity], $0.keys[identity]) = (kept, kept == nil ? key : nil) }
            if let kept { return kept }
        }
        // Its file is another one than when it was measured.
        state.withLock { _ = $0.asked.remove(id) }
        want([(id, song)])
        return 0
    }

    /// Measures songs in this order, with those that wait already after them. Each is measured once, however often the list is
    /// passed: no file is read here.
    func want(_ songs: [Wanted]) {
        if waits { return }
        let starts = state.withLock { state in
            let standing = Set(state.waiting.map(\.id))
            let wanted = songs.filter { state.asked.insert($0.id).inserted || standing.contains($0.id) }
            if wanted.isEmpty { return false }
            let first = Set(wanted.map(\.id))
            state.waiting = wanted + state.waiting.filter { !first.contains($0.id) }
            defer { state.isMeasuring = true }
            return !state.isMeasuring && !state.isOver
        }
        if !starts { return }
        do throws(DeviceError) {
            try PlainThread { self.run() }.detach()
        } catch {
            state.withLock {
                $0.isMeasuring = false
                $0.notices.append("songs play as they are: \(error)")
            }
        }
    }

    func takeNotices() -> [String] {
        state.withLock { state in
            defer { state.notices = [] }
            return state.notices
        }
    }

    func end() { state.withLock { ($0.isOver, $0.waiting) = (true, []) } }

    private func run() {
        var isFirst = true
        while let song = next() {
            if let identity = identity(of: song), state.withLock({ $0.gains[identity] == nil }) { _ = measure(song, identity) }
            // The first one is waited for. On Linux the priority of the calling thread alone.
            if isFirst { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19) }
            isFirst = false
        }
    }

    private func next() -> SessionSong? {
        state.withLock { state in
            state.inHand = nil
            if state.waiting.isEmpty || state.isOver {
                state.isMeasuring = false
                return nil
            }
            let wanted = state.waiting.removeFirst()
            state.inHand = (wanted.id, 0)
            return wanted.song
        }
    }

    private func identity(of song: SessionSong) -> Identity? {
        let source: Identity.Source
        switch song.source {
        case .song(let song): source = .song(song)
        case .file(let path, _):
            guard let identity = FileIdentity(path: path) else { return nil }
            source = .file(path: path, identity)
        }
        // As far as a transport goes.
        return Identity(
            source: source, tempo: min(max(wanted.tempo * song.manner.tempo, 0.1), 10),
            transpose: min(max(min(max(wanted.transpose, -48), 48) + song.manner.transpose, -48), 48))
    }

    private func measure(_ song: SessionSong, _ identity: Identity) -> Double {
        // Its cache was looked into already where its key is known.
        let known = state.withLock { $0.keys.removeValue(forKey: identity) }, key = known ?? key(of: song, identity)
        let kept = known == nil ? key.flatMap { cache?.gain(for: $0) } : nil
        var gain = kept ?? 0, notice: String?
        if kept == nil {
            do throws(Fault) {
                gain = try measured(song, identity)
                if let key, let cache, case let code = cache.keep(gain, for: key), code != 0 {
                    notice = "\(cache.folder): loudness is not kept for the next time (\(String(cString: strerror(code))))"
                }
            } catch  where error.kind == .interrupted || error.origin is SongError {
                // A song that cannot be read is left out of the list, which reports it.
                return 0
            } catch { notice = "\(song.name): its loudness cannot be measured, it plays as it is: \(error)" }
        }
        state.withLock { state in
            state.gains[identity] = gain
            // A cache that cannot be written is reported only once.
            if let notice, !state.notices.contains(notice) { state.notices.append(notice) }
        }
        return gain
    }

    private func measured(_ song: SessionSong, _ identity: Identity) throws(Fault) -> Double {
        let reading = try song.read()
        var options = options
        options.songBank = reading.bank
        (options.passage.tempo, options.passage.transpose) = (identity.tempo, identity.transpose)
        let plan = try SongRenderer(reading.song, options: options).levelPlan(for: target) { progress in
            wanted.pace?()
            return state.withLock { state in
                state.inHand?.part = min(Double(progress.frames) / Double(max(progress.expectedFrames, 1)), 1)
                return !state.isOver
            }
        }
        return min(plan.gain, Self.mostGain)
    }

    /// All that decides a song's level, as lines; nil where the song is not a file.
    private func key(of song: SessionSong, _ identity: Identity) -> String? {
        guard case .file(let path, let isStrict) = song.source else { return nil }
        let bytes: [UInt8]
        // A file that cannot be read here cannot be played either, and playing it reports that.
        do { bytes = try BoundedFile.bytes(path: path, limit: 1 << 28) } catch { return nil }
        return sound + "manner \(identity.tempo) \(identity.transpose)\n"
            + "song \(bytes.count) \(Checksum.text(bytes)) \(isStrict) \(song.playsBank)\n"
    }
}
