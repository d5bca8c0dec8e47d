import Carillon
import Patches
import RemoteIO
import Testing

/// The unit `input` of a patch that a session plays: what the device captures is in the music.
@Suite struct LiveInputTests {
    private static func options(_ text: String, _ change: (inout LiveOptions) -> Void = { _ in }) throws -> LiveOptions {
        var options = SessionInTime.options
        options.patch = try PatchFile(text: text, units: UnitCatalog.entries).patch
        change(&options)
        return options
    }

    private static let guitar = """
        version: 1
        units:
          guitar: {unit: input}
          mixer: {unit: multichannel-mixer, role: master, inputs: 1}
        connections:
          - guitar -> mixer
        outputs: mixer
        """

    @Test func aPatchWithAnInputHearsTheDeviceThatPlays() throws {
        let port = SimulatedPort()
        port.captures = { frame, channel in channel == 0 ? 0.25 : -0.125 }
        let session = try Session(try Self.options(Self.guitar), songs: [], on: port)
        try session.start()
        port.advance(seconds: 0.5)
        let played = port.played
        #expect(abs((played[0].last ?? 0) - 0.25) < 1e-6 && abs((played[1].last ?? 0) + 0.125) < 1e-6)
        #expect(port.grant?.captureChannels == 2)
        try session.finish()
    }

    @Test func whatHearsNoDeviceOpensNoMicrophone() throws {
        let time = try SessionInTime()
        #expect(time.port.grant?.captureChannels == 0)
        try time.session.finish()
        var options = SessionInTime.options
        options.device.input = "hw:9"
        #expect(throws: Fault.self) { _ = try SessionInTime(options) }
    }

    @Test func twoInputsAreRefusedInWords() throws {
        let text = Self.guitar.replacing("guitar: {unit: input}", with: "guitar: {unit: input}\n  voice: {unit: input}")
            .replacing("inputs: 1", with: "inputs: 2").replacing(
                "- guitar -> mixer", with: "- guitar -> mixer\n  - voice -> mixer[1]")
        do {
            _ = try SessionInTime(try Self.options(text))
            Issue.record("two inputs were taken")
        } catch let error as Fault { #expect("\(error)" == "patch: 2 inputs: leave one unit input") }
    }
}
