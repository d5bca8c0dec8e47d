import Carillon

/// A damaged file of a patch: an error with its line, or a patch that is written, saved and, where nothing has to be read
/// from elsewhere, plays.
enum PatchTrial {
    static func run(_ fuzzCase: FuzzCase) -> FuzzTrial.Outcome {
        let units = UnitCatalog.entries
        let source: String, patch: Patch
        do throws(PatchFileError) {
            source = try PatchFile.text(bytes: fuzzCase.bytes, path: "seed \(fuzzCase.seed)")
            patch = try PatchFile(text: source, path: "seed \(fuzzCase.seed)", units: units).patch
        } catch {
            guard let line = error.line, line > 0, error.column ?? 0 > 0 else { return .finding("no line: \(error)") }
            return .refused("\(error)")
        }
        do throws(PatchFileError) {
            let text = try PatchFile.text(of: patch, units: units)
            if try PatchFile(text: text, units: units).patch != patch { return .finding("written, it is another patch") }
            var other = patch
            // Zones, controllers and scenes name units too.
            let named = Set(
                patch.zones.compactMap(\.unit) + patch.controllers.map(\.parameter.unit)
                    + patch.scenes.flatMap { $0.values.keys.map(\.unit) })
            other.units.removeAll { unit in
                !named.contains(unit.name)
                    && !patch.connections.contains { $0.from.unit == unit.name || $0.to.unit == unit.name }
                    && !(patch.inputs + patch.outputs).contains { $0.unit == unit.name }
            }
            for index in other.units.indices { other.units[index].isBypassed.toggle() }
            do throws(PatchFileError) {
                let saved = try PatchFile.update(source: source, to: other, units: units)
                if try PatchFile(text: saved, units: units).patch != other { return .finding("saved, it is another patch") }
            } catch {
                // Anchors and brackets around everything.
                if error.fault != .cannotKeep { return .finding("saving: \(error)") }
            }
        } catch { return .finding("writing: \(error)") }
        return play(patch, fuzzCase)
    }

    private static func play(_ patch: Patch, _ fuzzCase: FuzzCase) -> FuzzTrial.Outcome {
        let types = Set(["soundfont", "fluidsynth", "file-player", "input"])
        let units = patch.units + patch.patches.flatMap(\.patch.units)
        if units.contains(where: { types.contains($0.component) }) { return .rendered }
        do throws(Fault) {
            let engine = try Engine(patch: patch, sampleRate: Double(fuzzCase.sampleRate), maximumFrames: 512)
            try engine.send(.message(MIDIMessage(status: 0x90, data1: 60, data2: 100)), at: .zero)
            let output = try engine.offlineOutput()
            for _ in 0..<8 {
                output.pull(512)
                for frame in 0..<512 where !output.buffer.channels[0][frame].isFinite {
                    return .finding("samples that are no numbers")
                }
            }
            return .rendered
        } catch { return .refused("\(error)") }
    }
}
