import Sequencer
import SongRendering

/// The tempo, the transposition and the repetition that were asked for, in addition to those of the songs.
struct PlaylistManner {
    var tempo = 1.0
    var transpose = 0
    var isLooping = false

    func tempo(of manner: SongManner) -> TransportCommand { .tempo(tempo * manner.tempo) }

    func transposition(of manner: SongManner) -> TransportCommand {
        .transpose(min(max(transpose, -48), 48) + manner.transpose)
    }

    /// Returns the command for the repeated range of a song, and its number of rounds.
    func loop(of manner: SongManner, isAlone: Bool) -> TransportCommand {
        if isLooping && isAlone { return .loop(.written) }
        return manner.countsLoops ? .rounds(.written, count: manner.loops, fade: manner.fade) : .loop(nil)
    }
}
