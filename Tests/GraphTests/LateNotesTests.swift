import CarillonTestKit
import Graphs
import MIDI
import RealtimeCore
import Testing
import UnitAPI

/// What is played while nobody hears anything is heard at the first heard frame, and each note keeps its length.
@Suite struct LateNotesTests {
    /// A renderer of which nobody hears the first 1000 frames, and what took effect when.
    final class Listener {
        let rig = OfflineRig()
        var journal: [PerformedEvent] = []

        init() throws {
            let node = try rig.add(StairsUnit.self)
            try rig.graph.route(part: 0, to: node)
            try rig.graph.setOutput(node)
            try rig.publish()
        }

        func send(_ event: MusicEvent, at time: Int?) {
            let time = time.map { SampleTime(Int64($0)) } ?? .inTurn
            #expect(rig.renderer.sendLive(TimedMusicEvent(time: time, event: event)))
        }

        /// The events, in the order and on the frames on which they took effect.
        func play(
            _ events: [(time: Int?, event: MusicEvent)], unheard: Int = 1000, from start: Int = 0, block: Int = 64
        ) -> [(Int, MusicEvent)] {
            rig.renderer.holdLive()
            for (time, event) in events where time ?? 0 < start + unheard { send(event, at: time) }
            rig.render(unheard, block: block)
            rig.renderer.resumeLive(window: 4800, least: 1440)
            for (time, event) in events where time ?? 0 >= start + unheard { send(event, at: time) }
            rig.render(9000, block: block)
            while let event = rig.renderer.nextPerformed() { journal.append(event) }
            #expect(rig.violations.total == 0, "\(rig.violations)")
            return journal.compactMap {
                if case .music(let music) = $0.command.event { (Int($0.command.time.rawValue), music) } else { nil }
            }
        }
    }

    private func expect(_ found: [(Int, MusicEvent)], _ wanted: [(Int, MusicEvent)]) {
        #expect(found.map(\.0) == wanted.map(\.0))
        #expect(found.map(\.1) == wanted.map(\.1))
    }

    @Test(arguments: [7, 64, 512]) func aNoteSoundsAtTheFirstHeardFrameForItsOwnLength(_ block: Int) throws {
        let listener = try Listener()
        let found = listener.play(
            [
                (300, .noteOn(60)), (440, .noteOff(60)), (900, .noteOn(62)), (1100, .noteOff(62)), (1300, .noteOn(64)),
                (1310, .noteOff(64)),
            ], block: block)
        expect(
            found,
            [
                (1000, .noteOn(60)), (1000, .noteOn(62)), (1140, .noteOff(60)), (1200, .noteOff(62)), (1300, .noteOn(64)),
                (1310, .noteOff(64)),
            ])
        #expect(listener.rig.renderer.counters.lateLiveEvents == 4)
        #expect(listener.journal.map { Int($0.lateness) } == [700, 100, 700, 100, 0, 0])
    }

    @Test func aNoteThatBeganBeforeEndsAtTheFirstHeardFrame() throws {
        let listener = try Listener()
        listener.send(.noteOn(60), at: 10)
        listener.rig.render(2000)
        let found = listener.play([(2500, .noteOff(60)), (2600, .controller(1, 5))], unheard: 1000, from: 2000)
        expect(found, [(10, .noteOn(60)), (3000, .noteOff(60)), (3000, .controller(1, 5))])
    }

    @Test func aNoteThatHadHardlyBegunIsHeardForItsLength() throws {
        let listener = try Listener()
        for (key, time) in [(60, 40), (62, 90), (64, 90)] { listener.send(.noteOn(UInt8(key)), at: time) }
        listener.rig.render(100)
        // The stretch is 100..<1100: 60 and 10 frames of the notes were heard before.
        let found = listener.play([(340, .noteOff(60)), (390, .noteOff(62)), (3000, .noteOff(64))])
        expect(Array(found.dropFirst(3)), [(1340, .noteOff(60)), (1390, .noteOff(62)), (3000, .noteOff(64))])
    }

    /// Of a drum there is nothing left after the stretch: where less than the shortest note was heard it is struck again, for its length.
    @Test func aNoteOfWhichHardlyAnythingWasHeardIsStruckAgain() throws {
        let listener = try Listener()
        listener.rig.renderer.keepLive(shortest: 48)
        for (key, time) in [(60, 40), (62, 90), (64, 95)] { listener.send(.noteOn(UInt8(key), velocity: UInt8(key)), at: time) }
        // One end waits already when the stretch begins.
        listener.send(.noteOff(64), at: 97)
        listener.rig.render(100)
        // The stretch is 100..<1100: 60, 10 and 5 frames of the notes were heard before.
        let found = listener.play([(340, .noteOff(60)), (1200, .noteOff(62))])
        expect(
            Array(found.dropFirst(3)),
            [
                (1100, .noteOff(62)), (1100, .noteOn(62, velocity: 62)), (1100, .noteOff(64)),
                (1100, .noteOn(64, velocity: 64)), (1148, .noteOff(64)), (1340, .noteOff(60)), (2210, .noteOff(62)),
            ])
    }

    @Test func aNoteWithoutATimeOfItsOwnSoundsForAWhile() throws {
        let found = try Listener().play([(nil, .noteOn(60)), (nil, .noteOff(60)), (nil, .pitchBend(1))])
        expect(found, [(1000, .noteOn(60)), (1000, .pitchBend(1)), (2440, .noteOff(60))])
    }

    /// A kernel that was held up hands a key's press and its release over together, and stamps both then: with no stretch that went
    /// unheard as with one. What lasts longer is as it was played.
    @Test(arguments: [true, false]) func aNoteThatIsHandedOverInOneGoSoundsForAWhile(_ isStamped: Bool) throws {
        let listener = try Listener(), rig = listener.rig
        rig.renderer.keepLive(shortest: 480)
        listener.send(.noteOn(60), at: isStamped ? 20 : nil)
        listener.send(.noteOff(60), at: isStamped ? 22 : nil)
        listener.send(.controller(64, 127), at: isStamped ? 40 : nil)
        rig.render(4000)
        for (time, event) in [(5000, MusicEvent.noteOn(62)), (5480, .noteOff(62))] { listener.send(event, at: time) }
        listener.send(.noteOn(64), at: 6000)
        listener.send(.noteOff(64), at: 6000)
        // The key again, and once more: each of the two is heard.
        listener.send(.noteOn(64), at: 6300)
        listener.send(.noteOff(64), at: 6301)
        rig.render(6000)
        var found: [(Int, MusicEvent)] = []
        while let event = rig.renderer.nextPerformed() {
            if case .music(let music) = event.command.event { found.append((Int(event.command.time.rawValue), music)) }
        }
        let first = isStamped ? 20 : 0
        expect(
            found,
            [
                (first, .noteOn(60)), (first + 480, .noteOff(60)), (first + 480, .controller(64, 127)), (5000, .noteOn(62)),
                (5480, .noteOff(62)), (6000, .noteOn(64)), (6300, .noteOff(64)), (6300, .noteOn(64)), (6780, .noteOff(64)),
            ])
    }

    /// The MIDI thread is held up too: it hands over what it has when sound is heard again.
    @Test func whatIsHandedOverLateKeepsItsLengthToo() throws {
        let listener = try Listener()
        _ = listener.play([])
        listener.rig.renderer.holdLive()
        listener.rig.render(600)
        listener.rig.renderer.resumeLive(window: 4800, least: 1440)
        listener.rig.render(64)
        for (time, event) in [(10_100, MusicEvent.noteOn(60)), (10_300, .noteOff(60))] { listener.send(event, at: time) }
        listener.rig.render(2000)
        var times: [Int64] = []
        while let event = listener.rig.renderer.nextPerformed() { times.append(event.command.time.rawValue) }
        #expect(times == [10_664, 10_864])
    }

    @Test func aPedalDoesNotOvertakeTheNotesThatItIsNotToHold() throws {
        let found = try Listener().play(
            [
                (300, .noteOn(60)), (440, .noteOff(60)), (450, .controller(64, 127)), (460, .controller(7, 90)),
                (1050, .controller(64, 0)), (1200, .controller(64, 127)),
            ])
        expect(
            found,
            [
                (1000, .noteOn(60)), (1000, .controller(7, 90)), (1140, .noteOff(60)), (1140, .controller(64, 127)),
                (1140, .controller(64, 0)), (1200, .controller(64, 127)),
            ])
    }

    @Test func aKeyThatIsStruckAgainEndsTheNoteBefore() throws {
        let found = try Listener().play(
            [(300, .noteOn(60)), (440, .noteOff(60)), (1050, .noteOn(60)), (1060, .noteOff(60))])
        expect(found, [(1000, .noteOn(60)), (1050, .noteOff(60)), (1050, .noteOn(60)), (1060, .noteOff(60))])
    }

    @Test(arguments: [MusicEvent.controller(123, 0), .controller(120, 0), .reset(.gs, port: 0)])
    func whatEndsAllNotesBringsForwardWhatWaits(_ end: MusicEvent) throws {
        let found = try Listener().play(
            [(300, .noteOn(60)), (440, .noteOff(60)), (450, .controller(64, 0)), (1100, end)])
        expect(found, [(1000, .noteOn(60)), (1100, .noteOff(60)), (1100, .controller(64, 0)), (1100, end)])
    }

    /// Somebody plays at random while stretches of sound go unheard: every key's notes begin and end in turn, none hangs,
    /// every note is heard, and the journal gives the same again.
    @Test(arguments: 1...20) func nothingHangsAndNothingIsLost(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let listener = try Listener(), rig = listener.rig
        var isDown = Set<UInt8>(), now = 0, time = 0, sent = 0
        for _ in 0..<300 {
            let isHeard = Int.random(in: 0...2, using: &random) > 0
            let length = Int.random(in: 1...1500, using: &random)
            if !isHeard { rig.renderer.holdLive() } else { rig.renderer.resumeLive(window: 4800, least: 1440) }
            time = max(time, now)
            for _ in 0..<Int.random(in: 0...5, using: &random) {
                time += Int.random(in: 0...400, using: &random)
                let key = UInt8.random(in: 60...66, using: &random)
                let isOff = isDown.contains(key)
                if isOff { isDown.remove(key) } else { isDown.insert(key) }
                listener.send(isOff ? .noteOff(key) : .noteOn(key), at: max(0, time - 200))
                sent += 1
            }
            rig.render(length, block: 128)
            now += length
        }
        rig.renderer.resumeLive(window: 4800, least: 1440)
        for key in isDown { listener.send(.noteOff(key), at: time) }
        sent += isDown.count
        rig.render(20_000, block: 128)
        while let event = rig.renderer.nextPerformed() { listener.journal.append(event) }
        #expect(listener.journal.count == sent)
        var sounding: [UInt8: SampleTime] = [:]
        for event in listener.journal {
            guard case .music(.message(let message)) = event.command.event else { continue }
            if message.status & 0xF0 == 0x90 {
                #expect(sounding.updateValue(event.command.time, forKey: message.data1) == nil)
            } else {
                #expect(sounding.removeValue(forKey: message.data1) != nil)
            }
        }
        #expect(sounding.isEmpty)
        let again = try Listener()
        again.rig.replay(listener.journal, frames: rig.recording[0].count, block: 333)
        #expect(again.rig.recording == rig.recording)
    }
}
