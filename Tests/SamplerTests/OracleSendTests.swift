import CarillonTestKit
import Glibc
import MIDI
import Testing
import UnitAPI

@testable import Samplers

/// What zones send to the effects: generators 15 and 16 in tenths of a percent, on buses of their own.
@Suite struct OracleSendTests {
    private enum Bus { static let reverb = 16, chorus = 32 }

    /// The send's level as a part of the voice before pan.
    private func share(_ generators: [(Int, Int)], bus: Int, _ events: [(Int, MusicEvent)] = []) throws -> Double {
        let sound = try Oracle.play(OracleSoundFont(Oracle.step, [(54, 1)] + generators), frames: 2_000, events, bus: bus)
        return sound.gain(1_900) * Oracle.middle
    }

    @Test(arguments: [0, 100, 333, 1_000, 1_500]) func zonesSendTenthsOfAPercent(permille: Int) throws {
        let wanted = Double(min(permille, 1_000)) / 1_000
        #expect(abs(try share([(16, permille)], bus: Bus.reverb) - wanted) < 0.001)
        #expect(abs(try share([(15, permille)], bus: Bus.chorus) - wanted) < 0.001)
        #expect(try share([(16, permille)], bus: Bus.chorus) == 0 && share([(15, permille)], bus: Bus.reverb) == 0)
    }

    @Test func panDoesNotMoveTheSend() throws {
        for pan in [-500, 0, 500] {
            #expect(abs(try share([(16, 400), (17, pan)], bus: Bus.reverb) - 0.4) < 0.001)
        }
    }

    @Test func attenuationMovesTheSendWithTheVoice() throws {
        #expect(abs(try share([(16, 400), (48, 500)], bus: Bus.reverb) - 0.04) < 0.0001)
    }

    /// The strips send by controllers 91 and 93; a zone's own line goes beyond that.
    @Test func theStandardsLinesAreTheStrips() throws {
        let full: [(Int, MusicEvent)] = [(-50, .change(91, 127)), (-50, .change(93, 127))]
        #expect(try share([], bus: Bus.reverb, full) == 0 && share([], bus: Bus.chorus, full) == 0)
        let line = OracleSoundFont.Line(source: OracleSoundFont.controller(91), destination: 16, amount: 1_000)
        let sound = try Oracle.play(
            OracleSoundFont(Oracle.step, [(54, 1)], [line]), frames: 2_000, [(-50, .change(91, 64))], bus: Bus.reverb)
        #expect(abs(sound.gain(1_900) * Oracle.middle - 0.4) < 0.001)
    }

    @Test func sendsOfAChannelComeOutOnItsBus() throws {
        let font = OracleSoundFont(Oracle.step, [(54, 1), (16, 500)])
        let here = try Oracle(font, events: [.init(time: .zero, event: .key(60, on: 4))], frames: 2_000, bus: Bus.reverb + 4)
        let elsewhere = try Oracle(font, events: [.init(time: .zero, event: .key(60, on: 4))], frames: 2_000, bus: Bus.reverb)
        #expect(here.left.contains { $0 > 0.1 } && elsewhere.left.allSatisfy { $0 == 0 })
    }

    /// No share of a voice is added up for a bus that leads nowhere; the others have the same bits.
    @Test func aSendThatNobodyHearsChangesNothing() throws {
        let font = "\(SamplerRig.songs)/../soundfonts/carillon.sf2"
        let events = (0..<40).map { SamplerRig.note($0 * 700, UInt8(40 + $0), 100, channel: UInt8($0 % 12)) }
        func sound(hearing buses: Range<Int>) throws -> [[Float]] {
            let rig = try SamplerRig(font)
            let deaf = try rig.rig.graph.add(UnitInstance.boxing(BusSum(), rig.rig.setup()))
            for bus in buses { try rig.rig.graph.connect(rig.node, output: bus, to: deaf) }
            try rig.rig.publish()
            return rig.play(events, frames: 48_000)
        }
        let dry = try sound(hearing: 0..<0)
        #expect(dry[0].contains { abs($0) > 0.01 })
        #expect(firstDifference(dry, try sound(hearing: 16..<48)) == nil)
    }
}
