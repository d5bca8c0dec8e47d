import EngineCore
import Graphs
import MIDI
import Patches
import Samplers
import Sequencer
import UnitAPI
import Units

extension SongPatch {
    /// Switches on the log of every instrument of the patch that can keep one.
    mutating func logNotes() {
        for index in patch.units.indices {
            guard let entry = UnitCatalog.named(patch.units[index].component),
                entry.descriptor.properties.contains(NoteLog.propertyName)
            else { continue }
            patch.units[index].properties[NoteLog.propertyName] = .flag(true)
        }
    }
}

extension SongRenderer {
    /// Returns the labels of the render: a row for each note-on of the song, and the music's time. After the render, with
    /// `RenderOptions.hasLabels`; nil otherwise.
    ///
    /// - Parameter song: the song that is rendered.
    public func labels(of song: Song) -> SongLabels? { labels(of: song, notation: nil) }

    package func labels(of song: Song, notation: SongNotation?) -> SongLabels? {
        guard options.hasLabels, let frames = renderedFrames else { return nil }
        let sounds = PartSounds(timeline, graph.names)
        let used = timeline.summary.parts.map { Int($0.port) * 16 + Int($0.channel) }.filter { sounds.notes($0) > 0 }
        let parts = used.map { part in
            SongLabels.Part(
                channel: part + 1,
                programs: sounds[part].map { use in
                    SongLabels.Part.Program(request: use.request, found: graph.names.sound(use.request), notes: use.notes)
                })
        }
        let instruments = engine.graph.nodes.filter { graph.instruments.contains($0.id) }.map { node in
            SongLabels.Instrument(name: node.name, tells: node.instance.companion is NoteLog)
        }
        let controls = plan.controls(before: frames, silencing: options.channels.silent)
        let notation = notation ?? SongNotation(song, timeline)
        return SongLabels(
            sampleRate: options.sampleRate, frames: frames, notes: NoteJoin(self, song, sounds, frames: frames).notes,
            marks: LabelMarks(notation, timeline, plan, tempo: options.passage.tempo, frames: frames), parts: parts,
            instruments: instruments, controls: controls)
    }

    /// Ends measuring at the end of the sound: how far a render goes beyond it depends on the length of its slices.
    func beginLabels() {
        for node in engine.graph.nodes { (node.instance.companion as? NoteLog)?.measure(until: plan.start + longestFrames) }
    }

    /// Takes in the outcome of the last notes. - Throws: `lostLabels`.
    func endLabels() throws(Fault) {
        engine.companionService.attend()
        let lost = engine.graph.nodes.reduce(0) { $0 + (($1.instance.companion as? NoteLog)?.lostRecords ?? 0) }
        if lost > 0 { throw .lostLabels(lost) }
    }

    /// Parts whose strip is muted, or silent because others are soloed.
    var mutedParts: Set<Int> {
        let nodes = graph.strips.compactMap { strip in
            engine.graph[strip.node].map { (part: strip.played, node: $0) }
        }
        let mute = ChannelStrip.Parameter.mute.spec.name, solo = ChannelStrip.Parameter.solo.spec.name
        let isSoloed = nodes.contains { $0.node.isOn(solo) }
        return Set(nodes.filter { $0.node.isOn(mute) || (isSoloed && !$0.node.isOn(solo)) }.map(\.part))
    }
}

extension UnitCompanion {
    /// True if it is enough to serve it once for many slices.
    var canWait: Bool { self is StemFeed }
}
