import Graph
import MIDI
import RealtimeCore
import Sequencer

/// Plays a list of songs: one transport at a time, its segments made ready for the renderer.
///
/// Control side, one thread. What it returns is to be posted in that order.
final class SongPlayer {
    private let songs: [SessionSong]
    private let timelines: [Timeline]
    private let scores: [Score]
    /// Ports that any song uses: a new song finds all of them as after power-on.
    private let ports: [UInt8]
    /// Which song of the list plays, from 0.
    private(set) var index = 0
    private var transport: Transport
    private var isLooping = false
    /// Whether the last song has come to its end by itself.
    private(set) var isAtEnd = false
    private var jumps = 0
    /// When a jump that is not counted yet takes effect.
    private var jump: SampleTime?

    /// Seconds of a song after which `previous` goes to its beginning.
    private static let patience = 3.0

    /// The songs laid out in time.
    static func timelines(_ songs: [SessionSong], sampleRate: Int) throws(LiveError) -> [Timeline] {
        var timelines: [Timeline] = []
        for song in songs {
            do { timelines.append(try Timeline(song.song, sampleRate: sampleRate)) } catch {
                throw .sound(.timeline(error))
            }
        }
        return timelines
    }

    /// A list, stopped at its beginning; never empty.
    init(_ songs: [SessionSong], _ timelines: [Timeline]) {
        self.songs = songs
        self.timelines = timelines
        scores = timelines.map { Score($0.events) }
        ports = Set(timelines.flatMap(\.summary.parts).map(\.port)).sorted()
        transport = Transport(timelines[0])
    }

    /// Obeys a command that is about songs; `soon` is when it takes effect.
    func perform(_ command: ControlCommand, now: SampleTime, soon: SampleTime) -> [ScoreSegment] {
        let lookahead = soon - now
        func take(_ command: TransportCommand) -> [ScoreSegment] {
            segments(transport.take(command, now: now, lookahead: lookahead))
        }
        func leap(_ seek: () -> [ScoreSegment]) -> [ScoreSegment] {
            let before = transport.position(at: soon).frame
            defer { if transport.position(at: soon).frame != before { jump = soon } }
            return seek()
        }
        isAtEnd = false
        switch command {
        case .play: return take(.play)
        case .pause: return take(.pause)
        case .togglePlay: return take(.togglePlay)
        case .stop: return take(.stop)
        case .seek(let position): return leap { take(.seek(Self.target(position))) }
        case .tempo(let factor): return take(.tempo(factor))
        case .transpose(let semitones): return take(.transpose(semitones))
        case .loop(let isOn):
            isLooping = isOn
            return take(.loop(isOn && songs.count == 1 ? .written : nil))
        case .next:
            // Nothing follows the last, and it is not there to be begun anew by mistake.
            return index + 1 < songs.count || isLooping ? change(to: index + 1, now: now, lookahead: lookahead) : []
        case .previous:
            if transport.position(at: now).seconds > Self.patience || index == 0 {
                return leap { take(.seek(.seconds(0))) }
            }
            return change(to: index - 1, now: now, lookahead: lookahead)
        case .mute, .solo, .panic, .set, .saveRecording, .quit: return []
        }
    }

    /// Lets time pass: what comes by itself is posted ahead, and after a song the next one begins.
    func advance(now: SampleTime, soon: SampleTime) -> [ScoreSegment] {
        if let jump, now >= jump {
            jumps += 1
            self.jump = nil
        }
        var posted = segments(transport.advance(now: now, horizon: 2 * transport.timeline.sampleRate))
        if transport.hasEnded, !isAtEnd {
            if index + 1 < songs.count || isLooping {
                posted += change(to: index + 1, now: now, lookahead: soon - now, plays: true)
            } else {
                isAtEnd = true
            }
        }
        return posted
    }

    /// Another song of the list, round its ends when it loops; it plays if this one does.
    private func change(to number: Int, now: SampleTime, lookahead: Int, plays: Bool? = nil) -> [ScoreSegment] {
        let next = isLooping ? (number + songs.count) % songs.count : min(max(number, 0), songs.count - 1)
        let plays = plays ?? (transport.state == .playing)
        let (rate, transpose) = (transport.rate.factor, transport.transpose)
        // Its notes end; the new song's first segment, at the same time, takes this one's place.
        var posted = segments(transport.take(.stop, now: now, lookahead: lookahead))
        index = next
        transport = Transport(timelines[next])
        _ = transport.take(.tempo(rate), now: now, lookahead: lookahead)
        _ = transport.take(.transpose(transpose), now: now, lookahead: lookahead)
        if isLooping && songs.count == 1 { _ = transport.take(.loop(.written), now: now, lookahead: lookahead) }
        if plays {
            let resets = ports.map { MusicEvent.reset(.generalMIDIOff, port: $0) }
            posted += segments(transport.take(.play, now: now, lookahead: lookahead), first: resets)
        }
        return posted
    }

    /// Values become what the renderer plays; `first` takes effect before the first prologue.
    private func segments(_ values: [TransportSegment], first: [MusicEvent] = []) -> [ScoreSegment] {
        values.enumerated().map { place, value in
            ScoreSegment(
                scores[index], start: value.start, position: value.position, rate: value.rate, events: value.events,
                transpose: value.transpose, releases: value.releases,
                prologue: (place == 0 ? first : []) + value.prologue)
        }
    }

    private static func target(_ position: SongPosition) -> TransportTarget {
        switch position {
        case .seconds(let seconds): .seconds(seconds)
        case .bySeconds(let seconds): .bySeconds(seconds)
        case .bar(let bar): .bar(bar)
        case .byBars(let bars): .byBars(bars)
        case .byMarkers(let markers): .byMarkers(markers)
        }
    }

    /// What it shows of itself.
    func snapshot(at now: SampleTime, muted: Set<Int>, soloed: Set<Int>) -> SessionSnapshot.Transport {
        let position = transport.position(at: now), timeline = timelines[index]
        let length = Double(transport.length) / Double(timeline.sampleRate)
        let marker = timeline.markers.lastIndex { $0.time.rawValue <= position.frame }
        return SessionSnapshot.Transport(
            song: songs[index].name, number: index + 1, count: songs.count, isPlaying: transport.state == .playing,
            seconds: isAtEnd ? length : position.seconds, length: length,
            bar: position.bar.map { Int($0.bar) } ?? 0, beat: position.bar.map { Int($0.beat) } ?? 0,
            tempo: position.tempo ?? 0, rate: transport.rate.factor, transpose: transport.transpose,
            isLooping: isLooping,
            channels: timeline.summary.parts.filter { $0.noteCount > 0 }.map { Int($0.port) * 16 + Int($0.channel) + 1 },
            muted: muted.sorted(), soloed: soloed.sorted(), markers: timeline.markers.count,
            markerNumber: marker.map { $0 + 1 } ?? 0, marker: marker.map { timeline.markers[$0].text } ?? "", hasEnded: isAtEnd,
            jumps: jumps)
    }
}
