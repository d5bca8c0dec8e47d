internal import MIDI
internal import Sequencer

/// All that belongs to music is changed by one call at a time: events move from track to track, and players look at them.
final class MusicCalls: HandledObject, @unchecked Sendable {
    static let shared = MusicCalls()
}

final class SequenceObject: HandledObject, @unchecked Sendable {
    var tracks: [TrackObject] = []
    let tempoTrack = TrackObject()
    var type = MusicSequenceType.beats
    var graph: AUGraph?
    /// What plays it in place of a graph.
    var host: (any SequenceHost)?
    var callback: (function: MusicSequenceUserCallback, data: UnsafeMutableRawPointer?)?
    var players: [PlayerObject] = []

    init() {
        super.init(using: MusicCalls.shared)
        adopt(tempoTrack)
    }

    var map: BeatMap { BeatMap(tempoTrack.music) }

    func track(_ place: Int?) -> TrackObject? {
        guard let place else { return tempoTrack }
        return tracks.indices.contains(place) ? tracks[place] : nil
    }

    func place(of track: MusicTrack) throws -> Int {
        if let place = tracks.firstIndex(where: { $0.ownHandle == track }) { return place }
        throw Refusal(kAudioToolboxErr_TrackNotFound)
    }

    func addTrack(_ music: EngineTrack = EngineTrack()) -> TrackObject {
        let track = TrackObject()
        track.music = music
        adopt(track)
        tracks.append(track)
        return track
    }

    private func adopt(_ track: TrackObject) {
        track.sequence = self
        _ = Handles.add(track)
    }

    var isPlayed: Bool { players.contains(where: \.isPlaying) }

    /// Players go on with what it has become.
    func changed() { for player in players { player.follow() } }
}

final class TrackObject: HandledObject, @unchecked Sendable {
    weak var sequence: SequenceObject?
    var music = EngineTrack()
    var loop = MusicTrackLoopInfo(loopDuration: 0, numberOfLoops: 0)
    var node: AUNode?
    var endpoint: MIDIEndpointRef?
    /// Ticks of a beat in the file that it came from.
    var resolution: Int16 = 480

    init() { super.init(using: MusicCalls.shared) }

    var isPlayed: Bool { sequence?.isPlayed ?? false }

    /// The track as it is played on a port, on one channel where the instrument has no other, or to an endpoint.
    func played(port: UInt8, channel: UInt8?) -> EngineTrack {
        var played = music
        if loop.loopDuration > 0 {
            let length = music.length
            played.loop = Song.Arrangement.Loop(
                max(length - loop.loopDuration, 0)..<max(length, 0),
                rounds: loop.numberOfLoops > 0 ? Int(loop.numberOfLoops) : nil)
        }
        let isPlain = port == 0 && channel == nil && endpoint == nil && !music.events.contains(where: \.isExtendedNote)
        if isPlain { return played }
        let events = music.events.map { event in
            EngineEvent(event.beat, endpoint == nil ? event.kind.sounding(on: port, channel) : EndpointMessages.cue(event.kind))
        }
        played.replace(events)
        return played
    }
}

extension EngineTrack {
    /// Other events in the same order, on the same beats.
    mutating func replace(_ events: [EngineEvent]) {
        var track = EngineTrack(name: name, events)
        (track.isMuted, track.isSoloed, track.offset) = (isMuted, isSoloed, offset)
        (track.loop, track.leastLength) = (loop, length)
        self = track
    }
}

extension EngineEvent {
    fileprivate var isExtendedNote: Bool { if case .cue(_, Int(kMusicEventType_ExtendedNote)) = kind { true } else { false } }
}

extension EngineEvent.Kind {
    func sounding(on port: UInt8, _ channel: UInt8? = nil) -> EngineEvent.Kind {
        switch self {
        case .note(var note):
            note.part = port << 4 | (channel ?? note.part) & 15
            return .note(note)
        case .message(let message):
            guard var sent = message.on(sole: channel) else { return .silent(.message(message)) }
            sent.port = port
            return .message(sent)
        case .systemExclusive(let bytes, _): return .systemExclusive(bytes, port: port)
        case .cue(let bytes, Int(kMusicEventType_ExtendedNote)):
            guard var note = MusicEventData.note(ofExtended: bytes) else { return self }
            note.part = port << 4 | (channel ?? note.part) & 15
            return .note(note)
        case .tempo, .meter, .cue, .silent: return self
        }
    }
}
