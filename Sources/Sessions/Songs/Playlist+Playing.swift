import Graphs
import Sequencer

extension Playlist.Playing {
    init(
        _ item: Playlist.Item, _ reading: SessionSong.Reading, _ laid: (timeline: Timeline, takesLayers: Bool),
        gain: Double, silent: Set<Int>
    ) {
        let timeline = laid.timeline
        song = reading.song
        bank = reading.bank
        takesLayers = laid.takesLayers
        (id, name, manner) = (item.id, item.song.name, item.song.manner)
        level = manner.level + gain
        words = SungLines(Lyrics(song), timeline.tempoMap)
        score = Score(timeline.events, silencing: silent)
        transport = Transport(timeline)
    }

    var ports: Set<UInt8> { Set(transport.timeline.summary.parts.map(\.port)) }
}
