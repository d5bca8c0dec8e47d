import Carillon
import MIDI
import Patches
import Testing

@testable import Sessions

/// Controllers, bends, pressure and pedals by request: a unit hears what a keyboard would send.
@Suite struct PlayedMessageTests {
    /// A request, and the status and data bytes that are heard on the engine's first part.
    private static let requests: [(ControlCommand, [UInt8])] = [
        (.controller(channel: 1, 11, value: 90), [0xB0, 11, 90]), (.bend(channel: 1, by: -1), [0xE0, 0, 0]),
        (.bend(channel: 1, by: 0), [0xE0, 0, 64]), (.bend(channel: 1, by: 1), [0xE0, 127, 127]),
        (.pressure(channel: 1, value: 7), [0xD0, 7, 0]), (.pedal(channel: 1, .sustain, true), [0xB0, 64, 127]),
        (.pedal(channel: 1, .sostenuto, true), [0xB0, 66, 127]), (.pedal(channel: 1, .soft, true), [0xB0, 67, 127]),
        (.pedal(channel: 1, .soft, false), [0xB0, 67, 0]),
    ]

    @Test func eachIsAMessageOfItsChannel() throws {
        let time = try SessionInTime(Self.live()), session = time.session
        for (request, bytes) in Self.requests {
            try session.perform(request)
            try time.pass(0.05)
            let heard = try #require(time.messages.last?.message)
            #expect([heard.status, heard.data1, heard.data2] == bytes, "\(request)")
        }
        // What is held goes up with `release`, where it went down.
        try session.perform(.releaseNotes)
        try time.pass(0.05)
        #expect(time.messages.suffix(2).map { [$0.message.data1, $0.message.data2] } == [[64, 0], [66, 0]])
        let wrong: [ControlCommand] = [
            .bend(channel: 1, by: .nan), .bend(channel: 1, by: 1.1), .controller(channel: 1, 128, value: 0),
        ]
        for wrong in wrong {
            #expect(throws: Fault.self) { try session.perform(wrong) }
        }
        try session.finish()
    }

    @Test func aZonePlaysWhatIsHeldOnItsOwnPart() throws {
        var options = Self.live()
        var patch = Patch()
        patch.units = [PatchUnit("tone", "square-wave", role: .instrument)]
        patch.outputs = [PatchPort("tone")]
        var zone = ZoneSessionTests.zone("all", "tone", keys: "0-127")
        zone.transpose = 12
        patch.zones = [zone]
        options.patch = patch
        let time = try SessionInTime(options), session = time.session
        try session.perform(.pedal(channel: 1, .sustain, true))
        try session.perform(.pressKey(channel: 1, key: 60, velocity: 90))
        try time.pass(0.05)
        #expect(time.onsets.map(\.key) == [72] && time.messages.contains { $0.message.data1 == 64 && $0.message.data2 == 127 })
        try session.finish()
    }

    @Test func aSoundIsFoundByItsName() throws {
        var options = Self.live()
        options.instrument = .soundFont([RenderedSong.soundFont])
        let time = try SessionInTime(options), session = time.session
        let presets = session.presets
        func sound() -> SoundPreset? { session.snapshot.channels.first { $0.number == 1 }?.sound }
        let drums = try #require(presets.first { $0.isDrums })
        for wanted in [presets[3], drums] {
            try session.perform(.program(channel: 1, named: wanted.name.lowercased()))
            try time.pass(0.05)
            #expect(sound()?.name == wanted.name)
        }
        // A number is one of the bank that plays.
        try session.perform(.program(channel: 1, bank: 0, program: 0))
        try time.pass(0.05)
        try session.perform(.program(channel: 1, named: "40"))
        try time.pass(0.05)
        #expect(sound()?.program == 40 && sound()?.bank == 0)
        #expect(throws: Fault.self) { try session.perform(.program(channel: 1, named: "no such sound")) }
        try session.finish()
    }

    private static func live() -> LiveOptions {
        var options = SessionInTime.options
        options.ports = 1
        return options
    }
}
