import CarillonTestKit
import DSP
import Testing
import UnitAPI
import Units

@Suite struct PeakMeterTests {
    /// The meter has no output, so the source is what is heard.
    static func measure(
        _ left: [Float], _ right: [Float], frames: Int, block: Int = 512
    ) throws -> (OfflineRig, UnitInstance) {
        let rig = OfflineRig()
        let meter = try rig.add(PeakMeter.self)
        let source = try rig.add(left: left, right: right)
        try rig.graph.connect(source, to: meter)
        try rig.graph.setOutput(source)
        try rig.publish()
        rig.render(frames, block: block)
        return (rig, rig.graph.nodes[0].instance)
    }

    @Test func aSineReadsItsPeakAndThreeDecibelsLessOnAverage() throws {
        let (rig, meter) = try Self.measure(
            sine(1_000, frames: 96_000), sine(1_000, amplitude: 0.1, frames: 96_000), frames: 96_000)
        #expect(abs(try #require(meter.readout("peak-left"))) < 0.1)
        #expect(abs(try #require(meter.readout("peak-right")) + 20) < 0.1)
        #expect(abs(try #require(meter.readout("average-left")) + 3.01) < 0.1)
        #expect(abs(try #require(meter.readout("average-right")) + 23.01) < 0.1)
        #expect(rig.violations.total == 0)
    }

    @Test func peaksFallTwentyDecibelsInSeventeenTenthsOfASecond() throws {
        let burst = sine(1_000, frames: 4_800)
        let (_, meter) = try Self.measure(burst, burst, frames: 4_800 + 81_600)
        #expect(abs(try #require(meter.readout("peak-left")) + 20) < 0.2)
    }

    @Test func framesAtFullScaleAreCounted() throws {
        var x = [Float](repeating: 0.5, count: 1_000)
        for i in [10, 11, 500] { x[i] = 1 }
        x[700] = -1.5
        let (_, meter) = try Self.measure(x, [Float](repeating: 0, count: 1_000), frames: 2_048)
        #expect(meter.readout("overs") == 4)
    }

    @Test func beforeTheFirstSliceItReadsTheFloor() throws {
        let meter = try UnitInstance.make(PeakMeter.self, UnitSetup(sampleRate: 48_000))
        #expect(PeakMeter.descriptor.readouts.map { meter.readout($0) } == [-120, -120, -120, -120, 0])
    }

    @Test func silenceReadsTheFloorAndLetsItSleep() throws {
        let burst = sine(1_000, frames: 4_800)
        let (rig, meter) = try Self.measure(burst, burst, frames: 48_000 * 13)
        #expect(meter.readout("peak-left") == -120 && meter.readout("average-right") == -120)
        #expect(isAsleep(rig))
    }

    @Test func blockSizesDoNotChangeTheReading() throws {
        let x = noise(frames: 20_480)
        let reference = try Self.measure(x, x, frames: 20_480).1
        for block in [1, 7, 1024] {
            let other = try Self.measure(x, x, frames: 20_480, block: block).1
            for name in PeakMeter.descriptor.readouts { #expect(reference.readout(name) == other.readout(name)) }
        }
    }

    @Test func everyChannelOfAWideBusIsMeasured() throws {
        let rig = OfflineRig(channels: 6), setup = rig.setup(properties: ["channels": .integer(6)])
        let meter = try UnitInstance.make(PeakMeter.self, setup)
        let node = try rig.graph.add(meter)
        let source = try rig.add(channels: (0..<6).map { sine(1_000, amplitude: 1 / Double($0 + 1), frames: 96_000) })
        try rig.graph.connect(source, to: node)
        try rig.graph.setOutput(source)
        try rig.publish()
        rig.render(96_000, block: 512)
        let names = ["-left", "-right", "[2]", "[3]", "[4]", "[5]"]
        for (channel, name) in names.enumerated() {
            let wanted = -decibels(Double(channel + 1))
            #expect(abs(Double(try #require(meter.readout("peak\(name)"))) - wanted) < 0.1)
            #expect(abs(Double(try #require(meter.readout("average\(name)"))) - wanted + 3.01) < 0.1)
        }
        #expect(rig.violations.total == 0)
    }
}
