import Graphs
import MIDI
import RealtimeCore
import UnitAPI

/// The events that a MIDI unit has played, as `OfflineRig.listen(to:)` heard them.
public final class MusicRecording {
    /// An event and the frame on which it was heard.
    public struct Entry: Hashable, Sendable {
        public var time: Int
        public var event: MusicEvent
    }

    static let capacity = 16_384
    private var owned = OwnedMemory()
    fileprivate let entries: UnsafeMutablePointer<Entry>
    fileprivate let count: UnsafeMutablePointer<Int>

    init() {
        entries = owned.room(for: Self.capacity)
        count = owned.make(1, of: 0)
    }

    /// Everything, in order.
    public var events: [Entry] { (0..<min(count.pointee, Self.capacity)).map { entries[$0] } }

    /// Notes that began: frame, key, velocity.
    public var begun: [(time: Int, key: Int, velocity: Int)] { keys { $0.status & 0xF0 == 0x90 && $0.data2 > 0 } }
    /// Notes that ended.
    public var ended: [(time: Int, key: Int, velocity: Int)] {
        keys { $0.status & 0xF0 == 0x80 || $0.status & 0xF0 == 0x90 && $0.data2 == 0 }
    }

    private func keys(_ isMeant: (MIDIMessage) -> Bool) -> [(time: Int, key: Int, velocity: Int)] {
        events.compactMap { entry in
            guard case .message(let message) = entry.event, isMeant(message) else { return nil }
            return (entry.time, Int(message.data1), Int(message.data2))
        }
    }

    /// Keys that sound at the end, each as often as it was begun and not ended.
    public var hanging: [Int: Int] {
        var left: [Int: Int] = [:]
        for note in begun { left[note.key, default: 0] += 1 }
        for note in ended { left[note.key, default: 0] -= 1 }
        return left.filter { $0.value > 0 }
    }
}

struct MusicRecorder: AudioUnit, ~Copyable {
    static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .instrument, subtype: "mrec", manufacturer: .carillon),
        name: "music-recorder", summary: "Records the events it receives.", outputs: [.init("main", channels: 1)],
        acceptsMusic: true)

    private let entries: UnsafeMutablePointer<MusicRecording.Entry>
    private let count: UnsafeMutablePointer<Int>
    /// Events without a frame yet: the next call of `render` gives it.
    private var waiting = 0

    init(_ setup: UnitSetup) { preconditionFailure("a recorder is boxed with its recording") }

    init(_ recording: MusicRecording) {
        entries = recording.entries
        count = recording.count
    }

    // [render]

    @_noLocks mutating func handle(_ event: MusicEvent) {
        if count.pointee == 16_384 { return }
        entries[count.pointee].event = event
        count.pointee &+= 1
        waiting &+= 1
    }

    @_noLocks mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        for place in (count.pointee &- waiting)..<count.pointee { entries[place].time = Int(io.sampleTime.rawValue) }
        waiting = 0
        return .silent
    }

    @_noLocks mutating func reset() {}
}

extension OfflineRig {
    /// Adds an instrument that writes down what a MIDI unit plays. It is silent, and has to lead to the output like any other.
    public func listen(to node: NodeID) throws -> (unit: NodeID, recording: MusicRecording) {
        let recording = MusicRecording()
        recordings.append(recording)
        let unit = try graph.add(UnitInstance.boxing(MusicRecorder(recording), setup()))
        try graph.connect(node, to: unit)
        return (unit, recording)
    }
}
