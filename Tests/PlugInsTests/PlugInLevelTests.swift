import Carillon
import DSP
import Foundation
import Patches
import Testing
import UnitAPI

@testable import EngineCore
@testable import Sessions
@testable import SongRendering

/// LV2 instruments are as loud as the house's own where a session plays them: by a trim that was measured.
@Suite final class PlugInLevelTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "plug-in-level-\(UUID().uuidString)").path()

    deinit {
        do {
            if FileManager.default.fileExists(atPath: folder) { try FileManager.default.removeItem(atPath: folder) }
        } catch { Issue.record("\(error)") }
    }

    private func patch(_ unit: String) throws -> Patch {
        // lilv must not be asked before the test's own plug-ins are there.
        _ = try TestPlugIns.entry("lv2:mda-delay")
        #expect(UnitCatalog.addPlugIns(in: unit + "\n").isEmpty)
        let text = "version: 1\nunits:\n  it: \(unit)\noutputs: it\n"
        return try PatchFile(text: text, units: UnitCatalog.entries).patch
    }

    private func level(keeps: Bool = false, patience: Double = 600) -> PlugInLevel {
        var level = PlugInLevel(sampleRate: 48_000, cache: keeps ? LoudnessCache(folder: folder) : nil)
        level.patience = patience
        return level
    }

    private func trim(_ patch: Patch) -> Double? {
        if case .number(let trim)? = patch.units[0].properties["trim"] { trim } else { nil }
    }

    /// Three keys at once for two seconds, as a song.
    private func sound(_ patch: Patch) throws -> [Float] {
        var patch = patch
        patch.units[0].parts = PartList([0])
        let engine = try Engine(patch: patch, sampleRate: 48_000, maximumFrames: 256)
        try engine.start(on: .offline)
        for key: UInt8 in [60, 64, 67] {
            try engine.send(.message(MIDIMessage(status: 0x90, data1: key, data2: 100)), at: SampleTime(300))
        }
        return try engine.render(frames: 96_000)[0]
    }

    @Test(arguments: ["lv2:mda-epiano", "lv2:mda-dx10", "lv2:mda-jx10", "lv2:mda-piano"], ["", "preset"])
    func anInstrumentIsAsLoudAsTheOthers(_ name: String, _ preset: String) throws {
        var properties = ""
        if preset != "" {
            // That one of mda-jx10 reads memory that it never wrote: each instance is as loud as what lay there before.
            let uncertain = "Wobble Bass [SA]"
            let title = try #require(try TestPlugIns.description(name).presets.last { $0.title != uncertain }?.title)
            properties = ", properties: {preset: \"\(title)\"}"
        }
        let plain = try patch("{unit: \(name), role: instrument\(properties)}")
        var trimmed = plain
        level().trim(&trimmed)
        let found = try #require(trim(trimmed)), sound = try sound(trimmed)
        let peak = Double(Decibels.level(ofAmplitude: sound.reduce(0) { max($0, abs($1)) }))
        #expect(abs(peak + 14) <= 3 || found == 24, "\(name)\(properties): \(peak) dBFS with \(found) dB")
    }

    @Test func theTrimIsAGainAndNothingElse() throws {
        let dry = try sound(try patch("{unit: lv2:mda-dx10, role: instrument}"))
        let turned = try sound(try patch("{unit: lv2:mda-dx10, role: instrument, properties: {trim: -6.5}}"))
        let gain = Float(pow(10, -6.5 / 20))
        #expect(zip(turned, dry).allSatisfy { $0 == $1 * gain } && dry.contains { abs($0) > 0.01 })
        #expect(try sound(try patch("{unit: lv2:mda-dx10, role: instrument, properties: {trim: 0}}")) == dry)
    }

    @Test func whatWasMeasuredIsKept() throws {
        let plain = try patch("{unit: lv2:mda-epiano, role: instrument}"), level = level(keeps: true)
        var first = plain
        level.trim(&first)
        let found = try #require(trim(first)), key = LoudnessCache.key(try #require(level.lines(of: plain.units[0])))
        #expect(found != 0 && LoudnessCache(folder: folder).gain(for: key) == found)
        // It is not heard again: what was kept counts, also where there is no time at all.
        #expect(LoudnessCache(folder: folder).keep(3.5, for: key) == 0)
        var second = plain
        self.level(keeps: true, patience: -1).trim(&second)
        #expect(trim(second) == 3.5)
        // Another preset is another sound.
        var other = plain.units[0]
        other.properties["preset"] = .text("Tremolo")
        #expect(level.lines(of: other).map(LoudnessCache.key) != key)
    }

    @Test func whatTakesTooLongHasNoneAndIsTold() throws {
        var slow = try patch("{unit: lv2:mda-epiano, role: instrument}")
        level(patience: -1).trim(&slow)
        #expect(trim(slow) == 0 && slow.trimRemarks.count == 1)
    }

    @Test(arguments: [
        "{unit: lv2:mda-delay}", "{unit: lv2:mda-epiano, parts: 1}", "{unit: square-wave, role: instrument}",
        "{unit: lv2:mda-epiano, role: instrument, properties: {trim: -3.5}}",
    ])
    func othersStayAsTheyAre(_ unit: String) throws {
        let plain = try patch(unit)
        var trimmed = plain
        level().trim(&trimmed)
        #expect(trimmed == plain)
    }

    @Test func aSessionTellsItAndKeepsItWhenTheFileIsSavedAgain() throws {
        let plain = try patch("{unit: lv2:mda-epiano, role: instrument}")
        var options = LiveOptions()
        (options.patch, options.device.names) = (plain, ["null"])
        options.trimPlugIns(level())
        let trimmed = try #require(options.patch), found = try #require(trim(trimmed))
        #expect(trimmed.trimRemarks.count == 1)
        #expect(plain.trimmed(like: trimmed) == trimmed && plain.trimmed(like: nil) == plain)
        let engine = try Engine(patch: trimmed)
        let unit = try #require(engine.graph.node(named: "it")?.instance)
        try engine.start(on: .offline)
        _ = try engine.render(frames: 256)
        #expect(unit.readout("trim") == Float(found))
        // Another preset was not heard.
        var other = plain
        other.units[0].properties["preset"] = .text("Tremolo")
        #expect(other.trimmed(like: trimmed) == other)
    }

    @Test(arguments: ["30", "loud"]) func aTrimOutOfBoundsIsRefused(_ trim: String) throws {
        let patch = try patch("{unit: lv2:mda-epiano, role: instrument, properties: {trim: \(trim)}}")
        #expect(throws: Fault.self) { try Engine(patch: patch) }
    }
}
