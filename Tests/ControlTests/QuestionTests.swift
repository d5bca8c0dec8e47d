import Carillon
import Installations
import Testing

@testable import Control
@testable import EngineCore
@testable import Sessions
@testable import SongRendering

/// What a socket tells beside how things stand, and what those may do who take a role upon themselves.
@Suite struct QuestionTests {
    @Test func theSongIsTold() throws {
        let steered = try SteeredSession(), client = steered.client()
        let song = try JSONValue.parse(try steered.ask("song", through: client))
        #expect(song["name"]?.text == "beats" && song["length"]?.number == 400)
        #expect(song["bars"]?.items.count == 200 && song["bars"]?.items[1].number == 2)
        let notes = try JSONValue.parse(try steered.ask("notes 10 12", through: client))
        #expect(notes["isWhole"]?.flag == true)
        // The one that ends at ten has sounded up to it: half a beat is a quarter of a second.
        #expect(
            notes["notes"]?.items.map { $0.items.map { $0.number ?? -1 } } == [
                [10, 0.25, 1, 60, 100], [10.5, 0.25, 1, 60, 100], [11, 0.25, 1, 60, 100], [11.5, 0.25, 1, 60, 100],
                [12, 0.25, 1, 60, 100],
            ])
        #expect(try steered.ask("notes 12 10", through: client).hasPrefix("error notes:"))
        #expect(try steered.ask("notes 0 121", through: client).hasPrefix("error notes:"))
    }

    @Test func withoutASongThereIsNone() throws {
        let steered = try SteeredSession(song: nil), client = steered.client()
        #expect(try steered.ask("song", through: client).hasPrefix("error no song"))
        #expect(try steered.ask("notes 0 1", through: client).hasPrefix("error no song"))
    }

    @Test func parametersAreToldAndTheirEditionRisesWithEachMove() throws {
        let steered = try SteeredSession(), client = steered.client()
        func parameters() throws -> JSONValue { try JSONValue.parse(try steered.ask("parameters", through: client)) }
        func every(_ answer: JSONValue) -> [JSONValue] { answer["units"]?.items.flatMap { $0["parameters"]?.items ?? [] } ?? [] }
        func value(_ setting: String) throws -> Double? {
            every(try parameters()).first { $0["setting"]?.text == setting }?["value"]?.number
        }
        let all = try parameters()
        let settings = every(all).compactMap { $0["setting"]?.text }
        #expect(Set(settings).count == settings.count && settings.contains("mixer.volume"))
        // Each of them can be set to what it has.
        for parameter in every(all) {
            let setting = try #require(parameter["setting"]?.text), value = try #require(parameter["value"]?.number)
            // What has names is set by name.
            let now = parameter["steps"]?.items.dropFirst(Int(max(value, 0))).first?.text ?? "\(value)"
            #expect(try steered.ask("set \(setting)=\(now)", through: client) == "ok", "\(setting)")
        }
        let before = try #require(all["parameterEdition"]?.number)
        #expect(try steered.ask("volume -7dB", through: client) == "ok")
        for _ in 0..<3 { try steered.work() }
        #expect(try value("mixer.volume") == -7)
        let after = try #require(try parameters()["parameterEdition"]?.number)
        #expect(after > before)
        for _ in 0..<10 { try steered.work() }
        #expect(try parameters()["parameterEdition"]?.number == after)
    }

    @Test func whatWasToldOfLateIsKept() throws {
        let steered = try SteeredSession(), client = steered.client()
        for number in 0..<(ControlLog.room + 5) { steered.socket.tell("line \(number)", at: "12:00") }
        let lines = try JSONValue.parse(try steered.ask("log", through: client))["lines"]?.items ?? []
        #expect(lines.count == ControlLog.room && lines.last?["text"]?.text == "line \(ControlLog.room + 4)")
        #expect(lines.first?["text"]?.text == "line 5" && lines.first?["at"]?.text == "12:00")
    }

    @Test func aSessionThatSaysNothingIsNotWell() throws {
        let steered = try SteeredSession(), client = steered.client()
        #expect(try steered.ask("health", through: client) == "ok")
        steered.clock.pass(ControlExchange.patience + 1)
        client.send("health\n")
        #expect(client.wait(1) == ["error the session has not answered for \(Int(ControlExchange.patience) + 1) s"])
        try steered.work()
        #expect(try steered.ask("health", through: client) == "ok")
    }

    @Test func metricsForPrometheusAreOneString() throws {
        let steered = try SteeredSession(), client = steered.client()
        let text = try JSONValue.parse(try steered.ask("metrics prometheus", through: client)).text ?? ""
        #expect(text.hasPrefix("# HELP carillon_frames_total") && text.hasSuffix("\n"))
    }

    @Test func theDescriptionHasEveryRequest() throws {
        let steered = try SteeredSession(), client = steered.client()
        let document = try JSONValue.parse(try steered.ask("openapi", through: client))
        let command = document["paths"]?["/api/command"]?["post"]
        let examples = command?["requestBody"]?["content"]?["text/plain"]?["examples"]
        for verb in ControlGrammar.installation.vocabulary.verbs where verb.role != .look {
            #expect(examples?[verb.text] != nil, "\(verb)")
        }
    }

    @Test func aCardWithoutAVolumeIsToldInOneLine() throws {
        let steered = try SteeredSession(), client = steered.client()
        for line in ["volume hardware", "volume hardware -12dB", "volume hardware share 50%", "volume hardware mute on"] {
            #expect(try steered.ask(line, through: client).hasPrefix("error simulated: has no mixer ("), "\(line)")
        }
        #expect(try steered.ask("volume hardware loud", through: client).hasPrefix("error "))
    }

    // MARK: - Roles

    @Test func aReaderOnlyAsksFromThenOn() throws {
        let steered = try SteeredSession(), reader = steered.client(), other = steered.client()
        #expect(try steered.ask("volume -1", through: reader) == "ok")
        #expect(try steered.ask("role reader", through: reader) == "ok")
        for verb in ControlGrammar.installation.allVerbs where verb.words != ["watch"] {
            let answer = try steered.ask(verb.example, through: reader)
            let isRefused = answer == "error \(verb.words[0]): is not allowed through this socket"
            #expect(isRefused == (verb.role != .look), "\(verb): \(answer)")
        }
        // Not even by asking for more.
        #expect(try steered.ask("role remote", through: reader) == "ok")
        #expect(try steered.ask("volume -2", through: reader).hasPrefix("error volume: is not allowed"))
        #expect(try steered.ask("volume -2", through: other) == "ok")
    }

    @Test func whoSpeaksForOthersEndsNothingAndNamesNoFile() throws {
        let steered = try SteeredSession(), remote = steered.client()
        #expect(try steered.ask("role remote", through: remote) == "ok")
        #expect(try steered.ask("quit", through: remote) == "error quit: is not allowed through this socket")
        for line in ["save-recording /etc/cron.d/x", "save-patch ../../x.yaml", "save-recording x"] {
            #expect(try steered.ask(line, through: remote).contains("the file's name cannot be chosen"), "\(line)")
        }
        #expect(
            try steered.ask("replace-preset reverb x", through: remote)
                == "error replace-preset: no file may be named through this socket")
        // A preset's name is no path.
        #expect(try steered.ask("save-preset reverb ../x", through: remote).hasPrefix("error "))
        #expect(!steered.session.isOver && steered.folder.names == ["s"])
        #expect(try steered.ask("volume -2", through: remote) == "ok")
    }

    @Test func aRoleThatIsNoneIsRefused() throws {
        let steered = try SteeredSession(), client = steered.client()
        #expect(try steered.ask("role king", through: client).contains("reader"))
        #expect(try steered.ask("volume -2", through: client) == "ok")
    }
}
