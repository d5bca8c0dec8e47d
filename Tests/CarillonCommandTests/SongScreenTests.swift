import Carillon
import Testing

@testable import CarillonCommand
@testable import EngineCore
@testable import Sessions
@testable import SongRendering

/// A song on the screen of `carillon live`.
@Suite struct SongScreenTests {
    /// Beside the keys a song has its lines, and the keys of both are shown.
    @Test(arguments: [
        (
            40,
            """
            song      2/3 pachelbel-canon.m  playing
            position  1:02 [##      ] 3:20  bar 17:2
            played    tempo 54.0  x 1.05
                      transpose +2  repeats  muted 3
            volume    0.0 dB  limiter idle
            keys      ? help  q quit
                      space play/pause
                      b/n list back/on  +7
            """
        ),
        (
            80,
            """
            song      2/3 pachelbel-canon.mid  playing
            position  1:02 [###############                                 ] 3:20  bar 17:2
            played    tempo 54.0  x 1.05  transpose +2  repeats  muted 3
            volume    0.0 dB  limiter idle
            keys      space play/pause  b/n list back/on  / find a sound  k letters are keys
                      m metronome  L learn a control  w save the patch  s save recording
                      p panic  q quit  ? help
            """
        ),
        (
            140,
            """
            song      2/3 pachelbel-canon.mid  playing
            position  1:02 [##################################                                                                          ] 3:20  bar 17:2
            played    tempo 54.0  x 1.05  transpose +2  repeats  muted 3
            volume    0.0 dB  limiter idle
            keys      space play/pause  b/n list back/on  / find a sound  k letters are keys  m metronome  L learn a control  w save the patch
                      s save recording  p panic  q quit  ? help
            """
        ),
    ]) func liveWithASongShowsIt(_ columns: Int, _ shown: String) {
        var snapshot = SnapshotSamples.live
        snapshot.transport = SnapshotSamples.play.transport
        let labels = ["song", "position", "played", "volume", "keys"]
        var label = ""
        let all = LiveScreen.lines(snapshot, columns: columns, style: ScreenTests.plain).map(\.text)
        let lines = all.filter { line in
            label = line.hasPrefix(" ") ? label : String(line.prefix { $0 != " " })
            return labels.contains(label)
        }
        #expect(lines.joined(separator: "\n") == shown)
        // In 24 rows the song's place, its name and the keys stay.
        let few = LiveScreen.lines(snapshot, columns: columns, rows: 23, style: ScreenTests.plain, waitingKeys: "P ").map(\.text)
        for word in ["song ", "position ", "q quit", "P ..."] { #expect(few.contains { $0.contains(word) }, "\(few)") }
    }
}
