import Carillon
import Synchronization
import Testing

@testable import Sessions

/// A session that is locked refuses what changes its set-up, and nothing else.
@Suite struct LockTests {
    @Test func whatChangesTheSetupIsRefused() throws {
        var options = SessionInTime.options
        (options.ports, options.patch) = (1, KeysAndSongsTests.patch)
        let time = try SessionInTime(options), session = time.session
        let refused: [ControlCommand] = [
            .savePatch(path: "/proc/nowhere/a.yaml"), .savePreset(unit: "square", name: "mine", replaces: false),
            .savePreset(unit: "square", name: "mine", replaces: true), .learn("mixer.volume"), .forget("mixer.volume"),
            .learn(request: .request(.tap)), .forget(request: .request(.tap)),
        ]
        try session.perform(.lock(true))
        #expect(session.snapshot.isLocked)
        for command in refused { #expect(throws: Fault.locked, "\(command)") { try session.perform(command) } }
        #expect(throws: Fault.locked) { try session.apply(KeysAndSongsTests.patch) }
        #expect(throws: Fault.locked) { try session.replace(patch: 1, by: KeysAndSongsTests.patch) }
        // Other surfaces ask through the inbox.
        let refusals = Atomic(0)
        session.inbox.post(.learn("mixer.volume")) { answer in
            if case .failure(let fault) = answer, fault == .locked { refusals.add(1, ordering: .relaxed) }
        }
        for command in [ControlCommand.volume(-3), .learn(nil), .set("mixer.volume=-2"), .panic(.all)] {
            try session.perform(command)
        }
        try time.pass(0.1)
        #expect(refusals.load(ordering: .relaxed) == 1)
        try session.perform(.lock(false))
        try session.perform(.learn("mixer.volume"))
        #expect(session.snapshot.learning == "mixer.volume")
        try session.finish()
    }
}
