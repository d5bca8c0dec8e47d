import Carillon
import CarillonTestKit
import Glibc
import Graphs
import MIDI
import RealtimeCore
import RemoteIO
import TestUnits
import Testing

@testable import EngineCore
@testable import Sessions
@testable import SongRendering

/// Thousands of changes at random, of patches with anything in them, while anything is played: nothing hangs, nothing is
/// lost, nothing is left. tools/soak has ten thousand of them.
extension SetListTests {
    @Suite struct SoakTests {
        static let count = getenv("CARILLON_SOAK_EDITS").flatMap { Int(String(cString: $0)) } ?? 300

        @Test func noNoteHangsAndNothingIsLeft() throws {
            // Other suites have bells too, and run in this process.
            let others = Bell.alive.load(ordering: .relaxed)
            var random = SeededRandom(seed: 51)
            var split = SetListSamples.bells(hasLimiter: true)
            split.units[0].parts = PartList(0..<32)
            split.zones = [
                ZoneSessionTests.zone("low", "bell", keys: "0-B3"), ZoneSessionTests.zone("high", "bell") { $0.channel = 17 - 1 },
            ]
            let patches = [
                SetListSamples.bells(), SetListSamples.bells(hasLimiter: true), split, SetListSamples.bells(hasReverb: true),
                SetListSamples.bells(hasDrone: true), SetListSamples.bells(hasLimiter: true, hasReverb: true),
            ]
            var options = SetListSamples.options(patches)
            // What is kept for a recording is not what is held for nothing.
            options.recording.minutes = 0.05
            let port = SlicePort(longestSlice: 512), session = try Session(options, on: port)
            try session.start()
            var down: Set<UInt8> = [], held: [Int] = [], bells: [Int] = [], changes = 0, ringing = 0, pedal = false

            func pass(_ frames: Int) throws {
                for start in stride(from: 0, to: frames, by: 512) { _ = port.pull(min(512, frames - start)) }
                try session.maintain()
            }
            /// Keys and pedals up, back to the first patch, everything rung out: what is left is what was there at first.
            func settle() throws {
                for key in down.sorted() { try session.receive(.noteOff(key)) }
                if pedal { try session.receive(.controller(64, 0)) }
                (down, pedal) = ([], false)
                // What is ready in the end is always the same.
                for number in [6, 3, 2, 1] {
                    try session.perform(.patch(.number(number)))
                    for _ in 0..<20 { try pass(480) }
                }
                for _ in 0..<4000 where session.snapshot.patches.map({ $0.ringing > 0 || $0.number != 1 }) ?? true {
                    try pass(480)
                }
                #expect(session.snapshot.patches?.ringing == 0)
                for _ in 0..<100 { try pass(480) }
                let graph = session.engine.graph
                #expect(
                    graph.nodes.map(\.name) == ["bell", "mixer", "set-list.sum", "set-list.meter"], "after \(changes) changes")
                #expect(graph.node(named: "bell")?.instance.readout("voices") == 0, "a note hangs after \(changes) changes")
                bells.append(Bell.alive.load(ordering: .relaxed) - others)
                if let bytes = HeldMemory.bytes { held.append(bytes) }
            }

            while changes < Self.count {
                for _ in 0..<Int.random(in: 0...3, using: &random) {
                    let key = UInt8.random(in: 40...80, using: &random)
                    if down.remove(key) != nil {
                        try session.receive(.noteOff(key))
                    } else if down.count < 6 {
                        down.insert(key)
                        try session.receive(.noteOn(key, velocity: UInt8.random(in: 1...127, using: &random)))
                    }
                }
                if Int.random(in: 0..<6, using: &random) == 0 {
                    pedal.toggle()
                    try session.receive(.controller(64, pedal ? 127 : 0))
                }
                let before = session.snapshot.patches?.number
                let place: PatchPlace =
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0: .next
                    case 1: .previous
                    default: .number(Int.random(in: 1...patches.count, using: &random))
                    }
                try session.perform(.patch(place))
                try pass(Int.random(in: 1...2000, using: &random))
                let now = try #require(session.snapshot.patches)
                if now.number != before { changes += 1 }
                ringing = max(ringing, now.ringing)
                #expect(now.ready <= LiveOptions().list.ready && now.ringing <= RingingUnits.mostPatches)
                if changes % 50 == 0, now.number != before { try settle() }
            }
            try settle()
            let counters = session.engine.renderer.counters
            #expect(counters.lostEvents == 0 && counters.unheardEvents == 0 && counters.faults == 0 && counters.lateEvents == 0)
            #expect(ringing == RingingUnits.mostPatches, "as many rang as may")
            // The one that sounds and those that are ready. Bells of other suites come and go; what is left behind stays.
            #expect((bells.suffix(3).min() ?? .max) <= 1 + LiveOptions().list.ready, "\(bells) bells")
            try session.finish()
            // Tables grow to their size. A unit, an edge or a name that is left behind would be hundreds of bytes for each change.
            if held.count >= 8 {
                func mean(_ bytes: ArraySlice<Int>) -> Int { bytes.reduce(0, +) / bytes.count }
                let half = held.count / 2, quarter = held.count * 3 / 4
                let growth = mean(held[quarter...]) - mean(held[half..<quarter])
                #expect(growth < 128 * changes / 4, "\(growth) bytes in \(changes / 4) changes: \(held)")
            }
            print("\(changes) changes; bytes held", held.isEmpty ? "not counted" : "\(held)")
        }
    }
}
