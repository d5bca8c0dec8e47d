import DSP
import Graphs
import MIDI
import Samplers
import Sequencer
import UnitAPI
import Units

/// Joins the note-ons that were sent with the instruments' logs of them.
///
/// A note finds its record by its frame, its velocity and its key, as it was shifted; records at one frame are taken in their
/// order.
struct NoteJoin {
    /// The rows: those that were sent in their order, then those of the song that were not.
    var notes: [NoteLabel] { rows.labels }

    private struct Route {
        /// True if instruments without a log of their own hear it; if no instrument does; if its strip is shut.
        var isUntold = false, isUnheard = false, isMuted = false
        /// True if all its notes are drums.
        var isDrum = false
        /// The amplitudes that strip and mixer give the two sides.
        var gains = SIMD2<Float>(1, 1)
        /// The places of the logs that may know of it.
        var logs: [Int] = []
    }

    private var rows: NoteRows
    private var logs: [LoggedNoteSearch] = []
    private var logNodes: [NodeID] = []
    private let start: Int64
    private let frames: Int64
    private let silent: Set<Int>
    /// The ways that are known so far.
    private var known = [Route?](repeating: nil, count: 256)

    init(_ renderer: SongRenderer, _ song: Song, _ sounds: PartSounds, frames: Int64) {
        let plan = renderer.plan
        for node in renderer.engine.graph.nodes {
            guard let log = node.instance.companion as? NoteLog else { continue }
            logs.append(LoggedNoteSearch(log.notes))
            logNodes.append(node.id)
        }
        (start, self.frames) = (plan.start, frames)
        silent = renderer.options.channels.silent
        var stems: [Int: Int] = [:]
        for (index, stem) in renderer.stems.enumerated() where stem.kind != .effect {
            for channel in stem.channels { stems[channel - 1] = index + 1 }
        }
        rows = NoteRows(plan, renderer.timeline, song, track: renderer.options.track, stems: stems)
        // Instruments without a log: the score's times.
        let isTold = logs.count == renderer.graph.instruments.count
        var ends = isTold ? [] : PianoRoll(renderer).notes[...]
        let muted = renderer.mutedParts
        for index in 0..<rows.count(before: start + frames) {
            let note = rows.sent[index], part = note.message.part
            var end: Int64?
            if !isTold, note.time < plan.end, let written = ends.popFirst(), written.end < plan.end - plan.start {
                end = written.end
            }
            if silent.contains(part) {
                rows.labels[index].outcome = .leftOut
                continue
            }
            let route: Route
            if let found = known[part] {
                route = found
            } else {
                route = self.route(part, renderer, sounds, muted)
                known[part] = route
            }
            join(index, note, route, writtenEnd: end)
        }
    }

    private func route(_ part: Int, _ renderer: SongRenderer, _ sounds: PartSounds, _ muted: Set<Int>) -> Route {
        // Strips hear controllers alone.
        let players = Set(renderer.graph.players), instruments = Set(renderer.graph.instruments)
        let hearers = renderer.engine.graph.routes[part].filter(players.contains)
        // A MIDI unit may send it on to any of them.
        let isDirect = hearers.allSatisfy(instruments.contains)
        var route = Route()
        route.isUnheard = hearers.isEmpty
        route.isUntold = hearers.contains { instruments.contains($0) && !logNodes.contains($0) }
        route.isMuted = muted.contains(part)
        route.isDrum = sounds[part].allSatisfy(\.request.isDrums)
        route.gains = gains(part, renderer)
        route.logs = logNodes.indices.filter { !isDirect || hearers.contains(logNodes[$0]) }
        return route
    }

    /// The amplitudes that strip and mixer give the two sides of a part.
    private func gains(_ part: Int, _ renderer: SongRenderer) -> SIMD2<Float> {
        let graph = renderer.engine.graph
        let strip = renderer.graph.strips.first { $0.played == part }.flatMap { graph[$0.node] }
        func value(_ parameter: ChannelStrip.Parameter) -> Float { strip?.target(parameter.spec.name) ?? 0 }
        let volume = graph[renderer.graph.mixer]?.target(MultichannelMixer.Parameter.volume.spec.name) ?? 0
        let amplitude = Decibels.amplitude(value(.gain)) * Decibels.amplitude(volume)
        return SIMD2(BalanceLaw.left(value(.pan)), BalanceLaw.right(value(.pan))) * amplitude
    }

    /// Says what became of a note that was sent.
    private mutating func join(_ index: Int, _ note: SongPlan.SentNote, _ route: Route, writtenEnd: Int64?) {
        if route.isUnheard {
            rows.labels[index].outcome = .unheard
            return
        }
        var found: [LoggedNote] = []
        for log in route.logs {
            if let logged = logs[log].take(note.message, at: note.time, transpose: note.transpose) { found.append(logged) }
        }
        let key = found.first.map { Int($0.soundingKey) } ?? Int(note.message.data1) + (route.isDrum ? 0 : note.transpose)
        let isKey = (0...127).contains(key)
        if found.isEmpty && (!route.isUntold || !isKey) {
            rows.labels[index].outcome = isKey ? .changed : .offKeyboard
            return
        }
        var label = rows.labels[index]
        (label.onset, label.soundingKey) = (note.time - start, key)
        fill(&label, found)
        if route.isUntold {
            (label.release, label.end) = (nil, nil)
            label.keyUp = label.keyUp ?? writtenEnd
            if found.isEmpty, !route.isDrum { label.pitch = 440 * DeterministicMath.exp2((Double(key) - 69) / 12) }
            if !found.contains(where: { $0.outcome == .played }) { label.outcome = .sent }
        }
        if label.isHeard, route.isMuted {
            label.outcome = .muted
        } else if label.outcome == .played, !route.isUntold {
            let peak = (found.map(\.peak).reduce(.zero, pointwiseMax) * route.gains).max()
            if peak > 1e-6 { label.level = Double(Decibels.level(ofAmplitude: peak)) }
            if label.level ?? -.infinity < NoteLabel.quietest { label.outcome = .inaudible }
        }
        rows.labels[index] = label
    }

    /// Takes what all instruments that heard it say: the last that any of them says, and nothing where one has none.
    private func fill(_ label: inout NoteLabel, _ found: [LoggedNote]) {
        guard let first = found.first else { return }
        var keyUp = first.keyUp, release: Int64?, end: Int64?, sounding: LoggedNote?
        for note in found {
            if let other = note.keyUp { keyUp = keyUp.map { max($0, other) } } else { keyUp = nil }
            guard case .played = note.outcome else { continue }
            if let other = note.release { release = max(release ?? other, other) }
            if sounding == nil {
                end = note.end
            } else if let other = note.end {
                end = end.map { max($0, other) }
            } else {
                end = nil
            }
            sounding = sounding ?? note
        }
        label.pitch = first.pitch
        if !first.bends.isEmpty {
            label.bends = first.bends.compactMap { bend in
                inside(bend.frame).map { NoteLabel.Bend(frame: $0, pitch: bend.pitch) }
            }
        }
        (label.keyUp, label.release, label.end) = (inside(keyUp), inside(release), inside(end))
        label.outcome =
            switch (sounding ?? first).outcome {
            case .played: .played
            case .noPreset: .noPreset
            case .noSample: .noSample
            case .stolen: .stolen
            case .inaudible: .inaudible
            }
    }

    /// The frame of the audio; nil where it has ended before.
    private func inside(_ time: Int64?) -> Int64? {
        guard let time, time - start <= frames else { return nil }
        return time - start
    }
}
