import Testing
import UnitAPI

@testable import Patches

/// The names in connections of instruments with a bus for each channel.
@Suite struct ChannelBusTests {
    @Test func thePlainNameOfAnInstrumentIsEachOfItsChannelsUntilOneIsNamed() {
        let buses = (1...16).map { UnitDescriptor.Bus("channel-\($0)") } + (1...16).map { UnitDescriptor.Bus("reverb-\($0)") }
        let sampler = UnitDescriptor(
            component: ComponentDescription(type: .instrument, subtype: "none", manufacturer: "Test"), name: "square-wave",
            summary: "A unit.", outputs: buses, acceptsMusic: true)
        func edges(_ parts: [Int], _ rows: [PatchPort]) -> [Int] {
            var patch = Patch(), piano = PatchUnit("piano", "square-wave", role: .instrument)
            piano.parts = PartList(parts)
            patch.units = [piano, PatchUnit("mixer", "multichannel-mixer")]
            patch.connections = rows.map { PatchConnection($0, to: PatchPort("mixer")) }
            patch.outputs = [PatchPort("mixer")]
            let joined = patch.joiningChannels { $0.name == "piano" ? sampler : nil }
            #expect(joined.joiningChannels { $0.name == "piano" ? sampler : nil } == joined)
            // What leaves is what is connected, where one channel is heard.
            patch.outputs = [PatchPort("piano")]
            let outputs = patch.joiningChannels { $0.name == "piano" ? sampler : nil }.outputs
            #expect(parts.count != 1 || rows != [PatchPort("piano")] || outputs == [PatchPort("piano", parts[0] % 16)])
            return joined.connections.map(\.from.bus)
        }
        let plain = PatchPort("piano")
        #expect(edges([0], [plain]) == [0])
        #expect(edges([1], [plain]) == [0, 1] && edges([17], [plain]) == [0, 1])
        #expect(edges([], [plain]) == Array(0..<16))
        #expect(edges([0, 1], [plain, PatchPort("piano", 16)]) == [0, 16, 1, 17])
        #expect(edges([], [plain, PatchPort("piano", 4)]) == [0, 4] && edges([1], [PatchPort("piano", 1)]) == [1])
    }
}
