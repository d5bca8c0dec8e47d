import Carillon
import Foundation
import Testing

@testable import Installations

/// Layers of an installation: with songs of a playlist, and by cues.
@Suite struct InstallationLayerTests {
    private func events(_ house: InstallationInTime) -> [String] { house.lines.map { String($0.dropFirst(9)) } }

    private func states(_ house: InstallationInTime) -> [SessionLayer.State] {
        house.runner.session?.snapshot.layers.map(\.state) ?? []
    }

    @Test func aCueLetsALayerComeAndGo() throws {
        let folder = try InstallationInTime.folder([3000, 40, 4])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let house = try InstallationInTime(
            """
            fade: 0 s
            layers: {beat: {song: 2.mid, level: -6 dB}, fill: {song: 2.mid, loops: 2}}
            playlists: {a: [0.mid]}
            buttons: any
            cues:
              beat: {layer: beat, mode: toggle, key: C2}
              fill: {layer: fill}
              hymn: {song: 1.mid}
              bell: {scene: none, priority: 5}
            """, in: folder, at: try WallZoneTests.time(2026, 6, 1, 12))
        house.pass(5)
        #expect(states(house) == [.off, .off])
        try house.runner.session?.receive(.message(MIDIMessage(status: 0x90, data1: 36, data2: 90)))
        house.pass(3)
        #expect(states(house) == [.on, .off] && house.runner.playingCues == ["beat"])
        // One that is counted ends by itself.
        try house.runner.perform(.cue("fill"))
        house.pass(0.5)
        #expect(house.runner.playingCues == ["beat", "fill"])
        house.pass(8)
        #expect(states(house) == [.on, .off] && house.runner.playingCues == ["beat"])
        // A song in the place of the music takes none; afterwards it is there again.
        try house.runner.perform(.cue("hymn"))
        house.pass(3)
        #expect(states(house) == [.coming, .off] && house.runner.playingCues == ["beat", "hymn"])
        house.pass(8)
        #expect(states(house) == [.on, .off] && house.runner.playingCues == ["beat"])
        try house.runner.perform(.cue("beat"))
        house.pass(3)
        #expect(states(house) == [.off, .off] && house.runner.playingCues == [])
        // Somebody else ends it: the cue is over.
        try house.runner.perform(.cue("beat"))
        house.pass(3)
        try house.runner.perform(.layer("beat", false))
        house.pass(3)
        #expect(states(house) == [.off, .off] && house.runner.playingCues == [])
        #expect(events(house).filter { $0 == "cue beat has ended" }.count == 2)
        house.runner.finish()
    }

    @Test func whoStopsItIsToldOf() throws {
        let folder = try InstallationInTime.folder([3000, 40, 4])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let house = try InstallationInTime(
            """
            fade: 0 s
            layers: {beat: 2.mid}
            playlists: {a: [0.mid, 1.mid]}
            cues: {beat: {layer: beat, mode: toggle}, bell: {song: 1.mid}}
            """, in: folder, at: try WallZoneTests.time(2026, 6, 1, 12))
        house.pass(2)
        #expect(house.runner.snapshot.installation?.isStopped == false)
        #expect(house.runner.snapshot.transport?.number == 1 && house.runner.snapshot.transport?.count == 2)
        house.runner.inbox.post(.stop)
        house.pass(1)
        #expect(house.runner.snapshot.installation?.isStopped == true && events(house).contains("asked for: stop"))
        house.runner.inbox.post(.play)
        for _ in 0..<50 { house.runner.inbox.post(.volume(-3)) }
        house.pass(1)
        #expect(house.runner.snapshot.installation?.isStopped == false)
        #expect(events(house).count { $0.hasPrefix("asked for: volume") } < 10)
        #expect(throws: Fault.self) { try house.runner.perform(.repeats(.all)) }
        // A layer that came by itself is its cue's.
        try house.runner.perform(.layer("beat", true))
        house.pass(3)
        #expect(house.runner.playingCues == ["beat"])
        try house.runner.perform(.cue("beat"))
        house.pass(3)
        #expect(states(house) == [.off] && house.runner.playingCues == [])
        // One that plays once is ended by whoever lets go of it.
        try house.runner.perform(.cue("bell"))
        house.pass(2.5)
        #expect(house.runner.playingCues == ["bell"])
        try house.runner.perform(.releaseCue("bell"))
        house.pass(3)
        #expect(house.runner.playingCues == [] && house.runner.snapshot.transport?.song == "0.mid")
        house.runner.finish()
    }

    @Test func songsBringLayersAlong() throws {
        let folder = try InstallationInTime.folder([40, 40, 4])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let house = try InstallationInTime(
            """
            fade: 0 s
            layers: {beat: 2.mid, gone: missing.mid}
            playlists: {a: [{song: 0.mid, layers: [beat, gone]}, 1.mid]}
            """, in: folder, at: try WallZoneTests.time(2026, 6, 1, 12))
        house.pass(2)
        #expect(states(house) == [.on])
        #expect(events(house).contains { $0.contains("layer gone is left out") })
        #expect(throws: Fault.self) { try house.runner.perform(.layer("gone", true)) }
        house.pass(4)
        #expect(states(house) == [.off] && house.runner.session?.snapshot.transport?.song == "1.mid")
        house.runner.finish()
    }

    @Test func channelsPlayWhatHangsOutside() throws {
        let text = "version: 1\nsend: {UM-ONE: 10, \"usb:0582:*\": [1-4, 12]}\nclock: Beatstep\nplaylists: {p: [a.mid]}"
        let options = try LiveOptions(Installation(text: text, path: "house.yaml"))
        #expect(options.connections.sends == [SongSend([10], to: "UM-ONE"), SongSend([1, 2, 3, 4, 12], to: "usb:0582:*")])
        #expect(options.connections.clock == ["Beatstep"])
    }

    @Test func whatKeepsOthersOutIsFound() throws {
        func faults(_ text: String, _ mode: UInt32? = 0o600) throws -> [String] {
            try Installation(text: "version: 1\nplaylists: {p: [a.mid]}\n" + text, path: "house.yaml").faultsOfNetwork { _ in mode
            }
        }
        #expect(try faults("http: 8642").isEmpty && faults("http: \"[::1]:8642\"").isEmpty)
        #expect(try faults("http: 0.0.0.0:8642").count == 1 && faults("osc: \"[::]:9000\"").count == 1)
        #expect(try faults("http: 0.0.0.0:8642\ntoken-file: t").isEmpty)
        #expect(try faults("http: 0.0.0.0:8642\ntoken-file: t", 0o644).count == 1)
        #expect(try faults("http: 8642\ntoken-file: t", nil).count == 1 && faults("token-file: t").count == 1)
        #expect(try faults("origin: https://a.example").count == 1)
    }

    /// Whoever opens the doors is asked where the file alone shows no fault.
    @Test func whoeverOpensTheNetworkIsAsked() throws {
        let folder = try InstallationInTime.folder([4])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func trial(_ text: String, _ answer: InstallationTrial.NetworkAnswer) throws -> InstallationTrial {
            let text = "version: 1\nplaylists: {p: [0.mid]}\ndevice: \"null\"\n" + text
            let installation = try Installation(text: text, path: folder + "/house.yaml")
            return InstallationTrial(installation, network: { $0.http == ["8642"] ? answer : .fault("asked for \($0)") })
        }
        let well = try trial("http: 8642", .well)
        #expect(!well.isRefused && well.faults == 0)
        let told = try trial("http: 8642", .remark("nobody is there"))
        #expect(!told.isRefused && told.sentences.filter { $0.hasSuffix(": nobody is there") }.count == 1)
        let bad = try trial("http: 8642", .fault("weak"))
        #expect(bad.isRefused && bad.faults == 1 && bad.sentences.filter { $0.hasSuffix(": weak") }.count == 1)
        // One fault is told once.
        #expect(try trial("http: 0.0.0.0:8642", .fault("open")).faults == 1)
    }

    @Test(arguments: [
        ("http: 99999", "http: an address"), ("http: museum", "not \"museum\""), ("osc: 1.2.3:9000", "osc: an address"),
        ("send: {UM-ONE: 300}", "1 to 256"), ("send: {any: 1}", "a MIDI port"), ("send: UM-ONE", "mapping"),
        ("layers: {a: {level: 3 dB, song: a.mid}}", "level"), ("layers: {a: {song: a.mid, port: 17}}", "port"),
        ("layers: {a: {song: a.mid, port: 1, level: -3 dB}}", "port 1"), ("layers: {a: {file: a.mid}}", "song: FILE"),
        ("layers: {a: {song: a.mid, loud: 3}}", "loud"), ("layers: {a: a.mid}\ncues: {b: {layer: c}}", "c"),
        ("layers: {a: a.mid}\ncues: {b: {layer: a}}", "toggle or hold"),
        ("layers: {a: a.mid}\nplaylists: {p: [{song: s.mid, layers: [c]}]}", "c"),
    ])
    func whatCannotBeIsSaidWithItsPlace(_ text: String, _ word: String) throws {
        let whole = "version: 1\n" + text + (text.contains("playlists") ? "" : "\nplaylists: {p: [a.mid]}")
        do {
            _ = try Installation(text: whole, path: "house.yaml")
            Issue.record("\(text) was taken")
        } catch { #expect("\(error)".contains(word) && "\(error)".hasPrefix("house.yaml:"), "\(error)") }
    }
}
