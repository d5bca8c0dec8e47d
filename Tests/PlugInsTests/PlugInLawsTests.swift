import CarillonTestKit
import Testing
import UnitAPI

@testable import PlugIns

/// Plug-ins of Debian through the laws that apply to somebody else's code. The other laws are promises of the house's units: a
/// plug-in may click when a parameter jumps, and keep sounding by itself.
@Suite struct PlugInLawsTests {
    private static let laws: Set<UnitLaw> = [
        .declaration, .determinism, .blockSizes, .threads, .reset, .corners, .latency, .notes, .rates,
    ]

    @Test(arguments: [
        "lv2:mda-delay", "lv2:mda-overdrive", "lv2:mda-dx10", "lv2:mda-ringmod", "lv2:mda-limiter", "lv2:mda-detune",
        "lv2:fomp-reverb", "lv2:fomp-parametric1", "lv2:swh-plugins-sc4", "lv2:swh-plugins-svf",
        "lv2:swh-plugins-lookaheadlimiter", "lv2:swh-plugins-tapedelay",
    ])
    func aPlugInObeysTheLawsThatApply(_ name: String) throws {
        let entry = try TestPlugIns.entry(name)
        let unit = UnitUnderTest(
            descriptor: entry.descriptor, specs: entry.parameters, sampleRates: [44_100, 96_000], make: entry.make)
        let broken = try checkUnit(unit, laws: Self.laws)
        #expect(broken.isEmpty, "\(broken.map(\.description).joined(separator: "\n"))")
    }

    /// Its rounding changes with the length of a run, and its notes begin at zero: the laws about both are not for it. In some
    /// runs it gives what is no number, and is muted.
    @Test func anInstrumentWhoseRunsDifferObeysTheRest() throws {
        let entry = try TestPlugIns.entry("lv2:mda-jx10")
        let unit = UnitUnderTest(
            descriptor: entry.descriptor, specs: entry.parameters, sampleRates: [44_100, 96_000], make: entry.make)
        let broken = try checkUnit(unit, laws: Self.laws.subtracting([.blockSizes, .threads, .notes]))
            .filter { !$0.law.hasSuffix("every sample is a number") }
        #expect(broken.isEmpty, "\(broken.map(\.description).joined(separator: "\n"))")
    }
}
