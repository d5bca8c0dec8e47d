internal import Sequencer

/// Sequences, tracks and players for the other modules with Apple's names, beyond the public calls.
package enum MusicAccess {
    /// An event of a track: its type, and the struct of that type.
    package struct Event {
        package var beat: MusicTimeStamp
        package let type: MusicEventType
        package var bytes: [UInt8] { didSet { if bytes != oldValue { kind = nil } } }
        /// What it was made of: the struct does not hold all of it.
        fileprivate var kind: EngineEvent.Kind?

        package init(_ beat: MusicTimeStamp, _ type: MusicEventType, _ bytes: [UInt8]) {
            (self.beat, self.type, self.bytes) = (beat, type, bytes)
        }
    }

    /// Plays a sequence by something else than a graph, once its players are released.
    package static func setHost(_ host: any SequenceHost, of sequence: MusicSequence) {
        _ = Handles.run(sequence, SequenceObject.self) { sequence in
            for player in sequence.players { player.release() }
            sequence.host = host
        }
    }

    /// Plays a track by the instrument that the host has under a number, or sends it to an endpoint; also while it sounds.
    package static func setDestination(_ node: AUNode?, _ endpoint: MIDIEndpointRef?, of track: MusicTrack) -> OSStatus {
        Handles.run(track, TrackObject.self) { track in
            (track.node, track.endpoint) = (node, endpoint)
            track.sequence?.changed()
        }
    }

    /// Repeats a range of beats; `rounds` of nil: without end.
    package static func setLoop(_ beats: Range<Double>?, rounds: Int?, of track: MusicTrack) -> OSStatus {
        Handles.run(track, TrackObject.self) { track in
            track.music.loop = beats.map { Song.Arrangement.Loop($0, rounds: rounds) }
            track.sequence?.changed()
        }
    }

    /// The events that begin in a range of beats.
    package static func events(of track: MusicTrack, in beats: Range<Double>) -> [Event] {
        var found: [Event] = []
        _ = Handles.run(track, TrackObject.self) { track in
            found = track.music.events[track.music.places(in: beats)].map { event in
                let (type, bytes) = MusicEventData.data(event.kind)
                var found = Event(event.beat, type, bytes)
                found.kind = event.kind
                return found
            }
        }
        return found
    }

    /// Puts events in the place of those that begin in a range; an empty range adds them. On an error nothing has changed.
    package static func replaceEvents(of track: MusicTrack, in beats: Range<Double>, with events: [Event]) -> OSStatus {
        Handles.run(track, TrackObject.self) { track in
            var music = track.music
            music.clear(beats)
            for event in events {
                if event.type == kMusicEventType_AUPreset { throw Refusal(kAudio_UnimplementedError) }
                let kind = try event.kind ?? event.bytes.withUnsafeBytes { try track.kind(event.type, $0.baseAddress) }
                music.add(EngineEvent(try MusicEventData.beat(event.beat), kind))
            }
            track.music = music
            track.sequence?.changed()
        }
    }

    /// Calls what is due of a player, outside of all locks.
    package static func serve(_ player: MusicPlayer) { PlayerObject.serve(player) }
}
