import Carillon
import Installations
import Testing

@testable import Control
@testable import EngineCore
@testable import Gateway
@testable import Sessions
@testable import SongRendering

/// Messages of OSC become lines that mean what was sent.
@Suite struct OSCRequestTests {
    /// The example of a form as a message: its words as an address, its values with their tags.
    private func message(_ verb: Verb, isCoarse: Bool = false) throws -> (OSCMessage, ControlRequest) {
        let request = try ControlGrammar.installation.request(verb.example), (said, values) = request.saying
        #expect(said == verb, "\(verb.example)")
        var message = OSCMessage(address: "/carillon/" + verb.words.joined(separator: "/"))
        for (argument, value) in zip(verb.arguments, values) {
            if case .labelled(let word, _) = argument.kind, value != .none { message.arguments.append(.text(word)) }
            switch value {
            case .number(let number): message.arguments.append(isCoarse ? .single(Float(number)) : .double(number))
            case .whole(let number): message.arguments.append(isCoarse ? .single(Float(number)) : .whole(Int32(number)))
            case .flag(let isOn): message.arguments.append(isCoarse ? .single(isOn ? 1 : 0) : .flag(isOn))
            case .text(let text): message.arguments.append(.text(text))
            // The words of a request belong to the address.
            case .request(let action): message.address += "/" + action.description.replacing(" ", with: "/")
            case .none: break
            }
        }
        return (message, request)
    }

    @Test(arguments: ControlGrammar.installation.allVerbs) func everyFormIsAMessage(_ verb: Verb) throws {
        let (fine, request) = try message(verb)
        #expect(try ControlGrammar.installation.request(OSCRequest.line(fine)) == request, "\(fine)")
        // A controller that knows no other number than a float says the same.
        let (coarse, _) = try message(verb, isCoarse: true)
        #expect(try ControlGrammar.installation.request(OSCRequest.line(coarse)) == request, "\(coarse)")
        // And so does the datagram that it becomes.
        #expect(try OSCPacket.messages(OSCPacket.bytes(fine)) == [fine])
    }

    @Test(arguments: [
        (OSCMessage(address: "/carillon/seek/bar", arguments: [.whole(12)]), "seek bar 12"),
        (OSCMessage(address: "/carillon/tempo", arguments: [.single(0.9)]), "tempo 0.9"),
        (OSCMessage(address: "/carillon/mute", arguments: [.whole(3), .whole(1)]), "mute 3 1"),
        (OSCMessage(address: "/carillon/mute/3", arguments: [.flag(false)]), "mute 3 off"),
        (OSCMessage(address: "/carillon/press", arguments: [.wide(1), .double(60), .single(100)]), "press 1 60 100"),
        (OSCMessage(address: "/carillon/set", arguments: [.text("reverb.decay=2.5s")]), "set \"reverb.decay=2.5s\""),
        (OSCMessage(address: "/carillon/seek", arguments: [.double(-5)]), "seek -5"),
        (OSCMessage(address: "/carillon/seek", arguments: [.text("1:30")]), "seek 1:30"),
        (OSCMessage(address: "/carillon/play"), "play"),
    ])
    func linesAreWrittenSo(_ message: OSCMessage, _ line: String) throws {
        #expect(try OSCRequest.line(message) == line)
    }

    @Test(
        arguments: [
            ("seek", "1:30", .seek(.seconds(90))), ("seek", "+5", .seek(.bySeconds(5))),
            ("seek", "-1:30", .seek(.bySeconds(-90))),
            ("seek", "1m30s", .seek(.seconds(90))), ("volume", "-6dB", .volume(-6)), ("tempo", "90%", .tempo(0.9)),
            ("patch", "2", .patch(.named("2"))), ("scene", "next", .scene(.named("next"))), ("learn", "off", .learn("off")),
            ("repeat", "all", .repeats(.all)), ("set", "part.scene=Big Organ", .set("part.scene=Big Organ")),
        ] as [(String, String, ControlCommand)])
    func aTextMeansWhatItSays(_ verb: String, _ text: String, _ command: ControlCommand) throws {
        let line = try OSCRequest.line(OSCMessage(address: "/carillon/\(verb)", arguments: [.text(text)]))
        #expect(try ControlGrammar.installation.command(line) == command, "\(line)")
    }

    @Test(arguments: [
        "Big Organ", "a\"b\\c", "\\", "\"", "+x", "12", "off", " ", "ü 🎵", "a\nb\r\tc", "play\" quit \"", "=", "e\u{301}", "\\n",
    ])
    func aNameArrivesWhateverIsInIt(_ name: String) throws {
        let line = try OSCRequest.line(OSCMessage(address: "/carillon/scene", arguments: [.text(name)]))
        #expect(!line.utf8.contains(10) && !line.utf8.contains(13))
        #expect(try ControlGrammar.installation.command(line) == .scene(.named(name)), "\(line)")
    }

    @Test(arguments: [
        "", "/", "/play", "/other/play", "/carillon", "/carillon/", "/carillon//play", "/carillon/play/", "/carillon/pl ay",
        "/carillon/{play,stop}", "/carillon/*", "/carillon/pla?", "/carillon/[p]lay", "/carillon/\"play\"",
        "/carillon/play\nquit",
        "/carillon/plüy", "/Carillon/play", "/carillon/a\\b",
    ])
    func whatIsNoAddressOfWordsIsRefused(_ address: String) {
        #expect(throws: OSCError.address(address)) { try OSCRequest.line(OSCMessage(address: address)) }
    }

    @Test func aNumberIsFinite() {
        let numbers: [OSCMessage.Argument] = [
            .single(.nan), .single(.infinity), .double(.nan), .double(-.infinity), .single(-.infinity), .double(.signalingNaN),
        ]
        for number in numbers {
            let message = OSCMessage(address: "/carillon/tempo", arguments: [number])
            #expect(throws: OSCError.notFinite("/carillon/tempo")) { try OSCRequest.line(message) }
        }
    }
}
