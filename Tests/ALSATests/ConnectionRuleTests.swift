import Glibc
import RemoteIO
import Testing

@testable import ALSA

@Suite struct ConnectionRuleTests {
    @Test(arguments: [
        "any", "any@16", "*Keystation*", "usb:0499:1617", "usb:0499:1617@2",
        "usb:0499:1617,serial:000A,path:pci-0000:00:14.0-usb-0:2.1,port:1", "client:Virtual Keyboard,port:0@3",
        "client:One%2C two%40home%25", "path:platform-snd_virmidi.0", "card:Virtual MIDI Card 1",
    ])
    func textMakesARuleAndTheRuleTheSameText(_ text: String) throws {
        #expect(try ConnectionRule(text).description == text)
    }

    @Test func aRuleNamesPortsWhicheverWayTheyCarry() {
        let port = PatchbayTests.port(20, "Keyboard")
        #expect(
            ConnectionRule.any.names(port) && ConnectionRule.name("key*").names(port) && !ConnectionRule.name("Drum").names(port))
    }

    @Test func fieldsOfAnIdentityAreRead() throws {
        let rule = try ConnectionRule("usb:0499:1617,serial:A%2CB,path:pci-0000:00:14.0-usb-0:2,port:3@4")
        #expect(rule.input == 3)
        #expect(
            rule.selector
                == .identity(
                    DeviceIdentity(
                        usb: .init(vendor: 0x0499, product: 0x1617), serial: "A,B", path: "pci-0000:00:14.0-usb-0:2",
                        port: 3)))
    }

    @Test func aNameThatLooksLikeNothingElseIsAPattern() throws {
        #expect(try ConnectionRule("Nord: Stage 3").selector == .name(NamePattern("Nord: Stage 3")))
        #expect(try ConnectionRule("ANY").selector == .any)
    }

    @Test(arguments: [
        ("", MIDIInletError.RuleFault.empty), ("  ", .empty), ("@2", .empty), ("usb:0499", .usb), ("usb:zz:1", .usb),
        ("usb:1:2:3", .usb), ("path:", .noValue("path")), ("usb:1:2,colour:red", .noValue("colour")),
        ("any@17", .number("17")), ("any@0", .number("0")), ("client:A,port:x", .number("x")),
        ("client:A,port:-1", .number("-1")),
    ])
    func badTextIsRefusedWithItsReason(_ text: String, _ fault: MIDIInletError.RuleFault) {
        #expect(throws: MIDIInletError.rule(text, fault)) { try ConnectionRule(text) }
    }

    @Test func errorsAreOneLineWithARemedy() {
        let errors: [MIDIInletError] = [
            .noSequencer, .notPermitted, .noRoom, .failed("snd_seq_open failed"), .system("eventfd", code: 24),
            .portCount(17), .rule("usb:1", .usb),
        ]
        for error in errors { #expect(!error.description.contains("\n")) }
        for error in errors.prefix(5) { #expect(error.description.contains("; ")) }
        #expect(MIDIInletError.noSequencer.description.contains("modprobe snd-seq"))
    }

    @Test(.enabled(if: access("/dev/snd/seq", F_OK) != 0, "there is a sequencer here"))
    func withoutASequencerThereIsOneClearSentence() {
        #expect(throws: MIDIInletError.noSequencer) { try MIDIDirectory() }
        #expect(throws: MIDIInletError.noSequencer) {
            try MIDIClient(MIDIClientSetup(), time: { _ in nil }, send: { _ in true })
        }
    }

    @Test(arguments: [
        ("keystation", "M-Audio KEYSTATION 61", true), ("Key*61", "Keystation 61", true),
        ("Key*61", "My Keystation 61", false),
        ("*", "", true), ("?", "", false), ("a?c", "ABC", true), ("a*b*c", "a-b-b-c", true), ("a*b*c", "a-c-b", false),
        ("**x**", "box", true), ("", "anything", true),
    ])
    func patternsFitNames(_ pattern: String, _ name: String, _ fits: Bool) {
        #expect(NamePattern(pattern).matches(name) == fits)
    }

    @Test func aPatternOfStarsEndsInReasonableTime() {
        let pattern = NamePattern(String(repeating: "a*", count: 60) + "b")
        #expect(!pattern.matches(String(repeating: "a", count: 2_000)))
    }
}
