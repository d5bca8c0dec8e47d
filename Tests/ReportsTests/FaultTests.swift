import Reports
import Testing

@Suite struct FaultTests {
    private enum Lower: ClassifiedError {
        case gone(String)

        var exit: Fault.Exit { .noInput }
        var description: String { "a.mid: no such file" }
    }

    @Test func itSaysSubjectSentenceAndRemedy() {
        #expect(
            "\(Fault("already exists", .cannotCreate, of: "a.wav", remedy: "choose another name"))"
                == "a.wav: already exists; choose another name")
        #expect("\(Fault("the engine does not run", .software))" == "the engine does not run")
    }

    @Test func codeDecidesByItsKind() {
        let fault = #expect(throws: Fault.self) { throw Fault("one channel too many", .usage) }
        #expect(fault?.kind == .usage && fault?.kind.exit == .usage && fault?.kind.exit.rawValue == 64)
        #expect(Fault.Kind("usage", .data) != .usage)
        #expect(Fault("a", .usage) != Fault("a", .data) && Fault("a", .usage) != Fault("b", .usage))
    }

    @Test func aFaultOfALowerErrorKeepsSentenceClassAndError() {
        let fault = Fault(Lower.gone("a.mid"))
        #expect("\(fault)" == "a.mid: no such file" && fault.kind == Fault.Kind("Lower", .noInput))
        #expect(fault.origin is Lower)
        #expect(Fault(Lower.gone("a.mid"), as: .data).kind == .data)
    }

    @Test func severalFaultsAreOneWithASentenceForEach() throws {
        let device = Fault("no sound card", .unavailable, remedy: "plug one in"), keys = Fault("no sequencer", .system)
        let both = try #require(Fault(all: [device, keys]))
        #expect("\(both)" == "no sound card; plug one in; no sequencer" && both.kind == .unavailable)
        #expect(both.sentences == ["no sound card; plug one in", "no sequencer"])
        #expect(device.sentences == ["no sound card; plug one in"])
        #expect(Fault(all: []) == nil)
        #expect(Fault(["a", "b"], .data).sentences == ["a", "b"])
    }
}
