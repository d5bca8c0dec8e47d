import Graphs
import MIDI
import RealtimeCore

/// The way of live events into the renderer: in the order in which they are sent. No ending is lost to a full queue.
/// What the renderer refuses waits here and is tried again. When even this is full, note-ons are given up and counted;
/// everything else has room for as many again. MIDI thread.
struct LiveOutbox: Sendable {
    /// The number of events that wait before note-ons are given up.
    static let patience = 4096

    private let push: @Sendable (RenderCommand) -> Bool
    private var waiting: [RenderCommand] = []
    private var last = SampleTime.zero
    private(set) var sent = 0, refused = 0, dropped = 0

    init(push: @escaping @Sendable (RenderCommand) -> Bool) { self.push = push }

    var isWaiting: Bool { !waiting.isEmpty }

    /// Sends `event` at `time`, or at the time of the event before it if that is later. `SampleTime.inTurn` is at once, but
    /// after what was sent before: so an ending never overtakes its note.
    mutating func send(_ event: MusicEvent, at time: SampleTime) {
        send(RenderCommand(time: time, node: nil, event: .music(event)), at: time)
    }

    /// Sends a command that a filter has made: its own time does not count.
    mutating func send(_ command: RenderCommand, at time: SampleTime) {
        last = max(last, time)
        var timed = command
        timed.time = time == .inTurn ? .inTurn : last
        if waiting.isEmpty {
            if push(timed) {
                sent += 1
                return
            }
            refused += 1
        }
        if waiting.count >= Self.patience && timed.beginsNote || waiting.count >= 2 * Self.patience {
            dropped += 1
        } else {
            waiting.append(timed)
        }
    }

    mutating func retry() {
        var count = 0
        for event in waiting {
            guard push(event) else {
                refused += 1
                break
            }
            count += 1
        }
        sent += count
        waiting.removeFirst(count)
    }
}

extension RenderCommand {
    fileprivate var beginsNote: Bool { if case .music(let music) = event { music.beginsNote } else { false } }
}
