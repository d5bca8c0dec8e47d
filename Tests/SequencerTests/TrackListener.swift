import MIDI
import RealtimeCore
import Sequencer

/// What a renderer makes of the stretches of a track player: it plays each up to the start of the next.
struct TrackListener {
    var player: TrackPlayer
    private var posted: [(stretch: TrackPlayer.Stretch, next: Int, begun: Bool)] = []
    private(set) var now: SampleTime = .zero
    private(set) var heard: [TimedMusicEvent] = []
    /// Note-ons that wait for their end, by part * 128 + key; and pedals that are down.
    private(set) var held: [Int: Int] = [:]
    private(set) var pedals: Set<Int> = []

    init(_ arrangement: Song.Arrangement, areLoops: Bool = false) {
        player = TrackPlayer(arrangement, sampleRate: 48_000, areLoops: areLoops)
    }

    mutating func post(_ stretches: [TrackPlayer.Stretch]) {
        for stretch in stretches {
            posted.removeAll { $0.stretch.start >= stretch.start && !$0.begun }
            posted.append((stretch, 0, false))
        }
    }

    mutating func play(at time: Int64 = 0) { post(player.play(at: SampleTime(time), now: now)) }
    mutating func stop(at time: Int64) { post(player.stop(at: SampleTime(time), now: now)) }

    mutating func rate(_ rate: Double, at time: Int64 = 0) { post(player.setRate(rate, at: SampleTime(time), now: now)) }

    mutating func edit(at time: Int64, _ change: (inout Song.Arrangement) -> Void) {
        var next = player.arrangement
        change(&next)
        post(player.edit(next, at: SampleTime(time), now: now))
    }

    /// Plays up to a frame, in slices.
    mutating func advance(to end: Int64, slice: Int = 1_000) {
        while now.rawValue < end {
            post(player.advance(now: now, horizon: 96_000))
            now = min(now + slice, SampleTime(end))
            sound()
        }
    }

    private mutating func sound() {
        while !posted.isEmpty {
            let limit = posted.count > 1 ? min(posted[1].stretch.start, now) : now
            if posted[0].stretch.start >= now { return }
            if !posted[0].begun {
                posted[0].begun = true
                let stretch = posted[0].stretch
                if stretch.releases {
                    for slot in held.keys.sorted() {
                        hear(.message(MIDIMessage(part: slot / 128, 0x80, UInt8(slot & 127), 64)), stretch.start)
                    }
                    held = [:]
                }
                for event in stretch.prologue { hear(event, stretch.start) }
            }
            while posted[0].next < posted[0].stretch.events.count {
                let event = posted[0].stretch.events[posted[0].next]
                if event.time >= limit { break }
                posted[0].next += 1
                hear(event.event, event.time)
            }
            guard posted.count > 1, posted[1].stretch.start < now else { return }
            posted.removeFirst()
        }
    }

    private mutating func hear(_ event: MusicEvent, _ time: SampleTime) {
        heard.append(TimedMusicEvent(time: time, event: event))
        guard case .message(let message) = event else { return }
        let slot = message.part * 128 + Int(message.data1)
        if message.beginsNote { held[slot, default: 0] += 1 }
        if message.endsNote, let count = held[slot] { held[slot] = count > 1 ? count - 1 : nil }
        if message.kind == .controlChange, message.data1 == 64 {
            if message.data2 >= 64 { pedals.insert(message.part) } else { pedals.remove(message.part) }
        }
    }

    /// The frames on which keys go down, and up.
    var notes: [String] {
        heard.compactMap { timed in
            guard case .message(let message) = timed.event, message.beginsNote || message.endsNote else { return nil }
            return "\(message.beginsNote ? "+" : "-")\(message.data1)@\(timed.time.rawValue)"
        }
    }
}
