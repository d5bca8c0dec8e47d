import CarillonTestKit
import MIDI
import RealtimeCore
import SoundFonts
import Testing
import UnitAPI

@testable import Graphs
@testable import Samplers

@Suite(.serialized) struct SamplerLawTests {
    /// A sample that begins at the top of a wave: samples of instruments begin with a zero, which nobody hears.
    @Test(arguments: OutputBuses.allCases) func itKeepsTheLawsOfAllUnits(_ buses: OutputBuses) throws {
        var font = TinySoundFont()
        font.generators = [(54, 1), (0, 25)]
        try font.write { path in try checkLaws(path, buses) }
    }

    private func checkLaws(_ path: String, _ buses: OutputBuses) throws {
        let chosen = [UnitDescriptor.busesProperty: PropertyValue.text(buses.rawValue)]
        let unit = UnitUnderTest(
            descriptor: try Sampler.descriptor.fitted(to: chosen), specs: Sampler.Parameter.allCases.map(\.spec),
            sampleRates: [8_000, 22_050, 44_100, 48_000, 88_200, 96_000, 192_000]
        ) { (setup) throws(UnitError) in
            var setup = setup
            setup.properties = SoundFontSelection.properties([.init(path: path)]).merging(chosen) { $1 }
            return try UnitInstance.make(Sampler.self, setup)
        }
        let broken = try checkUnit(unit)
        #expect(broken.isEmpty, "\(broken)")
    }

    /// A song with everything in it: pedals, bends, portamento, drums.
    private static func song() throws -> [TimedMusicEvent] {
        try SamplerRig.timeline(SamplerRig.songs + "/glass-bridge.mid").filter { $0.time.rawValue < 48_000 * 8 }
    }

    @Test(arguments: [1, 7, 64, 1_000, 4_096]) func slicesChangeNoBit(block: Int) throws {
        let events = try Self.song(), frames = 48_000 * (block == 1 ? 2 : 8)
        let whole = try SamplerRig("embedded").play(events, frames: frames, block: 512)
        let cut = try SamplerRig("embedded").play(events, frames: frames, block: block)
        let loudest = whole[0].reduce(0) { max($0, abs($1)) }
        #expect(loudest > 0.01)
        #expect(whole == cut)
    }

    @Test func aResetUnitIsANewOne() throws {
        let events = try Self.song(), frames = 48_000 * 2
        let new = try SamplerRig("embedded").play(events, frames: frames)
        let rig = try SamplerRig("embedded")
        _ = rig.play(events, frames: frames)
        rig.unit.reset()
        let again = SamplerRig.shifted(events, by: frames)
        let both = rig.play(again, frames: frames)
        #expect(Array(both[0].suffix(frames)) == new[0] && Array(both[1].suffix(frames)) == new[1])
    }
}
