import Carillon
import MIDI
import Patches
import Testing

@testable import Sessions

/// What takes a keyboard's message.
@Suite struct MessageTakerTests {
    private static let patch = """
        version: 1
        units:
          lead: {unit: square-wave, role: instrument, parts: 1}
          mixer: {unit: multichannel-mixer, role: master}
        connections: [lead -> mixer]
        outputs: mixer
        zones:
          low: {keys: C-1-B3, unit: lead}
          high: {keys: C4-G9, unit: lead, keyboard: Pads}
        controllers:
          loud: {control: 7, parameter: mixer.volume}
          soft: {control: 11, parameter: mixer.gain, passes: on}
        scenes:
          verse: {controller: 80, values: {mixer.volume: -6 dB}}
        """

    @Test(
        arguments: [
            ("90 30 64", "Keystation", "zone low"), ("90 48 64", "Keystation", nil), ("90 48 64", "The Pads 2", "zone high"),
            ("90 24 64", "Keystation", "key-C2 makes \"patch next\""), ("B0 50 7F", "Keystation", "scene verse"),
            ("B0 07 40", "Keystation", "controller loud moves mixer.volume"),
            ("B0 0B 40", "Keystation", "controller soft moves mixer.gain, zone low"), ("CF 03", "Keystation", "the set list"),
            ("B0 51 7F", "The Pads 2", "controller-81,keyboard-Pads makes \"patch previous\""),
            ("B0 51 7F", "Keystation", "zone low"),
            ("C0 03", "Keystation", "program-3,channel-1,passes makes \"panic\", zone low"),
        ] as [(String, String, String?)])
    func theFirstThatClaimsAMessageTakesIt(_ hexadecimal: String, _ port: String, _ taker: String?) throws {
        let bytes = hexadecimal.split(separator: " ").compactMap { UInt8($0, radix: 16) }
        let message = MIDIMessage(status: bytes[0], data1: bytes[1], data2: bytes.count > 2 ? bytes[2] : 0)
        var programs = SetList.Programs()
        programs.channel = 16
        let takers = try MessageTaker(
            buttons: [
                Session.Button("key-C2", .request(.patch(.next))),
                Session.Button("controller-81,keyboard-Pads", .request(.patch(.previous))),
                Session.Button("program-3,channel-1,passes", .request(.panic(.all))),
            ], programs: programs, patch: PatchFile(text: Self.patch, units: UnitCatalog.entries).patch)
        #expect(takers.taker(of: message, from: port) == taker)
    }

    @Test func withoutAPatchEveryChannelHears() throws {
        let takers = try MessageTaker(buttons: [])
        #expect(takers.taker(of: MIDIMessage(status: 0x93, data1: 60, data2: 1), from: "any") == "channel 4")
    }
}
