import Carillon
import Glibc
import TestFolders
import Testing

@testable import CarillonCommand
@testable import Sessions

/// A set list as a player sees it: the patch that sounds, the one that comes, the keys that lead there.
@Suite struct SetListScreenTests {
    private static let list = SessionSnapshot.PatchList(
        name: "Cathedral Organ", number: 2, count: 40, next: "Strings and Choir", isNextReady: true, ready: 3, ringing: 1,
        sampleBytes: 148_400_000)

    private func lines(_ list: SessionSnapshot.PatchList?, columns: Int) -> [String] {
        var snapshot = SnapshotSamples.live
        snapshot.patches = list
        return LiveScreen.lines(snapshot, columns: columns, style: ScreenStyle(hasUnicode: false, hasColour: false)).map { line in
            var text = line.text
            while text.last == " " { text.removeLast() }
            return text
        }
    }

    private func patch(_ list: SessionSnapshot.PatchList, columns: Int) -> [String] {
        let lines = lines(list, columns: columns)
        let first = lines.firstIndex { $0.hasPrefix("patch") } ?? 0
        return [lines[first]] + lines[(first + 1)...].prefix { $0.hasPrefix("  ") }
    }

    @Test func whatSoundsAndWhatComesIsShownAtEveryWidth() {
        #expect(patch(Self.list, columns: 140) == ["patch     2/40 Cathedral Organ  next: Strings and Choir  1 ringing"])
        #expect(patch(Self.list, columns: 80) == ["patch     2/40 Cathedral Organ  next: Strings and Choir  1 ringing"])
        #expect(
            patch(Self.list, columns: 40) == [
                "patch     2/40 Cathedral Organ", "          next: Strings and Choir", "          1 ringing",
            ])
        var waiting = Self.list
        (waiting.wanted, waiting.isNextReady, waiting.ringing) = ("Bells", false, 0)
        #expect(
            patch(waiting, columns: 140) == [
                "patch     2/40 Cathedral Organ  coming: Bells  next: Strings and Choir (not ready yet)"
            ])
        for columns in 10...140 { #expect(lines(waiting, columns: columns).allSatisfy { $0.count <= columns }) }
    }

    @Test func theKeysAreShownWhereThereIsAList() {
        func keys(_ list: SessionSnapshot.PatchList?) -> Bool {
            lines(list, columns: 80).contains { $0.contains("b/n list back/on") }
        }
        #expect(keys(Self.list) && !keys(nil))
        #expect(!lines(nil, columns: 80).contains { $0.hasPrefix("patch") })
    }

    @Test func keysGoBackAndOnAlsoWhileLettersAreNotes() {
        var interpreter = KeyInterpreter(KeyTable(.live), presets: SnapshotSamples.presets)
        func press(_ key: Key) -> [ControlCommand] {
            if case .commands(let commands) = interpreter.outcome(of: key, at: SnapshotSamples.live) { commands } else { [] }
        }
        #expect(press(.character("n")) == [.patch(.next)] && press(.character("b")) == [.patch(.previous)])
        #expect(press(.character("k")) == [])
        #expect(press(.character("n")) == [.note(channel: 1, key: 69, velocity: 100, seconds: 0.5)])
        #expect(press(.control("n")) == [.patch(.next)] && press(.control("b")) == [.patch(.previous)])
        // Another patch, other sounds.
        interpreter.offer([])
        #expect(press(.character("V")) == [])
    }

    @Test func theLogHasALineForEachChange() {
        var log = LiveLog(showsSong: false)
        var snapshot = SnapshotSamples.live
        snapshot.patches = Self.list
        let line = "event=patch name=\"Cathedral Organ\" number=2 count=40 next=\"Strings and Choir\" ready=yes samples-mb=148.4"
        #expect(log.lines(for: snapshot, at: 0).contains(line + " time=480000"))
        snapshot.patches?.ringing = 0
        #expect(log.lines(for: snapshot, at: 0.1) == [])
        var last = Self.list
        (last.number, last.name, last.next) = (40, "Bells", nil)
        snapshot.patches = last
        #expect(
            log.lines(for: snapshot, at: 0.2) == [
                "event=patch name=Bells number=40 count=40 samples-mb=148.4 time=480000"
            ])
    }

    @Test func severalPatchesAreForPlayersAlone() {
        let folder = TemporaryFolder()
        folder.add("organ.yaml", Array(PatchSamples.organ.utf8))
        folder.add("one.mid", SongBytes.oneNote)
        let two = ["--device", "null", "--patch", "organ.yaml", "--patch", "organ.yaml"]
        let played = Program.run(["play", "one.mid"] + two, in: folder)
        #expect(played.exitCode == 64 && played.errors.contains("songs are played through one patch"), "\(played.errors)")
        let set = Program.run(["live"] + two + ["--set", "reverb.decay=2s"], in: folder)
        #expect(set.exitCode == 64 && set.errors.contains("several patches play"), "\(set.errors)")
    }

    @Test func aPatchThatIsNoneLeavesTheOthersPlaying() {
        let folder = TemporaryFolder()
        folder.add("organ.yaml", Array(PatchSamples.organ.utf8))
        folder.add("broken.yaml", Array("version: 1\nunits: {a: {unit: revreb}}\n".utf8))
        func list(_ names: String...) -> [String] { ["live", "--device", "null"] + names.flatMap { ["--patch", $0] } }
        let running = Program.start([Program.path] + list("broken.yaml", "organ.yaml", "strings.yaml", "organ.yaml"), in: folder)
        while !running.hasEnded && !running.errorsSoFar.contains("ready=yes") { sched_yield() }
        kill(running.id, SIGTERM)
        let run = running.end()
        #expect(run.exitCode == 143 && run.errors.contains("event=patch name=organ number=2 count=4 next=organ"), "\(run.errors)")
        let fault =
            "broken: broken.yaml:2:19: units.a.unit: there is no unit called 'revreb'; did you mean reverb?; it cannot be played"
        #expect(
            run.errors.count(of: fault) == 1 && run.errors.count(of: "strings: strings.yaml: cannot be read") == 1,
            "\(run.errors)")
        // Where none is left, each is told, and the code is that of the first.
        let none = Program.run(list("broken.yaml", "strings.yaml"), in: folder)
        #expect(none.exitCode == 78 && none.errorLines.count == 2 && none.errors.contains("strings.yaml"), "\(none.errors)")
        #expect(Program.run(list("strings.yaml", "broken.yaml"), in: folder).exitCode == 66)
    }
}
