import Carillon
import Synchronization
import Testing

@testable import SongRendering

/// The number of the last command of each thread that was answered in its turn.
private final class Answers: Sendable {
    private let last = Mutex<[Int: Int]>([:])

    func take(_ number: Int, of thread: Int) {
        last.withLock { if $0[thread, default: -1] == number - 1 { $0[thread] = number } }
    }

    var all: [Int: Int] { last.withLock { $0 } }
}

/// Commands from any thread.
@Suite struct CommandInboxTests {
    @Test func commandsOfSeveralThreadsAreObeyedInOrderAndAnswered() async throws {
        let time = try SessionInTime(), inbox = time.session.inbox, answers = Answers()
        await withTaskGroup { group in
            for thread in 0..<4 {
                group.addTask {
                    for number in 0..<20 {
                        inbox.post(.set("reverb.decay=\(1 + Double(thread * 20 + number) / 80)s")) { result in
                            if case .success(.done) = result { answers.take(number, of: thread) }
                        }
                    }
                }
            }
        }
        try time.session.maintain()
        #expect(answers.all == [0: 19, 1: 19, 2: 19, 3: 19])
    }

    @Test func aCommandThatIsRefusedSaysWhy() throws {
        let time = try SessionInTime(), refusal = Mutex<String>("")
        time.session.inbox.post(.play) { result in
            if case .failure(let error) = result { refusal.withLock { $0 = "\(error)" } }
        }
        #expect(refusal.withLock { $0 } == "")
        try time.session.maintain()
        #expect(refusal.withLock { $0 }.contains("no song"))
    }

    @Test func aFullInboxTakesNoMore() throws {
        let inbox = CommandInbox()
        for _ in 0..<CommandInbox.room { #expect(inbox.post(.play)) }
        #expect(!inbox.post(.play))
        #expect(inbox.take().count == CommandInbox.room)
        #expect(inbox.post(.play))
    }

    @Test func quitFromAnotherThreadEndsTheSession() async throws {
        let time = try SessionInTime(), inbox = time.session.inbox
        await Task.detached { _ = inbox.post(.quit) }.value
        #expect(!time.session.isOver)
        try time.session.maintain()
        #expect(time.session.isOver)
    }

    @Test func aSessionThatHasEndedTakesNoCommands() throws {
        let time = try SessionInTime()
        time.session.inbox.post(.play)
        try time.session.maintain()
        #expect(time.session.takeNotices().contains { $0.contains("no song") }, "told where nobody wanted an answer")
        try time.session.finish()
        #expect(!time.session.inbox.post(.quit))
    }
}
