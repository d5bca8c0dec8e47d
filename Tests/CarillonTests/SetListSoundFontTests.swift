import Carillon
import CarillonTestKit
import Glibc
import Graphs
import MIDI
import Patches
import Testing

@testable import Sessions

/// Forty patches over several SoundFonts, Carillon's own and those that this computer has.
extension SetListTests {
    @Suite struct SoundFontTests {
        /// Carillon's own, and others where they are installed.
        static let fonts: [String] = {
            let others = ["sf2/TimGM6mb.sf2", "sf2/FluidR3_GM.sf2", "sf3/MuseScore_General_Lite.sf3"].map {
                "/usr/share/sounds/" + $0
            }
            return [RenderedSong.soundFont] + others.filter { path in access(path, R_OK) == 0 }
        }()

        /// A SoundFont through a strip with a send, and a zone that begins with a program of its own.
        private static func patch(_ number: Int) -> Patch {
            var patch = Patch()
            patch.soundFonts = [fonts[number % fonts.count]]
            var sampler = PatchUnit("sampler", "soundfont", role: .instrument)
            sampler.parts = PartList(0..<16)
            var strip = PatchUnit("strip-1", "channel-strip", role: .strip)
            strip.parts = PartList([0])
            var mixer = PatchUnit("mixer", "multichannel-mixer", role: .master)
            mixer.inputCount = 2
            patch.units = [sampler, strip, PatchUnit("reverb", "reverb", role: .send), mixer]
            patch.connections = [
                PatchConnection(PatchPort("sampler"), to: PatchPort("strip-1")),
                PatchConnection(PatchPort("strip-1"), to: PatchPort("mixer")),
                PatchConnection(PatchPort("strip-1", 1), to: PatchPort("reverb")),
                PatchConnection(PatchPort("reverb"), to: PatchPort("mixer", 1)),
            ]
            patch.outputs = [PatchPort("mixer")]
            patch.zones = [ZoneSessionTests.zone("all", "sampler") { $0.program = number * 3 % 128 }]
            return patch
        }

        @Test func fortyPatchesTakeOverFromEachOtherAtOnce() throws {
            var options = SetListSamples.options((0..<40).map(Self.patch))
            options.instrument = .soundFont([])
            let time = try SessionInTime(options), session = time.session
            var edits: [Int64] = [], programs: [UInt8] = [], bytes: Set<Int> = []
            session.onPerformance = { performance in
                edits += performance.edits.map(\.time.rawValue)
                for case .music(.message(let message)) in performance.entries.map(\.event) where message.kind == .programChange {
                    programs.append(message.data1)
                }
            }
            for number in 1...40 {
                try time.pass(0.1)
                var list = try #require(session.snapshot.patches)
                #expect(list.number == number && list.wanted == nil && list.ready <= LiveOptions().list.ready)
                #expect(list.isNextReady == (number < 40))
                #expect(session.snapshot.channels.first?.sound?.program == (number - 1) * 3 % 128)
                bytes.insert(list.sampleBytes)
                let key = UInt8(48 + number % 24)
                try session.receive(.noteOn(key))
                try time.pass(0.1)
                #expect(session.snapshot.channels.first.map { $0.level.peak > -60 } == true, "patch \(number) is silent")
                let asked = session.engine.renderer.sampleTime.rawValue, before = edits.count
                try session.perform(.patch(.next))
                try session.receive(.noteOff(key))
                try time.pass(0.02)
                list = try #require(session.snapshot.patches)
                #expect(list.number == min(number + 1, 40))
                // The change, and perhaps that something had rung out.
                if number < 40 { #expect(edits.dropFirst(before).contains { $0 - asked <= options.device.period }) }
            }
            #expect(programs == (0..<40).map { (number: Int) -> UInt8 in UInt8(number * 3 % 128) })
            // Each SoundFont is in memory once, however many patches play it.
            let all = try Self.fonts.map { try SoundFontFile(path: $0).sampleMemory }.reduce(0, +)
            #expect(bytes.max() ?? 0 <= all && bytes.min() ?? 0 > 0, "\(bytes) of \(all)")
            print(
                "40 patches over \(Self.fonts.count) SoundFonts; MB of samples: \((bytes.min() ?? 0) >> 20) to \((bytes.max() ?? 0) >> 20)"
            )
            try time.pass(35)
            #expect(session.snapshot.patches?.ringing == 0)
            let counters = session.engine.renderer.counters
            #expect(counters.lostEvents == 0 && counters.unheardEvents == 0 && counters.faults == 0)
            try session.finish()
        }

        /// Chosen by hand, left and found again.
        @Test func aSoundThatWasChosenIsThereAgain() throws {
            var options = SetListSamples.options((0..<3).map(Self.patch))
            options.instrument = .soundFont([])
            let time = try SessionInTime(options), session = time.session
            try time.pass(0.1)
            try session.perform(.program(channel: 1, bank: 0, program: 19))
            try time.pass(0.1)
            for place in [PatchPlace.next, .next, .previous, .previous] {
                #expect(
                    (session.snapshot.channels.first?.sound?.program == 19) == (session.snapshot.patches?.number == 1),
                    "\(session.snapshot.channels)")
                try session.perform(.patch(place))
                try time.pass(0.1)
            }
            #expect(session.snapshot.patches?.number == 1 && session.snapshot.channels.first?.sound?.program == 19)
            try session.finish()
        }
    }
}
