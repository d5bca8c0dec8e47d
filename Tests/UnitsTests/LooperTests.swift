import CarillonTestKit
import DSP
import Graphs
import Testing
import UnitAPI
import Units

@Suite struct LooperTests {
    private typealias State = (time: Int, parameter: Looper.Parameter, value: Float)
    private static let begin = 1_000, length = 10_007, fade = 128
    /// Parameter `state`.
    private static let empty: Float = 0, stopped: Float = 1, playing: Float = 2, recording: Float = 3, overdubbing: Float = 4
    private static let replacing: Float = 5

    /// What loops add to the input.
    private struct Heard {
        let loops: [[Float]]
        let whole: [[Float]]
        let unit: UnitInstance
        let violations: RenderViolations
    }

    private func play(
        _ input: [Float], _ changes: [State], frames: Int, block: Int = 512, seconds: Double = 2, track: Int = 0
    ) throws -> Heard {
        let rig = OfflineRig()
        let unit = try UnitInstance.make(Looper.self, rig.setup(properties: ["seconds": .number(seconds)]))
        let node = try rig.graph.add(unit)
        try rig.graph.connect(try rig.add(left: input, right: input.map { -$0 }), to: node)
        try rig.graph.setOutput(node)
        try rig.publish()
        var done = 0
        for change in changes.sorted(by: { $0.time < $1.time }) {
            // The queue of commands is short.
            if change.time > done + 4_096 {
                rig.render(change.time - done - 4_096, block: block)
                done = change.time - 4_096
            }
            let isGlobal = change.parameter.spec.scope == .global
            rig.set(change.parameter, change.value, element: isGlobal ? 0 : track, of: node, at: change.time)
        }
        rig.render(frames - done, block: block)
        let loops = rig.recording.enumerated().map { channel, sound in
            sound.enumerated().map { i, x in x - (i < input.count ? input[i] * (channel == 0 ? 1 : -1) : 0) }
        }
        return Heard(loops: loops, whole: rig.recording, unit: unit, violations: rig.violations)
    }

    /// A sound of the loop's length that is repeated until the loop has closed, and then ends.
    private static let sound = noise(amplitude: 0.25, frames: length)
    private static var input: [Float] {
        [Float](repeating: 0, count: begin) + sound + Array(sound.prefix(2 * fade))
    }
    private static let take: [State] = [(begin, .state, recording), (begin + length, .state, playing)]

    private func isSame(_ a: ArraySlice<Float>, _ b: [Float], _ within: Float = 1e-6) -> Bool {
        a.count == b.count && zip(a, b).allSatisfy { abs($0 - $1) <= within }
    }

    /// Round `number` of the loop, the one after the recording being 1.
    private func round(_ number: Int, _ heard: Heard) -> ArraySlice<Float> {
        let first = Self.begin + number * Self.length
        return heard.loops[0][first..<(first + Self.length)]
    }

    @Test func aLoopRepeatsToTheFrameAtAnyBlockSize() throws {
        let frames = Self.begin + 5 * Self.length
        let changes = Self.take + [(Self.begin + 3 * Self.length + 77, .state, Self.overdubbing)]
        let first = try play(Self.input, changes, frames: frames)
        for number in 2...3 { #expect(isSame(round(number, first), Self.sound), "round \(number)") }
        #expect(round(2, first).elementsEqual(round(3, first)))
        #expect(first.loops[1][(frames - 4_000)...].elementsEqual(first.loops[0][(frames - 4_000)...].map { -$0 }))
        for block in [16, 64, 333, 4096] {
            let other = try play(Self.input, changes, frames: frames, block: block)
            #expect(firstDifference(first.whole, other.whole) == nil, "block \(block)")
            #expect(other.violations.total == 0)
        }
    }

    @Test func layersAreTakenBackAndBroughtBack() throws {
        let length = Self.length, begin = Self.begin
        var input = Self.input + [Float](repeating: 0, count: 20 * length)
        let added = noise(amplitude: 0.1, frames: length, seed: 9)
        // In round 2 another sound comes, from the beginning to the end of the loop.
        for i in 0..<length { input[begin + 2 * length + i] = added[i] }
        let changes: [State] =
            Self.take + [
                (begin + 2 * length - Self.fade, .state, Self.overdubbing), (begin + 3 * length, .state, Self.playing),
                (begin + 4 * length - 500, .undone, 1), (begin + 5 * length - 500, .undone, 0),
            ]
        let heard = try play(input, changes, frames: begin + 7 * length), both = zip(Self.sound, added).map { $0 + $1 }
        #expect(isSame(round(3, heard).prefix(length - 600), Array(both.prefix(length - 600))))
        #expect(isSame(round(4, heard).prefix(length - 600), Array(Self.sound.prefix(length - 600))))
        #expect(isSame(round(6, heard), both))
        #expect(heard.unit.readout("layers-1") == 2 && heard.unit.readout("undone-1") == 0)
        // With both nothing is heard, and the loop goes on.
        let none = try play(
            input, changes + [(begin + 6 * length, .undone, 2), (begin + 8 * length, .undone, 1)], frames: begin + 10 * length)
        #expect(round(7, none).allSatisfy { $0 == 0 })
        #expect(isSame(round(9, none), Self.sound))
    }

    /// 1440 bars are an hour at 96 in four beats: each round begins on the frame that is nearest, and no sooner or later.
    @Test(arguments: [1, 2, 3, 5, 7, 8]) func aLoopOfBarsStaysInPhase(bars: Int) throws {
        let exact = 333.37 * Double(bars), frames = Int(exact), begin = 500, mark = 200
        var input = [Float](repeating: 0, count: begin + frames)
        input[begin + mark] = 0.5
        let changes: [State] = [
            (begin, .state, Self.recording), (begin + frames, .fraction, Float(exact - Double(frames))),
            (begin + frames, .state, Self.playing),
        ]
        let rounds = 1_440 / bars, end = begin + rounds * (frames + 1)
        let heard = try play(input, changes, frames: end)
        let times = heard.loops[0].indices.filter { heard.loops[0][$0] > 0.4 }
        #expect(times.count >= rounds - 2)
        for (number, time) in times.enumerated() {
            let place = Double(begin + frames + mark) + Double(number) * exact
            #expect(abs(Double(time) - place) <= 0.501, "round \(number + 1)")
        }
        if bars > 1 { return }
        let over = changes + [(begin + 50_000, .state, Self.overdubbing)], noise = input + noise(amplitude: 0.1, frames: 80_000)
        let first = try play(noise, over, frames: 80_000)
        for block in [16, 4096] {
            #expect(firstDifference(first.whole, try play(noise, over, frames: 80_000, block: block).whole) == nil)
        }
    }

    /// A round of another length is heard no more than any other, and a layer that goes over its seam has no gap.
    @Test(arguments: [Float(0.4), -0.4, 1, -1]) func aRoundOfAnotherLengthDoesNotClick(fraction: Float) throws {
        let begin = 1_000, length = 4_800, exact = Double(length) + Double(fraction)
        // Twenty waves in an exact round.
        let tone = sine(20 * 48_000 / exact, amplitude: 0.5, frames: begin + 30 * length, phase: 0)
        let take: [State] = [
            (begin, .state, Self.recording), (begin + length, .fraction, fraction), (begin + length, .state, Self.playing),
        ]
        // The layer is written over a seam and more.
        let layer: [State] = [
            (begin + 2 * length - 700, .state, Self.replacing), (begin + 3 * length + 700, .state, Self.playing),
        ]
        for (more, first) in [([], begin + length + 300), (layer, begin + 3 * length + 1_100)] as [([State], Int)] {
            let heard = try play(tone, take + more, frames: begin + 20 * length)
            let bend = steepestBend(heard.loops[0][first...]), own = steepestBend(tone[...])
            #expect(bend < 2 * own, "\(bend) in \(own)")
        }
    }

    @Test func theOldestOfFiveLayersGoesAndMemoryComesBack() throws {
        let length = Self.length, begin = Self.begin
        var changes = Self.take
        for number in 0..<7 {
            changes.append((begin + (2 + number) * length, .state, Self.overdubbing))
            changes.append((begin + (2 + number) * length + 5_000, .state, Self.playing))
        }
        let input = Self.input + noise(amplitude: 0.01, frames: 12 * length)
        let before = try play([], [], frames: 64).unit.readout("free")
        let heard = try play(input, changes, frames: begin + 10 * length)
        #expect(heard.unit.readout("layers-1") == 5)
        let undone = try play(input, changes + [(begin + 10 * length, .undone, 4)], frames: begin + 11 * length)
        #expect(undone.unit.readout("layers-1") == 1 && undone.unit.readout("undone-1") == 4)
        let cleared = try play(
            input, changes + [(begin + 10 * length, .state, Self.empty)], frames: begin + 11 * length)
        #expect(cleared.unit.readout("free") == before && cleared.unit.readout("layers-1") == 0)
    }

    /// What comes late, and says so, is as if it had come in time.
    @Test(arguments: [1, 100, 4_000]) func aLateStartCountsFromWhereItWasMeant(late: Int) throws {
        let begin = 5_000, length = Self.length, early = Float(late) / 48_000
        let sound = noise(amplitude: 0.25, frames: 8 * length)
        let wanted = try play(
            sound, [(begin, .state, Self.recording), (begin + length, .state, Self.playing)], frames: begin + 4 * length)
        let heard = try play(
            sound,
            [(0, .early, early), (begin + late, .state, Self.recording), (begin + length + late, .state, Self.playing)],
            frames: begin + 4 * length)
        let from = begin + length + late + 2 * Self.fade
        #expect(heard.unit.readout("length-1") == Float(length))
        #expect(isSame(heard.loops[0][from...], Array(wanted.loops[0][from...])))
        // An overdub that follows the recording at once.
        let over: [State] = [(begin, .state, Self.recording), (begin + length, .state, Self.overdubbing)]
        let overdubbed = try play(sound, over, frames: begin + 4 * length)
        let lateOver = try play(
            sound, [(0, .early, early)] + over.map { ($0.time + late, $0.1, $0.2) }, frames: begin + 4 * length)
        #expect(isSame(lateOver.loops[0][from...], Array(overdubbed.loops[0][from...]), 2e-6))
    }

    @Test func tracksDoWhatTheyAreAsked() throws {
        let length = Self.length, begin = Self.begin, at = begin + 2 * length, sound = Self.sound
        let silence = [Float](repeating: 0, count: length)
        let half = sound.map { $0 / 2 }
        // The parameters that change at the beginning of round 2, and what round 3 is.
        let cases: [([(Looper.Parameter, Float)], [Float], Float)] = [
            ([(.mute, 1)], silence, 0), ([(.state, Self.stopped)], silence, 0), ([(.state, Self.empty)], silence, 0),
            ([(.once, 1)], silence, 0), ([(.solo, 1)], sound, 1e-6), ([(.level, -6.0206)], half, 1e-5),
            ([(.pan, 50)], half, 1e-6), ([(.reverse, 1)], sound.reversed(), 1e-6), ([(.state, Self.replacing)], silence, 1e-6),
            ([(.feedback, 50), (.state, Self.overdubbing)], half, 1e-6), ([(.times, 3)], sound, 1e-6),
        ]
        for (values, wanted, within) in cases {
            let changes = Self.take + values.map { (at, $0.0, $0.1) }
            let heard = try play(Self.input, changes, frames: at + 2 * length)
            let reversed = values[0].0 == .reverse ? 1 : 0
            // A reversed loop goes on from the frame at which it turned.
            let first = at + length + reversed
            let round = heard.loops[0][(first + Self.fade)..<(first + length - Self.fade)]
            #expect(isSame(round, Array(wanted[Self.fade..<(length - Self.fade)]), within), "\(values)")
            #expect(heard.violations.total == 0, "\(values)")
        }
    }

    @Test func aLoopBeginsAnewAndAtOtherSpeeds() throws {
        let begin = Self.begin, length = 9_600
        // 50 rounds in the loop: it goes on without a seam.
        let tone = sine(250, amplitude: 0.5, frames: begin + length + 500, phase: 0)
        let take: [State] = [(begin, .state, Self.recording), (begin + length, .state, Self.playing)]
        for (speed, frequency) in [(0, 125.0), (1, 250), (2, 500)] as [(Float, Double)] {
            let heard = try play(tone, take + [(begin + 2 * length, .speed, speed)], frames: begin + 8 * length)
            let part = heard.loops[0][(begin + 3 * length)..<(begin + 7 * length)]
            #expect(abs(amplitude(part, at: frequency) - 0.5) < 0.003, "\(frequency) Hz")
            #expect(steepestBend(heard.loops[0][(begin + 3 * length)...]) < 2.2e-3 * 0.5 * 4 + 1e-3)
        }
        let sound = Self.sound, length2 = Self.length
        let heard = try play(
            Self.input, Self.take + [(begin + 2 * length2 + 3_000, .restart, 1)], frames: begin + 4 * length2)
        let first = begin + 2 * length2 + 3_000
        #expect(isSame(heard.loops[0][(first + 128)..<(first + 6_000)], Array(sound[128..<6_000])))
    }

    /// Nothing steps by more than what falls and rises within 128 frames.
    @Test func nothingClicks() throws {
        let begin = Self.begin, length = 7_001
        // Not a whole number of waves: the seam is a real one.
        let tone = sine(220, amplitude: 0.5, frames: begin + 12 * length)
        let take: [State] = [(begin, .state, Self.recording), (begin + length, .state, Self.playing)]
        let changes: [State] = [
            (0, .undone, 0), (0, .state, Self.stopped), (0, .mute, 1), (0, .reverse, 1), (0, .speed, 2), (0, .restart, 1),
            (0, .state, Self.overdubbing), (0, .state, Self.replacing), (0, .once, 1), (0, .state, Self.empty), (0, .times, 2),
        ]
        for change in changes {
            let at = begin + 2 * length + 1_234
            let heard = try play(
                tone,
                take + [(at, change.parameter, change.value), (at + 3_000, .state, Self.playing), (at + 4_000, .undone, 1)],
                frames: begin + 6 * length)
            let sound = heard.whole[0].dropFirst(begin)
            let step = zip(sound, sound.dropFirst()).reduce(Float(0)) { max($0, abs($1.1 - $1.0)) }
            // Three sounds of 0.5 at 220 Hz at twice the speed, and their fades.
            #expect(step < 3 * 0.5 * 2 * 0.0289 + 0.016, "\(change): \(step)")
        }
    }

    @Test func aRecordingThatFindsNoMemoryPlays() throws {
        let input = noise(amplitude: 0.25, frames: 9 * 48_000)
        let heard = try play(input, [(0, .state, Self.recording)], frames: 9 * 48_000, seconds: 1)
        #expect(heard.unit.readout("state-1") == 2 && heard.unit.readout("free") == 0)
        #expect(heard.unit.readout("length-1") == Float(8 * 48_000))
        #expect(heard.loops[0].suffix(20_000).contains { $0 != 0 })
    }

    @Test func itObeysTheLaws() throws {
        let broken = try checkUnit(UnitUnderTest(Looper.self))
        #expect(broken.isEmpty, "\(broken.map(\.description).joined(separator: "\n"))")
    }

    @Test func secondsAreChecked() {
        for seconds in [.number(0.5), .number(601), .text("long")] as [PropertyValue] {
            #expect(throws: UnitError.self) {
                try UnitInstance.make(Looper.self, OfflineRig().setup(properties: ["seconds": seconds]))
            }
        }
    }

    /// Four channels, noise of its own on each; a loop of the second pair, which moves to the first.
    @Test func aLoopHasThePairOfItsOutput() throws {
        let sounds = (0..<4).map { noise(amplitude: 0.25, frames: Self.length, seed: UInt64($0 + 1)) }
        let planes = sounds.map { [Float](repeating: 0, count: Self.begin) + $0 + $0.prefix(2 * Self.fade) }
        let frames = Self.begin + 4 * Self.length, move = Self.begin + 5 * Self.length / 2
        func heard(_ block: Int) throws -> [[Float]] {
            let rig = OfflineRig(channels: 4)
            let node = try rig.graph.add(
                try UnitInstance.make(Looper.self, rig.setup(properties: ["seconds": .number(2), "channels": .integer(4)])))
            try rig.graph.connect(try rig.add(channels: planes), to: node)
            try rig.graph.setOutput(node)
            try rig.publish()
            rig.set(Looper.Parameter.output, 2, of: node, at: 0)
            for (time, _, value) in Self.take { rig.set(Looper.Parameter.state, value, of: node, at: time) }
            rig.set(Looper.Parameter.output, 1, of: node, at: move)
            rig.render(frames, block: block)
            #expect(rig.violations.total == 0)
            return rig.recording
        }
        let whole = try heard(512), second = Self.begin + 2 * Self.length..<move, last = Self.begin + 3 * Self.length..<frames
        for side in 0...1 {
            #expect(isSame(whole[2 + side][second], Array(sounds[2 + side].prefix(second.count))))
            #expect(whole[side][second].allSatisfy { $0 == 0 } && whole[2 + side][last].allSatisfy { $0 == 0 })
            #expect(isSame(whole[side][last], sounds[2 + side]))
        }
        for block in [16, 333] { #expect(firstDifference(try heard(block), whole) == nil) }
    }
}
