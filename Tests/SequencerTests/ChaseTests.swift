import CarillonTestKit
import MIDI
import RealtimeCore
import Sequencer
import SongFiles
import Testing

/// Going to a place leaves the instruments as playing up to it does.
@Suite struct ChaseTests {
    static let songs = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 } + "/songs/"

    private func played(_ events: [TimedMusicEvent], to index: Int) -> RecordingInstrument {
        var instrument = RecordingInstrument()
        for event in events[..<index] { instrument.hear(event.event) }
        return instrument
    }

    /// From the state that playing up to `origin` leaves, and from any state at all.
    private func check(_ events: [TimedMusicEvent], _ chase: Chase, at index: Int, from origin: Int, _ what: String) {
        var wanted = played(events, to: index)
        var instrument = played(events, to: origin)
        // A transport has ended the notes.
        for part in instrument.parts.indices { instrument.parts[part].keyPressure = [:] }
        for event in chase.prologue(at: index, from: origin) { instrument.hear(event) }
        let power = wanted.standards
        for port in 0..<16 where power[port] == .generalMIDIOff && instrument.standards[port] == .gs {
            // GS's rules do as well, up to a GS reset that no program precedes.
            let first = events.first { event in
                switch event.event {
                case .reset(_, let other): Int(other) == port
                case .message(let message): Int(message.port) == port && message.kind == .programChange
                default: false
                }
            }
            if first?.event == .reset(.gs, port: UInt8(port)) { wanted.standards[port] = .gs }
        }
        #expect(instrument.differences(from: wanted) == [], "\(what): to \(index) from \(origin)")
        wanted.standards = power
        for event in chase.prologue(at: index, from: nil) { instrument.hear(event) }
        #expect(instrument.differences(from: wanted) == [], "\(what): to \(index) from anywhere")
    }

    @Test(arguments: [
        "auld-lang-syne", "bach-prelude-fugue-c-major", "blue-lantern", "crooked-mile", "drum-groove", "glass-bridge",
        "gymnopedie-1", "pachelbel-canon", "program-tour", "sea-wall", "three-o-clock",
    ])
    func goingThereIsPlayingUpToThere(_ song: String) throws {
        let file = try SongReader.read(path: Self.songs + song + ".mid")
        let events = try Timeline(file.song, sampleRate: 48_000).events
        let chase = Chase(events, interval: 64)
        var random = SeededRandom(seed: 1)
        for _ in 0..<12 {
            let index = Int.random(in: 0...events.count, using: &random)
            check(events, chase, at: index, from: Int.random(in: 0...events.count, using: &random), song)
        }
        check(events, chase, at: 0, from: events.count, song)
        check(events, chase, at: events.count, from: 0, song)
    }

    @Test func goingThereIsPlayingUpToThereInSongsThatSetEverything() {
        for seed in UInt64(1)...60 {
            let events = randomEvents(seed)
            let chase = Chase(events, interval: Int(seed) * 7)
            var random = SeededRandom(seed: seed)
            for _ in 0..<8 {
                let index = Int.random(in: 0...events.count, using: &random)
                check(events, chase, at: index, from: Int.random(in: 0...events.count, using: &random), "seed \(seed)")
            }
        }
    }

    private func randomEvents(_ seed: UInt64) -> [TimedMusicEvent] {
        var random = SeededRandom(seed: seed)
        func byte() -> UInt8 { UInt8.random(in: 0...127, using: &random) }
        var events: [MusicEvent] = []
        while events.count < 600 {
            let channel: UInt8 = [0, 3, 9][Int(byte()) % 3]
            let port: UInt8 = Bool.random(using: &random) ? 0 : 2
            func message(_ status: UInt8, _ data1: UInt8, _ data2: UInt8 = 0) {
                events.append(.message(MIDIMessage(status: status | channel, data1: data1, data2: data2, port: port)))
            }
            switch Int.random(in: 0...49, using: &random) {
            case 0...7: message(0x90, byte() & 15, byte())
            case 8...12: message(0x80, byte() & 15, 64)
            case 13...15: message(0xA0, byte() & 15, byte())
            case 16...21: message(0xB0, [1, 2, 5, 7, 10, 11, 32, 0, 64, 65, 66, 71, 37][Int(byte()) % 13], byte())
            case 22: message(0xB0, [85, 91, 93, 95, 120, 122, 123, 124, 125, 126, 127][Int(byte()) % 11], byte())
            case 23: message(0xB0, 121, 0)
            case 24...26: message(0xC0, byte())
            case 27: message(0xD0, byte())
            case 28, 29: message(0xE0, byte(), byte())
            case 30...33:    // a registered parameter, and its value
                message(0xB0, 101, 0)
                message(0xB0, 100, byte() % 7)
                for _ in 0..<Int.random(in: 0...4, using: &random) {
                    // Steps from the middle only: what happens at the ends differs from instrument to instrument.
                    message(0xB0, [6, 38, 6, 96, 97][Int(byte()) % 5], 40 + byte() % 40)
                }
            case 34, 35:
                message(0xB0, 99, [0, 1, 2, 24, 26, 127][Int(byte()) % 6])
                message(0xB0, 98, byte() % 4)
                for _ in 0...Int.random(in: 0...1, using: &random) { message(0xB0, Bool.random(using: &random) ? 6 : 38, byte()) }
            case 36: message(0xB0, Bool.random(using: &random) ? 101 : 99, 127)
            case 37: events.append(.partMode(byte() < 64 ? .drums : .melodic, port: port, channel: channel))
            case 38: events.append(.masterVolume(Float(byte()) / 127, port: port))
            case 39: events.append(.masterTuning(cents: Float(byte()), port: port))
            case 40: events.append(.masterBalance(Float(byte()) / 127, port: port))
            case 41:
                let channels = UInt16(byte()) << 7 | UInt16(byte())
                events.append(.scaleTuning(channels: channels, step: byte() % 12, hundredths: Int16(byte()), port: port))
            case 42:
                let change = KeyTuning(
                    key: byte() & 7, semitone: byte(), fraction: UInt16(byte()), program: byte() & 1, bank: byte() & 1,
                    port: port)
                events.append(.keyTuning(change))
            case 43:
                let parameter = EffectParameter.allCases[Int(byte()) % EffectParameter.allCases.count]
                events.append(.effect(Float(byte()), of: parameter, port: port))
            case 44: events.append(.insertion(Float(byte()), of: byte() & 7, slot: byte() & 3, port: port))
            case 45...48:
                let parameter = PartParameter(rawValue: [0, 2, 9, 12, 36, 70, 100, 161][Int(byte() & 7)])
                let key = parameter.drumRow == nil ? 0 : byte() & 3
                events.append(.part(parameter, byte(), key: key, part: port << 4 | channel))
            default:
                if byte() < 30 { events.append(.reset(SystemReset.allCases[Int(byte()) % 5], port: port)) }
            }
        }
        return events.enumerated().map { TimedMusicEvent(time: SampleTime(Int64($0.offset / 3)), event: $0.element) }
    }

    /// What no value of a message takes back is as after power-on for the instruments' own parts.
    @Test func whatWasNotSetYetIsNotSetAgain() {
        func change(_ number: UInt8, _ value: UInt8) -> MusicEvent {
            .message(MIDIMessage(status: 0xB9, data1: number, data2: value))
        }
        let settings: [(UInt8, UInt8)] = [
            (37, 5), (99, 127), (98, 21), (38, 40), (98, 16), (6, 70), (99, 24), (98, 36), (6, 70),
        ]
        let events = settings.map { change($0.0, $0.1) }, timed = events.map { TimedMusicEvent(time: .zero, event: $0) }
        let chase = Chase(timed)
        var part = Part(mode: .drums)
        func hear(_ events: [MusicEvent]) {
            for event in events {
                if case .message(let message) = event { _ = part.control(Controller(rawValue: message.data1), message.data2) }
                if case .part(let setting, let value, let key, 9) = event { _ = part.set(setting, value, key: key) }
            }
        }
        func state() -> [Int] {
            [
                part.hasFinePortamento ? 1 : 0, part.portamentoTime, Int(part.soundBlaster.known), part.soundBlaster[21],
                Int(part.generatorOffset(52)), part.drumControl(.pitch, of: 36).map { Int($0) } ?? -1,
            ]
        }
        let fresh = state()
        hear(events)
        let set = state()
        #expect(zip(fresh, set).allSatisfy { $0 != $1 } && set[3] == 40)
        hear(chase.prologue(at: 0, from: events.count))
        #expect(state() == fresh)
        hear(chase.prologue(at: events.count, from: 0))
        #expect(state() == set)
    }

    @Test func whatSoundsIsNotCutOffByAResetThatHoldsAnyway() {
        let events = [MusicEvent.reset(.gs, port: 0), .message(MIDIMessage(status: 0xB0, data1: 7, data2: 9))].map {
            TimedMusicEvent(time: .zero, event: $0)
        }
        let chase = Chase(events)
        func resets(_ list: [MusicEvent]) -> Int { list.count { if case .reset = $0 { true } else { false } } }
        #expect(resets(chase.prologue(at: 2, from: 2)) == 0)
        #expect(resets(chase.prologue(at: 0, from: 2)) == 0)
        #expect(resets(chase.prologue(at: 2, from: nil)) == 1)
        #expect(chase.prologue(at: 2, from: 2) == [events[1].event])
        // The rules of banks are other ones from the reset on.
        #expect(chase.prologue(at: 2, from: 0).first == .reset(.gs, port: 0))
        let program = TimedMusicEvent(time: .zero, event: .message(MIDIMessage(status: 0xC0, data1: 1)))
        #expect(Chase([program] + events).prologue(at: 0, from: 3).first == .reset(.generalMIDIOff, port: 0))
    }

    @Test func pedalsThatAreDownGoUpFirst() {
        func pedal(_ channel: UInt8, _ number: UInt8, _ value: UInt8) -> TimedMusicEvent {
            TimedMusicEvent(
                time: .zero, event: .message(MIDIMessage(status: 0xB0 | channel, data1: number, data2: value)))
        }
        let events = [pedal(0, 64, 127), pedal(1, 66, 127), pedal(2, 64, 127), pedal(2, 64, 0)]
        let chase = Chase(events)
        #expect(chase.pedalsUp(at: 4) == [pedal(0, 64, 0).event, pedal(1, 66, 0).event])
        #expect(chase.pedalsUp(at: 1) == [pedal(0, 64, 0).event])
        #expect(chase.prologue(at: 4, from: 4).prefix(2) == [pedal(0, 64, 0).event, pedal(1, 66, 0).event])
    }

    @Test func anEventOfAFrameIsFoundBySearch() {
        let events = [0, 0, 5, 5, 9].map { TimedMusicEvent(time: SampleTime($0), event: .masterVolume(1, port: 0)) }
        let chase = Chase(events)
        #expect([-1, 0, 1, 5, 6, 9, 10].map { chase.index(at: $0) } == [0, 0, 2, 2, 4, 4, 5])
    }
}
