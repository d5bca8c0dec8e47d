import ArgumentParser
import Carillon
import Foundation
import Testing

@testable import CarillonCommand

/// Every layout with every end of a song, every choice of stems and labels: each cell renders, or is refused before anything is
/// written. As a batch renders them, in this process; under the address sanitizer too (`tools/test --deep`).
@Suite final class RenderMatrixTests {
    /// A column of the matrix that no cell of some layouts has.
    private struct Refusal {
        let layouts: [SpeakerLayout]
        /// Nil: whatever the end.
        let ending: String?
        let remedy: String
    }

    /// What is refused beside stems; everything else renders.
    private static let refusals =
        [SpeakerLayout.stereoWithBass, .quad, .surround50, .surround51, .surround71].map {
            Refusal(layouts: [$0], ending: nil, remedy: "stems are stereo, or mono; leave the layout \($0.rawValue) out")
        } + [Refusal(layouts: [.mono, .stereo], ending: "--trim", remedy: "stems are as long as their mix; leave trim out")]

    private static let endings = [
        "", "--max-duration 2s", "--fade 1s", "--fade-in 1s", "--loops 2 --fade 1s", "--tail 1s", "--trim",
    ]
    /// Files of stems beside the mix: piano, bass and drums, reverb and chorus.
    private static let stems: [(options: String, files: Int)] = [
        ("", 0), ("--stems channel", 5), ("--stems group", 5), ("--stems track", 5), ("--stems instrument", 5),
        ("--stems channel --stems-wet", 3), ("--stems channel --stem-file", 1),
    ]
    private static let labels = ["", "--labels json"]

    private static let rate = 8_000
    /// Seconds of the song: no longer than its end needs.
    private static func length(_ ending: String) -> Double { ending == "--max-duration 2s" ? 2.25 : 0.5 }

    private let folder = FileManager.default.temporaryDirectory.appending(path: "carillon-matrix-\(UUID())")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for length in Set(Self.endings.map(Self.length)) {
            try SongWriter.write(Self.song(length), path: path("\(length).mid"))
        }
        let room = try #require(PatchExample.named("around-the-room"))
        try room.text.write(toFile: path("room.yaml"), atomically: true, encoding: .utf8)
    }

    deinit {
        do { try FileManager.default.removeItem(at: folder) } catch { Issue.record("\(error)") }
    }

    private func path(_ name: String) -> String { folder.path + "/" + name }

    /// Three channels on tracks of their own that send to reverb and chorus, so softly that no limiter works; the notes sound to
    /// the end. 960 ticks are a second.
    private static func song(_ length: Double) -> Song {
        let end = Int64(length * 960)
        return Song(
            tracks: [(0, 16, 60), (1, 33, 40), (9, 0, 36)].map { (channel: UInt8, program: UInt8, key: UInt8) in
                func event(_ tick: Int64, _ status: UInt8, _ data1: UInt8, _ data2: UInt8) -> SongEvent {
                    SongEvent(tick: tick, .message(MIDIMessage(status: status | channel, data1: data1, data2: data2)))
                }
                let strikes = stride(from: Int64(120), to: end, by: 480)
                return Track(
                    name: "Track",
                    events: [event(0, 0xC0, program, 0), event(0, 0xB0, 91, 60), event(0, 0xB0, 93, 40)]
                        + strikes.flatMap { [event($0, 0x90, key, 50), event(min($0 + 470, end), 0x80, key, 0)] }, endTick: end)
            })
    }

    /// The job of a cell, as a batch makes it.
    private func job(_ cell: [String], _ ending: String) throws -> RenderJob {
        let fixed = "--rate \(Self.rate) --bits 32f --loudness off --soundfont embedded --set reverb.decay=0.3s"
        let words = cell.flatMap { $0.split(separator: " ").map(String.init) } + fixed.split(separator: " ").map(String.init)
        let song = path("\(Self.length(ending)).mid"), request = try RenderCommand.parse(words + [song]).request()
        return try request.job(for: song, in: folder.path, key: "mix", songHash: "0")
    }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("mix") }.sorted()
    }

    private func take(_ name: String) throws -> [[Float]] {
        let sound = try AudioFileReader(path: path(name)).readAll()
        try FileManager.default.removeItem(atPath: path(name))
        return sound
    }

    private static func peak(_ sound: [[Float]]) -> Float { sound.reduce(0) { $1.reduce($0) { max($0, abs($1)) } } }

    @Test(arguments: SpeakerLayout.allCases, endings)
    func eachCellRendersOrIsRefused(_ layout: SpeakerLayout, _ ending: String) throws {
        var plain: RenderJob?
        for stems in Self.stems {
            for labels in Self.labels {
                let cell = ["--layout \(layout.rawValue)", ending, stems.options, labels]
                let refusal = Self.refusals.first { $0.layouts.contains(layout) && ($0.ending ?? ending) == ending }
                if let refusal, stems.files > 0 {
                    let error = #expect(throws: (any Error).self, "\(cell)") { _ = try self.job(cell, ending) }
                    #expect(RenderCommand.exitCode(for: try #require(error)).rawValue == 64, "\(cell)")
                    let choice = try choice(stems.options), sentence = "--stems: \(choice.division.rawValue): \(refusal.remedy)"
                    #expect(RenderCommand.message(for: try #require(error)) == sentence, "\(cell)")
                    try checkRefusal(choice, try #require(plain), refusal.remedy)
                } else {
                    let job = try job(cell, ending)
                    plain = plain ?? job
                    try checkRender(job, cell, layout, ending, stems.files, hasLabels: !labels.isEmpty)
                }
                #expect(try files() == [], "\(cell)")
            }
        }
    }

    private func choice(_ options: String) throws -> StemChoice {
        let words = options.split(separator: " ").map(String.init)
        return StemChoice(try #require(StemChoice.Division(rawValue: words[1])), isWet: words.contains("--stems-wet"))
    }

    /// The library refuses with the same error what the command line does.
    private func checkRefusal(_ choice: StemChoice, _ plain: RenderJob, _ remedy: String) throws {
        func isRefused(_ error: any Error) -> Bool {
            error as? Fault == .option(name: "stems", value: choice.division.rawValue, remedy: remedy)
        }
        #expect { try choice.check(beside: plain.options, isTrimmed: plain.isTrimmed) } throws: { isRefused($0) }
        if plain.isTrimmed { return }
        #expect { _ = try SongRenderer(Self.song(1), options: plain.options, stems: choice) } throws: { isRefused($0) }
    }

    private func checkRender(
        _ job: RenderJob, _ cell: [String], _ layout: SpeakerLayout, _ ending: String, _ stemFiles: Int, hasLabels: Bool
    ) throws {
        let result = try job.run()
        #expect(result.report.limiter.most == 0, "\(cell)")
        let mix = try take("mix.wav")
        try check(mix, cell, layout, ending)
        if hasLabels { try FileManager.default.removeItem(atPath: path("mix.labels.json")) }
        let names = try files()
        #expect(names.count == stemFiles, "\(cell): \(names)")
        if stemFiles == 0 { return }
        let stems = try names.flatMap { try take($0) }
        var sum = mix.map { $0.map { _ in Float(0) } }
        for (place, samples) in stems.enumerated() {
            #expect(samples.count == mix[0].count && Self.peak([samples]) > 1e-6, "\(cell): stem \(place / mix.count + 1)")
            for i in samples.indices { sum[place % mix.count][i] += samples[i] }
        }
        let difference = zip(mix, sum).reduce(Float(0)) { zip($1.0, $1.1).reduce($0) { max($0, abs($1.0 - $1.1)) } }
        #expect(difference <= (layout == .mono ? 1e-7 : 0), "\(cell): \(difference)")
    }

    /// What sounds on all loudspeakers: each of them is faded, and as long as it should be.
    @Test(arguments: SpeakerLayout.allCases, endings)
    func allChannelsOfARoomFade(_ layout: SpeakerLayout, _ ending: String) throws {
        let room = "--patch \(path("room.yaml")) --set room.layout=surround-7.1 --set rain.fade=0.1s"
        let cell = ["--layout \(layout.rawValue)", ending, room]
        _ = try job(cell, ending).run()
        let mix = try take("mix.wav")
        try check(mix, cell, layout, ending)
        for (speaker, samples) in zip(layout.speakers, mix) where speaker != .lowFrequency {
            #expect(Self.peak([samples]) > 1e-5, "\(cell): \(speaker)")
        }
        #expect(try files() == [], "\(cell)")
    }

    private func check(_ mix: [[Float]], _ cell: [String], _ layout: SpeakerLayout, _ ending: String) throws {
        #expect(mix.count == layout.channels && Self.peak(mix) > 0.001, "\(cell)")
        let seconds: Double? =
            switch ending {
            case "--max-duration 2s": 2
            case "--fade 1s", "--tail 1s": Self.length(ending) + 1
            case "--loops 2 --fade 1s": 2 * Self.length(ending) + 1
            default: nil
            }
        if let seconds { #expect(mix.allSatisfy { $0.count == Int(seconds * Double(Self.rate)) }, "\(cell)") }
        if ending.contains("--fade 1s") || ending.contains("--max-duration") {
            #expect(mix.allSatisfy { $0.last == 0 }, "\(cell)")
        }
        if ending.contains("--fade-in") { #expect(mix.allSatisfy { $0.first == 0 }, "\(cell)") }
    }
}
