internal import EngineCore
internal import UnitAPI

/// A preset of a unit, by its number and name.
public struct AUPreset {
    public var presetNumber: Int32
    public var presetName: Unmanaged<CFString>?

    public init() { (presetNumber, presetName) = (-1, nil) }
    public init(presetNumber: Int32, presetName: Unmanaged<CFString>?) {
        (self.presetNumber, self.presetName) = (presetNumber, presetName)
    }
}

extension UnitObject {
    /// The factory presets of the engine's unit, in its order.
    var presets: [UnitPreset] {
        guard case .engine(let name) = kind.work, let entry = UnitCatalog.named(name) else { return [] }
        do { return try entry.factoryPresets() } catch {
            report("\(error)")
            return []
        }
    }

    func setPreset(_ number: Int) -> OSStatus {
        let presets = presets
        guard presets.indices.contains(number) else { return kAudioUnitErr_InvalidPropertyValue }
        effect.preset = number
        guard let host, let node = host.node(of: self) else { return noErr }
        do {
            try host.engine.apply(preset: presets[number], to: node)
            return noErr
        } catch {
            return UnitFaults.status(of: error)
        }
    }

    /// The present preset: its name is the caller's to release.
    var presentPreset: AUPreset {
        guard let preset = effect.preset else {
            return AUPreset(presetNumber: -1, presetName: Unmanaged.passRetained("Untitled" as NSString))
        }
        return AUPreset(presetNumber: Int32(preset), presetName: Unmanaged.passRetained(presets[preset].name as NSString))
    }
}
