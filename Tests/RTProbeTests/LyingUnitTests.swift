import CarillonTestKit
import Glibc
import RTProbe
import RealtimeCore
import Testing
import UnitAPI

/// A unit whose author switched the compiler's guard off instead of heeding it.
struct LyingUnit: AudioUnit, ~Copyable {
    static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .generator, subtype: "liar", manufacturer: "Test"), name: "lying",
        summary: "Allocates behind the compiler's back.", outputs: [.init("main")])

    init(_ setup: UnitSetup) {}

    @_semantics("no_performance_analysis")
    private func carelessly(_ frames: Int) -> Float {
        var scratch: [Float] = []
        for i in 0..<frames { scratch.append(Float(i)) }
        return scratch.reduce(0, +) * 0
    }

    // [render]

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        let silence = carelessly(io.frames)
        for channel in 0..<2 {
            let output = io.output(0, channel)
            for i in 0..<io.frames { output[i] = silence }
        }
        return .sounding
    }

    @_noLocks mutating func reset() {}
}

/// What the compiler was told to believe is still seen when it runs.
@Suite struct LyingUnitTests {
    private static func play() throws -> OfflineRig {
        let rig = OfflineRig()
        let node = try rig.add(LyingUnit.self)
        try rig.graph.setOutput(node)
        try rig.publish()
        rig.render(256, block: 64)
        return rig
    }

    @Test(.enabled(if: rt_probe_counts())) func theProbeCatchesAUnitThatLies() throws {
        let seen = try Self.play().violations
        #expect(seen.total > 0 && seen.text.contains("allocations"), "\(seen)")
        #expect(seen.firstStack.contains("+0x"), "\(seen)")
    }

    @Test(.enabled(if: rt_probe_counts())) func theLawsReportAUnitThatLies() throws {
        let broken = try checkUnit(UnitUnderTest(LyingUnit.self))
        #expect(broken.contains { $0.law.contains("nothing forbidden") }, "\(broken)")
    }

    @Test(.enabled(if: rt_probe_informs_sanitizer())) func realtimeSanitizerStopsAUnitThatLies() async {
        await #expect(processExitsWith: .exitCode(43)) { _ = try LyingUnitTests.play() }
    }
}
