import Testing
import UnitAPI

@testable import PlugIns

/// What plug-ins are called, and what the catalogue makes of their data.
@Suite struct PlugInCatalogTests {
    @Test(arguments: [
        ("http://drobilla.net/plugins/mda/Delay", "lv2:mda-delay"),
        ("http://plugin.org.uk/swh-plugins/sc4", "lv2:swh-plugins-sc4"),
        ("http://calf.sourceforge.net/plugins/Reverb", "lv2:calf-reverb"),
        ("http://www.example.org/lv2/thing#mono", "lv2:thing-mono"), ("urn:zamaudio:ZamComp", "lv2:zamaudio-zamcomp"),
        ("https://github.com/someone/a_b.lv2", "lv2:someone-a-b-lv2"),
    ])
    func theNameComesFromTheURIAlone(_ uri: String, _ name: String) { #expect(PlugInName.short(uri) == name) }

    @Test func aTextsPlugInsAreFoundInIt() {
        let text = """
            units:
              a: {unit: lv2:mda-delay, role: send}
              b:
                unit: "lv2:http://x.org/y#z"
              c: {unit: 'lv2:d-e'}
            """
        #expect(PlugInCatalog.names(in: text) == ["lv2:mda-delay", "lv2:http://x.org/y#z", "lv2:d-e"])
        #expect(PlugInCatalog.names(in: "units:\n  reverb: {}\n").isEmpty)
    }

    @Test func aPlugInOfDebianIsDescribedByItsData() throws {
        let delay = try TestPlugIns.description("lv2:mda-delay")
        #expect(delay.title == "MDA Delay")
        #expect(delay.refusal == nil)
        #expect(delay.library.hasSuffix("/Delay.so"))
        let entry = try TestPlugIns.entry("lv2:mda-delay")
        #expect(entry.descriptor.inputs.map(\.channels) == [2] && entry.descriptor.outputs.map(\.channels) == [2])
        #expect(entry.descriptor.component.type == .effect)
        #expect(entry.parameters.map(\.name).contains("feedback"))
        let piano = try TestPlugIns.entry("lv2:mda-epiano").descriptor
        #expect(piano.component.type == .instrument && piano.acceptsMusic && piano.inputs.isEmpty)
    }

    @Test func theURINamesAPlugInToo() throws {
        let entry = try TestPlugIns.entry("lv2:http://drobilla.net/plugins/mda/Delay")
        #expect(entry.name == "lv2:http://drobilla.net/plugins/mda/Delay")
        let short = try TestPlugIns.entry("lv2:mda-delay")
        #expect(entry.descriptor.component != short.descriptor.component, "both can be in one catalogue")
    }

    @Test func aNameThatIsNearIsProposed() throws {
        #expect(throws: PlugInError.unknown(name: "lv2:mda-dely", near: "lv2:mda-delay")) {
            try TestPlugIns.entry("lv2:mda-dely")
        }
    }

    @Test func aPlugInThatWantsTheUnknownIsListedAndRefusedWithTheReason() throws {
        let found = try TestPlugIns.description("lv2:test-demanding")
        #expect(found.refusal == "it requires http://lv2plug.in/ns/extensions/ui#idleInterface, which is not supported")
        #expect(throws: PlugInError.self) { try TestPlugIns.entry("lv2:test-demanding") }
    }

    @Test func aPlugInOfOneChannelIsOfferedInStereo() throws {
        let descriptor = try TestPlugIns.entry("lv2:swh-plugins-triplepara").descriptor
        #expect(descriptor.inputs.map(\.channels) == [2] && descriptor.outputs.map(\.channels) == [2])
    }

    @Test func everyPlugInThatIsOfferedDeclaresItsParametersSoundly() throws {
        _ = try TestPlugIns.description("lv2:mda-delay")
        var count = 0
        for plugIn in try PlugInCatalog.all() where plugIn.refusal == nil {
            let entry = PlugInControls(plugIn).entry(named: plugIn.name)
            count += 1
            #expect(Set(entry.parameters.map(\.name)).count == entry.parameters.count, "\(plugIn.name)")
            for spec in entry.parameters {
                let isSound = spec.range.contains(spec.initial) && spec.range.lowerBound < spec.range.upperBound
                #expect(isSound, "\(plugIn.name) \(spec)")
                #expect(spec.curve == .linear || spec.range.lowerBound > 0, "\(plugIn.name) \(spec)")
                #expect(throws: Never.self) { try spec.value(spec.text(spec.initial)) }
            }
        }
        #expect(count > 100, "the packages of the tests are installed")
    }
}

/// Control ports as parameters.
@Suite struct PlugInControlTests {
    private func control(_ change: (inout PlugInRange) -> Void) -> PlugInControls.Control {
        var range = PlugInRange()
        range.low = 0
        range.high = 10
        range.initial = 4
        change(&range)
        let port = PlugInPort(
            index: 3, symbol: "some_thing", title: "Some thing", direction: .controlInput, isOptional: false, bytes: 0,
            range: range, role: .parameter)
        return PlugInControls.Control(port, name: "some-thing")
    }

    @Test func millisecondsAreShownAsSecondsAndTheReferenceSaysSo() {
        let control = control { $0.unit = "http://lv2plug.in/ns/extensions/units#ms" }
        #expect(control.spec.unit == .seconds && control.spec.range.upperBound == 0.01)
        #expect(control.spec.text(control.spec.initial) == "4 ms")
        #expect(abs(control.value(ofPlugIn: 5) - 0.005) < 1e-9)
    }

    @Test func namedValuesAreAChoiceByTheirNames() {
        let control = control {
            $0.isEnumeration = true
            $0.points = [
                .init(value: 2, label: "Low Pass"), .init(value: 4, label: "High Pass"), .init(value: 9, label: "High pass"),
            ]
        }
        #expect(control.spec.unit == .choice(["low-pass", "high-pass", "high-pass-2"]))
        #expect(control.spec.initial == 1 && control.values == [2, 4, 9])
        #expect(control.value(ofPlugIn: 8.7) == 2)
    }

    @Test func aToggleTellsThePlugInItsOwnBounds() {
        let control = control { $0.isToggle = true }
        #expect(control.spec.unit == .toggle && control.values == [0, 10])
    }

    @Test func aLogarithmicRangeFromZeroIsLinear() {
        #expect(control { $0.isLogarithmic = true }.spec.curve == .linear)
        #expect(control { ($0.isLogarithmic, $0.low) = (true, 1) }.spec.curve == .logarithmic)
    }

    @Test func bestWorstDataStillGiveARange() {
        let control = control { ($0.low, $0.high, $0.initial) = (5, 5, 99) }
        #expect(control.spec.range == 5...6 && control.spec.initial == 6)
    }
}
