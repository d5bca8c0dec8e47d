import Carillon
import Foundation
import Testing

@testable import Installations

/// Another file while a house plays: refused whole, or taken over without losing the place.
@Suite struct ReloadTests {
    private func time(_ hour: Int, _ minute: Int = 0) throws -> CivilTime { try WallZoneTests.time(2026, 6, 1, hour, minute) }

    private static let songs = "playlists: {a: [0.mid, 1.mid]}"

    /// What each is called, and the file behind its version. PATCH stands for the patch that plays, with the period.
    private static let broken: [(name: String, text: String)] = [
        // What no reader takes.
        ("no mapping", "- a"), ("not closed", "PATCH\nplaylists: {a: [0.mid"), ("nothing", ""), ("no playlists", "PATCH"),
        ("an unknown key", "PATCH\n\(songs)\nplaylist: {}"), ("a key twice", "PATCH\n\(songs)\nfade: 1 s\nfade: 2 s"),
        ("an unknown order", "PATCH\nplaylists: {a: {order: sideways, songs: [0.mid]}}"),
        ("a list of nothing", "PATCH\nplaylists: {a: []}"),
        ("a successor that is none", "PATCH\nplaylists: {a: [{song: 0.mid, then: b}]}"),
        ("a weight in order", "PATCH\nplaylists: {a: [{song: 0.mid, weight: 2}]}"),
        ("a layer that is none", "PATCH\nplaylists: {a: [{song: 0.mid, layers: [x]}]}"),
        ("a level too loud", "PATCH\nplaylists: {a: [{song: 0.mid, level: 90 dB}]}"),
        ("a fade without end", "PATCH\n\(songs)\nfade: 3 days"), ("a saving too often", "PATCH\n\(songs)\nsaving: 0 s"),
        ("a day that is none", "PATCH\n\(songs)\ncalendar: {x: {days: noday, playlist: a}}"),
        ("a date that is none", "PATCH\n\(songs)\ncalendar: {x: {dates: 02-30, playlist: a}}"),
        ("an hour that is none", "PATCH\n\(songs)\ncalendar: {x: {from: 25:00, playlist: a}}"),
        ("an entry of no length", "PATCH\n\(songs)\ncalendar: {x: {from: 9:00, to: 9:00, playlist: a}}"),
        ("an entry of nothing", "PATCH\n\(songs)\ncalendar: {x: {from: 9:00}}"),
        ("a list that is none", "PATCH\n\(songs)\ncalendar: {x: {playlist: b}}"),
        ("two effects", "PATCH\n\(songs)\ncalendar: {x: {playlist: a, closed: yes}}"),
        ("a cue of nothing", "PATCH\n\(songs)\ncues: {x: {priority: 1}}"),
        ("a cue of two things", "PATCH\n\(songs)\ncues: {x: {song: 0.mid, sound: bell.wav}}"),
        ("a cue's layer that is none", "PATCH\n\(songs)\ncues: {x: {layer: y}}"),
        ("a request that is none", "PATCH\n\(songs)\ncues: {x: {do: [dance]}}"),
        ("a key that is none", "PATCH\n\(songs)\ncues: {x: {song: 0.mid, key: X99}}"),
        ("a cue behind itself", "PATCH\n\(songs)\ncues: {x: {song: 0.mid, after: x}}"),
        ("a rate that is none", "PATCH\n\(songs)\nrate: 7"), ("no threads", "PATCH\n\(songs)\nthreads: 0"),
        ("a layout that is none", "PATCH\n\(songs)\nlayout: cube"), ("a loss that is none", "PATCH\n\(songs)\non-loss: weep"),
        ("an address that is none", "PATCH\n\(songs)\nhttp: museum"),
        ("a zone that is none", "PATCH\n\(songs)\ntime-zone: Moon/North"),
        ("SoundFonts beside a patch", "PATCH\n\(songs)\nsoundfonts: [a.sf2]"), ("following any", "PATCH\n\(songs)\nfollow: any"),
        // What a look at the world finds.
        ("a patch that is not there", "patch: none.yaml\n\(songs)"), ("a patch that is none", "patch: bad.yaml\n\(songs)"),
        ("a SoundFont that is not there", "soundfonts: [no.sf2]\n\(songs)"),
        ("a SoundFont that is none", "soundfonts: [bad.yaml]\n\(songs)"),
        ("a setting of nobody", "PATCH\n\(songs)\nset: [nobody.decay=2]"),
        ("a setting out of range", "PATCH\n\(songs)\nset: [mixer.volume=900]"),
        ("a song that is not there", "PATCH\nplaylists: {a: [0.mid, none.mid]}"),
        ("a song that is none", "PATCH\nplaylists: {a: [0.mid, bad.mid]}"),
        ("no song that is there", "PATCH\nplaylists: {a: [none.mid]}"),
        ("a folder that is empty", "PATCH\nplaylists: {a: [0.mid], b: [empty]}"),
        ("a list that is not there", "PATCH\nplaylists: {a: [0.mid], b: [none.m3u]}"),
        ("a layer's song that is not there", "PATCH\n\(songs)\nlayers: {x: none.mid}"),
        ("a sound that is not there", "PATCH\n\(songs)\ncues: {x: {sound: none.wav}}"),
        ("a sound that is none", "PATCH\n\(songs)\ncues: {x: {sound: bad.yaml}}"),
        ("a cue's song that is not there", "PATCH\n\(songs)\ncues: {x: {song: none.mid}}"),
        ("a scene that is none", "PATCH\n\(songs)\ncues: {x: {scene: dusk}}"),
        ("an input that nobody hears", "PATCH\n\(songs)\ninput-device: \"hw:1\""),
        ("a card that is not there", "PATCH\n\(songs)\ndevice: \"hw:Gone,0\""),
        ("cards that are not there", "PATCH\n\(songs)\ndevice: [\"hw:Gone,0\", \"hw:Gone,1\"]"),
        ("an open door", "PATCH\n\(songs)\nhttp: 0.0.0.0:8642"),
        ("tokens that are not there", "PATCH\n\(songs)\nhttp: 8642\ntoken-file: none"),
        ("tokens that all can read", "PATCH\n\(songs)\nhttp: 8642\ntoken-file: bad.yaml"),
        ("origins without a page", "PATCH\n\(songs)\norigin: https://a"),
        ("another zone", "PATCH\n\(songs)\ntime-zone: UTC"), ("another folder", "PATCH\n\(songs)\nstate: elsewhere"),
    ]

    private func installation(_ text: String, in folder: String) throws -> Installation {
        try Installation.read(text, in: folder)
    }

    @Test func whatTheCheckRefusesIsRefusedInTheSameWordsAndChangesNothing() throws {
        #expect(Self.broken.count >= 50)
        let folder = try InstallationInTime.folder([3000, 30])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try "no song, no patch".write(toFile: folder + "/bad.yaml", atomically: true, encoding: .utf8)
        chmod(folder + "/bad.yaml", 0o644)
        try "no song".write(toFile: folder + "/bad.mid", atomically: true, encoding: .utf8)
        try FileManager.default.createDirectory(atPath: folder + "/empty", withIntermediateDirectories: true)
        let house = try InstallationInTime("fade: 1 s\n" + Self.songs, in: folder, at: try time(12), state: true)
        house.pass(5)
        let file = try house.runner.installation.text(), loud = house.peak, lines = house.lines
        var bar = try #require(house.runner.state).bar
        #expect(loud > 0.01)
        for (name, text) in Self.broken {
            var reasons: [String] = []
            do throws(PatchFileError) {
                let new = try Installation.read(text, in: folder)
                let trial = InstallationTrial(new, isThere: house.runner.deviceQuestion(for: new))
                do throws(Fault) {
                    _ = try house.runner.reload(trial)
                } catch {
                    reasons = error.sentences
                    #expect(!trial.isRefused || trial.sentences.allSatisfy { reasons.contains($0) }, "\(name)")
                }
            } catch { reasons = ["\(error)"] }
            #expect(!reasons.isEmpty && reasons.allSatisfy { !$0.isEmpty }, "\(name) was taken over")
            house.pass(0.3)
            // The same sound, a little later; nothing was told, closed or opened.
            let state = try #require(house.runner.state, "\(name)")
            #expect(state.song.hasSuffix("0.mid") && state.bar >= bar && house.clock.ports == 1, "\(name)")
            #expect(abs(house.peak - loud) < 0.2 * loud && house.lines == lines, "\(name): \(house.peak) of \(loud)")
            #expect(try house.runner.installation.text() == file, "\(name)")
            bar = state.bar
        }
        house.runner.finish()
    }

    @Test func aCardThatPlaysIsNotLookedForAndAnotherIs() throws {
        let folder = try InstallationInTime.folder([3000])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let gone = "device: \"hw:Gone,0\"\nplaylists: {a: [0.mid]}"
        let house = try InstallationInTime(gone, in: folder, at: try time(12))
        house.pass(3)
        // It was pulled out a moment ago: that is no reason against another fade.
        let new = try installation("PATCH\n\(gone)\nfade: 9 s", in: folder)
        #expect(try house.runner.reload(new) == ["the fade has changed"])
        // One of several is enough, and what is not there is told.
        let other = try installation("PATCH\nfade: 9 s\ndevice: [\"hw:Gone,0\", default]\nplaylists: {a: [0.mid]}", in: folder)
        let told = try house.runner.reload(other)
        #expect(told.contains("the device has changed") && told.contains { $0.contains("hw:Gone,0 is not there") }, "\(told)")
        house.runner.finish()
    }

    @Test func theMusicGoesOnWhereItWasThoughACueTookItsPlace() throws {
        let folder = try InstallationInTime.folder([3000, 600])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let text = "fade: 1 s\nplaylists: {a: [0.mid]}\ncues: {hymn: {song: 1.mid}}"
        let house = try InstallationInTime(text, in: folder, at: try time(12))
        house.pass(8)
        try house.runner.perform(.cue("hymn"))
        house.pass(4)
        let back = try #require(house.runner.state)
        #expect(house.song == "1.mid" && back.song.hasSuffix("0.mid") && back.seconds > 6)
        #expect(try house.runner.reload(installation("PATCH\n\(text)\nperiods: 4", in: folder)) == ["the device has changed"])
        house.pass(4)
        let now = try #require(house.runner.state)
        #expect(house.song == "0.mid" && house.clock.ports == 2 && house.peak > 0.01)
        #expect(now.bar >= back.bar && now.seconds < back.seconds + 6, "\(back.bar) -> \(now.bar)")
        house.runner.finish()
    }

    @Test func whoHasPausedTheMusicIsNotOverheard() throws {
        let folder = try InstallationInTime.folder([3000])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let text = "fade: 1 s\nplaylists: {a: [0.mid]}"
        let house = try InstallationInTime(text, in: folder, at: try time(12))
        house.pass(8)
        house.runner.inbox.post(.pause, by: Asker(surface: "page", address: "192.168.1.7", role: "full"))
        house.pass(3)
        let back = try #require(house.runner.state)
        #expect(try house.runner.reload(installation("PATCH\n\(text)\nperiods: 4", in: folder)) == ["the device has changed"])
        house.pass(6)
        let now = try #require(house.runner.snapshot.installation).activity, place = try #require(house.runner.state)
        #expect(house.clock.ports == 2 && house.peak < 0.001 && now.state == .paused && now.by == "page 192.168.1.7 (full)")
        #expect(place.bar == back.bar, "\(back.bar) -> \(place.bar)")
        house.runner.inbox.post(.play)
        house.pass(3)
        #expect(house.peak > 0.01 && (house.runner.state?.seconds ?? 0) > place.seconds + 1)
        house.runner.finish()
    }

    @Test func betweenTwoSongsTheNextOneComes() throws {
        let folder = try InstallationInTime.folder([30, 300, 300])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let text = "fade: 1 s\nplaylists: {a: {pause: 20 s, songs: [0.mid, 1.mid, 2.mid]}}"
        let house = try InstallationInTime(text, in: folder, at: try time(12))
        while house.runner.state == nil { house.pass(0.5) }
        while house.runner.state != nil { house.pass(0.5) }
        house.pass(2)
        #expect(house.runner.state == nil && house.peak == 0)
        #expect(try house.runner.reload(installation("PATCH\n\(text)\nperiods: 4", in: folder)) == ["the device has changed"])
        house.pass(25)
        #expect(house.song == "1.mid" && house.clock.ports == 2, "\(house.lines)")
        house.runner.finish()
    }

    @Test func aSongThatHasMovedInItsListGoesOnThere() throws {
        let folder = try InstallationInTime.folder([3000, 300])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let house = try InstallationInTime("fade: 1 s\nplaylists: {a: [0.mid, 1.mid]}", in: folder, at: try time(12))
        house.pass(8)
        let before = try #require(house.runner.state)
        let moved = try installation("PATCH\nfade: 1 s\nperiods: 4\nplaylists: {a: [1.mid, 0.mid]}", in: folder)
        #expect(try house.runner.reload(moved).count == 2)
        house.pass(5)
        let after = try #require(house.runner.state)
        #expect(house.song == "0.mid" && after.place.step == 1 && after.bar >= before.bar, "\(house.lines)")
        // The song itself went: what stands there begins.
        let gone = try installation("PATCH\nfade: 1 s\nplaylists: {a: [1.mid]}", in: folder)
        _ = try house.runner.reload(gone)
        house.pass(5)
        #expect(house.song == "1.mid", "\(house.lines)")
        house.runner.finish()
    }

    @Test func aTrialIsMadeInAThreadOfItsOwn() throws {
        let folder = try InstallationInTime.folder([30])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try InstallationInTime.patch.write(toFile: folder + "/patch.yaml", atomically: true, encoding: .utf8)
        let pending = PendingTrial(try installation("PATCH\nplaylists: {a: [0.mid, none.mid]}", in: folder), isThere: nil)
        while pending.result == nil { sched_yield() }
        let trial = try #require(pending.result)
        #expect(trial.isRefused && trial.songs == 1 && trial.badSongs == 1 && trial.sentences.count == 1)
    }
}

extension Installation {
    /// A file behind its version, with the errors of the reader.
    fileprivate static func read(_ text: String, in folder: String) throws(PatchFileError) -> Installation {
        try Installation(
            text: "version: 1\n" + text.replacing("PATCH", with: "patch: patch.yaml\nperiod: 480"), path: folder + "/house.yaml")
    }
}
