import DSP
import Graph
import MIDI
import Sampler
import Sequencer
import UnitAPI

/// Joins the note-ons that were sent with what the instruments' logs say of them.
///
/// A note finds its record by its frame, its velocity and its key, as it was shifted; records at one frame are taken in their
/// order.
struct NoteJoin {
    /// The rows: those that were sent in their order, then those of the song that were not.
    private(set) var notes: [NoteLabel] = []

    /// The log of one instrument, and which of its notes have found theirs.
    private struct Log {
        let node: NodeID
        let notes: [LoggedNote]
        private var places: [Int64: [Int]] = [:]

        init(_ node: NodeID, _ notes: [LoggedNote]) {
            (self.node, self.notes) = (node, notes)
            for (index, note) in notes.enumerated() { places[note.onset, default: []].append(index) }
        }

        /// Takes the first note of a frame that can be this one; its own channel before others.
        mutating func take(_ message: MIDIMessage, at time: Int64, transpose: Int) -> LoggedNote? {
            guard let found = places[time] else { return nil }
            func fits(_ index: Int) -> Bool {
                let note = notes[index], key = Int(note.key)
                return note.velocity == message.data2 & 127
                    && (key == Int(message.data1 & 127) || key == Int(message.data1 & 127) + transpose)
            }
            let own = found.firstIndex { fits($0) && notes[$0].channel == message.channel }
            guard let place = own ?? found.firstIndex(where: fits) else { return nil }
            defer { places[time]?.remove(at: place) }
            return notes[found[place]]
        }
    }

    private var logs: [Log]
    private let start: Int64
    private let frames: Int64
    private let silent: Set<Int>
    private let muted: Set<Int>
    private let stems: [Int: Int]
    /// The units that play each part, and those of them that make sound of it themselves.
    private let routes: [[NodeID]]
    private let instruments: Set<NodeID>

    init(_ renderer: SongRenderer, _ song: Song, _ sounds: PartSounds, frames: Int64) {
        let graph = renderer.engine.graph, plan = renderer.plan, timeline = renderer.timeline
        logs = graph.nodes.compactMap { node in
            (node.instance.companion as? NoteLog).map { Log(node.id, $0.notes) }
        }
        (start, self.frames) = (plan.start, frames)
        silent = renderer.options.channels.silent
        muted = renderer.mutedParts
        var stems: [Int: Int] = [:]
        for (index, stem) in renderer.stems.enumerated() where stem.kind != .effect {
            for channel in stem.channels { stems[channel - 1] = index + 1 }
        }
        self.stems = stems
        // Strips hear controllers alone.
        let players = Set(renderer.graph.players)
        routes = graph.routes.map { $0.filter(players.contains) }
        instruments = Set(renderer.graph.instruments)
        let tracks = timeline.tracksOfNotes(song, track: renderer.options.track)
        var rows: [Int: NoteLabel] = [:], number = 0
        for (event, timed) in timeline.events.enumerated() {
            guard case .message(let message) = timed.event, message.beginsNote else { continue }
            rows[event] = NoteLabel(
                track: tracks[number], channel: message.part + 1, key: Int(message.data1), velocity: Int(message.data2))
            number += 1
        }
        // Instruments without a log: what the score says.
        let isTold = logs.count == instruments.count
        var ends = isTold ? [] : PianoRoll(renderer).notes[...]
        var sent: Set<Int> = [], labels: [NoteLabel] = []
        var taken = logs
        plan.forEachNote { note in
            if note.time < plan.start { return }
            let event = note.event ?? Self.origin(of: note.message, in: timeline, before: plan.part.lowerBound)
            var label =
                event.flatMap { rows[$0] }
                ?? NoteLabel(
                    track: nil, channel: note.message.part + 1, key: Int(note.message.data1), velocity: Int(note.message.data2))
            if let event { sent.insert(event) }
            var end: Int64?
            if note.time < plan.end, let written = ends.popFirst(), written.end < plan.end - plan.start { end = written.end }
            let isDrum = sounds[note.message.part].allSatisfy(\.request.isDrums)
            join(&label, note, writtenEnd: end, isDrum: isDrum, &taken)
            labels.append(label)
        }
        logs = taken
        notes = labels + rows.keys.sorted().filter { !sent.contains($0) }.compactMap { rows[$0] }
    }

    /// The note of the song that a beginning in its middle strikes anew.
    private static func origin(of message: MIDIMessage, in timeline: Timeline, before frame: Int64) -> Int? {
        timeline.events.lastIndex { timed in
            guard timed.time.rawValue < frame, case .message(let other) = timed.event else { return false }
            return other.beginsNote && other.part == message.part && other.data1 == message.data1
        }
    }

    /// Says what became of a note that was sent.
    private func join(
        _ label: inout NoteLabel, _ note: SongPlan.SentNote, writtenEnd: Int64?, isDrum: Bool, _ logs: inout [Log]
    ) {
        let part = note.message.part, hearers = routes[part], onset = note.time - start
        label.stem = stems[part]
        if onset >= frames { return }
        if silent.contains(part) {
            label.outcome = .leftOut
            return
        }
        if hearers.isEmpty {
            label.outcome = .unheard
            return
        }
        // A MIDI unit may send it on to any of them.
        let isDirect = hearers.allSatisfy(instruments.contains)
        var found: [LoggedNote] = []
        for index in logs.indices where !isDirect || hearers.contains(logs[index].node) {
            if let logged = logs[index].take(note.message, at: note.time, transpose: note.transpose) { found.append(logged) }
        }
        let isUntold = hearers.contains { node in instruments.contains(node) && !logs.contains { $0.node == node } }
        let key = Int(note.message.data1) + (isDrum ? 0 : note.transpose)
        if found.isEmpty && !isUntold {
            label.outcome = (0...127).contains(key) ? .changed : .offKeyboard
            return
        }
        label.onset = onset
        fill(&label, found)
        if isUntold {
            (label.release, label.end) = (nil, nil)
            label.keyUp = label.keyUp ?? writtenEnd
            if found.isEmpty, !isDrum { label.pitch = 440 * DeterministicMath.exp2((Double(key) - 69) / 12) }
            if !found.contains(where: { $0.outcome == .played }) { label.outcome = .sent }
        }
        if label.isHeard, muted.contains(part) { label.outcome = .muted }
    }

    /// Takes what all instruments that heard it say.
    private func fill(_ label: inout NoteLabel, _ found: [LoggedNote]) {
        func last(_ times: [Int64?]) -> Int64? {
            let known = times.compactMap(\.self)
            return known.count < times.count ? nil : known.max().map { $0 - start }
        }
        let sounding = found.filter { $0.outcome == .played }
        label.pitch = found.first?.pitch
        label.keyUp = last(found.map(\.keyUp)).flatMap(inside)
        label.release = (sounding.compactMap(\.release).max().map { $0 - start }).flatMap(inside)
        label.end = sounding.isEmpty ? nil : last(sounding.map(\.end)).flatMap(inside)
        guard let first = sounding.first ?? found.first else { return }
        label.outcome =
            switch first.outcome {
            case .played: .played
            case .noPreset: .noPreset
            case .noSample: .noSample
            case .stolen: .stolen
            case .inaudible: .inaudible
            }
    }

    /// A frame of the audio; nil where it has ended before.
    private func inside(_ frame: Int64) -> Int64? { frame <= frames ? frame : nil }
}
