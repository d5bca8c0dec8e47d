import Carillon
import Reports
import Testing

@testable import Control
@testable import EngineCore
@testable import Installations
@testable import Sessions
@testable import SongRendering

/// What a socket answers is as its description says.
@Suite struct SchemaTests {
    private static let check = Result { try SchemaCheck(OpenAPI(grammar: .installation).text) }

    private func fault(_ answer: String, as name: String) throws -> String? {
        try Self.check.get().fault(json: answer, as: "#/components/schemas/\(name)")
    }

    @Test(arguments: ["status", "metrics", "log", "help", "song", "notes 0 10", "songs", "songs beats", "sounds", "parameters"])
    func anAnswerIsAsItIsDescribed(_ line: String) throws {
        let steered = try SteeredSession(), client = steered.client()
        steered.socket.tell("something", at: "12:00")
        let answer = try steered.ask(line, through: client), verb = line.prefix { $0 != " " }
        let name = verb.prefix(1).uppercased() + verb.dropFirst()
        #expect(try fault(answer, as: name) == nil, "\(line): \(answer.prefix(200))")
        #expect(try fault("{}", as: name) != nil && fault("1", as: name) != nil, "\(line): anything is")
    }

    @Test func aHouseIsToldAsItIsDescribed() throws {
        let steered = try SteeredSession(), client = steered.client()
        var house = InstallationStatus(
            isOpen: false, playlist: nil, level: 0, isPaused: false, next: .init(at: "2026-06-01 09:00:00 +02:00", what: "day"),
            cues: [.init(name: "bell", isPlaying: false)], playlists: ["day"], activity: .init(.closed))
        house.trouble = .init(reason: "it sounds", since: "2026-06-01 09:00:00 +02:00")
        house.wishes = [.init(what: "closed", until: "2026-06-02 00:00:00 +02:00", by: "page")]
        (house.week, house.requests) = ([.init(at: "2026-06-01 09:00:00 +02:00", what: "day")], ["a.mid"])
        house.songs = [
            ListedSong(number: 1, name: "a.mid", playlists: ["day"], length: 61.5),
            ListedSong(number: 2, name: "b \"x\".mid", playlists: [], fault: "No such file"),
        ]
        var snapshot = SessionSnapshot()
        snapshot.installation = house
        for (line, name) in [("status", "Status"), ("week", "Week"), ("songs", "Songs"), ("songs b", "Songs")] {
            client.send(line + "\n")
            var answer = ""
            while answer.isEmpty {
                steered.socket.publish(snapshot) { (question) throws(Fault) in
                    .told(
                        question.verb.words == ["week"]
                            ? house.week.fieldValue : SongList(house.songs, having: question.text(0)).fieldValue)
                }
                if client.read() { answer = client.take(1).first ?? "" }
            }
            #expect(try fault(answer, as: name) == nil, "\(line): \(answer.prefix(300))")
            if line == "songs b" { #expect(answer.contains("\"count\":1,") && answer.contains("No such file")) }
        }
    }

    /// Nobody is cut off because a house has many songs: as many are told as fit, and the others are found by their words.
    @Test func aHouseOfManySongsIsToldInOneAnswer() throws {
        let steered = try SteeredSession(), client = steered.client()
        var house = InstallationStatus(
            isOpen: true, playlist: "day", level: 0, isPaused: false, next: nil, cues: [], playlists: ["day"],
            activity: .init(.playing))
        house.songs = (1...20_000).map { ListedSong(number: $0, name: "\u{1}鐘 \"\($0)\".mid", playlists: ["day"]) }
        var snapshot = SessionSnapshot()
        snapshot.installation = house
        client.send("songs\nsongs \"鐘 19999\"\n")
        while client.lines < 2 {
            #expect(!client.isCut)
            steered.socket.publish(snapshot) { (question) throws(Fault) in
                .told(SongList(house.songs, having: question.text(0)).fieldValue)
            }
            _ = client.read()
        }
        let answers = client.take(2), all = try JSONValue.parse(answers[0]), found = try JSONValue.parse(answers[1])
        #expect(answers[0].utf8.count <= SongList.mostBytes && answers[0].utf8.count > SongList.mostBytes / 2)
        #expect(all["count"]?.number == 20_000 && all["isWhole"]?.flag == false)
        #expect(try fault(answers[0], as: "Songs") == nil)
        #expect(found["isWhole"]?.flag == true && found["songs"]?.items.map { $0["number"]?.number } == [19_999])
    }

    @Test func everyAnswerHasASchemaThatIsThere() throws {
        let document = try JSONValue.parse(OpenAPI(grammar: .installation).text)
        guard case .object(let paths)? = document["paths"], case .object(let schemas)? = document["components"]?["schemas"] else {
            Issue.record("no paths")
            return
        }
        var used: Set<String> = []
        for (path, methods) in paths {
            guard case .object(let methods) = methods else { continue }
            for (method, operation) in methods {
                guard case .object(let responses)? = operation["responses"] else {
                    Issue.record("\(path) \(method) answers nothing")
                    continue
                }
                for (code, response) in responses where code != "204" {
                    guard case .object(let content)? = response["content"], let schema = content.values.first?["schema"] else {
                        Issue.record("\(path) \(method) \(code) has no schema")
                        continue
                    }
                    if let name = schema["$ref"]?.text?.split(separator: "/").last { used.insert(String(name)) }
                }
            }
        }
        #expect(used == Set(schemas.keys))
        #expect(
            used.isSuperset(of: ["Status", "Week", "Songs", "Song", "Sounds", "Parameters", "Log", "Health", "Role", "Error"]))
    }
}
