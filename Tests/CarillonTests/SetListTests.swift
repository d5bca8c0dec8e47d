import Carillon
import CarillonTestKit
import Glibc
import Graphs
import MIDI
import Patches
import RealtimeCore
import RemoteIO
import TestUnits
import Testing
import Units

@testable import EngineCore
@testable import Sessions
@testable import SongRendering

/// One patch takes over from another while it sounds.
@Suite(.serialized) struct SetListTests {
    private func session(_ patches: [Patch], ports: Int = 1) throws -> SessionInTime {
        let time = try SessionInTime(SetListSamples.options(patches, ports: ports))
        // The others are made ready meanwhile.
        try time.pass(0.05)
        return time
    }

    private func list(_ time: SessionInTime) throws -> SessionSnapshot.PatchList { try #require(time.session.snapshot.patches) }

    private func voices(_ time: SessionInTime, _ unit: String) -> Int? {
        time.session.engine.graph.node(named: unit).map { Int($0.instance.readout("voices") ?? -1) }
    }

    /// Each patch that is folded is told by its name, at the start and where a file that is saved brings it.
    @Test func everyPatchThatIsFoldedIsTold() throws {
        var room = Patch()
        room.units = [PatchUnit("lead", "square-wave", role: .instrument), PatchUnit("room", "matrix")]
        room.connections = [PatchConnection(PatchPort("lead"), to: PatchPort("room"))]
        room.outputs = [PatchPort("room", 4)]
        let layout = room.outputLayout
        try #require(layout.channels > 2)
        let time = try session([SetListSamples.bells(), room, room]), session = time.session
        let names = session.options.patches.map(\.name)
        let words = "plays on \(layout.rawValue) and is folded down to stereo: set lists play stereo"
        #expect(
            session.takeRemarks().map(\.description).filter { $0.contains("folded") } == [
                "\(names[1]): \(words)", "\(names[2]): \(words)",
            ])
        try session.replace(patch: 1, by: room)
        try session.replace(patch: 2, by: room)
        #expect(session.takeRemarks().map(\.description) == ["\(names[0]): \(words)"])
    }

    @Test func newKeysPlayTheNewPatchWithinOneSlice() throws {
        let time = try session([SetListSamples.bells(), SetListSamples.bells(hasLimiter: true), SetListSamples.bells()])
        #expect(try list(time).isNextReady && list(time).ready == 2)
        var edits: [SampleTime] = [], played: [(Int64, Int)] = []
        time.session.onPerformance = { performance in
            edits += performance.edits.map(\.time)
            for entry in performance.entries {
                if case .music(.message(let message)) = entry.event { played.append((entry.time.rawValue, message.part)) }
            }
        }
        try time.session.receive(.noteOn(60))
        try time.pass(0.1)
        for number in 2...3 {
            let asked = time.session.engine.renderer.sampleTime, period = time.session.options.device.period
            try time.session.perform(.patch(.next))
            try time.session.receive(.noteOn(UInt8(60 + number)))
            #expect(try list(time).number == number)
            try time.pass(0.1)
            // One period, and the note with it.
            #expect(edits.count == number - 1)
            #expect(edits.last.map { $0 - asked <= period && $0 >= asked } == true, "\(edits) \(asked)")
            #expect(played.last.map { $0.0 == edits.last?.rawValue } == true, "\(played) \(edits)")
            let sounding = time.session.engine.graph.nodes.map { "\($0.name) \($0.instance.readout("voices") ?? -1)" }
            #expect(voices(time, "bell") == 1 && voices(time, "former-\(number - 1).bell") == 1, "\(number): \(sounding)")
        }
        #expect(Set(played.map(\.1)).count == 3, "each patch has ports of its own")
        #expect(Set(time.session.snapshot.notes.map(\.channel)) == [1] && time.session.snapshot.notes.count == 3)
        // Each key ends where it began, in any order.
        for key: UInt8 in [62, 60, 63] { try time.session.receive(.noteOff(key)) }
        try time.pass(2)
        #expect(try list(time).ringing == 0 && voices(time, "bell") == 0)
        #expect(!time.session.engine.graph.nodes.contains { $0.owner.isRinging })
        let counters = time.session.engine.renderer.counters
        #expect(counters.lostEvents == 0 && counters.unheardEvents == 0 && counters.faults == 0 && counters.lateEvents == 0)
        try time.session.perform(.patch(.next))
        #expect(try list(time).number == 3, "the last one")
        try time.session.finish()
    }

    /// With a limiter or without, before a patch that is later or sooner: not one sample of a tail changes.
    @Test(arguments: [(false, true), (true, false), (true, true)]) func aTailIsTheSameToTheLastBit(
        _ former: Bool, _ next: Bool
    ) throws {
        func heard(changes: Bool) throws -> [[Float]] {
            let time = try session([
                SetListSamples.bells(hasLimiter: former, hasReverb: true),
                SetListSamples.bells(hasLimiter: next, hasReverb: true),
            ])
            try time.session.receive(.noteOn(60))
            try time.session.receive(.noteOn(64))
            try time.session.receive(.controller(64, 127))
            try time.pass(0.2)
            try time.session.receive(.noteOff(60))
            if changes { try time.session.perform(.patch(.next)) }
            try time.pass(0.3)
            // The key that is held ends, then the pedal goes up, then all rings out.
            try time.session.receive(.noteOff(64))
            try time.pass(0.3)
            try time.session.receive(.controller(64, 0))
            try time.pass(12)
            #expect(try list(time).ringing == 0 && list(time).number == (changes ? 2 : 1))
            let played = time.port.played
            try time.session.finish()
            return played
        }
        let with = try heard(changes: true), without = try heard(changes: false)
        let difference = zip(with[0], without[0]).enumerated().first { $0.element.0 != $0.element.1 }
        #expect(difference == nil, "frame \(difference?.offset ?? 0) of \(with[0].count)")
        #expect(with[1] == without[1] && with[0].count > 500_000)
        #expect(with[0][48_000...].contains { abs($0) > 0.001 } && with[0].suffix(1000).allSatisfy { $0 == 0 })
    }

    /// Keys that stay down while more patches come than may ring, and what hums by itself: everything fades.
    @Test func nothingThatComesOrGoesSteps() throws {
        let patches = (0..<8).map { SetListSamples.bells(hasLimiter: $0 % 3 == 1, hasDrone: $0 % 2 == 0) }
        let time = try session(patches)
        for patch in 0..<7 {
            try time.session.receive(.noteOn(UInt8(60 + patch)))
            try time.pass(0.1)
            try time.session.perform(.patch(.next))
            try time.pass(0.1)
        }
        #expect(try list(time).ringing == RingingUnits.mostPatches)
        let played = time.port.played[0]
        let step = zip(played, played.dropFirst()).map { abs($1 - $0) }.max() ?? 1
        // Seven bells and two drones; at one change a drone comes or goes, and the oldest bell.
        let bound = 7 * Bell.slope + 2 * Drone.slope + 2 * (Drone.peak + Bell.peak) / 256
        #expect(step <= bound && step > Bell.slope / 2, "\(step) of \(bound)")
        // A drone of a patch that was left is heard no more.
        for patch in 0..<7 { try time.session.receive(.noteOff(UInt8(60 + patch))) }
        try time.pass(3)
        #expect(try list(time).number == 8 && time.port.played[0].suffix(4800).allSatisfy { $0 == 0 })
        #expect(time.session.engine.renderer.counters.unheardEvents == 0)
        try time.session.finish()
    }

    @Test func aTailThatNeverEndsIsCutAfterHalfAMinute() throws {
        let time = try session([SetListSamples.bells(isRestless: true), SetListSamples.bells()])
        try time.session.receive(.noteOn(60))
        try time.pass(0.2)
        try time.session.perform(.patch(.next))
        // A key that is held may be held for as long as anyone likes.
        try time.pass(Double(RingingUnits.longestTail) + 5)
        #expect(try list(time).ringing == 1 && voices(time, "former-1.bell") == 1)
        try time.session.receive(.noteOff(60))
        try time.pass(Double(RingingUnits.longestTail) - 1)
        #expect(try list(time).ringing == 1)
        try time.pass(2)
        #expect(try list(time).ringing == 0)
        try time.session.finish()
    }

    @Test func whatWasSetByHandIsThereAgain() throws {
        let
            time = try session([
                SetListSamples.bells(), ZoneSessionTests.patch([ZoneSessionTests.zone("all", "lead") { $0.program = 7 }]),
                SetListSamples.bells(hasLimiter: true),
            ]), session = time.session, engine = session.engine
        try session.perform(.volume(-9))
        try session.perform(.metronome(true, tempo: 77))
        try session.perform(.patch(.next))
        try time.pass(0.1)
        #expect(session.snapshot.volume == -9 && session.snapshot.metronome?.tempo == 77)
        try session.perform(.set("lead.release=0.4s"))
        try time.pass(0.1)
        try session.perform(.patch(.number(3)))
        try time.pass(0.1)
        try session.perform(.patch(.named("patch 2")))
        try time.pass(0.1)
        #expect(try engine.value("lead.release") == 0.4)
        try session.perform(.patch(.previous))
        try time.pass(0.1)
        #expect(session.snapshot.volume == -9 && session.snapshot.metronome?.isRunning == true)
        // A file that is saved goes before the hand where it says something else, and the rest stays.
        var saved = SetListSamples.bells(hasReverb: true)
        saved[unit: "mixer"]?.values["volume"] = [-3]
        try session.apply(saved)
        try time.pass(0.1)
        #expect(try session.snapshot.volume == -9 && engine.value("mixer.volume") == -12)
        #expect(engine.graph.node(named: "reverb") != nil)
        // Of one that does not sound nothing is heard until it does.
        try session.replace(patch: 3, by: SetListSamples.bells(hasReverb: true))
        try session.perform(.patch(.number(3)))
        try time.pass(0.1)
        #expect(try list(time).number == 3 && engine.graph.node(named: "limiter") == nil)
        #expect(engine.graph.node(named: "reverb") != nil)
        try session.finish()
    }

    @Test func whatCannotBePlayedIsToldAndLeftOut() throws {
        var broken = SetListSamples.bells()
        broken[unit: "bell"]?.component = "no-such-unit"
        var taken = SetListSamples.bells()
        taken.units.append(PatchUnit("former-7.bell", "test-bell"))
        let time = try session([SetListSamples.bells(), broken, taken, SetListSamples.bells()]), session = time.session
        #expect(session.takeNotices().contains { $0.hasPrefix("patch 2: ") && $0.contains("no-such-unit") })
        try time.pass(0.1)
        try session.perform(.patch(.number(3)))
        try time.pass(0.1)
        #expect(session.takeNotices().contains { $0.hasPrefix("patch 3: ") && $0.contains("former-7.bell") })
        #expect(try list(time).number == 1 && list(time).wanted == nil && list(time).next == "patch 4")
        try session.perform(.patch(.next))
        try time.pass(0.1)
        #expect(try list(time).number == 4)
        #expect(throws: Fault.self) { try session.perform(.patch(.number(5))) }
        #expect(throws: Fault.self) { try session.perform(.patch(.named("nobody"))) }
        // A save that is wrong changes nothing.
        let before = session.engine.patch
        #expect(throws: Fault.self) { try session.apply(broken) }
        #expect(session.engine.patch == before)
        try session.finish()
        #expect(throws: Fault.self) { try SessionInTime(SetListSamples.options([broken, taken])) }
        // The first that can be played sounds.
        let second = try SessionInTime(SetListSamples.options([broken, SetListSamples.bells()]))
        let told = second.session.takeRemarks().map(\.description)
        #expect(told.count == 1 && told[0].hasPrefix("patch 1: ") && told[0].contains("no-such-unit"), "\(told)")
        #expect(try list(second).number == 2 && list(second).next == nil)
        #expect(second.session.takeNotices() == [])
        try second.session.finish()
        let alone = try SessionInTime(SetListSamples.options([SetListSamples.bells()]))
        #expect(throws: Fault.self) { try alone.session.perform(.patch(.next)) }
        #expect(alone.session.snapshot.patches == nil)
        try alone.session.finish()
    }

    /// A file that is no patch keeps its place in the list, is told once and left out, until it is one.
    @Test func aFileThatIsNoPatchIsLeftOutUntilItIsOne() throws {
        var options = SetListSamples.options([])
        let fault = #expect(throws: PatchFileError.self) {
            try PatchFile(path: "/proc/nowhere/broken.yaml", units: UnitCatalog.entries)
        }
        let broken = ListedPatch("broken", path: "/proc/nowhere/broken.yaml", fault: try #require(fault))
        let bells = ["one", "two"].map { ListedPatch($0, SetListSamples.bells()) }
        options.patches = [broken, bells[0], broken, bells[1]]
        let time = try SessionInTime(options), session = time.session
        let told = session.takeRemarks().map(\.description)
        #expect(told.filter { $0.hasPrefix("broken: /proc/nowhere/broken.yaml: cannot be read") }.count == 1)
        try time.pass(0.1)
        #expect(session.takeNotices() == [])
        #expect(try list(time).name == "one" && list(time).number == 2 && list(time).next == "two")
        try session.perform(.patch(.next))
        try time.pass(0.1)
        #expect(try list(time).number == 4)
        try session.perform(.patch(.previous))
        try time.pass(0.1)
        #expect(try list(time).number == 2)
        try session.perform(.patch(.previous))
        try time.pass(0.1)
        #expect(try list(time).number == 2)
        // Its file is saved, and is a patch now.
        try session.replace(patch: 3, by: SetListSamples.bells())
        try session.perform(.patch(.next))
        try time.pass(0.1)
        #expect(try list(time).number == 3)
        try session.finish()
        for alone in [[broken], [broken, broken]] {
            options.patches = alone
            let error = #expect(throws: Fault.self) { try SessionInTime(options) }
            #expect(error.map { "\($0)".contains("cannot be read") } == true)
        }
    }

    /// Whatever changes were made, the journal tells them: the same samples once more.
    @Test(arguments: [1, 2] as [UInt64]) func aJournalWithChangesReplaysToTheSameSamples(_ seed: UInt64) throws {
        let path = TemporaryPath.make("set-list-\(seed).wav")
        defer { for ending in ["", ".journal"] { unlink(path + ending) } }
        var random = SeededRandom(seed: seed)
        var options = SetListSamples.options([
            SetListSamples.bells(hasReverb: true, hasDrone: true),
            ZoneSessionTests.patch([ZoneSessionTests.zone("all", "lead") { $0.program = 7 }]),
            SetListSamples.bells(hasLimiter: true, hasReverb: true),
        ])
        options.capturePath = path
        let time = try SessionInTime(options), session = time.session
        for _ in 0..<40 {
            let key = UInt8.random(in: 48...72, using: &random)
            try session.receive(Bool.random(using: &random) ? .noteOn(key) : .noteOff(key))
            try session.perform(.set("mixer.volume=\(Int.random(in: -12...0, using: &random)) dB"))
            switch Int.random(in: 0..<5, using: &random) {
            case 0: try session.perform(.patch(.number(Int.random(in: 1...3, using: &random))))
            case 2:
                // Another instrument takes the place of one that may sound.
                var saved = SetListSamples.bells(hasReverb: true)
                if Bool.random(using: &random) { saved[unit: "bell"]?.component = "square-wave" }
                try session.apply(saved)
            case 1:
                // Two at once, of which the first has not happened when the second is made.
                try session.perform(.patch(.next))
                try session.perform(.patch(.previous))
            default: break
            }
            try time.pass(Double(Int.random(in: 1...12, using: &random)) / 100)
        }
        try session.finish()
        let heard = try AudioFileReader(path: path).readAll()
        var replayed = [[Float]](repeating: [], count: 2)
        let journal = try Journal(path: path + ".journal")
        #expect(journal.edits.contains { $0.difference.renamed?.isEmpty == false })
        try JournalRenderer(journal).render { (samples, frames) in
            for c in 0..<2 { replayed[c] += UnsafeBufferPointer(start: samples[c], count: frames) }
        }
        let difference = zip(heard[0], replayed[0]).enumerated().first { $0.element.0 != $0.element.1 }
        #expect(difference == nil, "frame \(difference?.offset ?? 0) of \(heard[0].count)")
        #expect(heard[0].count == replayed[0].count && heard[1] == replayed[1] && heard[0].contains { abs($0) > 0.05 })
    }
}

/// Trims of the patches of a list.
@Suite struct PatchLevelTests {
    /// Patches that differ in loudness become equally loud, within a tenth of a decibel, those of two zones too.
    @Test func aChordIsBroughtToTheReference() throws {
        var options = LiveOptions()
        options.instrument = .squareWave
        func listed(_ gain: Int, _ zones: String = "") throws -> ListedPatch {
            let text = """
                version: 1
                units:
                  lead: {unit: square-wave, role: instrument}
                  mixer: {unit: multichannel-mixer, role: master, values: {gain: \(gain) dB}}
                connections: [lead -> mixer]
                outputs: mixer
                \(zones)
                """
            return ListedPatch("at \(gain)", try PatchFile(text: text, units: UnitCatalog.entries).patch)
        }
        let level = PatchLevel(cache: nil)
        let loud = try #require(try level.trim(of: listed(0), in: options))
        let soft = try #require(try level.trim(of: listed(-6), in: options))
        #expect(abs(soft - loud - 6) < 0.2 && abs(soft) < PatchLevel.most && abs(loud) < PatchLevel.most, "\(loud) \(soft)")
        let split = "zones: {low: {keys: C-1-B3, unit: lead}, high: {keys: C4-G9, unit: lead}}"
        let both = try #require(try level.trim(of: listed(0, split), in: options))
        #expect(both < loud - 1 && both >= -PatchLevel.most, "\(both)")
        #expect(try level.trim(of: listed(-60), in: options) ?? PatchLevel.most == PatchLevel.most)
        // A number or off wins.
        options.patches = try [listed(0), listed(-6)]
        options.list.patches[0].isTrimmed = true
        options.trimPatches(level)
        #expect(options.patches[0].trim == Float(loud) && options.patches[1].trim == 0)
    }
}

private enum TemporaryPath {
    static func make(_ name: String) -> String { "/tmp/carillon-\(getpid())-\(name)" }
}
