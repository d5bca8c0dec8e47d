import CarillonTestKit
import DSP
import Graphs
import Testing
import UnitAPI

@testable import TimePitch

@Suite(.serialized, .enabled(if: isInstalled, "librubberband2 is not installed")) struct PitchShiftTests {
    /// What comes out; `moves` are other pitches at their frames.
    private func play(
        _ sound: [Float], frames: Int? = nil, values: [String: Float] = [:], block: Int = 512, rate: Double = 48_000,
        moves: [(frame: Int, semitones: Float)] = []
    ) throws -> (heard: [[Float]], unit: UnitInstance) {
        let rig = OfflineRig(sampleRate: rate)
        let unit = try UnitInstance.make(PitchShift.self, rig.setup(startValues: values))
        let node = try rig.graph.add(unit)
        try rig.graph.connect(try rig.add(left: sound, right: sound), to: node)
        try rig.graph.setOutput(node)
        try rig.publish()
        for move in moves { rig.set(PitchShift.Parameter.semitones, move.semitones, of: node, at: move.frame) }
        rig.render(frames ?? sound.count, block: block)
        return (rig.recording, unit)
    }

    /// Short tones of 1 kHz under a bell, at `frames`.
    private func pings(at frames: [Int], count: Int) -> [Float] {
        var sound = [Float](repeating: 0, count: count)
        for frame in frames {
            for k in -300...300 {
                let bell = DeterministicMath.exp2(-Double(k * k) / 8_000)
                sound[frame + k] += Float(0.5 * bell * DeterministicMath.cosine(turns: Double(k) / 48))
            }
        }
        return sound
    }

    /// The middle of the energy around `frame`.
    private func middle(_ x: [Float], near frame: Int) -> Double {
        var sum = 0.0, all = 1e-30
        for n in max(frame - 4_000, 0)..<min(frame + 4_000, x.count) {
            sum += Double(n) * Double(x[n]) * Double(x[n])
            all += Double(x[n]) * Double(x[n])
        }
        return sum / all
    }

    @Test(arguments: [-12, -7, -1, 0, 4, 12] as [Float]) func aToneComesOutInTheOtherKey(semitones: Float) throws {
        let tone = sine(440, 72_000), values = ["semitones": semitones, "cents": 20] as [String: Float]
        let heard = try play(tone, values: values).heard
        let frequency = 440 * Semitones.factor(Double(semitones) + 0.2),
            level = amplitude(heard[1][36_000..<60_000], at: frequency)
        #expect(abs(level - 0.5) < 0.05, "\(level)")
    }

    @Test func itIsLateByTheSameTimeAtEveryPitch() throws {
        for semitones in [-12, -5, 0, 5, 12] as [Float] {
            let sound = pings(at: [20_000, 40_000], count: 60_000)
            let (heard, unit) = try play(sound, values: ["semitones": semitones])
            for frame in [20_000, 40_000] {
                let late = middle(heard[0], near: frame + unit.latency) - Double(frame + unit.latency)
                print("\(semitones) semitones: \(late / 48) ms")
                #expect(abs(late) < (semitones == 0 ? 96 : 480), "\(semitones) semitones: \(late / 48) ms")
            }
            #expect(unit.readout("underrun-frames") == 0)
        }
    }

    @Test func aPitchThatMovesWhileItSoundsStaysInTime() throws {
        let places = Array(stride(from: 20_000, to: 200_000, by: 12_000)), sound = pings(at: places, count: 220_000)
        let moves: [(Int, Float)] = [(50_000, 12), (100_000, -12), (150_000, 3)]
        let (heard, unit) = try play(sound, moves: moves)
        // Those whose time is near a move are in two keys at once.
        for frame in places where moves.allSatisfy({ !(frame - 4_000...frame + 12_000).contains($0.0) }) {
            let late = middle(heard[0], near: frame + unit.latency) - Double(frame + unit.latency)
            #expect(abs(late) < 480, "frame \(frame): \(late / 48) ms")
        }
        #expect(unit.readout("underrun-frames") == 0)
    }

    @Test func aVoiceKeepsItsColourWithFormants() throws {
        // A pulse 110 times a second through a resonance at 1 kHz.
        var y1 = 0.0, y2 = 0.0
        let radius = 0.99, angle = 1_000.0 / 48_000
        let voice = (0..<96_000).map { n in
            let x = n * 110 % 48_000 < 110 ? 0.1 : 0.0
            let y = x + 2 * radius * DeterministicMath.cosine(turns: angle) * y1 - radius * radius * y2
            (y2, y1) = (y1, y)
            return Float(y)
        }
        /// Which harmonic is the loudest, hertz.
        func peak(_ formants: Float) throws -> Double {
            let heard = try play(voice, values: ["semitones": 7, "formants": formants]).heard[0]
            let pitch = 110 * Semitones.factor(7)
            let levels = (1...20).map { (pitch * Double($0), amplitude(heard[48_000..<84_000], at: pitch * Double($0))) }
            return levels.max { $0.1 < $1.1 }?.0 ?? 0
        }
        let moved = try peak(0), kept = try peak(1)
        #expect(abs(moved - 1_498) < 170 && abs(kept - 1_000) < 170, "\(moved) Hz and \(kept) Hz")
    }

    @Test func aDryMixIsTheInputAsLateAsTheRest() throws {
        let sound = sine(997, 30_000)
        let (heard, unit) = try play(sound, values: ["mix": 0, "semitones": 5])
        #expect(Array(heard[0][unit.latency...]) == Array(sound[..<(30_000 - unit.latency)]))
    }

    @Test func blockSizesDoNotMatter() throws {
        let sound = pings(at: [5_000, 9_000], count: 30_000)
        let whole = try play(sound, values: ["semitones": 5]).heard
        for block in [1, 63, 1_000] {
            #expect(
                firstDifference(whole, try play(sound, values: ["semitones": 5], block: block).heard) == nil, "block \(block)")
        }
    }

    @Test func itSaysThatItsCodeIsForeign() { #expect(PitchShift.descriptor.runsForeignCode) }

    /// All laws but one: the library cuts sound into pieces of its own, and where a sleep ends they lie elsewhere.
    @Test func itKeepsTheOtherLawsOfAllUnits() throws {
        let unit = UnitUnderTest(
            descriptor: PitchShift.descriptor, specs: PitchShift.Parameter.allCases.map(\.spec),
            sampleRates: [22_050, 48_000, 96_000]
        ) { (setup) throws(UnitError) in try UnitInstance.make(PitchShift.self, setup) }
        let broken = try checkUnit(unit).filter { !$0.law.hasSuffix("sleep cannot be heard") }
        #expect(broken.isEmpty, "\(broken.map(\.description).joined(separator: "\n"))")
    }
}
