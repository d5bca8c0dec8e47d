import ALSA
import Carillon
import Glibc
import RealtimeCore

/// Plays clicks on a device and finds them again in what the device captures.
struct LoopBack {
    struct Result: Equatable {
        let clicks: Int
        /// Clicks during which the device was interrupted: they are not measured.
        let disturbed: Int
        /// Frames from where a click should sound by the device's clock to where it was captured: converters, cable, and any
        /// delay that the clock does not know.
        let places: [Int]
    }

    /// Keys of one click and the frames between them: no part of it looks like another.
    private static let keys: [UInt8] = [96, 79, 103]
    private static let step = 70
    /// The divisor of a second that gives the most a click may come late.
    private static let patience = 2

    private let engine: Engine
    private let instrument: NodeID
    private let input: CaptureQueue
    private let sampleRate: Int

    /// A renderer that clicks, and nothing else.
    init(sampleRate: Int) throws(Fault) {
        (engine, instrument) = try Self.makeEngine(sampleRate)
        self.sampleRate = sampleRate
        input = CaptureQueue(channels: 2, frames: sampleRate * 4)
    }

    private static func makeEngine(_ sampleRate: Int) throws(Fault) -> (Engine, NodeID) {
        let engine = Engine(sampleRate: Double(sampleRate), maximumFrames: 16_384)
        let instrument = try engine.edit { (graph) throws(Fault) in
            let node = try graph.add(SquareWave.self)
            try graph.setOutput(node)
            return node
        }
        return (engine, instrument)
    }

    /// Opens the device, with its capture side if `request` asks for it, and waits until it runs steadily.
    func open(_ request: DeviceRequest) throws(DeviceError) -> RemoteIOUnit {
        let unit = try RemoteIOUnit(
            renderer: engine.renderer, request: request, input: request.capture ? input : nil,
            systems: SoundSystems.all)
        try unit.start()
        // Until the clock has settled, five seconds at most.
        for _ in 0..<100 where unit.deviceTime?.isSettled != true { usleep(50_000) }
        return unit
    }

    /// Two a second.
    func measure(_ unit: RemoteIOUnit, clicks: Int) throws -> Result {
        let click = try reference()
        var places: [Int] = [], disturbed = 0
        for _ in 0..<clicks {
            let before = unit.counters
            while input.drain({ _, _, _ in }) {}
            let time = unit.status.sampleTime + sampleRate / 10
            try Self.play(on: engine, instrument, at: time)
            let sound = captured(from: time, frames: sampleRate / Self.patience + click.count)
            if unit.counters != before {
                disturbed += 1
            } else if let place = ClickSearch(click: click).place(in: sound) {
                places.append(place)
            }
        }
        return Result(clicks: clicks, disturbed: disturbed, places: places)
    }

    /// Shorter if nothing comes.
    private func captured(from time: SampleTime, frames: Int) -> [Float] {
        var sound = [Float](repeating: 0, count: frames)
        var end = 0
        for _ in 0..<30 where end < frames {
            usleep(50_000)
            while input.drain({ blockTime, samples, count in
                for index in 0..<count {
                    let place = Int(blockTime.rawValue - time.rawValue) + index
                    if sound.indices.contains(place) { sound[place] = samples[index] }
                }
                end = Int(blockTime.rawValue - time.rawValue) + count
            }) {}
        }
        return end > 0 ? Array(sound.prefix(end)) : []
    }

    private func reference() throws -> [Float] {
        let (engine, instrument) = try Self.makeEngine(sampleRate)
        try Self.play(on: engine, instrument, at: .zero)
        let output = try OfflineOutput(renderer: engine.renderer, maximumFrames: ClickSearch.length)
        output.pull(ClickSearch.length)
        return Array(UnsafeBufferPointer(start: output.buffer.channels[0], count: ClickSearch.length))
    }

    private static func play(on engine: Engine, _ instrument: NodeID, at time: SampleTime) throws(Fault) {
        for (index, key) in keys.enumerated() {
            try engine.send(
                .message(MIDIMessage(status: 0x90, data1: key, data2: 127)), to: instrument, at: time + index * step)
            try engine.send(
                .message(MIDIMessage(status: 0x80, data1: key, data2: 0)), to: instrument, at: time + (index + 1) * step)
        }
    }
}
