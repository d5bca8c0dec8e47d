import Carillon
import Glibc
import Installations
import Synchronization
import Testing

@testable import Control
@testable import EngineCore
@testable import Sessions
@testable import SongRendering

/// A session steered through its socket.
@Suite struct ControlSocketTests {
    @Test func commandsAreObeyedAndAnswered() throws {
        let steered = try SteeredSession(), client = steered.client()
        #expect(try steered.ask("seek bar 12", through: client) == "ok")
        while steered.session.snapshot.transport?.bar != 12 { try steered.work() }
        #expect(try steered.ask("tempo 90%", through: client) == "ok")
        #expect(try steered.ask("volume -6dB", through: client) == "ok")
        #expect(try steered.ask("pause", through: client) == "ok")
        let snapshot = steered.session.snapshot
        #expect(abs(snapshot.volume + 6) < 0.01 && snapshot.transport?.rate == 0.9)
        let path = steered.folder.file("a.mid")
        #expect(try steered.ask("note 1 60 100 0.1s", through: client).hasPrefix("ok"))
        for _ in 0..<50 { try steered.work() }
        #expect(try steered.ask("save-recording \(path)", through: client) == "ok saved \(path)")
        #expect(steered.folder.names == ["a.journal", "a.mid", "s"])
        #expect(!steered.session.isOver)
        #expect(try steered.ask("quit", through: client) == "ok")
        #expect(steered.session.isOver)
    }

    @Test(arguments: [
        ("scene chorus", "error the patch has no scenes; write some into its file"),
        ("paly", "error there is no command \"paly\"; help lists them all; did you mean play?"),
        ("tempo 11", "error tempo: 11 is out of range; choose from 0.1 to 10"),
        ("mute 3 on", "error there is no channel 3; there are "), ("", "error the line is empty; help lists the requests"),
        (String(repeating: "y", count: 5000), "error the line is longer than 4096 bytes"),
        ("panic unit \"a\\nb\"", "error there is no unit a?b;"),
    ]) func whatCannotBeIsAnsweredInOneLine(_ line: String, _ answer: String) throws {
        let steered = try SteeredSession(), client = steered.client()
        let said = try steered.ask(line, through: client)
        #expect(said.hasPrefix(answer), "\(said)")
        #expect(try steered.ask("status", through: client).hasPrefix("{\"statusVersion\":1,"))
    }

    @Test func bytesThatAreNoTextAreAnsweredToo() throws {
        let steered = try SteeredSession(), client = steered.client()
        client.send([0xFF, 0xFE, 10, 0, 10] + Array("status\r\n".utf8))
        let answers = client.wait(3)
        #expect(answers.prefix(2).allSatisfy { $0 == "error the line is not UTF-8, or contains control characters" })
        #expect(answers[2].hasPrefix("{"))
    }

    @Test func answersComeInTheOrderOfTheRequests() throws {
        let steered = try SteeredSession(), client = steered.client()
        client.send("volume -1\nstatus\nnonsense\nvolume -2\nmetrics\nhelp\nplay\n")
        let answers = try steered.answers(7, of: client)
        #expect(answers.map { String($0.prefix(8)) } == ["ok", "{\"status", "error th", "ok", "{\"metric", "[{\"form\"", "ok"])
    }

    @Test func whoOnlyLooksTouchesNothing() throws {
        let steered = try SteeredSession(role: .readOnly), client = steered.client()
        for verb in ControlGrammar.installation.vocabulary.verbs where verb.role != .look {
            client.send(verb.example + "\n")
            #expect(client.wait(1) == ["error \(verb.words[0]): is not allowed through this socket"])
        }
        for line in ["status", "metrics", "help", "watch"] {
            client.send(line + "\n")
            #expect(client.wait(1).first.map { $0.hasPrefix("{") || $0.hasPrefix("[") } == true)
        }
        #expect(steered.session.inbox.take().isEmpty)
    }

    @Test func whoWatchesIsToldAgainAndAgain() throws {
        let steered = try SteeredSession(), client = steered.client()
        client.send("watch 0.5s\n")
        #expect(client.wait(1)[0].contains("\"frames\":0,"))
        steered.port.advance(seconds: 1)
        let first = steered.session.snapshot
        steered.clock.pass(0.6)
        steered.socket.publish(first, of: steered.session)
        #expect(client.wait(1)[0].contains("\"frames\":\(first.sampleTime.rawValue),"))
        // Too early: the next answer is that to another request.
        steered.clock.pass(0.1)
        steered.socket.publish(first, of: steered.session)
        client.send("nonsense\n")
        #expect(client.wait(1)[0].hasPrefix("error"))
        steered.clock.pass(0.4)
        steered.socket.publish(first, of: steered.session)
        #expect(client.wait(1)[0].hasPrefix("{\"statusVersion\""))
    }

    // MARK: - Bounds

    @Test func aFloodIsAnswered() throws {
        let steered = try SteeredSession(), client = steered.client()
        client.send(String(repeating: "x\n", count: 1000))
        let answers = client.wait(1000)
        #expect(answers.count { $0 == "error too many requests" } == 800)
        #expect(answers.prefix(200).allSatisfy { $0.hasPrefix("error there is no command") })
        steered.clock.pass(0.25)
        client.send(String(repeating: "x\n", count: 100))
        #expect(client.wait(100).count { $0 == "error too many requests" } == 50)
        // Another client has its own.
        #expect(try steered.ask("play", through: steered.client()) == "ok")
    }

    @Test func aSlowClientIsCutOffAndNobodyElse() throws {
        let steered = try SteeredSession(), slow = steered.client(), other = steered.client()
        // Answers of several kilobytes, of which nothing is fetched, until the system's own buffers are full.
        var isCut = false, asked = 0
        while !isCut {
            slow.send(String(repeating: "help\n", count: 100))
            asked += 100
            #expect(try steered.ask("volume -3", through: other) == "ok")
            steered.clock.pass(1)
            var polled = pollfd(fd: slow.descriptor, events: 0, revents: 0)
            poll(&polled, 1, 0)
            isCut = Int32(polled.revents) & POLLHUP != 0
        }
        slow.waitForTheEnd()
        #expect(slow.lines < asked)
    }

    @Test func requestsThatWaitAreBoundedAndNoneIsLost() throws {
        let steered = try SteeredSession(), client = steered.client()
        client.send(String(repeating: "volume -3\n", count: 190))
        #expect(try steered.answers(190, of: client).allSatisfy { $0 == "ok" })
        #expect(!client.read())
    }

    @Test func theSeventeenthIsSentAwayUntilOneGoes() throws {
        let steered = try SteeredSession()
        var clients = (0..<16).map { _ in steered.client() }
        for client in clients { #expect(try steered.ask("status", through: client).hasPrefix("{")) }
        let late = steered.client()
        #expect(late.wait(1) == ["error 16 clients are connected already; try again when one has disconnected"])
        late.waitForTheEnd()
        clients.removeLast()
        // It may take a moment until the socket knows.
        var answer = ""
        while !answer.hasPrefix("{") {
            let next = steered.client()
            next.send("status\n")
            answer = next.wait(1).first ?? ""
            #expect(answer.isEmpty || answer.hasPrefix("{") || answer.hasPrefix("error 16 clients"))
        }
    }

    @Test func aHalfLineIsNoRequestAndWhoHasSaidAllIsAnswered() throws {
        let steered = try SteeredSession(), client = steered.client()
        client.send("volume -3\nquit")
        client.finish()
        #expect(try steered.answers(1, of: client) == ["ok"])
        client.waitForTheEnd()
        #expect(!steered.session.isOver && client.lines == 0)
    }

    @Test func whoAsksAndGoesIsObeyed() throws {
        let steered = try SteeredSession()
        do {
            let client = steered.client()
            client.send("volume -12\n")
        }
        while abs(steered.session.snapshot.volume + 12) > 0.01 { try steered.work() }
        #expect(try steered.ask("play", through: steered.client()) == "ok")
    }

    @Test func keysAreAsFingersPressThemAndGoUpWithTheirClient() throws {
        let steered = try SteeredSession(song: nil), player = steered.client(), other = steered.client()
        func keys() throws -> [Int] {
            for _ in 0..<4 { try steered.work() }
            return steered.session.snapshot.notes.map(\.key)
        }
        for key in [60, 64, 67] { #expect(try steered.ask("press 1 \(key) 100", through: player) == "ok") }
        #expect(try steered.ask("press 1 72 100", through: other) == "ok")
        #expect(try keys() == [60, 64, 67, 72])
        // A note without a length ends with the next of its kind; fingers stay where they are.
        #expect(try steered.ask("note 1 50 100", through: other) == "ok")
        #expect(try steered.ask("note 1 52 100", through: other) == "ok")
        #expect(try steered.ask("lift 1 64", through: player) == "ok")
        #expect(try keys() == [52, 60, 67, 72])
        player.finish()
        player.waitForTheEnd()
        #expect(try keys() == [52, 72])
        #expect(try steered.ask("release", through: other) == "ok")
        #expect(try keys() == [])
        #expect(try steered.ask("lift 1 64", through: other) == "ok")
    }

    /// Random bytes, mutilated requests, half lines and long ones, a hundred thousand of them, several at once.
    @Test func whateverIsSentNothingBreaks() throws {
        let steered = try SteeredSession(
            role: ControlRole(
                forbidding: Set(ControlGrammar.installation.vocabulary.verbs.filter { [.save, .end].contains($0.role) })))
        var random = RandomCommand(seed: 99), sent = 0
        var clients = (0..<4).map { _ in steered.client() }
        while sent < 100_000 {
            let index = random.next(4)
            var bytes: [UInt8] = []
            for _ in 0..<random.next(64) {
                var line = Array(
                    (random.next(3) == 0
                        ? ControlGrammar.installation.allVerbs[random.next(ControlGrammar.installation.allVerbs.count)].example
                        : ControlGrammar.installation.text(random.command())).utf8)
                switch random.next(5) {
                case 0: line = (0..<random.next(60)).map { _ in UInt8(random.next(256)) }
                case 1 where !line.isEmpty: line[random.next(line.count)] = UInt8(random.next(256))
                case 2 where !line.isEmpty: line.removeLast(random.next(line.count))
                case 3 where random.next(50) == 0: line += [UInt8](repeating: 65, count: 4000 + random.next(2000))
                default: break
                }
                bytes += line + [10]
                sent += 1
            }
            steered.clock.pass(1)
            let client = clients[index]
            try client.send(bytes) {
                while client.read() {}
                try steered.work()
            }
            while client.read() {}
            _ = client.take(.max)
            // Some go in the middle of a line.
            if clients[index].isCut || random.next(40) == 0 {
                clients[index].send("half a li")
                clients[index] = steered.client()
            }
            try steered.work()
        }
        clients = []
        var answer = ""
        while !answer.hasPrefix("{") { answer = try steered.ask("status", through: steered.client()) }
        #expect(steered.folder.names == ["s"])
    }
}
