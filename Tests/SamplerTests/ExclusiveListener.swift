import Glibc
import MIDI
import RealtimeCore

@testable import Samplers

/// Writes an address and measures what a note sounds like then: a step for levels, a ramp for pitches, a sine for the filter.
struct ExclusiveListener {
    let line: ExclusiveAddress

    private typealias Font = OracleSoundFont
    /// What the filter and the envelopes have without a message.
    private static let corner = 7_500, resonance = 100, attack = 0.1, time = 0.2

    /// What is heard at a value, in the measure's unit.
    func heard(_ value: Int) throws -> Double {
        switch line.measure {
        case .level: try level(value) - level(nil)
        case .pan: try pan(value)
        case .pitch: try cents(Font(Oracle.ramp, [], [Self.still]), value)
        case .hertz: try 261.6256 * (pow(2, cents(Font(Oracle.ramp), value) / 1_200) - 1)
        case .rate(let isSecond): try rate(of: Font(Oracle.ramp, [(isSecond ? 5 : 6, 100)], [Self.still]), value)
        // Without a depth, the SoundFont standard's own vibrato by channel pressure is left.
        case .vibrato: try depth(trace(Font(Oracle.ramp, [], value == 0 ? [Self.still] : []), value))
        case .vibratoDelay: try vibratoDelay(value)
        case .cutoff: try corner(levels(24, [(8, Self.corner)], value)[0]) - Double(Self.corner)
        case .swing: try swing(value)
        case .resonance: try resonance(value)
        case .tremolo: try tremolo(value)
        case .attack, .decay, .release: try time(value)
        case .isHeard: try play(step(), value).left.contains { abs($0) > 0.01 } ? 1 : 0
        case .program, .bank, .kit: try cents(presets, value)
        case .chord, .sameKey: try several(value)
        case .share(let bus): try share(value, bus)
        case .send(let number): 20 * log10(Double(part(value).value(of: Controller(rawValue: number).rawValue)) / 127)
        case .controller(let number): Double(controller(number, value))
        case .hears(let message): part(value).heard(message) == nil ? 0 : 1
        case .effect(let parameter): effect(parameter, value)
        case .decibels(let parameter): 20 * log10(effect(parameter, value))
        }
    }

    // MARK: Playing

    private func events(_ value: Int?) -> [MusicEvent] {
        var interpreter = SystemExclusive()
        return events(value, &interpreter)
    }

    private func events(_ value: Int?, _ interpreter: inout SystemExclusive) -> [MusicEvent] {
        let messages = line.before + (value.map { [line.message($0)] } ?? [])
        return messages.flatMap { interpreter.events(from: $0, port: 0) }
    }

    private func play(
        _ font: Font, _ value: Int?, notes: [(Int, MusicEvent)]? = nil, frames: Int = 6_000, bus: Int? = nil
    ) throws -> Oracle {
        var font = font
        if line.channel == 9 && !font.hasKit {
            font.presets.append([.init()])
            font.hasKit = true
        }
        var gesture = line.gesture
        if line.gestureFollowsValue, let value { gesture.append(.change(UInt8(value), 127)) }
        var interpreter = SystemExclusive()
        let set = events(value, &interpreter), struck = notes ?? [(0, .key(line.key, line.velocity, on: line.channel))]
        let all =
            set.map { (-40, $0) } + line.events.map { (-20, $0) }
            + struck.flatMap { note in interpreter.heard(note.1).map { (note.0, $0) } } + gesture.map { (10, $0) }
        return try Oracle(
            font, events: all.map { TimedMusicEvent(time: SampleTime(Int64(Oracle.start + $0.0)), event: $0.1) },
            frames: Oracle.start + frames, bus: bus ?? Int(line.channel))
    }

    /// Takes the vibrato by channel pressure away that the SoundFont standard has.
    private static let still = Font.Line(source: Font.source(13), destination: 6, amount: 0)

    private func step(_ generators: [(Int, Int)] = [], isPlain: Bool = true) -> Font {
        Font(Oracle.step, [(54, 1), (56, 0)] + generators, [Self.still], isPlain: isPlain)
    }

    // MARK: Level and place

    /// 20 dB down, so that there is room above.
    private func level(_ value: Int?) throws -> Double { try play(step([(48, 200)], isPlain: false), value).level(5_000) }

    private func pan(_ value: Int) throws -> Double {
        let sound = try play(step(), value), frame = Oracle.start + 5_000
        return 63 * (4 / .pi * atan2(sound.right[frame], sound.left[frame]) - 1)
    }

    private func tremolo(_ value: Int) throws -> Double {
        let sound = try play(step([(48, 200)]), value, frames: 24_000)
        let levels = stride(from: 640, to: 23_900, by: 16).map { abs(sound.gain($0)) }
        return 100 * (1 - levels.min()! / levels.max()!)
    }

    private func several(_ value: Int) throws -> Double {
        var second = line.key + 1
        if case .sameKey = line.measure { second = line.key }
        let channel = line.channel
        // A release of 20 dB in 0.1 s, and the second note as much later.
        let font = step([(38, line.key == second ? Oracle.timecents(0.48) : -12_000)])
        let notes = [(0, MusicEvent.key(line.key, 127, on: channel)), (1_000, .key(second, 127, on: channel))]
        return try play(font, value, notes: notes).level(5_800)
    }

    /// A strip sends the channel's part of what is heard; a feed counts five times, at half the power on either side.
    private func share(_ value: Int, _ bus: Int) throws -> Double {
        var sent = 0.0
        for case .message(let message) in line.events { sent = Double(message.data2) / 127 }
        let frame = Oracle.start + 5_000
        let channels = try play(step(), value).left[frame] * sent
        return try 20 * log10(1 + play(step(), value, bus: bus).left[frame] * 5 * 0.5.squareRoot() / channels)
    }

    // MARK: Pitch

    private func cents(_ font: Font, _ value: Int) throws -> Double {
        try play(font, value).cents(500, 1_500) - 100 * (Double(line.key) - 60)
    }

    private var presets: Font {
        var font = Font(Oracle.ramp)
        font.instruments = [0, 12, 24].map { [.init(generators: [(51, $0)], modulators: Font.flat)] }
        switch line.measure {
        case .kit:
            font.presets = [[.init()], [.init(target: 1)]]
            font.hasKit = true
        case .bank:
            font.presets = [[.init()], [.init(target: 1)]]
            font.lastBank = 8
        default: font.presets = (0..<3).map { [.init(target: $0)] }
        }
        return font
    }

    /// Cents, every 64 frames.
    private func trace(_ font: Font, _ value: Int) throws -> [Double] {
        let sound = try play(font, value, frames: 24_000)
        return stride(from: 640, to: 23_900, by: 64).map { sound.cents($0, $0 + 64) }
    }

    private func depth(_ trace: [Double]) -> Double { (trace.max()! - trace.min()!) / 2 }

    private func rate(of font: Font, _ value: Int) throws -> Double {
        let trace = try trace(font, value)
        var crossings: [Double] = []
        for index in 1..<trace.count where trace[index - 1] < 0 && trace[index] >= 0 {
            let rise = trace[index] - trace[index - 1]
            crossings.append(Double(index) - trace[index] / rise)
        }
        guard crossings.count > 1 else { return 0 }
        let periods = crossings[crossings.count - 1] - crossings[0]
        return Double(crossings.count - 1) / periods * 750
    }

    private func vibratoDelay(_ value: Int) throws -> Double {
        let sound = try play(Font(Oracle.ramp, [(6, 100), (23, Oracle.timecents(0.1))]), value, frames: 24_000)
        let begun = stride(from: 640, to: 23_900, by: 16).first { abs(sound.cents($0, $0 + 64)) > 8 }
        return Double(begun ?? 0) / 48_000
    }

    // MARK: Filter

    /// Decibels of a sine, every 64 frames while the oscillator turns twice: over two turns of the sine.
    private func levels(_ period: Int, _ generators: [(Int, Int)], _ value: Int) throws -> [Double] {
        var sample = Oracle.sine(period)
        sample.key = 60
        let sound = try play(Font(sample, [(54, 1), (56, 0)] + generators, [Self.still]), value, frames: 18_000)
        return stride(from: 4_000, to: 16_000, by: 64).map { age in
            let frames = sound.left[(Oracle.start + age)..<(Oracle.start + age + 2 * period)]
            let power = frames.reduce(0) { $0 + $1 * $1 } / Double(frames.count)
            return 10 * log10(2 * power) - 20 * log10(20_000.0 / 32_768 * Oracle.middle)
        }
    }

    /// The corner of the filter, by what it leaves of a sine of 2 kHz. Unit: absolute cents.
    private func corner(_ level: Double) -> Double {
        Self.root(of: level, in: 1_500...13_500) { OracleFilterTests.law(2_000, cutoff: $0, resonance: 0) }
    }

    private func swing(_ value: Int) throws -> Double {
        let levels = try levels(24, [(8, Self.corner)], value)
        return (corner(levels.max()!) - corner(levels.min()!)) / 2
    }

    /// By how much louder than 100 Hz the corner is.
    private func resonance(_ value: Int) throws -> Double {
        let zone = [(8, 8_400), (9, Self.resonance)]
        let peak = try levels(46, zone, value)[0] - levels(480, zone, value)[0]
        return Self.root(of: peak, in: 1...400) {
            OracleFilterTests.law(48_000.0 / 46, cutoff: 8_400, resonance: $0)
                - OracleFilterTests.law(100, cutoff: 8_400, resonance: $0)
        }
    }

    /// Where a rising law has a level.
    private static func root(of level: Double, in range: ClosedRange<Double>, _ law: (Double) -> Double) -> Double {
        var (low, high) = (range.lowerBound, range.upperBound)
        for _ in 0..<40 {
            let middle = (low + high) / 2
            if law(middle) < level { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }

    // MARK: Envelopes

    private func time(_ value: Int) throws -> Double {
        let wanted = Oracle.timecents(Self.time), channel = line.channel
        switch line.measure {
        case .attack:
            let sound = try play(step([(34, Oracle.timecents(Self.attack))]), value, frames: 24_000)
            let half = (0..<23_900).first { sound.gain($0) > 0.5 } ?? 0
            return 2 * Double(half) / 48_000
        case .decay:
            let sound = try play(step([(36, wanted), (37, 1_000)]), value)
            return 96 * 0.04 / (sound.level(960) - sound.level(2_880))
        default:
            let notes = [(0, MusicEvent.key(line.key, 127, on: channel)), (1_000, .up(line.key, on: channel))]
            let sound = try play(step([(38, wanted)]), value, notes: notes)
            return 96 * 0.04 / (sound.level(2_000) - sound.level(3_920))
        }
    }

    // MARK: Events

    private func part(_ value: Int) -> Part {
        var part = Part(mode: .melodic)
        for event in events(value) {
            switch event {
            case .part(let parameter, let value, let key, _): _ = part.set(parameter, value, key: key)
            case .message(let message): _ = part.control(Controller(rawValue: message.data1), message.data2)
            default: break
            }
        }
        return part
    }

    private func controller(_ number: UInt8, _ value: Int) -> Int {
        for case .message(let message) in events(value).reversed() where message.data1 == number { return Int(message.data2) }
        return -1
    }

    private func effect(_ wanted: EffectParameter, _ value: Int) -> Double {
        for case .effect(let value, let parameter, _) in events(value).reversed() where parameter == wanted {
            return Double(value)
        }
        return .nan
    }
}
