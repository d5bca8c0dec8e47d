import Carillon
import Glibc
import Graphs
import MIDI
import Patches
import RealtimeCore
import TestFolders
import Testing

@testable import Sessions

/// Splits of SoundFonts by what is heard: a zone sounds as its unit does where nobody else is there.
@Suite struct SplitSoundTests {
    /// Parts that both instruments say in a file, none among them.
    private static let parts: [[Int]] = [[], [0], [2], [0, 1]]

    /// Two SoundFont sounds on one keyboard, connected by their plain names, their strips moved by controllers. Without one of
    /// them all else stays.
    private static func patch(_ parts: [Int], without missing: String? = nil, _ change: (inout Patch) -> Void = { _ in }) -> Patch
    {
        var patch = Patch()
        var mixer = PatchUnit("mixer", "multichannel-mixer", role: .master)
        mixer.inputCount = 3
        for (input, name) in ["bass", "piano"].enumerated() where name != missing {
            var unit = PatchUnit(name, "soundfont", role: .instrument)
            var strip = PatchUnit("strip-\(input + 1)", "channel-strip", role: .strip)
            (unit.parts, strip.parts) = (PartList(parts), PartList(parts.prefix(1)))
            patch.units += [unit, strip]
            patch.connections += [
                PatchConnection(PatchPort(name), to: PatchPort(strip.name)),
                PatchConnection(PatchPort(strip.name), to: PatchPort("mixer", input)),
                PatchConnection(PatchPort(strip.name, 1), to: PatchPort("reverb")),
            ]
        }
        patch.units += [PatchUnit("reverb", "reverb", role: .send), mixer]
        patch.connections.append(PatchConnection(PatchPort("reverb"), to: PatchPort("mixer", 2)))
        patch.outputs = [PatchPort("mixer")]
        var left = ZoneSessionTests.zone("left", "bass", keys: "0-B3"),
            right = ZoneSessionTests.zone("right", "piano", keys: "C4-127")
        (left.program, right.program) = (33, 0)
        patch.zones = [left, right].filter { $0.unit != missing }
        change(&patch)
        return patch
    }

    private static func session(_ patches: [Patch]) throws -> SessionInTime {
        var options = SessionInTime.options
        options.ports = 1
        options.instrument = .soundFont([RenderedSong.soundFont])
        if patches.count == 1 {
            options.patch = patches[0]
        } else {
            options.patches = patches.enumerated().map { ListedPatch("patch \($0)", $1) }
        }
        return try SessionInTime(options)
    }

    /// What a device plays of a second in which these come from keyboards.
    private static func heard(_ patch: Patch, _ events: [MusicEvent]) throws -> [[Float]] {
        let time = try session([patch])
        try time.pass(0.1)
        for event in events { try time.session.receive(event) }
        try time.pass(1)
        try time.session.finish()
        return time.port.played.map { Array($0.prefix(48_000)) }
    }

    private static func isSilent(_ samples: [[Float]]) -> Bool { samples.joined().allSatisfy { $0 == 0 } }

    private func sounds(_ time: SessionInTime, _ unit: String) throws -> Bool {
        try !#require(time.session.engine.graph.node(named: unit)).instance.isAtRest
    }

    @Test(arguments: parts) func eachHalfSoundsAsItsUnitAlone(_ parts: [Int]) throws {
        let split = Self.patch(parts)
        for (key, other) in [(40, "piano"), (72, "bass")] as [(UInt8, String)] {
            let both = try Self.heard(split, [.noteOn(key)]),
                alone = try Self.heard(Self.patch(parts, without: other), [.noteOn(key)])
            #expect(!Self.isSilent(alone) && both == alone, "\(other)")
        }
        // The halves are two sounds.
        let octave = Self.patch(parts) { $0.zones[0].transpose = 32 }
        #expect(try Self.heard(octave, [.noteOn(40)]) != Self.heard(octave, [.noteOn(72)]))
    }

    /// Layers upon each other, each on its own channel of the keyboard: what moves one does not move the other.
    @Test(arguments: parts) func whatBelongsToNoKeyReachesTheZonesUnitAlone(_ parts: [Int]) throws {
        let layers = Self.patch(parts) { patch in
            for index in patch.zones.indices {
                (patch.zones[index].keys, patch.zones[index].channels) = (.all, PartList([index]))
            }
        }
        func message(_ status: UInt8, _ data1: UInt8, _ data2: UInt8 = 0) -> MusicEvent {
            .message(MIDIMessage(status: status, data1: data1, data2: data2))
        }
        let bass = message(0x90, 45, 100), piano = message(0x91, 69, 100)
        let plain = try Self.heard(layers, [bass]), plainPiano = try Self.heard(layers, [piano])
        for moved in [
            message(0xB1, 7, 20), message(0xB1, 91, 127), message(0xE1, 0, 100), message(0xC1, 48), message(0xD1, 90),
        ] {
            #expect(try Self.heard(layers, [moved, bass]) == plain, "\(moved)")
        }
        for moved in [message(0xB1, 7, 20), message(0xE1, 0, 100), message(0xC1, 48)] {
            #expect(try Self.heard(layers, [moved, piano]) != plainPiano, "\(moved)")
        }
        // A pedal holds its own zone's notes.
        let time = try Self.session([layers])
        for event in [message(0xB1, 64, 127), bass, piano, message(0x80, 45), message(0x81, 69)] {
            try time.session.receive(event)
        }
        try time.pass(3)
        #expect(try !sounds(time, "bass") && sounds(time, "piano"))
        try time.session.receive(message(0xB1, 64, 0))
        try time.pass(3)
        #expect(try !sounds(time, "piano"))
        try time.session.finish()
    }

    @Test func aPatchOfASetListPlaysTheSame() throws {
        let time = try Self.session([Self.patch([]), Self.patch([0])])
        for _ in 0..<2 {
            try time.pass(0.1)
            try time.session.receive(.noteOn(40))
            try time.pass(0.1)
            #expect(try sounds(time, "bass") && !sounds(time, "piano"))
            try time.session.receive(.noteOff(40))
            try time.session.receive(.noteOn(72))
            try time.pass(2)
            #expect(try !sounds(time, "bass") && sounds(time, "piano"))
            #expect(time.session.snapshot.channels.prefix(2).map { $0.sound?.program } == [33, 0])
            try time.session.receive(.noteOff(72))
            try time.session.perform(.patch(.next))
        }
        let counters = time.session.engine.renderer.counters
        #expect(counters.lostEvents == 0 && counters.unheardEvents == 0)
        try time.session.finish()
    }

    /// A sound of one zone leaves the others alone, also where both play the same channel.
    @Test(arguments: parts) func aSoundIsChosenForOneZone(_ parts: [Int]) throws {
        let time = try Self.session([Self.patch(parts)])
        func programs() -> [Int?] { time.session.snapshot.zones.map(\.sound?.program) }
        #expect(programs() == [33, 0])
        try time.session.perform(.program(zone: "right", bank: 0, program: 48))
        #expect(programs() == [33, 48])
        try time.session.perform(Verb.zoneProgramName("left", "38"))
        #expect(programs() == [38, 48])
        try time.pass(0.1)
        #expect(time.session[StagePart.self]!.played().zones.map(\.program) == [38, 48])
        for (zone, bank) in [("middle", 0), ("left", 127)] {
            #expect(throws: Fault.self) { try time.session.perform(.program(zone: zone, bank: bank, program: 0)) }
        }
        #expect(programs() == [38, 48])
        try time.session.finish()
    }

    /// The song of what was played, rendered through the patch, sounds in the unit of its zone; so does the journal.
    @Test(arguments: parts) func whatWasRecordedSoundsInTheSameUnit(_ parts: [Int]) throws {
        let place = TemporaryFolder(), folder = place.path
        defer { withExtendedLifetime(place) {} }
        let time = try Self.session([Self.patch(parts)])
        try time.session.receive(.noteOn(40))
        try time.pass(0.5)
        try time.session.receive(.noteOff(40))
        try time.pass(0.5)
        let path = try time.session.saveRecording("\(folder)/a.mid")
        try time.session.finish()
        let song = try SongReader.read(path: path, strict: true).song
        func rendered(_ patch: Patch) throws -> [[Float]] {
            var options = RenderedSong.options(1)
            options.patch = patch
            return try RenderedSong.render(song, options).samples
        }
        let both = try rendered(Self.patch(parts)), alone = try rendered(Self.patch(parts) { $0.units[2].isBypassed = true })
        #expect(!Self.isSilent(both) && both == alone)
        #expect(Self.isSilent(try rendered(Self.patch(parts) { $0.connections.removeFirst() })))
        var replayed: [[Float]] = [[], []]
        try JournalRenderer(try Journal(path: "\(folder)/a.journal")).render { (channels, frames) throws(AudioFileError) in
            for side in 0..<2 { replayed[side] += UnsafeBufferPointer(start: channels[side], count: frames) }
        }
        // The device plays a buffer later.
        let late = try #require(time.port.grant).bufferFrames
        for side in 0..<2 {
            #expect(Array(time.port.played[side].dropFirst(late).prefix(40_000)) == Array(replayed[side].prefix(40_000)))
        }
    }

    /// A unit that does not hear a part any more does not wait for the end of what it was given there.
    @Test func noNoteHangsWhereASaveChangesWhoSharesAPart() throws {
        let time = try Self.session([Self.patch([0])])
        try time.session.receive(.noteOn(40))
        try time.session.receive(.noteOn(72))
        try time.pass(0.2)
        #expect(try sounds(time, "bass") && sounds(time, "piano"))
        try time.session.apply(Self.patch([0]) { $0[unit: "piano"]?.parts = PartList([1]) })
        try time.pass(0.1)
        try time.session.receive(.noteOff(40))
        try time.session.receive(.noteOff(72))
        try time.pass(3)
        #expect(try !sounds(time, "bass") && !sounds(time, "piano"))
        try time.session.receive(.noteOn(72))
        try time.pass(0.1)
        #expect(try !sounds(time, "bass") && sounds(time, "piano"))
        try time.session.finish()
    }

    /// Nobody counts: a channel on the screen is its strip's, and what is chosen there goes to the zone that plays through it.
    @Test func aSoundIsChosenForTheStripOfAZone() throws {
        let patch = try #require(PatchExample.named("split-two-soundfonts")).patch
        let time = try Self.session([patch])
        #expect(time.session.snapshot.channels.prefix(2).map { $0.sound?.program } == [33, 0])
        try time.session.perform(.program(channel: 2, bank: 0, program: 48))
        try time.session.receive(.noteOn(72))
        try time.pass(0.1)
        let snapshot = time.session.snapshot
        #expect(snapshot.channels.prefix(2).map { $0.sound?.program } == [33, 48])
        #expect(snapshot.channels.prefix(2).map { $0.level.peak > -60 } == [false, true])
        #expect(snapshot.notes.map(\.channel) == [2] && snapshot.notes.map(\.key) == [72])
        #expect(time.session[StagePart.self]!.played().zones.map(\.program) == [33, 48])
        try time.session.perform(.panic(.channel(2)))
        try time.pass(0.5)
        #expect(try !sounds(time, "piano"))
        try time.session.finish()
    }
}
