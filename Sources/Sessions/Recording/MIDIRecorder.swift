import Graphs
import MIDI
import Patches
import RealtimeCore
import Sequencer

/// A recorder of the last minutes of playing: always recording, in bounded memory.
///
/// Control side.
struct MIDIRecorder {
    /// Frames after which an event is forgotten, and how many events there can be at most.
    let frames: Int
    let capacity: Int
    private var ring: [Journal.Entry] = []
    /// The oldest entry's place in the ring, and how many there are.
    private var first = 0
    private(set) var count = 0
    /// The time up to which something has been forgotten; nil while nothing has.
    private(set) var forgottenUntil: SampleTime?
    /// Forgotten events that have set instruments: at most twice what is needed, or 1024 events.
    private var settings: [TimedMusicEvent] = []
    private var compactAt = 1_024
    /// The values that parameters were set to, in the order in which they were first set; and the level of shedding.
    private var parameters: [Parameter: UnitEvent] = [:], order: [Parameter] = []
    private var shedding: UnitEvent?
    /// The position of the music that was forgotten.
    private var clock = MusicClock()
    private let sampleRate: Double

    private struct Parameter: Hashable {
        var unit: String
        var index: Int32
        var element: Int32
    }

    /// Changes of the graph that are not forgotten, and the graph before them.
    private(set) var edits: [Journal.Edit] = []
    private var patch: Patch
    /// Edits that were made from another graph.
    private(set) var misfits = 0

    init(frames: Int, capacity: Int = 1 << 18, patch: Patch = Patch(), sampleRate: Int = 48_000) {
        (self.frames, self.sampleRate) = (frames, Double(sampleRate))
        self.capacity = capacity
        self.patch = patch
    }

    /// Takes an edit in; times never go back.
    mutating func record(_ edit: Journal.Edit) { edits.append(edit) }

    /// Takes an event in; times never go back.
    mutating func record(_ entry: Journal.Entry) {
        forget(before: SampleTime(entry.time.rawValue - Int64(frames)))
        if count == capacity { drop() }
        if count == ring.count {
            // Full, but it may grow: in order first.
            if first != 0 { ring = entries }
            first = 0
            ring.append(entry)
        } else {
            ring[(first + count) % ring.count] = entry
        }
        count += 1
    }

    mutating func forget(before time: SampleTime) {
        while count > 0, ring[first].time < time { drop() }
        forgetEdits(before: time)
    }

    private mutating func forgetEdits(before time: SampleTime) {
        while let edit = edits.first, edit.time < time {
            forgottenUntil = max(forgottenUntil ?? edit.time, edit.time)
            edits.removeFirst()
            // An edit that does not fit belongs to no graph of this session, and could not be replayed anyway.
            do { patch = try patch.applying(edit.difference) } catch {
                misfits += 1
                continue
            }
            follow(edit.difference)
        }
    }

    /// Moves the settings of units with their units: to new names, or away. A new unit has no settings yet.
    private mutating func follow(_ difference: PatchDifference) {
        func change(_ name: (String) -> String?) {
            var renamed: [Parameter: UnitEvent] = [:], places: [Parameter] = []
            for key in order {
                guard let unit = name(key.unit), let event = parameters[key] else { continue }
                let parameter = Parameter(unit: unit, index: key.index, element: key.element)
                if renamed.updateValue(event, forKey: parameter) == nil { places.append(parameter) }
            }
            (parameters, order) = (renamed, places)
        }
        if let names = difference.renamed { change { names[$0] ?? $0 } }
        let gone = difference.gone
        if !gone.isEmpty { change { gone.contains($0) ? nil : $0 } }
        let had = Set(difference.units.removed.map(\.name)).subtracting(gone)
        let parts = Set(difference.units.added.filter { !had.contains($0.name) }.flatMap { $0.parts.sorted })
        if parts.isEmpty { return }
        settings.removeAll { event in
            guard case .message(let message) = event.event else { return false }
            return parts.contains(Int(message.port) * 16 + Int(message.channel))
        }
    }

    private mutating func drop() {
        // Earlier edits come first; at one time an edit comes before the events.
        forgetEdits(before: ring[first].time + 1)
        forgottenUntil = max(forgottenUntil ?? ring[first].time, ring[first].time)
        remember(ring[first])
        first = (first + 1) % ring.count
        count -= 1
    }

    private mutating func remember(_ entry: Journal.Entry) {
        switch entry.event {
        case .music(.time(let said)): clock.follow(said, at: entry.time, sampleRate: sampleRate)
        case .music(let music):
            if case .message(let message) = music, message.kind == .noteOn || message.kind == .noteOff { return }
            settings.append(TimedMusicEvent(time: .zero, event: music))
            if settings.count >= compactAt {
                settings = compacted
                compactAt = max(1_024, 2 * settings.count)
            }
        case .shed: shedding = entry.event
        case .reset, .adopted: break
        case .parameter(let index, let element, let value), .ramp(let index, let element, let value, _, _):
            // A ramp on its way has arrived by then.
            let parameter = Parameter(unit: entry.unit ?? "", index: index, element: element)
            let event = UnitEvent.parameter(index: index, element: element, value: value)
            if parameters.updateValue(event, forKey: parameter) == nil { order.append(parameter) }
        }
    }

    /// The events that bring a new graph to its state when the oldest remaining event took effect.
    private func prologue(at time: SampleTime) -> [(unit: String?, event: UnitEvent)] {
        let said = clock.timesSaid == 0 ? [] : (0..<MusicClock.sayings).map { clock.saying($0, at: time, sampleRate: sampleRate) }
        return compacted.map { (nil, .music($0.event)) } + said.map { (nil, .music(.time($0))) }
            + order.compactMap { key in parameters[key].map { (key.unit, $0) } } + (shedding.map { [(nil, $0)] } ?? [])
    }

    /// The few events that set instruments to the same.
    private var compacted: [TimedMusicEvent] {
        if settings.isEmpty { return [] }
        return Chase(settings).prologue(at: settings.count, from: nil).map { TimedMusicEvent(time: .zero, event: $0) }
    }

    /// The entries that are there, in order.
    var entries: [Journal.Entry] { (0..<count).map { ring[(first + $0) % ring.count] } }

    /// All of it as a journal up to `end`.
    func journal(_ setup: Journal.Setup, end: SampleTime) -> Journal {
        var journal = Journal()
        journal.setup = setup
        journal.setup.patch = patch
        journal.entries = entries
        journal.edits = edits
        journal.isComplete = forgottenUntil == nil
        if forgottenUntil != nil {
            journal.begin = min(journal.entries.first?.time ?? end, journal.edits.first?.time ?? end)
            journal.entries =
                prologue(at: journal.begin).map { .init(time: journal.begin, unit: $0.unit, event: $0.event) }
                + journal.entries
        }
        journal.end = end
        return journal
    }
}

extension PatchDifference {
    /// The units that go, or are made anew: what only hears other parts, or is passed by, has gone and come in the difference
    /// alone.
    var gone: Set<String> {
        let added = Dictionary(units.added.map { ($0.name, $0) }) { $1 }
        return Set(units.removed.filter { added[$0.name]?.isMadeLike($0) != true }.map(\.name))
    }
}
