import Testing

@testable import JACK

/// Names of devices.
@Suite struct JACKNameTests {
    @Test func aNameSaysWhatToConnectTo() {
        #expect(JACKName("jack") == .physical && JACKName("jack:none") == .nothing)
        #expect(JACKName("jack:system") == .client("system"))
        #expect(JACKName("jackal") == nil && JACKName("hw:0") == nil && JACKName("default") == nil)
    }

    @Test func aClientsPortsAreThoseUnderItsWholeName() {
        let ports = ["hall:in_1", "hallway:in_1", "hall:in_2"]
        #expect(JACKName.client("hall").choose(ports, physical: []) == ["hall:in_1", "hall:in_2"])
        #expect(JACKName.physical.choose(ports, physical: ["hall:in_2"]) == ["hall:in_2"])
        #expect(JACKName.nothing.choose(ports, physical: ports) == [])
    }
}
