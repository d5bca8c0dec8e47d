import CarillonTestKit
import Glibc
import Graphs
import MIDI
import RealtimeCore
import UnitAPI
import Units

/// What is played to a square wave in a test, or to another instrument, and what came out.
struct Performance {
    var sampleRate = 48_000.0
    /// Start values by name. Without them notes would be shaped by decay and sustain.
    var settings: [String: Float] = ["sustain": 100, "release": 0.01, "gain": 0]
    private(set) var commands: [(time: Int, event: UnitEvent)] = []
    /// Makes the unit that plays, of start values.
    var make: (OfflineRig, [String: Float]) throws -> NodeID = { rig, values in
        try rig.add(SquareWave.self, startValues: values)
    }

    init(sampleRate: Double = 48_000, _ settings: [String: Float] = [:]) {
        self.sampleRate = sampleRate
        self.settings.merge(settings) { $1 }
    }

    mutating func send(_ status: UInt8, _ a: Int, _ b: Int = 0, at time: Int, channel: Int = 0, port: UInt8 = 0) {
        play(
            .message(
                MIDIMessage(
                    status: status | UInt8(channel), data1: UInt8(a), data2: UInt8(b), port: port)), at: time)
    }
    mutating func play(_ event: MusicEvent, at time: Int) { commands.append((time, .music(event))) }
    mutating func on(_ key: Int, _ velocity: Int = 127, at time: Int, channel: Int = 0, port: UInt8 = 0) {
        send(0x90, key, velocity, at: time, channel: channel, port: port)
    }
    mutating func off(_ key: Int, at time: Int, channel: Int = 0) { send(0x80, key, 0, at: time, channel: channel) }
    mutating func control(_ number: Int, _ value: Int, at time: Int, channel: Int = 0) {
        send(0xB0, number, value, at: time, channel: channel)
    }
    /// Selects a registered parameter and enters data.
    mutating func registered(_ parameter: Int, _ high: Int, _ low: Int? = nil, at time: Int) {
        control(101, 0, at: time)
        control(100, parameter, at: time)
        control(6, high, at: time)
        if let low { control(38, low, at: time) }
    }
    /// -8192...8191.
    mutating func bend(_ value: Int, at time: Int) { send(0xE0, (value + 8192) & 127, (value + 8192) >> 7, at: time) }
    mutating func set(_ parameter: SquareWave.Parameter, _ value: Float, at time: Int) {
        set(index: parameter.rawValue, value, at: time)
    }
    mutating func set(index: Int, element: Int = 0, _ value: Float, at time: Int) {
        commands.append((time, .parameter(index: Int32(index), element: Int32(element), value: value)))
    }
    /// Everything `frames` later.
    func later(_ frames: Int) -> Performance {
        var copy = self
        copy.commands = commands.map { ($0.time + frames, $0.event) }
        return copy
    }

    /// Plays everything to a new unit.
    func render(_ frames: Int, block: Int = 512) throws -> Recording {
        let rig = OfflineRig(sampleRate: sampleRate)
        let node = try make(rig, settings)
        try rig.graph.setOutput(node)
        try rig.publish()
        let ordered = commands.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
        for (_, command) in ordered {
            precondition(
                rig.renderer.send(
                    RenderCommand(
                        time: SampleTime(Int64(command.time)), node: node, event: command.event)))
        }
        rig.render(frames, block: block)
        let instance = rig.graph.nodes[0].instance
        return Recording(
            channels: rig.recording, sampleRate: sampleRate, isAsleep: instance.memory.pointee.isAsleep,
            voices: Int(instance.readout("voices") ?? -1), faults: rig.renderer.counters.faults,
            violations: rig.violations)
    }
}

/// What a test heard.
struct Recording {
    let channels: [[Float]]
    let sampleRate: Double
    let isAsleep: Bool
    let voices: Int
    let faults: Int
    let violations: RenderViolations
    var left: [Float] { channels[0] }

    /// The greatest sample of a range on the left.
    func peak(_ range: Range<Int>) -> Float { left[range].map { abs($0) }.max() ?? 0 }
    /// Root of the mean square of a range on the left.
    func level(_ range: Range<Int>) -> Double {
        (left[range].reduce(0.0) { $0 + Double($1) * Double($1) } / Double(range.count)).squareRoot()
    }
    /// How strong the fundamental of `key` is in a range, 0 for none.
    func fundamental(_ key: Int, _ range: Range<Int>) -> Double {
        let line = Spectrum.line(left[range].map(Double.init), frequency: hertz(Double(key) * 100) / sampleRate)
        return (line.real * line.real + line.imaginary * line.imaginary).squareRoot()
    }
    /// The pitch of a range in cents above key 0, given it is within a quarter tone of `cents`.
    func pitch(_ range: Range<Int>, near cents: Double) -> Double {
        let turns = Spectrum.frequency(left[range].map(Double.init), near: hertz(cents) / sampleRate)
        return 6900 + 1200 * log2(turns * sampleRate / 440)
    }
}

/// The frequency that `cents` above key 0 stand for.
func hertz(_ cents: Double) -> Double { 440 * exp2((cents - 6900) / 1200) }
