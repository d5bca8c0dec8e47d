import CarillonTestKit
import Graphs
import SoundFonts
import Testing

@testable import FluidSynthUnit

/// What was played live on a SoundFont sounds the same when its journal is rendered.
@Suite struct JournalTests {
    @Test(arguments: [UInt64(1), 2]) func theJournalOfASoundFontReplaysBitForBit(_ seed: UInt64) throws {
        let properties = SoundFontSelection.properties([.init(path: SoundFontRig.timGM)])
        let played = try SoundFontRig(properties: properties)
        let events = played.rig.improvise(seed: seed, frames: 60_000, node: played.node)
        #expect(events.count > 500 && played.rig.renderer.counters.lateLiveEvents > 50)
        #expect(played.rig.violations.total == 0, "\(played.rig.violations)")
        #expect(played.rig.recording[0].contains { abs($0) > 0.01 })
        for block in [1, 64, 333, 4096] {
            let again = try SoundFontRig(properties: properties)
            again.rig.replay(events, frames: 60_000, block: block)
            #expect(again.rig.recording == played.rig.recording, "in slices of \(block)")
        }
    }
}
