import Carillon
import MIDI
import Patches
import Testing

@testable import EngineCore
@testable import Sessions

/// Entries of a set list with songs, tempo, meter, count-in and level.
@Suite(.serialized) struct SetListEntryTests {
    private static let songs = [
        SessionInTime.listed(8, beatFrames: 24_000), SessionInTime.listed(8, key: 72, beatFrames: 24_000),
    ]

    private static func options(waits: Bool = true) -> LiveOptions {
        var options = SetListSamples.options((0..<3).map { _ in KeysAndSongsTests.patch })
        options.patches[0].song = 1
        (options.patches[0].tempo, options.patches[0].countIn, options.patches[0].goesOn) = (240, 1, true)
        (options.patches[0].level, options.patches[1].level) = (3, -6)
        options.patches[1].song = 2
        options.patches[2].meter = Meter(text: "7/8")
        options.songsWait = waits
        return options
    }

    /// The entry's song is counted in, plays in the entry's tempo, and the next entry goes on from its end in its own.
    @Test(arguments: [true, false]) func anEntryBeginsWithItsSong(_ waits: Bool) throws {
        let time = try SessionInTime(Self.options(waits: waits), Self.songs), session = time.session
        if waits {
            try time.pass(0.5)
            #expect(time.transport?.song == "song of 60" && time.transport?.isPlaying == false && time.onsets.isEmpty)
            try session.perform(.togglePlay)
        }
        let from = session.sampleTime.rawValue
        try time.pass(0.8)
        #expect(time.onsets.isEmpty && session.snapshot.metronome?.countIn == 1)
        try time.pass(2)
        #expect(time.transport?.tempo == 240 && time.onsets.count == 8 && (48_000..<53_000).contains(time.onsets[0].time - from))
        #expect(time.onsets[7].time - time.onsets[0].time == 7 * 12_000)
        #expect(try time.pass(atMost: 2) { session.snapshot.patches?.name == "patch 2" && time.onsets.count > 8 })
        try time.pass(1)
        #expect(time.transport?.tempo == 120 && time.transport?.song == "song of 72" && session.snapshot.metronome?.countIn == 0)
        #expect(time.onsets.last?.key == 72)
        // Its own song is the last that plays by itself.
        #expect(try time.pass(atMost: 6) { time.transport?.hasEnded == true })
        try time.pass(1)
        #expect(session.snapshot.patches?.name == "patch 2" && time.transport?.next == nil)
        try session.finish()
    }

    @Test func aSongWaitsWhereItsEntryIsSelectedAndGoesOnWhereAnEntryHasNone() throws {
        let time = try SessionInTime(Self.options(), Self.songs), session = time.session
        try session.perform(.patch(.next))
        try time.pass(0.3)
        #expect(time.transport?.song == "song of 72" && time.transport?.isPlaying == false)
        try session.perform(.play)
        try time.pass(0.6)
        try session.perform(.patch(.number(3)))
        try time.pass(0.3)
        #expect(session.snapshot.patches?.name == "patch 3" && time.transport?.isPlaying == true)
        #expect(session.snapshot.metronome?.beats == 7 && session.snapshot.metronome?.unit == 8)
        try session.perform(.patch(.number(2)))
        try time.pass(0.3)
        #expect(time.transport?.isPlaying == false && time.transport?.seconds == 0 && session.snapshot.metronome?.beats == 4)
        #expect(time.held[72] ?? 0 == 0)
        try session.finish()
    }

    @Test func anEntryHasALevelOfItsOwnAndNeedsNoPatch() throws {
        var options = Self.options()
        options.patches.append(ListedPatch("keys"))
        let time = try SessionInTime(options, Self.songs), session = time.session
        #expect(try session.engine.value("mixer.volume") == 3 && session.snapshot.volume == 0)
        try session.perform(.patch(.next))
        try time.pass(0.3)
        #expect(try session.engine.value("mixer.volume") == -6 && session.snapshot.volume == 0)
        try session.perform(.patch(.named("keys")))
        try time.pass(0.3)
        #expect(session.snapshot.patches?.name == "keys" && session.snapshot.volume == 0)
        try session.receive(.noteOn(64))
        try time.pass(0.2)
        #expect(session.counters.unheardEvents == 0 && session.snapshot.levels.contains { $0.peak > -40 })
        try session.receive(.noteOff(64))
        try session.finish()
    }
}
