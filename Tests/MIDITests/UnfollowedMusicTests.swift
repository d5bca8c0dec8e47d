import RealtimeCore
import Testing

@testable import MIDI

/// What has no effect here is counted by its parameter, and only that.
@Suite struct UnfollowedMusicTests {
    private static func gs(_ address: [UInt8], _ data: UInt8...) -> [UInt8] {
        let sum = (address + data).reduce(0) { $0 + Int($1) } & 127
        return [0xF0, 0x41, 0x10, 0x42, 0x12] + address + data + [UInt8((128 - sum) & 127), 0xF7]
    }

    private static func xg(_ address: [UInt8], _ data: UInt8...) -> [UInt8] {
        [0xF0, 0x43, 0x10, 0x4C] + address + data + [0xF7]
    }

    private static func count(_ messages: [UInt8]...) -> UnfollowedMusic { count(messages) }

    private static func count(_ messages: [[UInt8]], isLive: Bool = false) -> UnfollowedMusic {
        var music = UnfollowedMusic(isLive: isLive), interpreter = SystemExclusive()
        for message in messages {
            music.take(exclusive: message, port: 0)
            for event in interpreter.events(from: message, port: 0) { music.take(event) }
        }
        return music
    }

    @Test func aDryLevelIsCountedUnlessItIsWhatAPartHas() {
        let music = Self.count(
            Self.gs([0x40, 0x41, 0x20], 0), Self.gs([0x40, 0x42, 0x20], 0), Self.gs([0x40, 0x43, 0x20], 1),
            Self.xg([0x08, 0x00, 0x11], 20))
        #expect(music.entries.map(\.title) == ["GS part equalizer switch (40 4x 20)", "XG part dry level (08 0x 11)"])
        #expect(music.entries.map(\.count) == [2, 1] && music.entries.allSatisfy(\.isSound))
    }

    @Test func aMessageThatWritesAWholePartCountsOnceForEachParameter() {
        // From the highest key to the chorus send: the dry level alone has no effect.
        #expect(Self.count(Self.xg([0x08, 0x01, 0x10], 90, 20, 5)).entries.map(\.name) == ["XG part dry level"])
        // Both gains of the equalizer are one parameter.
        #expect(Self.count(Self.xg([0x08, 0x01, 0x72], 1, 1)).entries.map(\.count) == [1])
    }

    @Test func whatIsNotHeardIsNoSound() {
        let music = Self.count(
            [0xF0, 0x41, 0x10, 0x45, 0x12, 0x10, 0x00, 0x00, 0x41, 0x2F, 0xF7], [0xF0, 0x7E, 0x7F, 0x06, 0x01, 0xF7],
            [0xF0, 0x42, 0x30, 0x42, 0x34, 0xF7], Self.xg([0x06, 0x00, 0x00], 0x41), [0xF0, 0x7F, 0x7F, 0x06, 0x02, 0xF7],
            [0xF0, 0x43, 0x00, 0x4C, 0x00, 0x00, 0xF7], Self.gs([0x40, 0x60, 0x00], 1))
        #expect(music.entries.count == 7 && music.entries.allSatisfy { !$0.isSound }, "\(music.entries)")
    }

    @Test func parametersOfGM2AreFollowed() {
        let music = Self.count(
            [0xF0, 0x7F, 0x7F, 0x09, 0x01, 0x00, 0x00, 0x50, 0xF7], [0xF0, 0x7F, 0x7F, 0x0A, 0x01, 0x09, 0x26, 0x07, 0x20, 0xF7],
            [0xF0, 0x7F, 0x7F, 0x04, 0x01, 0x00, 0x40, 0xF7])
        #expect(music.entries.isEmpty)
    }

    @Test func effectsAreCountedWhereTheyAreAskedFor() {
        let efx = { (low: UInt8) in
            [Self.gs([0x40, 0x03, 0x00], 1, low), Self.gs([0x40, 0x41, 0x22], 1), Self.gs([0x40, 0x03, 0x03], 5)]
        }
        #expect(Self.count(efx(0x10)).entries.isEmpty && Self.count([efx(0x72)[0]]).entries.isEmpty)
        #expect(Self.count(efx(0x72)).entries.map(\.title) == ["GS insertion effect Lo-Fi 1 (40 4x 22)"])
        #expect(Self.count(Self.gs([0x50, 0x41, 0x22], 1)).entries.map(\.address) == ["50 4x 22"])
    }

    @Test func typesOfXGAreCountedWhereTheyWouldBeHeard() {
        let talks = Self.xg([0x03, 0x00, 0x00], 0x5D, 0), part = Self.xg([0x03, 0x00, 0x0C], 2)
        #expect(Self.count(talks).entries.isEmpty && Self.count(part, Self.xg([0x03, 0x00, 0x00], 0x4A, 0)).entries.isEmpty)
        #expect(Self.count(part, talks).entries.map(\.name) == ["XG insertion effect Talking Modulator"])
        #expect(Self.count(talks, part).entries.map(\.count) == [1])
        // The variation is a delay of three from power-on.
        let system = Self.xg([0x02, 0x01, 0x5A], 1)
        #expect(Self.count(system).entries.map(\.name) == ["XG variation Delay L,C,R"])
        #expect(Self.count(Self.xg([0x02, 0x01, 0x40], 0x46, 0), system).entries.isEmpty)
        #expect(Self.count(Self.xg([0x02, 0x01, 0x40], 0x45, 1), system).entries.map(\.count) == [1])
    }

    /// The tables say what the interpreter does: of each row one address, with every value that is not at rest.
    @Test(arguments: ["GS", "XG"]) func theTablesSayWhatIsFollowed(_ standard: String) {
        let table = standard == "GS" ? ExclusiveParameter.roland : ExclusiveParameter.yamaha
        for (index, row) in table.enumerated() {
            let parts = row.address.replacing("x", with: "0").split(separator: " ").map { $0.split(separator: "-")[0] }
            let address = parts.compactMap { UInt8($0, radix: 16) }
            #expect(
                address.count == 3 && ExclusiveParameter.find(address, in: table) == index,
                "\(row.address) is hidden by another row")
            var isObeyed = false, isCounted = false
            for value in UInt8(0)..<128 {
                // What is written in four nibbles needs all of them.
                let isTuned = [.masterTune, .pitchOffset].contains(row.meaning), message: [UInt8]
                if standard == "GS" {
                    // A type of GS has two bytes.
                    let isType = address == [0x40, 0x03, 0x00]
                    message =
                        isTuned
                        ? Self.gs(address, 0, value & 15, 0, 0) : isType ? Self.gs(address, 1, value) : Self.gs(address, value)
                } else {
                    message = isTuned ? Self.xg(address, 0, value & 15, 0, 0) : Self.xg(address, value)
                }
                var interpreter = SystemExclusive(), music = UnfollowedMusic()
                // Parameters of an effect are those of its type.
                let type: UInt8 = [0x30, 0x42].contains(address[2]) ? 0x06 : 0x48
                for chosen in [
                    Self.gs([0x40, 0x03, 0x00], 1, 0x10), Self.xg([0x03, 0x00, 0x00], type, 0),
                    Self.xg([0x02, 0x01, 0x40], type, 0),
                ] {
                    _ = interpreter.events(from: chosen, port: 0)
                    music.take(exclusive: chosen, port: 0)
                }
                let events = interpreter.events(from: message, port: 0)
                music.take(exclusive: message, port: 0)
                isObeyed = isObeyed || !events.isEmpty
                // A recording writes a message that means the same.
                for case .part(let setting, let value, let key, let part) in events {
                    let written = ExclusiveParameter.message(setting, value, key: key, channel: part & 15)
                    let again = written.map { interpreter.events(from: $0, port: 0) } ?? []
                    #expect(again.contains(.part(setting, value, key: key, part: part)), "\(row.name) \(value)")
                }
                isCounted = isCounted || !music.entries.isEmpty
                #expect(events.isEmpty || music.entries.isEmpty, "\(row.name) is obeyed and counted at \(value)")
            }
            #expect(isObeyed == row.isFollowed && isCounted != row.isFollowed, "\(row.name) is not as the table says")
        }
    }
}
