import Carillon
import CarillonTestKit
import Testing

@testable import EngineCore
@testable import Sessions

/// What filters make of events, and that nothing that began is left hanging, whatever happens to the filter.
@Suite struct MIDIFilterTests {
    private func through(_ filter: some MIDIFilter, _ events: MusicEvent...) -> [MusicEvent] {
        var filter = filter
        return events.flatMap { filter.events(for: $0) }
    }

    @Test func theFiltersDoWhatTheyAreCalled() {
        #expect(
            through(TransposeFilter(semitones: 7), .noteOn(60), .noteOff(60), .controller(7, 60), .noteOn(125))
                == [.noteOn(67), .noteOff(67), .controller(7, 60)])
        #expect(through(TransposeFilter(semitones: -61), .noteOn(60), .noteOn(36, channel: 10)) == [.noteOn(36, channel: 10)])
        #expect(through(TransposeFilter(semitones: 1, movesDrums: true), .noteOn(36, channel: 10)) == [.noteOn(37, channel: 10)])
        #expect(through(KeyRange(48...59), .noteOn(60), .noteOn(59), .controller(1, 9)) == [.noteOn(59), .controller(1, 9)])
        #expect(through(KeyRange(48...59, channel: 2), .noteOn(60), .noteOn(60, channel: 2)) == [.noteOn(60)])
        #expect(
            through(ChannelMap([1: 3]), .noteOn(60, port: 2), .noteOn(60, channel: 2), .program(5))
                == [.noteOn(60, channel: 3, port: 2), .noteOn(60, channel: 2), .program(5, channel: 3)])
        #expect(
            through(ChannelMap([1: 3, 16: 1]), .scaleTuning(channels: 0x8003, step: 2, hundredths: 5, port: 1))
                == [.scaleTuning(channels: 0b111, step: 2, hundredths: 5, port: 1)])
        #expect(through(ChannelMap(to: 16), .partMode(.drums, port: 1, channel: 4)) == [.partMode(.drums, port: 1, channel: 15)])
        #expect(
            through(VelocityFilter(TouchCurve(exponent: 2, low: 10)), .noteOn(60, velocity: 64), .noteOff(60), .controller(7, 64))
                == [.noteOn(60, velocity: 39), .noteOff(60), .controller(7, 64)])
        #expect(through(FilterChain(TransposeFilter(semitones: 12), KeyRange(0...71)), .noteOn(59), .noteOn(60)) == [.noteOn(71)])
    }

    /// Sends events one after the other, each through its filter.
    private func play(_ steps: [(MusicEvent, (any MIDIFilter)?)], _ ledger: inout FilterLedger) -> [[MusicEvent]] {
        steps.map { event, filter in
            var filter = filter
            return ledger.events(for: event, filtered: filter?.events(for: event) ?? [event])
        }
    }

    @Test func aNoteOffReachesWhatItsNoteOnBecame() {
        var ledger = FilterLedger()
        let up = TransposeFilter(semitones: 7)
        #expect(
            play([(.noteOn(60), up), (.noteOn(67), nil), (.noteOff(60), nil), (.noteOff(67), up)], &ledger)
                == [[.noteOn(67)], [.noteOn(67)], [], [.noteOff(67), .noteOff(67)]])
        #expect(ledger.isEmpty)
        // The filter was removed, exchanged, or leaves note-offs out.
        #expect(play([(.noteOn(60), up), (.noteOff(60), nil)], &ledger) == [[.noteOn(67)], [.noteOff(67)]])
        #expect(play([(.noteOn(60), nil), (.noteOff(60), up)], &ledger) == [[.noteOn(60)], [.noteOff(60)]])
        #expect(
            play([(.noteOn(60), Deaf()), (.noteOff(60), Deaf())], &ledger)
                == [[.noteOn(60), .noteOn(64)], [.noteOff(60), .noteOff(64)]])
        // What became nothing ends nothing.
        #expect(play([(.noteOn(60), KeyRange(0...10)), (.noteOff(60), nil)], &ledger) == [[], []])
        // Pressure follows the note.
        let pressure = MusicEvent.message(MIDIMessage(status: 0xA0, data1: 60, data2: 9))
        #expect(
            play([(.noteOn(60), up), (pressure, nil), (.noteOn(60, velocity: 50), nil), (.noteOff(60), nil)], &ledger) == [
                [.noteOn(67)], [.message(MIDIMessage(status: 0xA0, data1: 67, data2: 9))], [.noteOn(60, velocity: 50)],
                [.noteOff(67), .noteOff(60)],
            ])
        #expect(ledger.isEmpty)
    }

    @Test func withoutAFilterEverythingPassesAsItCame() {
        var random = SeededRandom(seed: 7), ledger = FilterLedger()
        for _ in 0..<4_000 {
            let data = UInt8.random(in: 0...127, using: &random), channel = Int.random(in: 1...2, using: &random)
            let event: MusicEvent =
                switch Int.random(in: 0..<4, using: &random) {
                case 0: .noteOn(60 + data % 4, velocity: data, channel: channel)
                case 1: .noteOff(60 + data % 4, velocity: data, channel: channel)
                case 2: .controller(data, data / 2, channel: channel)
                default: .controller(64, data, channel: channel)
                }
            #expect(ledger.events(for: event, filtered: [event]) == [event])
        }
    }

    @Test func pedalsAndAllNotesOffReachTheirsToo() {
        var ledger = FilterLedger()
        let map = ChannelMap([1: 2])
        #expect(
            play([(.controller(64, 127), map), (.controller(64, 0), nil), (.controller(64, 0), map)], &ledger) == [
                [.controller(64, 127, channel: 2)], [.controller(64, 0), .controller(64, 0, channel: 2)],
                [.controller(64, 0, channel: 2)],
            ])
        #expect(
            play(
                [(.controller(64, 127), map), (.noteOn(60), map), (.controller(121, 0), nil), (.controller(123, 0), nil)],
                &ledger) == [
                    [.controller(64, 127, channel: 2)], [.noteOn(60, channel: 2)],
                    [.controller(64, 0, channel: 2), .controller(121, 0)], [.noteOff(60, channel: 2), .controller(123, 0)],
                ])
        #expect(
            play([(.noteOn(60), map), (.controller(120, 0), nil)], &ledger)
                == [
                    [.noteOn(60, channel: 2)],
                    [.noteOff(60, channel: 2), .controller(120, 0, channel: 2), .controller(120, 0)],
                ])
        #expect(
            play([(.noteOn(60), map), (.reset(.gs, port: 0), map)], &ledger)
                == [[.noteOn(60, channel: 2)], [.noteOff(60, channel: 2), .reset(.gs, port: 0)]])
        #expect(ledger.isEmpty)
        // A note can only begin by a note-on.
        #expect(play([(.controller(1, 5), Deaf())], &ledger) == [[]])
    }

    /// Keys go down and up, filters come and go; nothing sounds at the end.
    @Test(arguments: 0..<40) func nothingHangsWhateverHappens(_ seed: Int) {
        var random = SeededRandom(seed: UInt64(seed)), ledger = FilterLedger()
        var filter: (any MIDIFilter)?, sounding: Set<Int> = [], pedals: Set<UInt8> = [], down: Set<Int> = []
        func send(_ event: MusicEvent) {
            for case .message(let message) in ledger.events(for: event, filtered: filter?.events(for: event) ?? [event]) {
                let note = Int(message.channel) * 128 + Int(message.data1)
                if message.beginsNote { sounding.insert(note) }
                if message.endsNote { sounding.remove(note) }
                if message.kind == .controlChange, message.data1 == 64 {
                    if message.data2 > 0 { pedals.insert(message.channel) } else { pedals.remove(message.channel) }
                }
            }
        }
        for _ in 0..<400 {
            let channel = Int.random(in: 1...3, using: &random), key = UInt8.random(in: 58...66, using: &random)
            switch Int.random(in: 0..<12, using: &random) {
            case 0: filter = nil
            case 1: filter = TransposeFilter(semitones: Int.random(in: -3...3, using: &random))
            case 2: filter = ChannelMap([channel: Int.random(in: 1...3, using: &random)])
            case 3: filter = FilterChain(KeyRange(60...63), Deaf())
            case 4: send(.controller(64, UInt8.random(in: 0...1, using: &random) * 100, channel: channel))
            case 5...8:
                send(.noteOn(key, channel: channel))
                down.insert(channel * 128 + Int(key))
            default:
                guard let held = down.sorted().randomElement(using: &random) else { continue }
                send(.noteOff(UInt8(held % 128), channel: held / 128))
                down.remove(held)
            }
        }
        for held in down.sorted() { send(.noteOff(UInt8(held % 128), channel: held / 128)) }
        for channel in 1...3 { send(.controller(64, 0, channel: channel)) }
        #expect(sounding.isEmpty && pedals.isEmpty && ledger.isEmpty)
    }

    /// Makes two notes of one, hears no note-off, and would begin notes by controllers.
    private struct Deaf: MIDIFilter {
        func events(for event: MusicEvent) -> [MusicEvent] {
            guard case .message(var message) = event, message.status & 0xF0 != 0x80 else { return [] }
            if message.kind == .controlChange, message.data1 != 64 { return [.noteOn(60)] }
            if message.kind == .controlChange { return [event] }
            message.data1 += 4
            return [event, .message(message)]
        }
    }

    @Test func theEngineHearsWhatTheFilterMakes() throws {
        let engine = Engine()
        try engine.edit { graph in
            let square = try graph.add(SquareWave.self)
            try graph.setOutput(square)
            try graph.route(part: 0, to: square)
        }
        try engine.start(on: .offline)
        engine.midi.filter = TransposeFilter(semitones: 12)
        try engine.midi.send(.noteOn(57), at: SampleTime(100))
        let sound = try engine.render(frames: 48_100)[0]
        #expect(sound[..<100].allSatisfy { $0 == 0 })
        let rising = (1_000..<48_100).filter { sound[$0 - 1] < 0 && sound[$0] >= 0 }
        let periods = Double(rising[rising.count - 1] - rising[0]) / Double(rising.count - 1)
        #expect(abs(48_000 / periods - 440) < 1)
        engine.midi.filter = nil
        try engine.midi.send(.noteOff(57))
        _ = try engine.render(frames: 48_000)
        #expect(try engine.render(frames: 1_000)[0].allSatisfy { $0 == 0 })
        try engine.midi.send(.noteOn(57))
        _ = try engine.render(frames: 4_800)
        try engine.midi.releaseAll()
        _ = try engine.render(frames: 48_000)
        #expect(try engine.render(frames: 1_000)[0].allSatisfy { $0 == 0 })
    }

    @Test func theFilterOfKeyboardsMayChangeWhileKeysAreHeld() {
        let live = LiveFilter(nil)
        func music(_ event: MusicEvent) -> [MusicEvent] {
            live.commands(for: event).compactMap { if case .music(let music) = $0.event { music } else { nil } }
        }
        #expect(music(.noteOn(60)) == [.noteOn(60)])
        live.filter = TransposeFilter(semitones: 2)
        #expect(music(.noteOn(62)) == [.noteOn(64)])
        #expect(music(.noteOff(60)) == [.noteOff(60)])
        live.filter = nil
        #expect(music(.noteOff(62)) == [.noteOff(64)] && live.filter == nil)
    }

    @Test func aKeyboardAndAnotherSurfaceEndWhatEachHolds() {
        let live = LiveFilter(TransposeFilter(semitones: 2))
        func music(_ commands: [RenderCommand]) -> [MusicEvent] {
            commands.compactMap { if case .music(let music) = $0.event { music } else { nil } }
        }
        #expect(music(live.commands(for: .noteOn(60))) == [.noteOn(62)])
        #expect(music(live.commands(ofSurface: .noteOn(60))) == [.noteOn(62)])
        live.filter = nil
        #expect(music(live.commands(ofSurface: .noteOff(60))) == [.noteOff(62)] && live.holds([0]) && !live.isEmpty)
        #expect(music(live.commands(for: .noteOff(60))) == [.noteOff(62)] && !live.holds([0]) && live.isEmpty)
    }

    @Test func whatFindsNoRoomIsNotLost() throws {
        let engine = Engine()
        try engine.start(on: .offline)
        #expect(throws: Fault.queueFull) {
            for _ in 0..<10_000 { try engine.midi.send(.controller(1, 1)) }
        }
        #expect(throws: Fault.queueFull) { try engine.midi.send(.noteOn(60)) }
        #expect(throws: Fault.queueFull) { try engine.midi.send(.noteOff(60)) }
        try engine.edit { graph in
            let square = try graph.add(SquareWave.self)
            try graph.setOutput(square)
            try graph.route(part: 0, to: square)
        }
        _ = try engine.pull(64)
        try engine.maintain()
        _ = try engine.pull(64)
        #expect(engine.renderer.counters.unheardEvents == 0)
        try engine.midi.send(.controller(1, 1))
    }
}
