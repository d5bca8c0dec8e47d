import Carillon
import Glibc
import Patches
import RTProbe
import RealtimeCore
import Testing

@testable import EngineCore
@testable import Sessions
@testable import SongRendering
@testable import SoundFonts

/// SoundFonts that are exchanged, or whose files are damaged, while they sound.
@Suite struct SoundFontExchangeTests {
    private static func font(_ rate: Int, attenuation: Int = 0) -> TinySoundFont {
        var font = TinySoundFont()
        font.presets = [(0, 0, "Tone"), (0, 1, "Other"), (128, 0, "Kit")]
        font.generators = [(48, attenuation), (54, 1)]
        font.sample[4] = rate
        return font
    }

    /// A sampler, of which the first channel is heard, with these SoundFonts.
    private static func patch(_ fonts: [String]) -> Patch {
        var patch = Patch()
        patch.soundFonts = fonts
        var sampler = PatchUnit("sampler", "soundfont", role: .instrument)
        sampler.parts = PartList(0..<16)
        var mixer = PatchUnit("mixer", "multichannel-mixer", role: .master)
        mixer.inputCount = 1
        patch.units = [sampler, mixer]
        patch.connections = [PatchConnection(PatchPort("sampler"), to: PatchPort("mixer"))]
        patch.outputs = [PatchPort("mixer")]
        return patch
    }

    private static func note(_ key: UInt8, _ engine: Engine) throws {
        try engine.send(.message(MIDIMessage(status: 0x90, data1: key, data2: 110)))
    }

    private static func render(_ engine: Engine, _ frames: Int) -> [Float] {
        let buffer = AudioBuffer(channels: 2, capacity: 64)
        var sound: [Float] = []
        for _ in 0..<frames / 64 {
            _ = engine.renderer.render(into: AudioBlock(buffer.channels, channelCount: 2, frames: 64))
            sound += UnsafeBufferPointer(start: buffer.channels[0], count: 64)
        }
        return sound
    }

    /// Whether anybody has the first sample of a file in memory.
    private static func isInMemory(_ path: String) throws -> Bool {
        let file = try SoundFontFile(path: path)
        var isThere = true
        _ = SampleMemory.process.blocks.shared(SampleBlock.Key(file: file.identity, sample: 0)) {
            isThere = false
            return SampleBlock(owning: SampleBlock.allocate(2), isFloat: false, frames: 1, .process)
        }
        return isThere
    }

    private static func seen() -> Int {
        let seen = rt_probe_take()
        return Int(
            seen.allocations + seen.frees + seen.locks + seen.blocking + seen.arc + seen.objects + seen.metadata
                + seen.once + seen.casts + seen.accesses)
    }

    private static func steepest(_ sound: some Collection<Float>) -> Float {
        zip(sound, sound.dropFirst()).reduce(0) { max($0, abs($1.1 - $1.0)) }
    }

    private static func peak(_ sound: some Collection<Float>) -> Float { sound.reduce(0) { max($0, abs($1)) } }

    @Test func exchangedWhileItSoundsItBreaksNoRuleAndDoesNotClick() throws {
        try Self.font(50_000).write { first in
            try Self.font(35_000, attenuation: 60).write { second in
                let engine = try Engine(patch: Self.patch([first]))
                engine.forgetHistory()
                for key in [57, 64, 69] as [UInt8] { try Self.note(key, engine) }
                _ = Self.render(engine, 640)
                _ = rt_probe_take()
                let before = Self.render(engine, 9_600)
                let hasFirst = try Self.isInMemory(first), hasSecond = try Self.isInMemory(second)
                #expect(hasFirst && !hasSecond)

                try engine.apply(Self.patch([second]))
                engine.forgetHistory()
                for key in [60, 72] as [UInt8] { try Self.note(key, engine) }
                // Not a block before the fade is the old one let go.
                let isStillThere = try Self.isInMemory(first)
                #expect(isStillThere)
                let change = Self.render(engine, 1_280), after = Self.render(engine, 9_600)
                #expect(Self.seen() == 0, "\(String(cString: rt_probe_first()))")

                #expect(Self.peak(before) > 0.05 && Self.peak(after) > 0.02)
                let most = Self.steepest(before) + Self.steepest(after) + (Self.peak(before) + Self.peak(after)) / 256
                #expect(Self.steepest(before.suffix(64) + change + after.prefix(64)) <= most)
                // What is heard then is the other one's alone: the keys that were held are silent.
                let alone = try Engine(patch: Self.patch([second]))
                for key in [60, 72] as [UInt8] { try Self.note(key, alone) }
                let wanted = Array(Self.render(alone, 10_880))
                let isSame = after == Array(wanted.dropFirst(1_280).prefix(after.count))
                #expect(isSame)

                // The render thread has given it back; who looks after the engine frees it.
                try engine.maintain()
                _ = Self.render(engine, 64)
                try engine.maintain()
                let isGone = try !Self.isInMemory(first), isThere = try Self.isInMemory(second)
                #expect(isGone && isThere)
                _ = Self.render(engine, 640)
                #expect(Self.seen() == 0)
            }
        }
    }

    @Test func exchangedAgainAndAgainNothingPilesUp() throws {
        try Self.font(50_000).write { first in
            try Self.font(35_000).write { second in
                let engine = try Engine(patch: Self.patch([first]))
                _ = rt_probe_take()
                for round in 0..<40 {
                    try Self.note(UInt8(50 + round % 12), engine)
                    // Now and then the next one comes before the fade of the last is over.
                    let sound = Self.render(engine, round % 3 == 0 ? 128 : 1_280)
                    #expect(round % 3 == 0 || Self.peak(sound) > 0.01)
                    try engine.apply(Self.patch([round % 2 == 0 ? second : first]))
                    engine.forgetHistory()
                    try engine.maintain()
                }
                _ = Self.render(engine, 1_280)
                #expect(Self.seen() == 0, "\(String(cString: rt_probe_first()))")
                try engine.maintain()
                _ = Self.render(engine, 64)
                try engine.maintain()
                let isFirst = try Self.isInMemory(first), isSecond = try Self.isInMemory(second)
                #expect(isFirst && !isSecond && engine.graph.nodes.count == 2)
            }
        }
    }

    @Test func aListPlaysOnWhileItsPatchGetsAnotherSoundFont() throws {
        try Self.font(50_000).write { first in
            try Self.font(35_000).write { second in
                var options = SessionInTime.options
                (options.instrument, options.patch) = (.soundFont([]), Self.patch([first]))
                let time = try SessionInTime(options, [SessionInTime.listed(20)])
                _ = rt_probe_take()
                // In the middle of a note.
                try time.pass(0.52)
                try time.session.apply(Self.patch([second]))
                try time.pass(0.5)
                let isFirst = try Self.isInMemory(first), isSecond = try Self.isInMemory(second)
                #expect(!isFirst && isSecond && !time.session.graph.isAtRest)
                let isOver = try time.pass { time.session.isOver }
                let counters = time.session.engine.renderer.counters
                #expect(isOver && time.onsets.count == 20)
                #expect(counters.lostEvents == 0 && counters.unheardEvents == 0 && counters.faults == 0)
                #expect(Self.seen() == 0, "\(String(cString: rt_probe_first()))")
                try time.session.finish()
            }
        }
    }

    @Test func aPatchThatIsAppliedAgainKeepsASoundFontWhoseFileIsGone() throws {
        try Self.font(50_000).write { path in
            let engine = try Engine(patch: Self.patch([path]))
            try Self.note(60, engine)
            _ = Self.render(engine, 1_280)
            let sampler = engine.graph.node(named: "sampler")?.id
            #expect(unlink(path) == 0)
            var louder = Self.patch([path])
            louder.units[1].values["volume"] = [3]
            try engine.apply(louder)
            #expect(engine.graph.node(named: "sampler")?.id == sampler && Self.peak(Self.render(engine, 1_280)) > 0.01)
            // One that is not there changes nothing.
            #expect(throws: Fault.self) { try engine.apply(Self.patch([path + ".none"])) }
            #expect(engine.graph.node(named: "sampler")?.id == sampler)
        }
    }

    /// What a disk, an editor or a hand does to a file that is played.
    enum Damage: CaseIterable { case truncated, overwritten, deleted, replaced }

    @Test(arguments: Damage.allCases) func whatBecomesOfItsFileChangesNothing(_ damage: Damage) throws {
        func play(_ path: String, _ change: () -> Void) throws -> [Float] {
            let engine = try Engine(patch: Self.patch([path]))
            try Self.note(60, engine)
            let before = Self.render(engine, 1_280)
            change()
            // A preset that nobody has played yet, and keys that nobody has pressed.
            try engine.send(.message(MIDIMessage(status: 0xC0, data1: 1, data2: 0)))
            for key in [40, 67] as [UInt8] { try Self.note(key, engine) }
            return before + Self.render(engine, 9_600)
        }
        let bytes = Self.font(50_000).bytes
        let wanted = try TinySoundFont.write(bytes) { path in try play(path) {} }
        #expect(Self.peak(wanted.suffix(640)) > 0.05)
        _ = rt_probe_take()
        try TinySoundFont.write(bytes) { path in
            var isDone = false
            let sound = try play(path) { isDone = Self.apply(damage, to: path, bytes.count) }
            let isSame = sound == wanted
            #expect(isDone && isSame && Self.seen() == 0)
        }
    }

    private static func apply(_ damage: Damage, to path: String, _ count: Int) -> Bool {
        switch damage {
        case .truncated: return truncate(path, 0) == 0
        case .deleted: return unlink(path) == 0
        case .overwritten, .replaced:
            let noise = [UInt8](repeating: 0x55, count: count), target = damage == .replaced ? path + ".new" : path
            guard let file = fopen(target, damage == .replaced ? "wb" : "r+b") else { return false }
            let isWritten = fwrite(noise, 1, noise.count, file) == noise.count
            guard fclose(file) == 0, isWritten else { return false }
            return damage == .overwritten || rename(target, path) == 0
        }
    }
}
