import MIDI
import RealtimeCore
import Reports

/// Walks a layer along a song, round after round: places of the layer become frames of the song.
///
/// Everything is counted in parts of a quarter note of which the ticks of both song and layer are whole multiples, so
/// nothing is rounded before the frame.
struct LayerWalk {
    private(set) var events: [TimedMusicEvent] = []
    private let layer: SongLayer, map: TempoMap
    /// Parts of a quarter, of a tick of the song, of a tick of the layer.
    private let perQuarter: Int64, perSongTick: Int64, perTick: Int64
    /// Where the layer begins in the song, and the ends of its loop and its length, in parts.
    private let start: Int64, low: Int64, high: Int64, length: Int64
    /// The number of times that each key is down: part * 128 + key.
    private var held: [Int: Int] = [:]

    init(_ placement: SongLayer.Placement, _ map: TempoMap, perQuarter: Int64) {
        (layer, self.map) = (placement.layer, map)
        (perSongTick, perTick) = (layer.ticksPerQuarter, perQuarter)
        self.perQuarter = layer.ticksPerQuarter * perQuarter
        start = placement.start * perSongTick
        (low, high, length) = (layer.loop.lowerBound * perTick, layer.loop.upperBound * perTick, layer.length * perTick)
    }

    private struct Run {
        var from: Int64, to: Int64
        var isSeam = false
    }

    /// Plays a range of the song's ticks. `goesOn`: the layer sounds already when it begins.
    mutating func play(_ ticks: Range<Int64>, goesOn: Bool) throws(Fault) {
        var place = ticks.lowerBound * perSongTick
        let end = min(ticks.upperBound, Int64.max / perSongTick / 4) * perSongTick
        var isFirst = true, last = 0
        held = [:]
        while place < end, let run = run(at: place - start) {
            let stop = min(place + (run.to - run.from), end)
            var index = layer.index(at: run.from, perTick: perTick)
            if isFirst {
                if goesOn { hold(before: index) } else { enter(at: place, index) }
            } else if run.isSeam {
                release(at: place)
                index = layer.chase.firstEvent(ofRound: layer.loop)
                tell(layer.chase.prologue(at: index, from: last), at: place)
            }
            isFirst = false
            while index < layer.events.count {
                let event = layer.events[index], moment = place + event.time.rawValue * perTick - run.from
                if moment >= stop { break }
                take(event.event, at: moment)
                index += 1
            }
            if events.count > SongLayer.mostEvents { throw .tooManyEvents }
            (last, place) = (index, stop)
        }
        if isFirst { return }
        release(at: place)
        tell(layer.chase.pedalsUp(at: last), at: place)
    }

    private func run(at place: Int64) -> Run? {
        if place >= 0, place < low { return Run(from: place, to: high) }
        let span = high - low, offset = place - low
        let round = offset >= 0 ? offset / span : (offset - span + 1) / span
        let from = low + offset - round * span
        guard let rounds = layer.rounds else { return Run(from: from, to: high, isSeam: from == low) }
        if place < 0 { return nil }
        // The last round goes on to the end.
        if round >= Int64(rounds) - 1 {
            let from = place - Int64(rounds - 1) * span
            return from < length || from < high ? Run(from: from, to: max(length, high), isSeam: from == low) : nil
        }
        return Run(from: from, to: high, isSeam: from == low)
    }

    /// Starts the layer at a place in it: its instruments are sent the whole state.
    private mutating func enter(at place: Int64, _ index: Int) {
        tell(layer.chase.prologue(at: index, from: nil), at: place)
    }

    private mutating func hold(before index: Int) { for event in layer.events[..<index] { count(event.event) } }

    private mutating func tell(_ sent: [MusicEvent], at place: Int64) {
        for event in sent {
            if case .message = event { take(event, at: place) } else if layer.ownsPorts { take(event, at: place) }
        }
    }

    private mutating func take(_ event: MusicEvent, at place: Int64) {
        count(event)
        events.append(TimedMusicEvent(time: map.time(ofPart: place, perQuarter: perQuarter) ?? .zero, event: event))
    }

    private mutating func count(_ event: MusicEvent) {
        guard case .message(let message) = event else { return }
        let key = message.part * 128 + Int(message.data1)
        switch message.kind {
        case .noteOn where message.data2 > 0: held[key, default: 0] += 1
        case .noteOn, .noteOff: held[key] = nil
        default: break
        }
    }

    private mutating func release(at place: Int64) {
        for key in held.keys.sorted() {
            let part = key >> 7,
                off = MIDIMessage(
                    status: 0x80 | UInt8(part & 15), data1: UInt8(key & 127), data2: 64, port: UInt8(part >> 4))
            take(.message(off), at: place)
        }
    }
}

extension SongLayer {
    fileprivate func index(at place: Int64, perTick: Int64) -> Int { chase.index(at: (place + perTick - 1) / perTick) }
}
