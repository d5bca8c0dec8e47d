import Testing

@testable import MIDI

struct MPEZonesTests {
    /// Sixteen channels, and their zones.
    private struct Port: ~Copyable {
        let parts = UnsafeMutablePointer<Part>.allocate(capacity: 16)
        var zones = MPEZones()
        init() { parts.initialize(repeating: Part(mode: .melodic), count: 16); parts[9].mode = .drums }
        deinit { parts.deallocate() }
        mutating func configure(_ channel: UInt8, _ members: UInt8) -> UInt16 {
            zones.configure(channel, members: members, parts: parts)
        }
        var managers: [UInt8] { (UInt8(0)..<16).map { zones.manager(of: $0) } }
        var ranges: [Double] { (0..<16).map { parts[$0].bendRange / 100 } }
    }

    @Test func withoutAZoneEveryChannelSpeaksForItself() {
        let port = Port()
        #expect(port.managers == Array(0..<16))
        for channel in UInt8(0)..<16 {
            #expect(!port.zones.isMember(channel) && port.zones.reach(of: channel) == channel..<(channel + 1))
        }
    }

    @Test func zonesGrowFromTheirManagers() {
        var port = Port()
        #expect(port.configure(0, 3) == 0b1111)
        #expect(port.managers == [0, 0, 0, 0, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])
        #expect(port.zones.reach(of: 0) == 0..<4 && port.zones.reach(of: 2) == 2..<3)
        #expect(port.configure(15, 2) == 0b1110_0000_0000_0000)
        #expect(port.managers == [0, 0, 0, 0, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 15, 15])
        #expect(port.zones.reach(of: 15) == 13..<16)
        #expect(port.ranges == [2, 48, 48, 48, 2, 2, 2, 2, 2, 2, 2, 2, 2, 48, 48, 2])
        // Any other channel cannot manage.
        for channel in UInt8(1)..<15 { #expect(port.configure(channel, 5) == 0) }
        #expect(port.configure(0, 0) == 0b1111)
        #expect(port.managers == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 15, 15])
        #expect(port.ranges[0..<4] == [2, 2, 2, 2])
    }

    @Test func aZoneInTheWayGivesItsChannelsUp() {
        var port = Port()
        _ = port.configure(0, 10)
        // Channels 5...10 change hands, 11...14 are new, and so is their manager.
        #expect(port.configure(15, 10) == 0b1111_1111_1110_0000)
        #expect(port.zones.lower == 4 && port.zones.upper == 10)
        // All sixteen: there is no other zone.
        _ = port.configure(0, 15)
        #expect(port.zones.lower == 15 && port.zones.upper == 0)
        #expect(port.managers == [UInt8](repeating: 0, count: 16))
        _ = port.configure(15, 14)
        #expect(port.zones.lower == 0 && port.zones.upper == 14)
        _ = port.configure(15, 100)
        #expect(port.zones.upper == 15 && port.zones.reach(of: 15) == 0..<16)
    }

    @Test func aChannelThatBecomesAMemberBeginsAnew() {
        var port = Port()
        port.parts[1].bend = 4_000
        port.parts[1].push(60)
        port.parts[5].bend = 4_000
        _ = port.parts[1].controls((64, 127), (7, 30))
        _ = port.configure(0, 2)
        #expect(port.parts[1].bend == 0 && port.parts[1].newestKey == nil && !port.parts[1].isSustained)
        #expect(port.parts[1].value(of: 7) == 30 && port.parts[5].bend == 4_000)
        // The tenth channel is no drum part while it plays single notes.
        _ = port.configure(0, 9)
        #expect(port.parts[9].mode == .melodic)
        _ = port.configure(0, 2)
        #expect(port.parts[9].mode == .drums && port.parts[9].bendRange == 200 && port.parts[8].mode == .melodic)
    }

    @Test func theSameZoneAgainEndsNoNotesButHasItsBendRangesBack() {
        var port = Port()
        _ = port.configure(0, 4)
        port.parts[2].bendRange = 1_200
        port.parts[2].bend = 100
        port.parts[7].bendRange = 700
        #expect(port.configure(0, 4) == 0)
        #expect(port.ranges[0..<8] == [2, 48, 48, 48, 48, 2, 2, 7] && port.parts[2].bend == 100)
    }

    @Test func theBendRangeOfOneMemberIsThatOfAll() {
        var port = Port()
        _ = port.configure(0, 3)
        _ = port.configure(15, 2)
        port.parts[2].registered(0, 24)
        port.zones.shareBendRange(of: 2, parts: port.parts)
        #expect(port.ranges == [2, 24, 24, 24, 2, 2, 2, 2, 2, 2, 2, 2, 2, 48, 48, 2])
        port.parts[15].registered(0, 12)
        port.zones.shareBendRange(of: 15, parts: port.parts)
        #expect(port.ranges[12...] == [2, 48, 48, 12])
    }

    @Test func theManagersBendPressureAndBrightnessAreAdded() {
        var port = Port()
        _ = port.configure(0, 3)
        for channel in [0, 2, 6] {
            port.parts[channel].bend = 4_096
            port.parts[channel].pressure = channel == 0 ? 50 : 20
            port.parts[channel].controls((74, 84))
        }
        port.parts[1].pressure = 90
        let zones = port.zones, parts = UnsafePointer(port.parts)
        #expect(zones.cents(0, parts: parts) == 100 && zones.cents(1, parts: parts) == 100)
        #expect(zones.cents(2, parts: parts) == 2_500 && zones.cents(6, parts: parts) == 100)
        #expect([0, 1, 2, 6].map { zones.pressure($0, parts: parts) } == [50, 90, 50, 20])
        #expect([0, 1, 2, 6].map { zones.brightness($0, parts: parts) } == [20, 20, 40, 20])
        port.parts[2].controls((74, 127))
        #expect(zones.brightness(2, parts: parts) == 63)
    }
}
