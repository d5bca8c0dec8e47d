import Carillon
import Patches
import Testing

@testable import EngineCore
@testable import MIDI
@testable import Sessions

/// Keys and songs in one session: songs have instruments of their own, with one patch or none.
@Suite(.serialized) struct KeysAndSongsTests {
    static var patch: Patch {
        var patch = Patch()
        patch.units = [
            PatchUnit("square", "square-wave", role: .instrument), PatchUnit("mixer", "multichannel-mixer", role: .master),
        ]
        patch.connections = [PatchConnection(PatchPort("square"), to: PatchPort("mixer"))]
        patch.outputs = [PatchPort("mixer")]
        return patch
    }

    private static func songs() -> [SessionSong] { [SessionInTime.listed(6), SessionInTime.listed(6, key: 72)] }

    private static func options(_ patch: Patch?, waits: Bool = false) -> LiveOptions {
        var options = SessionInTime.options
        (options.ports, options.patch) = (1, patch)
        (options.songsHaveOwnInstruments, options.songsWait) = (true, waits)
        options.gain = options.usualGain
        return options
    }

    /// Not one sample of the songs changes while nothing is played on the keys.
    @Test(arguments: [true, false]) func songsSoundAsWithoutKeys(_ hasPatch: Bool) throws {
        var plain = SessionInTime.options
        plain.gain = plain.usualGain
        let alone = try SessionInTime(plain, Self.songs())
        let time = try SessionInTime(Self.options(hasPatch ? Self.patch : nil), Self.songs())
        try time.pass(1.5)
        try alone.pass(1.5)
        #expect(time.port.played == alone.port.played && alone.port.played[0].contains { abs($0) > 0.02 })
        #expect(time.onsets.count == alone.onsets.count && time.session.snapshot.patches == nil)
        try time.session.finish()
        try alone.session.finish()
    }

    @Test func keysDoNotPlayTheInstrumentsOfSongs() throws {
        let time = try SessionInTime(Self.options(Self.patch, waits: true), Self.songs())
        let node = try #require(time.session.engine.graph.nodes.first { $0.name.hasPrefix("songs.") && $0.role == .instrument })
        try time.session.receive(.noteOn(64))
        try time.pass(0.2)
        #expect(time.onsets.contains { $0.key == 64 } && node.instance.isAtRest)
        try time.session.finish()
    }

    @Test(arguments: [true, false]) func keysAreHeardBesideTheSong(_ hasPatch: Bool) throws {
        let time = try SessionInTime(Self.options(hasPatch ? Self.patch : nil), Self.songs()), session = time.session
        let keys = try #require(session.graph.instruments.first)
        func voices() -> Float? { session.engine.graph[keys]?.instance.readout("voices") }
        let idle = voices()
        try time.pass(0.2)
        #expect(voices() == idle)
        try session.receive(.noteOn(64))
        try time.pass(0.2)
        #expect(time.onsets.contains { $0.key == 64 } && (!hasPatch || voices() == 1))
        let counters = session.counters
        #expect(counters.lostEvents == 0 && counters.unheardEvents == 0 && counters.faults == 0)
        // The song is muted, and the key is not; the volume is that of all.
        try session.perform(.mute(channel: 1, true))
        try session.perform(.volume(-6))
        #expect(session.snapshot.transport?.muted == [1] && session.snapshot.volume == -6)
        #expect(session.core.mixes.allSatisfy { $0.volume == -6 } && session.core.mixes.count == 2)
        try session.receive(.noteOff(64))
        // Keys go on after the last song.
        try time.pass(1.5)
        #expect(!session.isOver && session.snapshot.transport?.hasEnded == true)
        try session.finish()
    }

    @Test func theFirstSongWaitsForItsRequest() throws {
        let time = try SessionInTime(Self.options(Self.patch, waits: true), Self.songs()), session = time.session
        try time.pass(0.2)
        #expect(time.transport?.isPlaying == false && time.transport?.seconds == 0 && time.onsets.isEmpty)
        try session.perform(.togglePlay)
        try time.pass(0.2)
        #expect(time.transport?.isPlaying == true && !time.onsets.isEmpty)
        try session.finish()
    }

    /// Effects that a keyboard asks for by messages come to the keys' instruments, and those of a song to the song's.
    @Test func messagesAskForEffectsOfTheirOwnSide() throws {
        var options = Self.options(nil)
        options.instrument = .soundFont(["embedded"])
        let time = try SessionInTime(options, Self.songs()), session = time.session
        func units() -> Int { session.core.graph.patch.units.count }
        let former = units(), ofSongs = session.core.stage.songGraph.patch.units.count
        // Overdrive for the first channel, by messages of GS.
        let reset: [UInt8] = [0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x00, 0x7F, 0x00, 0x41, 0xF7]
        let overdrive: [UInt8] = [0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x03, 0x00, 0x01, 0x10, 0x2C, 0xF7]
        let toEffect: [UInt8] = [0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x41, 0x22, 0x01, 0x5C, 0xF7]
        var interpreter = SystemExclusive()
        for message in [reset, overdrive, toEffect] {
            for event in interpreter.events(from: message, port: 0) { try session.receive(event) }
        }
        try time.pass(0.3)
        #expect(units() > former && session.core.stage.songGraph.patch.units.count == ofSongs)
        #expect(session.core.stage.hasOwnSongs && session.counters.faults == 0)
        try session.finish()
    }
}
