import Glibc
import SoundFonts
import Testing

@testable import Samplers

/// One budget of memory for all that plays samples.
@Suite struct StreamBudgetTests {
    private func library(_ samples: LongSamples, count: Int = 1) throws -> SoundFontLibrary {
        try samples.write("a.wav", bits: .int16, channels: 2)
        let names = (0..<count).map { "\($0).wav" }
        for name in names {
            let made = symlink("a.wav", samples.folder + "/" + name)
            #expect(made == 0)
        }
        let text = names.enumerated().map { "<region> key=\($0) sample=\($1)\n" }.joined()
        return try SoundFontLibrary([.init(path: samples.write("x.sfz", text: text))])
    }

    /// What one stereo file takes.
    private static let whole = LongSamples.frames * 4

    @Test func whatFitsIsWholeAndWhatDoesNotIsStreamed() throws {
        let samples = LongSamples(), library = try library(samples), list = library.recipes(for: nil)
        defer { withExtendedLifetime(samples) {} }
        let enough = SampleMemory(limit: Self.whole), tooLittle = SampleMemory(limit: Self.whole - 1)
        let inMemory = try SampleStore(list, from: library, in: enough)
        let wholes = inMemory.samples.count { $0.stream == nil }, used = enough.used
        #expect(wholes == 2 && used == Self.whole)
        let streamed = try SampleStore(list, from: library, in: tooLittle)
        let long = streamed.samples.count { $0.stream != nil && Int($0.frames) == LongSamples.frames && !$0.isFloat }
        let areOne = streamed.streams[0]?.stream === streamed.streams[1]?.stream, kept = tooLittle.used
        #expect(long == 2 && areOne && kept <= Self.whole / 2)
    }

    /// A crossfade makes other frames, which are floats.
    @Test func loopsThatFadeInOtherWaysAreCountedEach() throws {
        let samples = LongSamples()
        defer { withExtendedLifetime(samples) {} }
        try samples.write("a.wav", bits: .int16, channels: 1)
        let text = ["", "0.1", "0.2"].map {
            "<region> sample=a.wav loop_mode=loop_continuous loop_start=200000 loop_end=300000"
                + ($0.isEmpty ? "\n" : " loop_crossfade=\($0)\n")
        }
        let library = try SoundFontLibrary([.init(path: samples.write("x.sfz", text: text.joined()))])
        let memory = SampleMemory(limit: 1 << 30), store = try SampleStore(library.recipes(for: nil), from: library, in: memory)
        defer { withExtendedLifetime(store) {} }
        let used = memory.used, frames = LongSamples.frames
        #expect(used == frames * (2 + 4 + 4) && used == store.memory)
    }

    @Test(arguments: [1_200_000, 700_000]) func twoThatPlayTheSameShareIt(_ limit: Int) throws {
        let samples = LongSamples(), library = try library(samples), list = library.recipes(for: nil)
        defer { withExtendedLifetime(samples) {} }
        let memory = SampleMemory(limit: limit)
        let one = try SampleStore(list, from: library, in: memory), used = memory.used
        let two = try SampleStore(list, from: library, in: memory)
        let areOne = one.streams[0]?.stream === two.streams[0]?.stream, both = memory.used
        #expect(both == used && areOne)
    }

    @Test func roomIsKeptForLoadingAloneAndThenGivenBack() throws {
        let samples = [LongSamples(), LongSamples(), LongSamples()]
        defer { withExtendedLifetime(samples) {} }
        let libraries = try samples.map { try library($0) }
        let memory = SampleMemory(limit: 2 * Self.whole)
        let both = try libraries[0..<2].map { try SampleStore($0.recipes(for: nil), from: $0, in: memory) }
        defer { withExtendedLifetime(both) {} }
        let streamed = both.map { store in store.samples.count { $0.stream != nil } }, used = memory.used
        #expect(streamed == [0, 0] && used == memory.limit)
        let error = #expect(throws: SoundFontError.self) {
            try SampleStore(libraries[2].recipes(for: nil), from: libraries[2], in: memory)
        }
        guard case .sampleMemory(_, let needed, _) = error else { return }
        #expect(needed > memory.limit)
    }

    @Test func beginningsAreAsLongAsThereIsRoom() throws {
        let samples = LongSamples(), library = try library(samples, count: 4), list = library.recipes(for: nil)
        defer { withExtendedLifetime(samples) {} }
        func beginning(_ limit: Int) throws -> Int {
            let store = try SampleStore(list, from: library, in: SampleMemory(limit: limit))
            let frames = try #require(store.samples[0].stream)
            return (0..<frames.pointee.pageCount).prefix { frames.pointee.page($0) != nil }.count
        }
        let (long, short) = (try beginning(6_000_000), try beginning(400_000))
        #expect(long == 16 && short >= 1 && short < 4)
    }

    @Test func pagesLeaveRoomForDecoders() throws {
        let samples = LongSamples(), library = try library(samples, count: 4), list = library.recipes(for: nil)
        defer { withExtendedLifetime(samples) {} }
        let limit = 6_000_000, memory = SampleMemory(limit: limit), store = try SampleStore(list, from: library, in: memory)
        for case let streamed? in store.streams { streamed.stream.load(0..<streamed.stream.channels[0].pointee.pageCount) }
        let used = memory.used
        #expect(used <= limit - limit / 12 && used > limit * 4 / 5)
    }

    @Test func tooLittleIsAnErrorThatSaysHowMuchIsNeeded() throws {
        let samples = LongSamples(), library = try library(samples, count: 4), list = library.recipes(for: nil)
        defer { withExtendedLifetime(samples) {} }
        let error = try #require(throws: SoundFontError.self) {
            try SampleStore(list, from: library, in: SampleMemory(limit: 100_000))
        }
        guard case .sampleMemory(_, let needed, 100_000) = error else {
            Issue.record("\(error)")
            return
        }
        let memory = SampleMemory(limit: needed)
        let store = try SampleStore(list, from: library, in: memory)
        let (used, faults) = (memory.used, store.faults)
        #expect(faults.isEmpty && used <= needed)
        // One that was not chosen is exceeded instead.
        let usual = try SampleStore(list, from: library, in: SampleMemory(limit: 100_000, isFirm: false))
        let streams = usual.streams.count { $0 != nil }
        #expect(usual.faults.isEmpty && streams == list.samples.count)
    }

    @Test func aFileThatChangesWhileItPlaysIsNamed() throws {
        let samples = LongSamples()
        defer { withExtendedLifetime(samples) {} }
        _ = try library(samples)
        let rig = try SamplerRig(samples.folder + "/x.sfz", memory: SampleMemory(limit: 1_000_000))
        rig.unit.companion?.attend()
        try samples.write("b.wav", bits: .int16, channels: 2, frames: 1_000)
        let moved = rename(samples.folder + "/b.wav", samples.folder + "/a.wav")
        #expect(moved == 0)
        _ = rig.play([SamplerRig.note(0, 0, 100), SamplerRig.message(8_000, 0xE0, 0, 127)], frames: 500_000)
        #expect(rig.unit.companion?.complaint?.contains("0.wav of x.sfz cannot be read") == true)
    }
}
