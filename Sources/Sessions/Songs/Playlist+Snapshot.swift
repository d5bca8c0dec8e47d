import RealtimeCore
import Sequencer

extension Playlist {
    /// Returns the state of the list.
    package func snapshot(at now: SampleTime) -> SessionSnapshot.Transport {
        let transport = current.transport, timeline = transport.timeline
        let length = Double(transport.length) / Double(timeline.sampleRate)
        let position = transport.position(at: now)
        // A song that has ended shows its end, though a play would begin at the beginning.
        let frame = isAtEnd ? transport.length : position.frame
        let bar = isAtEnd ? timeline.tempoMap.position(ofTick: timeline.tempoMap.tick(at: SampleTime(frame))) : position.bar
        func seconds(_ tick: Int64?) -> Double? {
            tick.map { Double(timeline.tempoMap.time(ofTick: $0).rawValue) / Double(timeline.sampleRate) }
        }
        let marker = timeline.markers.lastIndex { $0.time.rawValue <= frame }
        return SessionSnapshot.Transport(
            song: current.name, number: min(order.place, max(items.count - 1, 0)) + 1, count: items.count,
            isPlaying: transport.state == .playing, seconds: isAtEnd ? length : position.seconds, length: length,
            bar: bar.map { Int($0.bar) } ?? 0, beat: bar.map { Int($0.beat) } ?? 0,
            tempo: position.tempo ?? 0, rate: transport.rate.factor / current.manner.tempo,
            transpose: transport.transpose - current.manner.transpose, repetition: manner.repetition,
            isShuffled: manner.isShuffled, level: current.level,
            channels: timeline.summary.parts.filter { $0.noteCount > 0 }.map { Int($0.port) * 16 + Int($0.channel) + 1 },
            muted: [], soloed: [], markers: timeline.markers.count,
            markerNumber: marker.map { $0 + 1 } ?? 0, marker: marker.map { SongSheet.shown(timeline.markers[$0].text) } ?? "",
            nextIn: awaited.map { max(Double($0.time - now), 0) / Double(sampleRate) }, hasEnded: isAtEnd, jumps: rounds.jumps,
            rounds: rounds.rounds, lyrics: current.words.line(at: frame),
            next: items.count > 1 && !manner.entriesDecide ? nextName : nil,
            crossFade: crossFade.seconds, leaving: crossFade.leaving?.name, passageStart: seconds(manner.passage?.start),
            passageEnd: seconds(manner.passage?.end))
    }
}
