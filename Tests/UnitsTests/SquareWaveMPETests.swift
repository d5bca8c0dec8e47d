import MIDI
import Testing
import UnitAPI
import Units

extension Performance {
    /// Makes a zone of the first channel, or of the last.
    fileprivate mutating func zone(_ members: Int, manager: Int = 0, at time: Int = 0) {
        registered(6, members, of: manager, at: time)
    }
    fileprivate mutating func registered(_ parameter: Int, _ value: Int, of channel: Int, at time: Int = 0) {
        control(101, 0, at: time, channel: channel)
        control(100, parameter, at: time, channel: channel)
        control(6, value, at: time, channel: channel)
    }
    fileprivate mutating func bend(_ value: Int, of channel: Int, at time: Int) {
        send(0xE0, (value + 8192) & 127, (value + 8192) >> 7, at: time, channel: channel)
    }
}

/// MPE: each note on a channel of its own, and one channel for all of them.
@Suite struct SquareWaveMPETests {
    /// The pitch of A4, 6 900 cents, on `channel`, relative to `cents`.
    private func heard(
        near cents: Double, on channel: Int, _ prepare: (inout Performance) -> Void
    ) throws -> Double {
        var performance = Performance()
        prepare(&performance)
        performance.on(69, at: 10, channel: channel)
        return try performance.render(30_000).pitch(2_000..<30_000, near: cents) - cents
    }

    @Test func everyMemberBendsFourOctavesAndTheManagerAllByItsTwoSemitones() throws {
        #expect(
            abs(
                try heard(near: 7_500, on: 1) {
                    $0.zone(3); $0.bend(1_024, of: 1, at: 5)
                }) < 0.01)
        #expect(
            abs(
                try heard(near: 6_900, on: 2) {
                    $0.zone(3); $0.bend(1_024, of: 1, at: 5)
                }) < 0.01)
        #expect(
            abs(
                try heard(near: 6_800, on: 2) {
                    $0.zone(3); $0.bend(-4_096, of: 0, at: 5)
                }) < 0.01)
        #expect(
            abs(
                try heard(near: 6_900, on: 4) {
                    $0.zone(3); $0.bend(-4_096, of: 0, at: 5)
                }) < 0.01)
        let both = try heard(near: 7_400, on: 2) {
            $0.zone(3); $0.bend(1_024, of: 2, at: 5); $0.bend(-4_096, of: 0, at: 6)
        }
        #expect(abs(both) < 0.01)
        // The last channel's zone, counted from its end, and a range for all its members.
        let upper = try heard(near: 7_500, on: 14) {
            $0.zone(2, manager: 15)
            $0.registered(0, 12, of: 13)
            $0.bend(4_096, of: 14, at: 5)
        }
        #expect(abs(upper) < 0.01)
    }

    @Test func volumePanAndModulationAreTheManagers() throws {
        func levels(_ prepare: (inout Performance) -> Void) throws -> [[Float]] {
            var performance = Performance()
            performance.zone(3)
            prepare(&performance)
            performance.on(69, at: 10, channel: 2)
            return try performance.render(8_000).channels
        }
        let plain = try levels { _ in }
        for (number, value) in [(7, 20), (10, 0), (11, 40), (1, 127)] {
            #expect(try levels { $0.control(number, value, at: 5, channel: 2) } == plain, "controller \(number)")
            #expect(try levels { $0.control(number, value, at: 5) } != plain, "controller \(number)")
        }
        // Pressure is a note's own, and the zone's.
        #expect(try levels { $0.send(0xD0, 127, at: 5, channel: 2) } != plain)
        #expect(try levels { $0.send(0xD0, 127, at: 5) } == levels { $0.send(0xD0, 127, at: 5, channel: 2) })
        #expect(try levels { $0.send(0xD0, 127, at: 5, channel: 3) } == plain)
    }

    @Test func theManagersPedalsHoldTheNotesOfAllMembers() throws {
        func voices(_ pedal: Int, on channel: Int, release: Int? = nil) throws -> Int {
            var performance = Performance()
            performance.zone(3)
            for member in 1...3 { performance.on(60 + member, at: 10, channel: member) }
            performance.control(pedal, 127, at: 100, channel: channel)
            for member in 1...3 { performance.off(60 + member, at: 1_000, channel: member) }
            if let release { performance.control(release, 0, at: 4_000, channel: channel) }
            return try performance.render(10_000).voices
        }
        for pedal in [64, 66] {
            #expect(try voices(pedal, on: 0) == 3)
            #expect(try voices(pedal, on: 2) == 0)
            #expect(try voices(pedal, on: 0, release: pedal) == 0)
            #expect(try voices(pedal, on: 0, release: 121) == 0)
        }
        #expect(try voices(64, on: 0, release: 120) == 0)
    }

    @Test func channelModesOfTheManagerMeanTheWholeZone() throws {
        for (channel, left) in [(0, 1), (2, 3)] {
            var performance = Performance()
            performance.zone(3)
            for member in 1...4 { performance.on(60 + member, at: 10, channel: member) }
            performance.control(123, 0, at: 1_000, channel: channel)
            #expect(try performance.render(10_000).voices == left)
        }
    }

    @Test func aZoneThatChangesEndsTheNotesOfTheChannelsThatItGains() throws {
        var performance = Performance()
        for channel in 0..<8 { performance.on(50 + channel, at: 10, channel: channel) }
        performance.zone(3, at: 1_000)
        #expect(try performance.render(8_000).voices == 4)
        performance.zone(3, at: 8_000)    // nothing new
        performance.on(40, at: 8_100, channel: 1)
        performance.zone(3, at: 9_000)
        #expect(try performance.render(12_000).voices == 5)
        performance.play(.reset(.generalMIDI, port: 0), at: 12_000)
        performance.on(69, at: 16_000, channel: 1)
        performance.bend(4_096, of: 1, at: 16_000)
        performance.bend(-8_192, of: 0, at: 16_000)    // no manager's any more
        #expect(abs(try performance.render(40_000).pitch(20_000..<40_000, near: 7_000) - 7_000) < 0.01)
    }
}
