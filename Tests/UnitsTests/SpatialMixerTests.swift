import CarillonTestKit
import DSP
import Graphs
import Testing
import UnitAPI
import Units

@Suite struct SpatialMixerTests {
    typealias Parameter = SpatialMixer.Parameter
    private static let amplitudeAtSource = 0.25

    /// What is heard of one source that plays a sine, in eight channels.
    static func play(
        _ values: [String: Float], tone: Double = 1_000, bus: Int = 2, frames: Int = 9_600, block: Int = 512,
        _ change: (OfflineRig, NodeID) -> Void = { _, _ in }
    ) throws -> [[Float]] {
        let rig = OfflineRig(channels: 8)
        let mixer = try rig.graph.add(UnitInstance.make(SpatialMixer.self, rig.setup(startValues: values)))
        let x = sine(tone, amplitude: amplitudeAtSource, frames: frames)
        try rig.graph.connect(try rig.add(left: x, right: x), to: mixer)
        try rig.graph.setOutput(mixer, bus: bus)
        try rig.publish()
        change(rig, mixer)
        rig.render(frames, block: block)
        #expect(rig.violations.total == 0, "\(rig.violations)")
        return rig.recording
    }

    /// Decibels of each channel above the source, -200 for silence.
    static func levels(_ values: [String: Float], tone: Double = 1_000, bus: Int = 2) throws -> [Double] {
        try play(values, tone: tone, bus: bus).map {
            decibels(max(amplitude($0[2_400...], at: tone) / amplitudeAtSource, 1e-10))
        }
    }

    private static func place(_ degrees: Double, distance: Double = 1) -> [String: Float] {
        [
            "x": Float(distance * DeterministicMath.sine(turns: degrees / 360)),
            "z": Float(-distance * DeterministicMath.cosine(turns: degrees / 360)),
        ]
    }

    @Test(arguments: [-90.0, -60, -30, 0, 15, 45, 90, 120, 180])
    func equalPowerFollowsTheAngleAndKeepsThePower(_ degrees: Double) throws {
        let levels = try Self.levels(Self.place(degrees), bus: 0)
        // Half the angle to the side that is turned away from, folded to the front.
        let folded = abs(degrees) > 90 ? (degrees > 0 ? 180 - degrees : -180 - degrees) : degrees
        let turns = (folded + 90) / 720
        let left = decibels(DeterministicMath.cosine(turns: turns)), right = decibels(DeterministicMath.sine(turns: turns))
        #expect(left < -60 ? levels[0] < -60 : abs(levels[0] - left) < 0.1)
        #expect(right < -60 ? levels[1] < -60 : abs(levels[1] - right) < 0.1)
        #expect(levels[2...].allSatisfy { $0 < -90 })
    }

    /// Ten distances for each model, against the formulas of OpenAL 1.1.
    @Test(arguments: [(0, 2.0), (1, 1), (2, 1.5)])
    func distanceModelsAreThoseOfOpenAL(_ model: (index: Int, rollOff: Double)) {
        let reference = 2.0, maximum = 20.0
        let law = DistanceModel(model.index, reference: reference, maximum: maximum, rollOff: model.rollOff)
        for distance in [0.0, 1, 2, 3, 4.5, 8, 11, 17, 20, 50] {
            let d = min(max(distance, reference), maximum)
            let expected: Double =
                switch model.index {
                case 0: reference / (reference + model.rollOff * (d - reference))
                case 1: 1 - model.rollOff * (d - reference) / (maximum - reference)
                default: DeterministicMath.exp2(-model.rollOff * DeterministicMath.log2(d / reference))
                }
            #expect(abs(law.gain(at: distance) - expected) < 1e-12, "\(distance) m")
        }
    }

    @Test func twiceAsFarIsSixDecibelsSofter() throws {
        let near = try Self.levels(["z": -1])[0]
        for (distance, change) in [(2, -6.02), (4, -12.04), (10, -20), (0.5, 0)] as [(Float, Double)] {
            #expect(abs(try Self.levels(["z": -distance])[0] - near - change) < 0.01)
        }
        let straight = try Self.levels(["z": -6, "distance-model": 1, "maximum-distance": 11])[0]
        #expect(abs(straight - near + 6.02) < 0.01)
    }

    @Test func aSourceOnASpeakerSoundsThereAlone() throws {
        let layouts: [(Float, [(channel: Int, angle: Double)])] = [
            (0, [(0, -30), (1, 30)]), (1, [(0, -45), (1, 45), (2, -135), (3, 135)]),
            (2, [(0, -30), (1, 30), (2, -110), (3, 110), (4, 0)]),
            (3, [(0, -30), (1, 30), (2, -135), (3, 135), (4, 0), (6, -90), (7, 90)]),
        ]
        for (layout, speakers) in layouts {
            for speaker in speakers {
                // Places are rounded to single precision, so that others may get a millionth.
                let values = Self.place(speaker.angle).merging(["rendering": 2, "layout": layout]) { $1 }
                let levels = try Self.levels(values)
                for channel in 0..<8 {
                    #expect(channel == speaker.channel ? abs(levels[channel]) < 0.001 : levels[channel] < -100)
                }
            }
        }
    }

    @Test func gainsBetweenSpeakersPointToTheSourceAndKeepThePower() {
        for layout in 1..<4 {
            let ring = SpeakerRing(layout: layout)
            let gains = UnsafeMutablePointer<Double>.allocate(capacity: 8)
            gains.initialize(repeating: 0, count: 8)
            defer { gains.deallocate() }
            for degrees in stride(from: -180.0, through: 180, by: 2.5) {
                let right = DeterministicMath.sine(turns: degrees / 360), ahead = DeterministicMath.cosine(turns: degrees / 360)
                ring.spread(ListenerView.Place(right: right * 3, up: 1, ahead: ahead * 3), to: gains)
                let all = (0..<8).map { gains[$0] }
                #expect(abs(all.reduce(0) { $0 + $1 * $1 } - 1) < 1e-12)
                #expect(all.allSatisfy { $0 >= 0 } && all.count { $0 > 0 } <= 2 && all[5] == 0)
                // The weighted sum of the speakers' directions is the source's.
                let angles: [Double] =
                    layout == 1
                    ? [-45, 45, -135, 135]
                    : layout == 2
                        ? [-30, 30, -110, 110, 0] : [-30, 30, -135, 135, 0, 0, -90, 90]
                var x = 0.0, z = 0.0
                for (gain, angle) in zip(all, angles) {
                    x += gain * DeterministicMath.sine(turns: angle / 360)
                    z += gain * DeterministicMath.cosine(turns: angle / 360)
                }
                let size = (x * x + z * z).squareRoot()
                #expect(abs(x / size - right) < 1e-9 && abs(z / size - ahead) < 1e-9, "\(degrees)")
            }
        }
    }

    @Test func twoSpeakersFoldTheBackToTheFront() throws {
        let front = try Self.levels(Self.place(20).merging(["rendering": 2]) { $1 })
        let back = try Self.levels(Self.place(160).merging(["rendering": 2]) { $1 })
        #expect(abs(front[0] - back[0]) < 0.001 && abs(front[1] - back[1]) < 0.001)
        let aside = try Self.levels(Self.place(80).merging(["rendering": 2]) { $1 })
        #expect(aside[0] < -100 && abs(aside[1]) < 0.001)
    }

    @Test func theHeadTurnsAsTheSourcesWouldTheOtherWay() throws {
        let aside = try Self.levels(Self.place(-50), bus: 0)
        let turned = try Self.levels(["yaw": 50], bus: 0)
        #expect(abs(aside[0] - turned[0]) < 0.001 && abs(aside[1] - turned[1]) < 0.001)
        // Looking up, what was above is ahead; with the right ear down, what was below is on the right.
        let above = ListenerView(x: 0, y: 0, z: 0, yaw: 0, pitch: 90, roll: 0).place(x: 0, y: 1, z: 0)
        #expect(abs(above.ahead - 1) < 1e-12)
        let below = ListenerView(x: 0, y: 0, z: 0, yaw: 0, pitch: 0, roll: 90).place(x: 0, y: -1, z: 0)
        #expect(abs(below.right - 1) < 1e-12)
        let behind = ListenerView(x: 1, y: 2, z: 3, yaw: 30, pitch: 20, roll: 10).place(x: 4, y: 6, z: 3)
        #expect(abs(behind.distance - 5) < 1e-12)
    }

    @Test func thingsInTheWayTakeTheHighsAndAWallTheLowsToo() throws {
        let plain = ["reverb-send": 1] as [String: Float]
        func change(_ values: [String: Float], _ tone: Double, bus: Int) throws -> Double {
            try Self.levels(plain.merging(values) { $1 }, tone: tone, bus: bus)[0] - Self.levels(plain, tone: tone, bus: bus)[0]
        }
        #expect(abs(try change(["obstruction": 12], 5_000, bus: 0) + 12) < 0.1)
        #expect(abs(try change(["obstruction": 12], 50, bus: 0)) < 0.1)
        #expect(abs(try change(["obstruction": 12], 5_000, bus: 1)) < 0.01)
        for bus in 0..<2 {
            #expect(abs(try change(["occlusion": 20], 5_000, bus: bus) + 20) < 0.1)
            #expect(abs(try change(["occlusion": 20], 50, bus: bus) + 5) < 0.1)
        }
    }

    @Test func theReverbHearsFarSourcesAsLoudAsNearOnes() throws {
        let near = try Self.levels(["reverb-send": 0.5], bus: 1), far = try Self.levels(["reverb-send": 0.5, "z": -20], bus: 1)
        #expect(abs(near[0] + 6.02) < 0.01 && near == far)
    }

    @Test func aSourceThatFliesByDoesNotClick() throws {
        for values in [[:], ["rendering": 2, "layout": 2]] as [[String: Float]] {
            var heard: Set<[[Float]]> = []
            for block in [7, 64, 1_000] {
                let channels = try Self.play(
                    values.merging(["x": -10]) { $1 }, tone: 100, frames: 24_000, block: block
                ) { rig, mixer in
                    rig.set(Parameter.x, 10, of: mixer, at: 6_001)
                    rig.set(Parameter.yaw, 120, of: mixer, at: 12_001)
                    rig.set(Parameter.y, 3, of: mixer, at: 18_001)
                }
                heard.insert(channels)
                // Twenty metres in 20 ms. A gain that stepped would bend it by a tenth and more.
                for channel in channels { #expect(steepestBend(channel[...]) < 0.005) }
            }
            #expect(heard.count == 1)
        }
    }

    @Test func thereAreThirtyTwoSourcesAndNoMore() throws {
        #expect(try UnitInstance.make(SpatialMixer.self, UnitSetup(sampleRate: 48_000, inputCount: 32)).inputs.count == 32)
        let error = #expect(throws: UnitError.self) {
            _ = try UnitInstance.make(SpatialMixer.self, UnitSetup(sampleRate: 48_000, inputCount: 33))
        }
        #expect(error?.description == "spatial-mixer: cannot have 33 inputs; choose 1 to 32")
    }

    @Test func sourcesAddUpEachAtItsPlace() throws {
        let rig = OfflineRig()
        let mixer = try rig.graph.add(
            UnitInstance.make(
                SpatialMixer.self, rig.setup(inputs: 2, elementValues: ["x": [-2, 2], "z": [0, 0]])))
        for (n, tone) in [500.0, 1_000].enumerated() {
            let x = sine(tone, amplitude: 0.25, frames: 9_600)
            try rig.graph.connect(try rig.add(left: x, right: x, name: "tone-\(n)"), to: mixer, input: n)
        }
        try rig.graph.setOutput(mixer)
        try rig.publish()
        rig.render(9_600)
        let left = rig.recording[0][2_400...], right = rig.recording[1][2_400...]
        #expect(abs(amplitude(left, at: 500) - 0.125) < 1e-4 && amplitude(right, at: 500) < 1e-5)
        #expect(abs(amplitude(right, at: 1_000) - 0.125) < 1e-4 && amplitude(left, at: 1_000) < 1e-5)
    }
}
