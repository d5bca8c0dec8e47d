import Carillon
import Testing

@testable import Installations

/// What an installation's file says of its device.
@Suite struct DeviceSettingTests {
    private func installation(_ lines: String) throws(PatchFileError) -> Installation {
        try Installation(text: "version: 1\nplaylists: {day: [songs]}\n" + lines, path: "house.yaml")
    }

    @Test func inputAndLoudspeakersAreThoseOfTheSession() throws {
        let file = try installation("device: [jack, default]\ninput-device: \"hw:Mic,0\"\nlayout: 5.1\n")
        #expect(file.device.input == "hw:Mic,0" && file.device.layout == .surround51)
        // Without a patch nothing hears it.
        #expect(throws: Fault.self) { _ = try LiveOptions(file) }
        var deaf = file
        deaf.device.input = nil
        let options = try LiveOptions(deaf)
        #expect(options.device.names == ["jack", "default"] && options.device.layout == .surround51)
        let plain = try LiveOptions(try installation(""))
        #expect(plain.device.input == nil && plain.device.layout == nil)
    }

    @Test func aLayoutThatIsNoneIsRefusedWithThoseThatAre() {
        let error = #expect(throws: PatchFileError.self) { _ = try installation("layout: 6.1\n") }
        #expect("\(error.map { "\($0)" } ?? "")".contains("5.1"))
    }
}
