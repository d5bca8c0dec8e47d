import Carillon

/// A session's snapshot as one line of JSON: what `status` and `watch` answer.
///
/// Every key is always there; what does not exist is null: no song, no device, the level of silence.
public enum StatusJSON {
    /// Rises when a key changes its meaning or goes; new keys do not raise it.
    public static let version = 1

    /// The line, without its end.
    public static func text(_ snapshot: SessionSnapshot) -> String {
        JSONText.object([
            ("statusVersion", .whole(version)),
            ("frames", .whole(Int(snapshot.sampleTime.rawValue))),
            ("seconds", .number(snapshot.seconds)),
            ("device", device(snapshot.device)),
            ("deviceOutputs", .array(snapshot.deviceOutputs.map(deviceOutput))),
            ("load", .number(snapshot.load)), ("worstLoad", .number(snapshot.worstLoad)),
            ("shedding", .whole(snapshot.sheddingLevel)),
            (
                "xruns",
                .object([
                    ("renderLate", .whole(snapshot.xrunsRenderLate)), ("wokeLate", .whole(snapshot.xrunsWokeLate)),
                    ("driver", .whole(snapshot.xrunsDriver)),
                ])
            ),
            ("lateEvents", .whole(snapshot.lateEvents)), ("lostEvents", .whole(snapshot.lostEvents)),
            ("voices", .whole(snapshot.voices)), ("volume", .number(snapshot.volume)),
            ("levels", .array(snapshot.levels.map(level))),
            ("limiter", .number(snapshot.limiter.now)),
            ("captureFault", .string(snapshot.captureFault)),
            ("keyTranspose", .whole(snapshot.keyTranspose)),
            ("song", snapshot.transport.map(song) ?? .null),
            ("lyrics", snapshot.transport?.lyrics.map(lyrics) ?? .null),
            ("parameterEdition", .whole(snapshot.parameterEdition)), ("songEdition", .whole(snapshot.songEdition)),
            (
                "layers",
                .array(
                    snapshot.layers.map { layer in
                        .object([("name", .string(layer.name)), ("state", .string(layer.state.rawValue))])
                    })
            ),
            ("house", snapshot.house.map(house) ?? .null),
            ("patches", snapshot.patches.map(patches) ?? .null),
            ("scene", .string(snapshot.scene)), ("scenes", .strings(snapshot.scenes)),
            ("learning", .string(snapshot.learning)),
            ("metronome", snapshot.metronome.map(metronome) ?? .null),
            (
                "zones",
                .array(
                    snapshot.zones.map { zone in
                        .object([
                            ("name", .string(zone.name)), ("keys", .string(zone.keys)), ("plays", .string(zone.plays)),
                            ("isHeard", .flag(zone.isHeard)),
                        ])
                    })
            ),
            ("following", snapshot.following.map(following) ?? .null),
            (
                "notes",
                .array(
                    snapshot.notes.map { note in
                        .object([("channel", .whole(note.channel)), ("key", .whole(note.key))])
                    })
            ),
            ("channels", .array(snapshot.channels.map(channel))),
            (
                "keyboards",
                .array(
                    snapshot.sources.map { source in
                        .object([
                            ("name", .string(source.name)), ("identity", .string(source.identity)),
                            ("isConnected", .flag(source.isConnected)), ("heldNotes", .whole(source.heldNotes)),
                        ])
                    })
            ),
            (
                "outputs",
                .array(
                    snapshot.outputs.map { output in
                        .object([
                            ("name", .string(output.name)), ("getsBeat", .flag(output.getsBeat)), ("port", .string(output.port)),
                        ])
                    })
            ),
        ]).text
    }

    private static func device(_ device: SessionSnapshot.Device) -> JSONText {
        .object([
            ("state", .string(device.state)), ("name", .string(device.name)), ("wanted", .strings(device.wanted)),
            ("rate", .whole(device.rate)), ("period", .whole(device.period)), ("periods", .whole(device.periods)),
            ("latencyMilliseconds", .number(device.latencyMilliseconds)), ("thread", .string(device.thread)),
            ("fault", .string(device.fault)),
        ])
    }

    /// Another device, that a bus is played on.
    private static func deviceOutput(_ output: DeviceOutputState) -> JSONText {
        .object([
            ("unit", .string(output.unit)), ("state", .string(output.state)), ("name", .string(output.name)),
            ("wanted", .strings(output.wanted)), ("delayMilliseconds", .number(output.delayMilliseconds)),
            ("drift", .number(output.drift)), ("xruns", .whole(output.xruns)), ("slips", .whole(output.slips)),
            ("missingFrames", .whole(output.missingFrames)), ("fault", .string(output.fault)),
        ])
    }

    private static func level(_ level: SessionSnapshot.Level) -> JSONText {
        .object([("peak", .number(level.peak)), ("average", .number(level.average))])
    }

    private static func channel(_ channel: SessionSnapshot.Channel) -> JSONText {
        .object([
            ("number", .whole(channel.number)), ("sound", .string(channel.sound?.name ?? channel.instrument)),
            ("bank", .whole(channel.sound.map { Int($0.bank) })), ("program", .whole(channel.sound.map { Int($0.program) })),
            ("peak", .number(channel.level.peak)), ("average", .number(channel.level.average)),
        ])
    }

    private static func song(_ song: SessionSnapshot.Transport) -> JSONText {
        .object([
            ("name", .string(song.song)), ("number", .whole(song.number)), ("count", .whole(song.count)),
            ("isPlaying", .flag(song.isPlaying)), ("hasEnded", .flag(song.hasEnded)),
            ("seconds", .number(song.seconds)), ("length", .number(song.length)),
            ("bar", .whole(song.bar)), ("beat", .whole(song.beat)), ("tempo", .number(song.tempo)),
            ("factor", .number(song.rate)), ("transpose", .whole(song.transpose)), ("isLooping", .flag(song.isLooping)),
            ("rounds", .whole(song.rounds)), ("channels", .wholes(song.channels)), ("muted", .wholes(song.muted)),
            ("soloed", .wholes(song.soloed)), ("marker", song.markerNumber > 0 ? .string(song.marker) : .null),
            ("next", .string(song.next)),
        ])
    }

    private static func lyrics(_ lyrics: SessionSnapshot.Lyrics) -> JSONText {
        .object([("sung", .string(lyrics.sung)), ("toCome", .string(lyrics.toCome)), ("next", .string(lyrics.next))])
    }

    private static func house(_ house: SessionSnapshot.House) -> JSONText {
        .object([
            ("isOpen", .flag(house.isOpen)), ("playlist", .string(house.playlist)), ("level", .number(house.level)),
            ("isPaused", .flag(house.isPaused)), ("isStopped", .flag(house.isStopped)),
            ("next", house.next.map { .object([("at", .string($0.at)), ("what", .string($0.what))]) } ?? .null),
            (
                "cues",
                .array(
                    house.cues.map { cue in
                        .object([("name", .string(cue.name)), ("isPlaying", .flag(cue.isPlaying))])
                    })
            ),
            ("playlists", .strings(house.playlists)),
        ])
    }

    private static func patches(_ list: SessionSnapshot.PatchList) -> JSONText {
        .object([
            ("name", .string(list.name)), ("number", .whole(list.number)), ("count", .whole(list.count)),
            ("wanted", .string(list.wanted)), ("next", .string(list.next)), ("isNextReady", .flag(list.isNextReady)),
            ("ringing", .whole(list.ringing)), ("sampleBytes", .whole(list.sampleBytes)),
        ])
    }

    private static func following(_ following: SessionSnapshot.Following) -> JSONText {
        .object([
            ("name", .string(following.name)), ("port", .string(following.port)), ("state", .string(following.state.rawValue)),
            ("tempo", .number(following.tempo)), ("isPlaying", .flag(following.isPlaying)), ("isHeld", .flag(following.isHeld)),
        ])
    }

    private static func metronome(_ metronome: SessionSnapshot.Metronome) -> JSONText {
        .object([
            ("isRunning", .flag(metronome.isRunning)), ("tempo", .number(metronome.tempo)),
            ("beats", .whole(metronome.beats)), ("beat", .whole(metronome.beat)), ("bar", .whole(metronome.bar)),
        ])
    }
}
