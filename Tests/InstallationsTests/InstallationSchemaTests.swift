import Patches
import Testing

@testable import Installations

/// The schema of an installation's file, by which editors check it, agrees with the reader.
@Suite struct InstallationSchemaTests {
    private let check: SchemaCheck

    init() throws { check = try SchemaCheck(InstallationSchema.text) }

    @Test func theExampleFits() throws { #expect(try check.fault(InstallationExample.text) == nil) }

    private static let everything = """
        version: 1
        soundfonts: [embedded, own.sf2]
        gain: -3 dB
        set: [reverb.decay=2 s]
        seed: 7
        device: null-card
        layout: "5.1"
        rate: 48 kHz
        on-loss: pause
        time-zone: Europe/Berlin
        state: state
        send: {UM-ONE: 10, Volca: 1-4}
        clock: [Volca]
        follow: Drum
        buttons: any
        drop: inbox
        http: [8642, "0.0.0.0:8643"]
        token-file: tokens
        layers: {beat: beat.mid, fill: {song: fill.mid, loops: 2, level: -6 dB, port: 3}}
        playlists:
          one: [a.mid, {song: b.mid, then: stop}]
          two: {order: shuffle, seed: 3, repeat: no, tempo: 90%, songs: {song: c.mid, weight: 3, layers: beat}}
        calendar:
          all: {days: "mon-fri, sun", from: 9:00, to: 17:30:15, playlist: one, fade: 2 s}
          feast: {dates: [12-24..12-26, 01-01], closed: yes}
        cues:
          bell: {sound: bell.wav, at: ["12:00", "15:00"], key: [C2, 38], duck: -12 dB, cool-down: 1m, mode: hold}
          hymn: {song: hymn.mid, after: bell, transpose: 2, priority: 3, controller: 80, channel: 10}
          beat: {layer: beat, mode: toggle}
          next: {do: [next, "tempo 90%"], program: 3}
        """

    @Test func whatMayStandInAFileFits() throws {
        #expect(throws: Never.self) { try Installation(text: Self.everything, path: "house.yaml") }
        #expect(try check.fault(Self.everything) == nil)
    }

    /// Written and read again it is the same, whatever stands in it; what is written fits the schema too.
    @Test(arguments: [everything, InstallationExample.text, "version: 1\nplaylists: {'a: b': ['#1.mid', '3', {song: 'x, y'}]}"])
    func whatIsWrittenIsReadAgain(_ text: String) throws {
        func dumped(_ installation: Installation) -> [Substring] {
            var shown = "", installation = installation
            // The lines are others, and sets have no order.
            for list in installation.lists.indices {
                for source in installation.lists[list].sources.indices { installation.lists[list].sources[source].line = 0 }
            }
            dump(installation, to: &shown)
            return shown.split(separator: "\n").sorted()
        }
        let read = try Installation(text: text, path: "/srv/house/house.yaml"), written = try read.text()
        let again = try Installation(text: written, path: read.path)
        #expect(try again.text() == written)
        #expect(dumped(again).difference(from: dumped(read)).isEmpty, "\(written)")
        #expect(try check.fault(written) == nil)
    }

    @Test(
        arguments: [
            "playlists: {}", "version: 1", "version: 1\nplaylists: []", "version: 1\nplaylists: {a: {song: x}}",
        ]
            + [
                "playlist: x", "gain: 3 s", "rate: fast", "layout: 6.1", "on-loss: cry", "buttons: {a: b}", "http: {a: b}",
                "send: [a]",
                "layers: {a: {level: 0 dB}}", "layers: {a: {song: x, port: 17}}", "calendar: {a: {day: mon}}",
                "calendar: {a: {closed: 3}}",
                "calendar: [a]", "cues: {a: {sound: x, mode: togle}}", "cues: {a: {sound: x, priority: 101}}",
                "cues: {a: {colour: red}}",
            ].map { "version: 1\nplaylists: {a: [x]}\n\($0)" }) func whatIsBrokenDoesNotFit(_ text: String) throws
    {
        #expect(try check.fault(text) != nil)
        #expect(throws: (any Error).self) { try Installation(text: text, path: "house.yaml") }
    }

    @Test func everythingThatIsWrongIsToldAtOnce() {
        let text = """
            version: 1
            gain: loud
            playlists: {a: [x], b: {order: shufle, songs: [y]}}
            calendar: {o: {days: mon-fry, playlist: c}}
            """
        let error = #expect(throws: PatchFileError.self) { try Installation(text: text, path: "house.yaml") }
        let all = error.map { [$0] + $0.others } ?? []
        #expect(all.map(\.key) == ["gain", "playlists.b.order", "calendar.o.days", "calendar.o.playlist"], "\(all)")
    }
}
