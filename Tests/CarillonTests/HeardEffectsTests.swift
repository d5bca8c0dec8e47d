import Carillon
import Glibc
import Testing

@testable import EngineCore
@testable import MIDI
@testable import Sessions
@testable import SongRendering

/// The effects that a keyboard asks for by its messages. In simulated time.
@Suite struct HeardEffectsTests {
    private static func gs(_ address: [UInt8], _ data: UInt8...) -> [UInt8] {
        let sum = (address + data).reduce(0) { $0 + Int($1) } & 127
        return [0xF0, 0x41, 0x10, 0x42, 0x12] + address + data + [UInt8((128 - sum) & 127), 0xF7]
    }
    private static let reset = gs([0x40, 0x00, 0x7F], 0), toEffect = gs([0x40, 0x41, 0x22], 1)
    /// Overdrive: its drive is at 40 03 03, its level at 40 03 16.
    private static let overdrive = gs([0x40, 0x03, 0x00], 1, 0x10)

    private static func key(_ velocity: UInt8) -> MusicEvent {
        .message(MIDIMessage(status: 0x90, data1: 57, data2: velocity))
    }

    private static func withKeyboard(_ body: (SessionInTime, (_ message: [UInt8]) throws -> Void) throws -> Void) throws {
        try TinySoundFont().write { font in
            var options = LiveOptions()
            options.instrument = .soundFont([font])
            let time = try SessionInTime(options)
            var interpreter = SystemExclusive()
            try body(time) { message in
                for event in interpreter.events(from: message, port: 0) { try time.session.receive(event) }
            }
            #expect(time.session.counters.faults == 0 && time.session.takeNotices().isEmpty)
            try time.session.finish()
        }
    }

    /// Decibels, and the steepest step, of what is heard from now on.
    private static func heard(_ time: SessionInTime, _ seconds: Double) throws -> (level: Float, step: Float, sound: [Float]) {
        _ = time.port.takeHeard()
        try time.pass(seconds)
        let sound = time.port.takeHeard()[0]
        let power = sound.reduce(0) { $0 + $1 * $1 } / Float(max(sound.count, 1))
        let step: Float = zip(sound, sound.dropFirst()).reduce(0) { max($0, abs($1.1 - $1.0)) }
        return (10 * log10f(max(power, 1e-12)), step, sound)
    }

    @Test func anInsertionIsHeardAfterFiftyMillisecondsWithoutAClick() throws {
        var wet: Float = 0, softer: Float = 0
        try Self.withKeyboard { time, send in
            for message in [Self.reset, Self.overdrive, Self.toEffect] { try send(message) }
            try time.pass(0.2)
            try time.session.receive(Self.key(100))
            try time.pass(0.3)
            wet = try Self.heard(time, 0.4).level
            try send(Self.gs([0x40, 0x03, 0x16], 20))
            try time.pass(0.3)
            softer = try Self.heard(time, 0.4).level
        }
        try Self.withKeyboard { time, send in
            try send(Self.reset)
            try time.session.receive(Self.key(100))
            try time.pass(0.3)
            let dry = try Self.heard(time, 0.4), before = time.session.engine.graph
            #expect(abs(dry.level - wet) > 0.5, "\(dry.level) \(wet)")
            // A type that no part goes through is not heard, and needs nothing.
            try send(Self.overdrive)
            try time.pass(0.1)
            #expect(time.session.engine.graph.nodes.count == before.nodes.count)
            try send(Self.toEffect)
            let change = try Self.heard(time, 0.05), after = try Self.heard(time, 0.4)
            #expect(abs(after.level - wet) < 0.1, "\(after.level), not \(wet)")
            let peak = (dry.sound + after.sound).reduce(0) { max($0, abs($1)) }
            #expect(change.step <= dry.step + after.step + peak / 256, "\(change.step)")
            #expect(time.held == [57: 1])
            // A setting of an effect that is there needs no edit.
            let nodes = time.session.engine.graph.nodes.map(\.id)
            try send(Self.gs([0x40, 0x03, 0x16], 20))
            try time.pass(0.3)
            #expect(abs(try Self.heard(time, 0.4).level - softer) < 0.1 && softer < wet - 3)
            #expect(time.session.engine.graph.nodes.map(\.id) == nodes)
            // What was set by hand stays when another effect comes.
            try time.session.perform(.set("reverb.decay=4.5"))
            try time.session.receive(.message(MIDIMessage(status: 0xB0, data1: 94, data2: 100)))
            try time.pass(0.2)
            #expect(time.session.engine.graph.nodes.count > nodes.count)
            #expect(try time.session.engine.value("reverb.decay") == 4.5)
            #expect(abs(try Self.heard(time, 0.4).level - softer) < 0.3)
            // A reset takes it away.
            try send(Self.reset)
            try time.session.receive(Self.key(100))
            try time.pass(0.3)
            // The reverb is longer than it was.
            let again = try Self.heard(time, 0.4).level
            #expect(abs(again - dry.level) < 0.5, "\(again), not \(dry.level)")
        }
    }

    @Test func aDelayAnswersController94() throws {
        try Self.withKeyboard { time, send in
            try send(Self.reset)
            try time.session.receive(.message(MIDIMessage(status: 0xB0, data1: 94, data2: 127)))
            try time.pass(0.1)
            try time.session.receive(Self.key(100))
            try time.pass(0.1)
            try time.session.receive(Self.key(0))
            try time.pass(0.2)
            // 340 ms after the key.
            #expect(try Self.heard(time, 0.1).level > -60)
        }
    }

    @Test func aDrySessionIsNotEdited() throws {
        try TinySoundFont().write { font in
            var options = LiveOptions()
            (options.instrument, options.hasEffects) = (.soundFont([font]), false)
            let time = try SessionInTime(options)
            var interpreter = SystemExclusive(), edits = 0
            try time.pass(0.1)
            time.session.onPerformance = { edits += $0.edits.count }
            for message in [Self.reset, Self.overdrive, Self.toEffect] {
                for event in interpreter.events(from: message, port: 0) { try time.session.receive(event) }
            }
            try time.pass(0.2)
            #expect(edits == 0)
            try time.session.finish()
        }
    }

    @Test func aPatchIsLeftAsItIs() throws {
        var options = LiveOptions()
        options.patch = try PatchFile(
            text: "version: 1\nunits: {organ: {unit: polysynth, preset: organ, role: instrument}}\noutputs: organ\n",
            units: UnitCatalog.entries
        ).patch
        let time = try SessionInTime(options), nodes = time.session.engine.graph.nodes.map(\.id)
        var interpreter = SystemExclusive()
        for message in [Self.reset, Self.overdrive, Self.toEffect] {
            for event in interpreter.events(from: message, port: 0) { try time.session.receive(event) }
        }
        try time.pass(0.2)
        #expect(time.session.engine.graph.nodes.map(\.id) == nodes)
        #expect(time.session.takeRemarks().count { $0.kind == .notFollowed } == 1)
        try time.session.finish()
    }
}
