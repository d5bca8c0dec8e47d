import Carillon
import CarillonTestKit
import Graphs
import MIDI
import Patches
import TestUnits
import Testing

@testable import EngineCore
@testable import Sessions

/// Songs beside a set list: they have units of their own, whatever patch sounds.
@Suite(.serialized) struct SetListSongTests {
    private static func songs() -> [SessionSong] { [SessionInTime.listed(20), SessionInTime.listed(20, key: 72)] }

    private static func listed(_ count: Int = 3) -> LiveOptions {
        var options = SetListSamples.options((0..<count).map { SetListSamples.bells(hasLimiter: $0 == 1) })
        options.gain = options.usualGain
        return options
    }

    /// Not one sample of the songs changes while patches come and go.
    @Test func songsSoundAsWithoutAPatch() throws {
        var plain = SessionInTime.options
        plain.gain = plain.usualGain
        let alone = try SessionInTime(plain, Self.songs()), time = try SessionInTime(Self.listed(), Self.songs())
        for _ in 0..<12 {
            try time.session.perform(.patch(time.session.snapshot.patches?.number == 3 ? .number(1) : .next))
            try time.pass(0.3)
            try alone.pass(0.3)
        }
        #expect(time.port.played == alone.port.played && alone.port.played[0].contains { abs($0) > 0.02 })
        #expect(time.onsets.count == alone.onsets.count && time.onsets.contains { $0.key == 72 })
        try time.session.finish()
        try alone.session.finish()
    }

    @Test func keysPlayThePatchAndSongsTheirUnits() throws {
        let time = try SessionInTime(Self.listed(), Self.songs()), session = time.session
        func voices(_ unit: String) -> Float? { session.engine.graph.node(named: unit)?.instance.readout("voices") }
        try session.receive(.noteOn(60))
        try time.pass(0.2)
        #expect(voices("bell") == 1 && session.unitNames.contains("songs.mixer") && session.unitNames.contains("mixer"))
        // A type's name means the patch; the song's units have names.
        try session.perform(.set("multichannel-mixer.volume=-9 dB"))
        try session.perform(.set("songs.mixer.volume=-3 dB"))
        try session.perform(.patch(.next))
        try time.pass(0.2)
        #expect(voices("former-1.bell") == 1 && voices("bell") == 0)
        #expect(try session.engine.value("former-1.mixer.volume") == -9 && session.engine.value("songs.mixer.volume") == -3)
        // The patch is saved: neither the song nor the former patch notices.
        try session.apply(SetListSamples.bells(hasReverb: true))
        try time.pass(0.2)
        #expect(try voices("former-1.bell") == 1 && session.engine.value("songs.mixer.volume") == -3)
        try session.receive(.noteOff(60))
        try time.pass(2)
        #expect(session.snapshot.patches?.ringing == 0 && session.snapshot.transport?.isPlaying == true)
        let counters = session.engine.renderer.counters
        #expect(counters.lostEvents == 0 && counters.unheardEvents == 0 && counters.faults == 0)
        try session.perform(.panic(.all))
        try session.finish()
    }

    /// A song that comes later may not play on ports that patches have.
    @Test func aSongOnThePortsOfPatchesIsLeftOut() throws {
        let time = try SessionInTime(Self.listed(), Self.songs()), session = time.session
        var other = SessionInTime.song(4)
        other.tracks[0].port = 5
        session.playlist?.insert(SessionSong(name: "far", song: other), at: 1)
        try time.pass(3)
        #expect(session.takeNotices().contains { $0.hasPrefix("far is left out") && $0.contains("songs play on ports 1") })
        #expect(time.onsets.contains { $0.key == 72 })
        try session.finish()
    }
}
