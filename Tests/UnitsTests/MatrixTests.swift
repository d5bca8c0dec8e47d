import CarillonTestKit
import DSP
import Graphs
import Testing
import UnitAPI
import Units

@Suite struct MatrixTests {
    private static let left = noise(amplitude: 0.5, frames: 4_800), right = noise(amplitude: 0.5, frames: 4_800, seed: 2)

    private static func preset(_ name: String) -> Float {
        guard case .choice(let names) = Matrix.Parameter.preset.spec.unit, let index = names.firstIndex(of: name) else {
            preconditionFailure("no preset is called \(name)")
        }
        return Float(index)
    }

    private static func through(_ preset: String, _ left: [Float], _ right: [Float]) throws -> [[Float]] {
        try play(Matrix.self, left: left, right: right, values: ["preset": Self.preset(preset)]).recording
    }

    @Test func anUntouchedMatrixChangesNoSample() throws {
        #expect(try play(Matrix.self, left: Self.left, right: Self.right).recording == [Self.left, Self.right])
    }

    @Test func presetsSwapFoldAndChoose() throws {
        #expect(try Self.through("swap", Self.left, Self.right) == [Self.right, Self.left])
        #expect(try Self.through("left", Self.left, Self.right) == [Self.left, Self.left])
        #expect(try Self.through("right", Self.left, Self.right) == [Self.right, Self.right])
        let mono = zip(Self.left, Self.right).map { 0.5 * $0 + 0.5 * $1 }
        #expect(try Self.through("mono", Self.left, Self.right) == [mono, mono])
        #expect(try Self.through("none", Self.left, Self.right).joined().allSatisfy { $0 == 0 })
    }

    @Test func decodingMidAndSideGivesBackWhatWasEncoded() throws {
        let coded = try Self.through("mid-side-encode", Self.left, Self.right)
        #expect(zip(coded[1], zip(Self.left, Self.right)).allSatisfy { abs($0 - ($1.0 - $1.1) / 2) < 1e-7 })
        let heard = try Self.through("mid-side-decode", coded[0], coded[1])
        for (heard, original) in zip(heard, [Self.left, Self.right]) {
            #expect(zip(heard, original).allSatisfy { abs($0 - $1) < 1e-7 })
        }
        // What is the same on both sides has no side at all.
        #expect(try Self.through("mid-side-encode", Self.left, Self.left)[1].allSatisfy { $0 == 0 })
    }

    /// Every cell alone: the channel it names, and no other, bit for bit.
    @Test func eachGainLeadsOneChannelToOneOther() throws {
        let sounds = (0..<8).map { noise(amplitude: 0.5, frames: 256, seed: UInt64($0 + 1)) }
        let silence = [Float](repeating: 0, count: 256)
        for cell in 0..<64 {
            let rig = OfflineRig(channels: 8)
            var gains = [Float](repeating: 0, count: 64)
            gains[cell] = 1
            let matrix = try rig.graph.add(
                UnitInstance.make(Matrix.self, rig.setup(startValues: ["preset": 0], elementValues: ["gain": gains])))
            for bus in 0..<4 {
                let source = try rig.add(left: sounds[2 * bus], right: sounds[2 * bus + 1], name: "pair-\(bus)")
                try rig.graph.connect(source, to: matrix, input: bus)
            }
            try rig.graph.setOutput(matrix, bus: 4)
            try rig.publish()
            rig.render(256, block: 100)
            for output in 0..<8 { #expect(rig.recording[output] == (cell / 8 == output ? sounds[cell % 8] : silence)) }
        }
    }

    @Test func aGainGlidesAndAnotherPresetFadesInWithoutAClick() throws {
        let x = sine(100, amplitude: 0.5, frames: 9_600)
        for isPreset in [false, true] {
            var recordings: Set<[[Float]]> = []
            for block in [7, 64, 1_000] {
                let rig = OfflineRig(), matrix = try rig.add(Matrix.self)
                try rig.graph.connect(try rig.add(left: x, right: x.map { -$0 }), to: matrix)
                try rig.graph.setOutput(matrix)
                try rig.publish()
                if isPreset {
                    rig.set(Matrix.Parameter.preset, Self.preset("swap"), of: matrix, at: 2_520)
                    rig.set(Matrix.Parameter.preset, Self.preset("mono"), of: matrix, at: 3_000)
                } else {
                    rig.set(Matrix.Parameter.gain, -1, element: 0, of: matrix, at: 2_520)
                }
                rig.render(9_600, block: block)
                recordings.insert(rig.recording)
                let heard = rig.recording[0]
                #expect(zip(heard, heard.dropFirst()).allSatisfy { abs($1 - $0) < 0.009 })
                #expect(heard[4_800...].allSatisfy { $0 == 0 } && Array(heard[..<2_520]) == Array(x[..<2_520]))
                #expect(rig.violations.total == 0, "\(rig.violations)")
            }
            #expect(recordings.count == 1)
        }
    }

    /// A fade that began in silence goes on where the sound begins, whether the slice tells of the silence or not.
    @Test func aChangeInSilenceIsOverWhenItWouldBe() throws {
        let x = [Float](repeating: 0, count: 3_000) + noise(amplitude: 0.5, frames: 3_000)
        var recordings: Set<[[Float]]> = []
        for block in [16, 100, 4_000] {
            let rig = OfflineRig(), matrix = try rig.add(Matrix.self)
            try rig.graph.connect(try rig.add(left: x, right: x.map { -$0 }), to: matrix)
            try rig.graph.setOutput(matrix)
            try rig.publish()
            rig.set(Matrix.Parameter.preset, Self.preset("mono"), of: matrix, at: 2_500)
            rig.render(6_000, block: block)
            recordings.insert(rig.recording)
            #expect(level(rig.recording[0][3_000..<3_400]) > 0.01 && rig.recording[0][3_500...].allSatisfy { $0 == 0 })
        }
        #expect(recordings.count == 1)
    }
}
