import Graph
import MIDI
import RealtimeCore
import UnitAPI

/// What every unit is played for the laws: bursts with silence between for inputs, notes and controllers for instruments.
struct LawMaterial {
    /// Frames of the whole passage at the law's rate.
    let frames: Int
    let sampleRate: Double
    let unit: UnitUnderTest
    /// One sound per input bus and channel: noise and tones in bursts.
    private(set) var inputs: [[Float]] = []
    /// Events at exact frames.
    private(set) var events: [(time: Int, music: MusicEvent)] = []

    /// - Parameter isSilent: the inputs stay silent and no note is played.
    init(_ unit: UnitUnderTest, sampleRate: Double, seconds: Double = 1, isSilent: Bool = false) {
        self.unit = unit
        self.sampleRate = sampleRate
        frames = Int(seconds * sampleRate)
        if isSilent { return }
        var random = SeededRandom(seed: 7)
        let channels = max(unit.descriptor.inputs.first?.channels ?? 0, 0)
        for channel in 0..<channels {
            var sound = [Float](repeating: 0, count: frames / 2)
            let burst = max(frames / 8, 1)
            for i in sound.indices where (i / burst) % 2 == 0 {
                let phase = Double(i % burst) * Double(channel + 1) * 440 / sampleRate
                let ramp = Float(phase - phase.rounded(.down)) - 0.5
                sound[i] = 0.4 * ramp + 0.2 * random.sample()
            }
            inputs.append(sound)
        }
        if unit.descriptor.acceptsMusic { events = Self.notes(frames: frames / 2) }
    }

    /// A passage with chords, pedals, bends and controllers, which ends with every key and pedal up.
    private static func notes(frames: Int) -> [(Int, MusicEvent)] {
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

    /// Plays the passage to a new unit. `automation` and `prepare` may add commands; they come in order of time.
    func play(
        block: Int, frames wanted: Int? = nil, automation: [(time: Int, index: Int, element: Int, value: Float)] = [],
        resetAfterFirstPass: Bool = false, startValues: [String: Float] = [:]
    ) throws -> OfflineRig {
        let outs = unit.descriptor.outputs
        let rig = OfflineRig(
            sampleRate: sampleRate, maximumFrames: 1024, channels: max(outs.first?.channels ?? 2, 1))
        let node = try rig.graph.add(try unit.make(rig.setup(startValues: startValues)))
        if let channels = unit.descriptor.inputs.first?.channels {
            precondition(channels == 2, "the laws feed stereo inputs")
            let left = inputs.isEmpty ? [] : inputs[0], right = inputs.isEmpty ? [] : inputs[1]
            let source = try rig.add(left: left, right: right)
            for bus in unit.descriptor.inputs.indices { try rig.graph.connect(source, to: node, input: bus) }
        }
        if outs.isEmpty {
            try rig.graph.setOutput(rig.graph.nodes[rig.graph.nodes.count - 1].id)
        } else {
            try rig.graph.setOutput(node)
        }
        try rig.publish()
        if resetAfterFirstPass {
            // Noise of the unit's own first, then reset: what follows must sound like a new unit's.
            let first = LawMaterial(unit, sampleRate: sampleRate, seconds: 0.25)
            for event in first.events { rig.send(event.music, to: node, at: event.time) }
            rig.render(frames, block: block)
            precondition(rig.renderer.send(RenderCommand(
                time: SampleTime(Int64(frames)), node: node, event: .reset)))
        }
        let start = resetAfterFirstPass ? frames : 0
        var commands: [(time: Int, RenderCommand)] = []
        for event in events {
            commands.append((event.time, RenderCommand(
                time: SampleTime(Int64(start + event.time)), node: node, event: .music(event.music))))
        }
        for change in automation {
            commands.append((change.time, RenderCommand(
                time: SampleTime(Int64(start + change.time)), node: node,
                event: .parameter(index: Int32(change.index), element: Int32(change.element), value: change.value))))
        }
        for command in commands.enumerated().sorted(by: { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }) {
            precondition(rig.renderer.send(command.element.1), "the passage has too many events for the queue")
        }
        rig.render(wanted ?? frames, block: block)
        return rig
    }
}
