import DSP
import MIDI
import RealtimeCore
import UnitAPI

/// A generator of a sawtooth, whose phase is a function of the sample time, or counts what it has played.
struct Sawtooth: AudioUnit, ~Copyable {
    static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .generator, subtype: "saw ", manufacturer: "Test"), name: "sawtooth",
        summary: "Sounds all the time.", outputs: [.init("main", channels: 1)])
    typealias Parameter = NoParameter

    private let isReset: Bool
    private var phase = 0

    init(_ setup: UnitSetup) { isReset = true }
    init(isReset: Bool) { self.isReset = isReset }

    // [render]

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        let output = io.output(0, 0)
        for i in 0..<io.frames { output[i] = Float((phase &+ i) % 109) / 109 - 0.5 }
        phase &+= io.frames
        return .sounding
    }

    @_noLocks mutating func reset() { if isReset { phase = 0 } }
}

/// An organ of one key for each of 16 channels, with a tremolo that swings while something is held, or always.
struct Organ: AudioUnit, ~Copyable {
    static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .instrument, subtype: "orgn", manufacturer: "Test"), name: "organ",
        summary: "One key at a time.", outputs: [.init("main", channels: 1)], acceptsMusic: true)
    typealias Parameter = NoParameter

    private let swingsAlways: Bool, delay: Int64
    /// Per channel: the key or -1, and whether its volume is not 0.
    private let keys: UnsafeMutablePointer<Int32>, isOn: UnsafeMutablePointer<Bool>
    private var phase: Int64 = 0

    init(_ setup: UnitSetup) { self.init(swingsAlways: true) }

    init(swingsAlways: Bool) {
        self.swingsAlways = swingsAlways
        delay = 0
        keys = .allocate(capacity: 16)
        keys.initialize(repeating: -1, count: 16)
        isOn = .allocate(capacity: 16)
        isOn.initialize(repeating: true, count: 16)
    }

    deinit {
        keys.deallocate()
        isOn.deallocate()
    }

    // [render]

    @_noLocks mutating func handle(_ event: MusicEvent) {
        guard case .message(let message) = event else { return }
        let channel = Int(message.status & 15), key = Int32(message.data1)
        switch message.status & 0xF0 {
        case 0x90: keys[channel] = message.data2 == 0 ? -1 : key
        case 0x80: if keys[channel] == key { keys[channel] = -1 }
        case 0xB0:
            if message.data1 == 7 { isOn[channel] = message.data2 > 0 }
            if message.data1 == 123 { keys[channel] = -1 }
        default: break
        }
    }

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        var isHeld = false
        for channel in 0..<16 where keys[channel] >= 0 { isHeld = true }
        if !isHeld { return .silent }
        let output = io.output(0, 0)
        for i in 0..<io.frames {
            let time = (io.sampleTime + i).rawValue, swing = swingsAlways ? time : phase &+ Int64(i)
            var sum: Float = 0
            for channel in 0..<16 where keys[channel] >= 0 && isOn[channel] {
                let period = Int64(300 &- keys[channel] &* 2)
                sum += Float(time % period) / Float(period) - 0.5
            }
            output[i] = sum * (0.5 + Float(swing % 20_000) / 40_000)
        }
        phase &+= Int64(io.frames)
        return .sounding
    }

    @_noLocks mutating func reset() {
        phase = 0
        for channel in 0..<16 {
            keys[channel] = -1
            isOn[channel] = true
        }
    }
}
