import CarillonTestKit
import Glibc
import Graphs
import MIDI
import RealtimeCore
import SoundFonts
import Testing
import UnitAPI

@testable import FluidSynthUnit

@Suite(.serialized) struct FluidSynthUnitTests {
    private let timGM = SoundFontLibrary.Source(path: SoundFontRig.timGM)

    private func peak(_ samples: [[Float]]) -> Float { samples.joined().reduce(0) { max($0, abs($1)) } }

    @Test(arguments: OutputBuses.allCases) func itKeepsTheLawsOfAllUnits(_ buses: OutputBuses) throws {
        let chosen = [UnitDescriptor.busesProperty: PropertyValue.text(buses.rawValue)]
        let unit = UnitUnderTest(
            descriptor: try FluidSynth.descriptor.fitted(to: chosen), specs: FluidSynth.Parameter.allCases.map(\.spec),
            sampleRates: [8_000, 22_050, 44_100, 48_000, 88_200, 96_000]
        ) { (setup) throws(UnitError) in
            var setup = setup
            setup.properties = SoundFontSelection.properties([.init(path: SoundFontRig.timGM)]).merging(chosen) { $1 }
            return try UnitInstance.make(FluidSynth.self, setup)
        }
        let broken = try checkUnit(unit)
        #expect(broken.isEmpty, "\(broken)")
    }

    @Test func afterAResetItSoundsLikeANewOneToWithinMinus180Decibels() throws {
        let rig = try SoundFontRig(properties: SoundFontSelection.properties([timGM]))
        for time in [0, 64_000] {
            for (offset, key) in [(0, 60), (64, 64), (700, 72)] {
                rig.rig.send(SoundFontRig.note(0, UInt8(key), 100).event, to: rig.node, at: time + offset)
            }
            if time == 0 {
                rig.rig.render(64_000)
                _ = rig.rig.renderer.send(RenderCommand(time: SampleTime(64_000), node: rig.node, event: .reset))
            }
        }
        rig.rig.render(32_000)
        let samples = rig.rig.recording[0]
        var difference: Float = 0
        for frame in 0..<32_000 { difference = max(difference, abs(samples[frame] - samples[64_000 + frame])) }
        #expect(peak(rig.rig.recording) > 0.01 && difference < 1e-9, "difference \(difference)")
        #expect(rig.rig.violations.total == 0, "\(rig.rig.violations)")
    }

    @Test(arguments: ["pachelbel-canon.mid", "drum-groove.mid", "sea-wall.mid"])
    func itSoundsAsTheBareLibraryDoes(song: String) throws {
        let events = try SoundFontRig.timeline(song)
        let frames = 48_000 * 12
        let rig = try SoundFontRig(properties: SoundFontSelection.properties([timGM], playing: SoundFontRig.scan(events)))
        let ours = rig.play(events, frames: frames)
        let bare = BareFluidSynth(SoundFontRig.timGM).play(events, frames: frames)
        #expect(peak(bare) > 0.02)
        var difference: Float = 0
        for channel in 0..<2 {
            for frame in 0..<frames { difference = max(difference, abs(ours[channel][frame] - bare[channel][frame])) }
        }
        #expect(difference < 1e-6, "-120 dBFS; difference \(difference)")
        #expect(rig.unit.readout("unplayable-notes") == 0)
        #expect(rig.rig.violations.total == 0, "\(rig.rig.violations)")
    }

    @Test func blockSizeDoesNotChangeABit() throws {
        let events = try SoundFontRig.timeline("blue-lantern.mid")
        let properties = SoundFontSelection.properties([timGM], playing: SoundFontRig.scan(events))
        let reference = try SoundFontRig(properties: properties).play(events, frames: 150_000, block: 64)
        #expect(peak(reference) > 0.01)
        for block in [1, 17, 256, 4_096] {
            let other = try SoundFontRig(properties: properties).play(events, frames: 150_000, block: block)
            #expect(firstDifference(reference, other) == nil, "block \(block)")
        }
    }

    @Test func notesStartOnTheNextMultipleOf64Frames() throws {
        let ramp = 3
        var font = TinySoundFont()
        // Starts at full level, so that the first frame of a note is no zero.
        font.sample[0] = 25
        font.generators = [(54, 0)]
        try font.write { path in
            var random = SeededRandom(seed: 3)
            let onsets = (0..<300).map { 100 + $0 * 1_600 + Int(random.next() % 500) }
            let events = onsets.map { SoundFontRig.note($0, 69, 100) }
            for block in [64, 333] {
                let rig = try SoundFontRig(properties: SoundFontSelection.properties([.init(path: path)]))
                let samples = rig.play(events, frames: 300 * 1_600 + 1_000, block: block)[0]
                for onset in onsets {
                    let first = samples[onset...].firstIndex { abs($0) > 1e-6 } ?? -1
                    let late = first - onset
                    // The library's gain ramp hides the very first frame.
                    #expect((0...63 + ramp).contains(late), "late by \(late)")
                    #expect((0...ramp).contains(first - (onset + 63) / 64 * 64))
                }
            }
        }
    }

    @Test func eachChannelSoundsOnItsOwnBusAndTheBusesAddUp() throws {
        for (mask, expected) in [(0xFFFF, 16), (0b1, 1), (0b10_0000_0001, 2), (0b101, 3), (0, 1)] {
            var setup = UnitSetup(sampleRate: 48_000, properties: SoundFontSelection.properties([timGM]))
            setup.properties["used-channels"] = .integer(mask)
            let count = try FluidSynthSetup(setup).groupCount
            #expect(count == expected)
        }
        let rig = OfflineRig(maximumFrames: 512)
        let unit = try UnitInstance.make(
            FluidSynth.self, rig.setup(properties: SoundFontSelection.properties([timGM])))
        let node = try rig.graph.add(unit)
        try rig.graph.setOutput(node, bus: 4)
        try rig.publish()
        rig.send(SoundFontRig.note(0, 60, 100, channel: 3).event, to: node, at: 0)
        rig.render(4_096)
        #expect(peak(rig.recording) == 0)
        rig.send(SoundFontRig.note(0, 60, 100, channel: 4).event, to: node, at: 4_096)
        rig.render(8_192)
        #expect(peak(rig.recording) > 0.001)
    }

    @Test func nothingForbiddenHappensWhileRendering() throws {
        var events: [TimedMusicEvent] = []
        var random = SeededRandom(seed: 11)
        var scan = PresetScan()
        for step in 0..<4_000 {
            let time = step * 40
            let channel = UInt8(random.next() % 16)
            let a = UInt8(random.next() % 128)
            let b = UInt8(random.next() % 128)
            let status: [UInt8] = [0x90, 0x90, 0x90, 0x80, 0xA0, 0xB0, 0xB0, 0xC0, 0xD0, 0xE0]
            let kind = status[Int(random.next() % UInt64(status.count))]
            events.append(SoundFontRig.message(time, kind | channel, kind == 0xC0 ? a % 8 : a, b))
            if step % 500 == 250 {
                let reset = SystemReset.allCases[step / 500 % SystemReset.allCases.count]
                events.append(.init(time: SampleTime(Int64(time)), event: .reset(reset, port: 0)))
                events.append(.init(time: SampleTime(Int64(time)), event: .masterTuning(cents: 30, port: 0)))
                events.append(.init(time: SampleTime(Int64(time)), event: .masterVolume(0.5, port: 0)))
                events.append(.init(time: SampleTime(Int64(time)), event: .partMode(.drums, port: 0, channel: 3)))
            }
        }
        for event in events { scan.apply(event.event) }
        for playing in [scan, nil] {
            // Few voices, so that they are stolen all the time.
            let rig = try SoundFontRig(
                properties: SoundFontSelection.properties([timGM], playing: playing), startValues: ["polyphony": 24])
            let samples = rig.play(events, frames: 170_000)
            #expect(peak(samples) > 0.01)
            #expect(rig.rig.violations.total == 0, "\(rig.rig.violations)")
            #expect(rig.unit.readout("unplayable-notes") == 0)
        }
    }

    @Test func presetsThatWereNotLoadedStaySilentAndAreCounted() throws {
        var scan = PresetScan()
        scan.apply(SoundFontRig.note(0, 60, 100).event)
        let rig = try SoundFontRig(properties: SoundFontSelection.properties([timGM], playing: scan))
        let events = [
            SoundFontRig.message(0, 0xC0, 40), SoundFontRig.note(64, 60, 100),
            SoundFontRig.note(64, 60, 100, channel: 5),
        ]
        #expect(peak(rig.play(events, frames: 4_096)) == 0)
        #expect(rig.unit.readout("unplayable-notes") == 2)
        #expect(rig.rig.violations.total == 0, "\(rig.rig.violations)")
    }

    @Test func masterVolumeAndTuningAreObeyed() throws {
        func render(_ event: MusicEvent?) throws -> [Float] {
            try TinySoundFont().write { path in
                let rig = try SoundFontRig(properties: SoundFontSelection.properties([.init(path: path)]))
                var events = [SoundFontRig.note(64, 69, 100)]
                if let event { events.insert(.init(time: .zero, event: event), at: 0) }
                return rig.play(events, frames: 48_000)[0]
            }
        }
        func crossings(_ x: [Float]) -> Int { zip(x.dropFirst(), x).count { $0 >= 0 && $1 < 0 } }
        let plain = try render(nil)
        let half = try render(.masterVolume(0.5, port: 0))
        // It came in silence: the note starts at its level.
        for frame in 64..<48_000 { #expect(abs(half[frame] - plain[frame] / 2) < 1e-5) }
        let up = try render(.masterTuning(cents: 1_200, port: 0))
        #expect(abs(Double(crossings(up)) / Double(crossings(plain)) - 2) < 0.02)
    }

    @Test func masterVolumeThatOutlastsTheLastVoiceIsTheSameInEveryBlock() throws {
        try TinySoundFont().write { path in
            let properties = SoundFontSelection.properties([.init(path: path)])
            for time in stride(from: 64, to: 1_600, by: 64) {
                let events: [TimedMusicEvent] = [
                    SoundFontRig.note(0, 69, 100), SoundFontRig.message(960, 0x80, 69),
                    .init(time: SampleTime(Int64(time)), event: .masterVolume(0.5, port: 0)),
                    SoundFontRig.note(16_000, 69, 100),
                ]
                let sorted = events.sorted { $0.time < $1.time }
                let small = try SoundFontRig(properties: properties).play(sorted, frames: 20_000, block: 64)
                let large = try SoundFontRig(properties: properties).play(sorted, frames: 20_000, block: 4_096)
                #expect(firstDifference(small, large) == nil, "at \(time)")
            }
        }
    }

    @Test func aResetPutsEveryControllerBack() throws {
        let properties = SoundFontSelection.properties([timGM])
        let disturbed: [TimedMusicEvent] = [
            SoundFontRig.message(0, 0xB0, 7, 20), SoundFontRig.message(0, 0xB0, 10, 0),
            SoundFontRig.message(0, 0xB0, 74, 9),
            SoundFontRig.message(0, 0xE0, 0, 0), SoundFontRig.message(0, 0xB0, 101, 0),
            SoundFontRig.message(0, 0xB0, 100, 2),
            SoundFontRig.message(0, 0xB0, 6, 70), SoundFontRig.message(0, 0xB0, 126, 1),
            SoundFontRig.message(0, 0xC0, 9),
            SoundFontRig.message(0, 0xB0, 91, 100), .init(time: .zero, event: .masterTuning(cents: 50, port: 0)),
            .init(time: .zero, event: .reset(.gs, port: 0)),
        ]
        let note = [SoundFontRig.note(64, 60, 100), SoundFontRig.note(640, 64, 100)]
        let fresh = try SoundFontRig(properties: properties).play(note, frames: 20_000)
        let after = try SoundFontRig(properties: properties).play(disturbed + note, frames: 20_000)
        #expect(peak(fresh) > 0.01)
        #expect(firstDifference(fresh, after) == nil)
    }

    @Test func bendsWiderThanTheLibraryCanFollowAreClampedAndCounted() throws {
        let rig = try SoundFontRig(properties: SoundFontSelection.properties([timGM]), sampleRate: 8_000)
        var events = [
            SoundFontRig.message(0, 0xC0, 80), SoundFontRig.message(0, 0xB0, 101, 0),
            SoundFontRig.message(0, 0xB0, 100, 0),
            SoundFontRig.message(0, 0xB0, 6, 127), SoundFontRig.message(0, 0xE0, 127, 127),
            // The SoundFont's own way: generator 51, coarse tuning, to the top.
            SoundFontRig.message(0, 0xB0, 99, 120), SoundFontRig.message(0, 0xB0, 98, 51),
            SoundFontRig.message(0, 0xB0, 6, 127),
        ]
        events += (100..<128).map { SoundFontRig.note(64, UInt8($0), 100) }
        // Of this thread alone: a busy machine does not lengthen it.
        var start = timespec(), end = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start)
        _ = rig.play(events, frames: 8_000)
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end)
        #expect(end.tv_sec - start.tv_sec < 5)
        #expect(rig.unit.readout("clamped-values") == 2)
    }

    @Test func noDetourLeadsToAGeneratorWithoutBounds() throws {
        func render(_ controls: [(UInt8, UInt8)]) throws -> [[Float]] {
            let events = controls.map { SoundFontRig.message(0, 0xB0, $0.0, $0.1) } + [SoundFontRig.note(64, 60, 100)]
            return try SoundFontRig(properties: SoundFontSelection.properties([timGM])).play(events, frames: 8_000)
        }
        let plain = try render([])
        let detours: [[(UInt8, UInt8)]] = [
            [(6, 127), (6, 127)],    // data entry twice
            [(98, 103), (6, 127), (98, 0), (6, 127)],    // a number that is no digit
            [(101, 0), (100, 0), (98, 0), (6, 127)],    // a registered parameter between
        ]
        for detour in detours {
            let coarse: [(UInt8, UInt8)] = [(99, 120), (98, 51)]
            let heard = try render(coarse + detour)
            #expect(firstDifference(plain, heard) == nil, "\(detour)")
        }
    }

    @Test func aTuningProgramAllocatesNothing() throws {
        let rig = try SoundFontRig(properties: SoundFontSelection.properties([timGM]))
        let controls: [(UInt8, UInt8)] = [(101, 0), (100, 3), (6, 5), (100, 4), (6, 1)]
        let events = controls.map { SoundFontRig.message(64, 0xB0, $0.0, $0.1) } + [SoundFontRig.note(64, 60, 100)]
        #expect(peak(rig.play(events, frames: 4_096)) > 0)
        #expect(rig.rig.violations.total == 0, "\(rig.rig.violations)")
    }

    @Test func resetAllControllersLeavesTheTuningAlone() throws {
        func render(_ last: [TimedMusicEvent]) throws -> [[Float]] {
            let controls: [(UInt8, UInt8)] = [(101, 0), (100, 2), (6, 70), (100, 1), (6, 80)]
            let tuned = controls.map { SoundFontRig.message(0, 0xB0, $0.0, $0.1) }
            return try SoundFontRig(properties: SoundFontSelection.properties([timGM]))
                .play(tuned + last + [SoundFontRig.note(64, 60, 100)], frames: 8_000)
        }
        let tuned = try render([])
        let after = try render([SoundFontRig.message(0, 0xB0, 121)])
        #expect(firstDifference(tuned, after) == nil)
    }

    @Test func ratesThatTheLibraryCannotRunAtAreRefusedWithTheRange() {
        for rate in [7_999.0, 96_001, 192_000] {
            let refusal = UnitError.unsupportedSampleRate(unit: "fluidsynth", asked: rate, supported: 8_000...96_000)
            #expect(throws: refusal) {
                _ = try UnitInstance.make(FluidSynth.self, UnitSetup(sampleRate: rate))
            }
        }
    }

    @Test func aMissingSoundFontSaysSo() {
        let setup = UnitSetup(
            sampleRate: 48_000, properties: SoundFontSelection.properties([.init(path: "/proc/nowhere/x.sf2")]))
        let error = #expect(throws: UnitError.self) { _ = try UnitInstance.make(FluidSynth.self, setup) }
        guard case .resource("fluidsynth", let reason, .missing)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("/proc/nowhere/x.sf2"))
    }
}
