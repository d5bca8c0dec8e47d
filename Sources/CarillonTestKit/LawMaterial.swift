import Glibc
import Graphs
import MIDI
import RealtimeCore
import UnitAPI

/// The input of a unit for the laws: sounds for each channel of each input bus, notes and controllers for instruments.
struct LawMaterial {
    struct Change {
        var time: Int, index: Int, element: Int, value: Float
    }

    let frames: Int
    let sampleRate: Double
    let unit: UnitUnderTest
    /// One sound per input bus and channel, up to `frames` long.
    var inputs: [[[Float]]]
    /// Events at exact frames, in order of time.
    var events: [(time: Int, music: MusicEvent)] = []

    init(silent unit: UnitUnderTest, sampleRate: Double, frames: Int) {
        (self.unit, self.sampleRate, self.frames) = (unit, sampleRate, frames)
        inputs = unit.inputs.map { Array(repeating: [], count: $0.channels) }
    }

    /// Bursts of noise and tones with silence between in the first half, another sound in every channel, every other bus
    /// by turns; notes at the same time. The second half is silent.
    init(_ unit: UnitUnderTest, sampleRate: Double, seconds: Double = 1) {
        self.init(silent: unit, sampleRate: sampleRate, frames: Int(seconds * sampleRate))
        var random = SeededRandom(seed: 7)
        let burst = max(frames / 8, 1)
        for bus in inputs.indices {
            for channel in inputs[bus].indices {
                var sound = [Float](repeating: 0, count: frames / 2)
                for i in sound.indices where (i / burst + bus) % 2 == 0 {
                    let phase = Double(i % burst) * Double(channel + 1) * Double(440 + 110 * bus) / sampleRate
                    sound[i] = 0.4 * (Float(phase - phase.rounded(.down)) - 0.5) + 0.2 * random.sample()
                }
                inputs[bus][channel] = sound
            }
        }
        if unit.descriptor.acceptsMusic { events = Self.notes(frames: frames / 2) }
    }

    /// A passage with chords, pedals, bends and controllers, which ends with every key and pedal up.
    static func notes(frames: Int) -> [(time: Int, music: MusicEvent)] {
        var list: [(Int, MusicEvent)] = []
        func add(_ time: Int, _ status: UInt8, _ a: UInt8, _ b: UInt8) {
            list.append((time, .message(MIDIMessage(status: status, data1: a, data2: b))))
        }
        let step = max(frames / 24, 1)
        for n in 0..<16 {
            let key = UInt8(40 + (n * 7) % 40), time = n * step + n * 3 + 1
            add(time, 0x90, key, UInt8(40 + n * 5))
            add(time + step * 3 - 5, 0x80, key, 0)
        }
        add(step / 2, 0xE0, 0, 80)
        add(step, 0xB0, 1, 90)
        add(step * 2, 0xB0, 64, 127)
        add(step * 5, 0xB0, 64, 0)
        add(step * 6, 0xE0, 0, 64)
        add(step * 7, 0xD0, 60, 0)
        add(step * 21, 0xB0, 123, 0)
        add(step * 22, 0xB0, 121, 0)
        return list.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }.map(\.element)
    }

    struct Take {
        let rig: OfflineRig
        let unit: UnitInstance
        let channels: [[Float]]
        /// The numbers it showed at the end.
        let readouts: [Float]
        /// The processor time that the thread used to render the take: a busy machine does not lengthen it.
        let duration: Duration
        fileprivate let recording: BusRecording

        var peak: Float { channels.joined().reduce(0) { max($0, abs($1)) } }
    }

    /// Plays the passage from the sample time `start` on to a new unit. `isUsed`: it has played the beginning before, from sample
    /// time 0 on, and is reset at `start`. `isKeptAwake`: it is called in every slice, whether it slept or not.
    func play(
        block: Int = 256, frames wanted: Int? = nil, automation: [Change] = [], startValues: [String: Float] = [:],
        from start: Int = 0, isUsed: Bool = false, isKeptAwake: Bool = false, threads: Int = 1
    ) throws -> Take {
        // Music is looked at as sound: see `MusicPrinter`.
        let outs = unit.descriptor.outputs.map { $0.carriesMusic ? UnitDescriptor.Bus($0.name, channels: 1) : $0 }
        let count = wanted ?? frames
        var printers: [NodeID] = []
        let rig = OfflineRig(
            sampleRate: sampleRate, maximumFrames: threads > 1 ? 100 : 1024, channels: outs.first?.channels ?? 2,
            start: isUsed ? .zero : SampleTime(Int64(start)), threads: threads, pull: 1024)
        let node = try rig.graph.add(try unit.make(rig.setup(inputs: unit.inputs.count, startValues: startValues)))
        let instance = try rig.graph.node(node).instance
        for (bus, sounds) in inputs.enumerated() {
            let timeline = sounds.map { sound in
                let whole = sound + [Float](repeating: 0, count: max(frames - sound.count, 0))
                return (isUsed ? whole.prefix(start) : [Float](repeating: 0, count: start)[...]) + whole
            }
            let source = try rig.add(channels: timeline.map { Array($0) }, name: "signal-\(bus)")
            try rig.graph.connect(source, to: node, input: bus)
        }
        let recording = BusRecording(outs, start: start, frames: count)
        if outs.isEmpty {
            try rig.graph.setOutput(rig.graph.nodes[rig.graph.nodes.count - 1].id)
        } else {
            func sound(_ bus: Int) throws -> NodeID {
                if !unit.descriptor.outputs[bus].carriesMusic { return node }
                let printer = try rig.graph.add(try UnitInstance.make(MusicPrinter.self, rig.setup()))
                try rig.graph.connect(node, output: bus, to: printer)
                printers.append(printer)
                return printer
            }
            let sources = try outs.indices.map(sound)
            try rig.graph.setOutput(sources[0])
            let recorder = try rig.graph.add(
                UnitInstance.boxing(BusRecorder(recording), rig.setup(), descriptor: BusRecorder.declared(inputs: outs)))
            for bus in outs.indices {
                try rig.graph.connect(sources[bus], output: sources[bus] == node ? bus : 0, to: recorder, input: bus)
            }
        }
        try rig.publish()
        if isUsed {
            for event in events where event.time < start { rig.send(event.music, to: node, at: event.time) }
            rig.render(start, block: block)
            for unit in printers + [node] { send(.reset, to: unit, at: start, rig) }
        }
        send(automation, to: node, from: start, rig)
        let begun = Self.threadTime
        var left = count
        while left > 0 {
            // In one go, unless it must not fall asleep.
            let now = isKeptAwake ? min(left, block) : left
            if isKeptAwake { for share in [instance] + instance.shares { share.memory.pointee.isAsleep = false } }
            rig.render(now, block: block)
            left -= now
        }
        let duration = Self.threadTime - begun
        let readouts = unit.descriptor.readouts.map { instance.readout($0) ?? .nan }
        return Take(
            rig: rig, unit: instance, channels: recording.channels, readouts: readouts, duration: duration,
            recording: recording)
    }

    private static var threadTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    private func send(_ automation: [Change], to node: NodeID, from start: Int, _ rig: OfflineRig) {
        var commands: [(time: Int, event: UnitEvent)] = events.map { ($0.time, .music($0.music)) }
        for change in automation {
            commands.append(
                (
                    change.time,
                    .parameter(
                        index: Int32(change.index), element: Int32(change.element), value: change.value)
                ))
        }
        for command in commands.enumerated().sorted(by: { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }) {
            send(command.element.event, to: node, at: start + command.element.time, rig)
        }
    }

    private func send(_ event: UnitEvent, to node: NodeID, at time: Int, _ rig: OfflineRig) {
        precondition(
            rig.renderer.send(RenderCommand(time: SampleTime(Int64(time)), node: node, event: event)),
            "the passage has too many events for the queue")
    }
}
