import CarillonTestKit
import Graphs
import MIDI
import RealtimeCore
import RemoteIO
import UnitAPI

/// Shows as a level which key is down, and writes down every frame that it renders, heard or not.
struct KeyLevel: AudioUnit, ~Copyable {
    static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .instrument, subtype: "klvl", manufacturer: "Test"), name: "key-level",
        summary: "The velocity of the key that is down.", outputs: [.init("main")], acceptsMusic: true)

    private var level: Float = 0
    private var key: UInt8 = 0
    private let memory: UnsafeMutableBufferPointer<Float>

    init(_ setup: UnitSetup) { memory = .init(start: nil, count: 0) }

    init(writing memory: UnsafeMutableBufferPointer<Float>) { self.memory = memory }

    // [render]

    @_noLocks mutating func handle(_ event: MusicEvent) {
        guard case .message(let message) = event else { return }
        if message.status & 0xF0 == 0x90 {
            level = Float(message.data2) / 256
            key = message.data1
        } else if message.status & 0xF0 == 0x80, message.data1 == key {
            level = 0
        }
    }

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        let left = io.output(0, 0), right = io.output(0, 1)
        for i in 0..<io.frames {
            left[i] = level
            right[i] = level
            let frame = Int(io.sampleTime.rawValue) &+ i
            if frame < memory.count { memory[frame] = level }
        }
        return level == 0 ? .silent : .sounding
    }

    @_noLocks mutating func reset() { level = 0 }
}

/// Somebody clicks keys while the machine is held up again and again: what was heard, rendered and performed.
final class HeldUpMachine {
    let port = SimulatedPort()
    let rig = OfflineRig()
    var journal: [PerformedEvent] = []
    /// Every frame that was rendered.
    let rendered: UnsafeMutableBufferPointer<Float>
    private var waiting: [(delivery: Double, press: Double, event: MusicEvent)] = []
    private let isImmediate: Bool

    /// - Parameters:
    ///   - isImmediate: keys take effect at once, instead of a constant time after they were pressed.
    init(seconds: Int, isImmediate: Bool, periods: Int = 2, hardware: SimulatedHardware = SimulatedHardware(pointerStep: 1))
        throws
    {
        self.isImmediate = isImmediate
        rendered = .allocate(capacity: seconds * 48_000)
        rendered.initialize(repeating: 0)
        try Self.play(rig, into: rendered)
        port.hardware = hardware
        var request = DeviceRequest(devices: ["simulated"], periodFrames: 512, periods: periods)
        request.keepsFull = !isImmediate
        _ = try port.open(rig.renderer, request, input: nil)
        try port.start {}
    }

    deinit {
        port.stop()
        rendered.deallocate()
    }

    static func play(_ rig: OfflineRig, into memory: UnsafeMutableBufferPointer<Float>) throws {
        let setup = UnitSetup(sampleRate: 48_000, maximumFrames: 4096)
        let node = try rig.graph.add(UnitInstance.boxing(KeyLevel(writing: memory), setup), name: "keys")
        try rig.graph.route(part: 0, to: node)
        try rig.graph.setOutput(node)
        try rig.publish()
    }

    /// A key is clicked for `length` seconds; the MIDI thread hands it over at once, or when nothing holds it up any more.
    ///
    /// - Parameter isStampedLate: the kernel takes keys when nothing holds it up, and stamps them then.
    func click(
        _ key: UInt8, velocity: UInt8, at press: Double, lasting length: Double, isHeldUp: Bool, isStampedLate: Bool = false
    ) {
        for (time, event) in [(press, MusicEvent.noteOn(key, velocity: velocity)), (press + length, .noteOff(key))] {
            var delivery = time
            if isHeldUp {
                for case .holdUp(let start, let held) in port.troubles where (start..<start + held).contains(time) {
                    delivery = start + held + 0.0005
                }
            }
            // One after the other, some microseconds apart.
            waiting.append((delivery, isStampedLate ? delivery + (time - press) * 1e-4 : time, event))
        }
    }

    /// Plays for so many seconds, a millisecond at a time.
    func run(seconds: Int) {
        waiting.sort { ($0.delivery, $0.press) < ($1.delivery, $1.press) }
        waiting.reverse()
        for millisecond in 0..<seconds * 1000 {
            while let next = waiting.last, next.delivery * 1000 <= Double(millisecond) {
                waiting.removeLast()
                let stamp = port.status.time?.eventTime(atNanoseconds: Int64(next.press * 1e9)) ?? .inTurn
                _ = rig.renderer.sendLive(TimedMusicEvent(time: isImmediate ? .inTurn : stamp, event: next.event))
            }
            port.advance(frames: 48)
            while let event = rig.renderer.nextPerformed() { journal.append(event) }
        }
    }

    /// The notes as they took effect: velocity, first frame and end.
    var notes: [(velocity: UInt8, start: Int, end: Int)] {
        var notes: [(velocity: UInt8, start: Int, end: Int)] = []
        for event in journal {
            guard case .music(.message(let message)) = event.command.event else { continue }
            let frame = Int(event.command.time.rawValue)
            if message.status & 0xF0 == 0x90 {
                // Of what was hardly heard before a hold-up, the second time counts.
                if let last = notes.last, last.end == frame, last.velocity == message.data2 { notes.removeLast() }
                notes.append((message.data2, frame, -1))
            } else {
                notes[notes.count - 1].end = frame
            }
        }
        return notes
    }
}
