import DSP
import EngineCore
import Graphs
import MIDI
import Patches
import PlugIns
import Reports
import SoundFonts
import UnitAPI

/// The trims that bring a session's LV2 instruments to the level of Carillon's own, found by rendering each for two seconds
/// before the session begins, and kept from one session to the next (`LoudnessCache`).
///
/// A plug-in is measured with the patch's preset alone: any other setting of the patch is deliberate. A plug-in whose patch
/// sets its `trim` keeps that. Control side.
struct PlugInLevel {
    /// The peak of three keys at once, velocity 100, in dBFS.
    static let reference = -14.0
    /// The most that a trim turns up or down, in decibels.
    static let most = 24.0
    static let property = "trim"
    private static let seconds = 2.0, block = 512

    let sampleRate: Int
    let cache: LoudnessCache?
    /// Seconds that a plug-in may take to be heard.
    var patience = 4.0

    /// Gives each LV2 instrument of a patch its trim, those of nested patches too: 0 if it could not be measured.
    func trim(_ patch: inout Patch) {
        for index in patch.units.indices where Self.isWithoutTrim(patch.units[index]) {
            do {
                patch.units[index].properties[Self.property] = .number(try gain(of: patch.units[index]) ?? 0)
            } catch {
                // The fault is reported where the session makes the unit.
                continue
            }
        }
        for index in patch.patches.indices { trim(&patch.patches[index].patch) }
    }

    /// Returns true if a unit is an LV2 instrument without a trim of its own.
    private static func isWithoutTrim(_ unit: PatchUnit) -> Bool {
        PlugInCatalog.isName(unit.component) && unit.role == .instrument && unit.properties[property] == nil
    }

    /// The trim of a unit in decibels; 0 if the plug-in is silent, nil if it takes too long.
    func gain(of unit: PatchUnit) throws(Fault) -> Double? {
        let entry = try UnitCatalog.required(unit.component, for: unit.name)
        guard entry.descriptor.acceptsMusic, entry.descriptor.inputs.isEmpty else { return 0 }
        return try cache.gain(for: lines(of: unit), most: Self.most) { () throws(Fault) in
            guard let peak = try peak(of: unit) else { return nil }
            return peak > 1e-5 ? Self.reference - Double(Decibels.level(ofAmplitude: peak)) : 0
        }
    }

    /// All that decides the level, as lines; nil for a plug-in whose file cannot be read.
    func lines(of unit: PatchUnit) -> [String]? {
        let plugIn: PlugInDescription
        do { plugIn = try PlugInCatalog.named(unit.component) } catch { return nil }
        guard let stamp = FileIdentity(path: plugIn.library)?.stamp else { return nil }
        var preset = "-"
        if case .text(let title)? = unit.properties["preset"] { preset = title }
        return [
            "carillon-plug-in 1 \(sampleRate) \(isDrums(unit) ? "drums" : "keys")", "plug-in \(plugIn.uri)",
            "library \(plugIn.library) \(stamp)", "preset \(preset)",
        ]
    }

    private func isDrums(_ unit: PatchUnit) -> Bool { unit.parts.sorted == [9] }

    /// The highest sample of two seconds of three keys at once; nil where it takes too long.
    private func peak(of unit: PatchUnit) throws(Fault) -> Float? {
        let clock = SuspendingClock(), end = clock.now + .seconds(patience),
            keys: [UInt8] = isDrums(unit) ? [36, 38, 42] : [60, 64, 67]
        let engine = Engine(sampleRate: Double(sampleRate), maximumFrames: Self.block)
        var heard = PatchUnit("it", unit.component, role: .instrument)
        heard.properties = unit.properties
        heard.parts = PartList(0..<16)
        var patch = Patch()
        patch.units = [heard]
        patch.outputs = [PatchPort("it")]
        var peak: Float = 0
        do throws(Fault) {
            try engine.apply(patch)
            try engine.start(on: .offline)
            for key in keys {
                let message = MIDIMessage(status: isDrums(unit) ? 0x99 : 0x90, data1: key, data2: 100)
                try engine.send(.message(message), at: .zero)
            }
            for _ in 0..<Int(Self.seconds * Double(sampleRate)) / Self.block {
                if clock.now > end { return nil }
                for channel in try engine.render(frames: Self.block) {
                    for sample in channel where sample.isFinite { peak = max(peak, abs(sample)) }
                }
            }
        } catch {
            if [.graph, .misfit].contains(error.kind) || error.origin is UnitError { throw error }
            return nil
        }
        return peak
    }
}

extension LiveOptions {
    /// Brings the LV2 instruments of its patches to the level of Carillon's own, unless the patch sets a trim. Call it before
    /// the session is made; it takes a moment for each plug-in that is not in the cache.
    public mutating func trimPlugIns() { trimPlugIns(PlugInLevel(sampleRate: sampleRate, cache: .standard)) }

    mutating func trimPlugIns(_ level: PlugInLevel) {
        if var heard = patch {
            level.trim(&heard)
            patch = heard
        }
        for index in patches.indices { level.trim(&patches[index].patch) }
    }
}

extension Patch {
    var trimRemarks: [Remark] {
        units.compactMap { unit in
            guard PlugInCatalog.isName(unit.component), case .number(let trim)? = unit.properties[PlugInLevel.property] else {
                return nil
            }
            if trim == 0 {
                return Remark(.level, unit.name, "no trim after \(unit.component): silent, or not measured in time")
            }
            return Remark(.level, unit.name, "trim of \(trim > 0 ? "+" : "")\(trim) dB after \(unit.component)")
        } + patches.flatMap { nested in nested.patch.trimRemarks }
    }

    /// Returns the patch with the trims that the same LV2 units have in `former`, unless it sets its own: for a file that is
    /// saved again.
    func trimmed(like former: Patch?) -> Patch {
        guard let former else { return self }
        var result = self
        for index in result.units.indices {
            let unit = result.units[index]
            guard PlugInCatalog.isName(unit.component), unit.properties[PlugInLevel.property] == nil,
                let same = former.units.first(where: {
                    $0.name == unit.name && $0.component == unit.component && $0.properties["preset"] == unit.properties["preset"]
                }), let trim = same.properties[PlugInLevel.property]
            else { continue }
            result.units[index].properties[PlugInLevel.property] = trim
        }
        for index in result.patches.indices {
            let name = result.patches[index].name
            result.patches[index].patch = result.patches[index].patch.trimmed(
                like: former.patches.first { $0.name == name }?.patch)
        }
        return result
    }
}
