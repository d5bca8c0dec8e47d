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

/// A parameter of a unit: its name, unit of measure and range.
public struct AudioUnitParameterInfo {
    /// The name in UTF-8, cut to 51 bytes, with 0 behind.
    public var name = AudioUnitParameterName().characters
    public var unitName: Unmanaged<CFString>?
    public var clumpID: UInt32 = 0
    /// The name: the caller has a reference.
    public var cfNameString: Unmanaged<CFString>?
    public var unit = AudioUnitParameterUnit.generic
    public var minValue: AudioUnitParameterValue = 0
    public var maxValue: AudioUnitParameterValue = 0
    public var defaultValue: AudioUnitParameterValue = 0
    public var flags: AudioUnitParameterOptions = []

    public init() {}
}

extension UnitKind {
    func info(_ place: UnitProperty.Place) -> AudioUnitParameterInfo {
        var info = AudioUnitParameterInfo()
        let id = AudioUnitParameterID(place.element)
        guard let row = row(UnitObject.ParameterPlace(id: id, scope: place.scope, element: 0)) else { return info }
        withUnsafeMutableBytes(of: &info.name) { $0.copyBytes(from: row.name.utf8.prefix(51)) }
        info.cfNameString = Unmanaged.passRetained(row.name as NSString)
        (info.unit, info.minValue, info.maxValue) = (row.unit, row.range.lowerBound, row.range.upperBound)
        info.defaultValue = row.initial
        info.flags = [.flag_CFNameRelease, .flag_HasCFNameString, .flag_IsReadable, .flag_IsWritable]
        return info
    }
}

extension UnitObject {
    // Guarded by the lock of all calls.
    private nonisolated(unsafe) static var presetLists: [String: NSArray] = [:]

    /// Pointers to presets, which stay.
    var factoryPresets: NSArray {
        if let list = Self.presetLists[kind.name] { return list }
        let names = presets.map(\.name), memory = UnsafeMutablePointer<AUPreset>.allocate(capacity: names.count)
        for (number, name) in names.enumerated() {
            let preset = AUPreset(presetNumber: Int32(number), presetName: Unmanaged.passRetained(name as NSString))
            (memory + number).initialize(to: preset)
        }
        let list = NSArray(array: names.indices.map { ArrayPointer(memory + $0) })
        Self.presetLists[kind.name] = list
        return list
    }

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
        return UnitFaults.status { try host.engine.apply(preset: presets[number], to: node) }
    }

    /// The present preset: its name is the caller's to release.
    var presentPreset: AUPreset {
        guard let preset = effect.preset else {
            return AUPreset(presetNumber: -1, presetName: Unmanaged.passRetained("Untitled" as NSString))
        }
        return AUPreset(presetNumber: Int32(preset), presetName: Unmanaged.passRetained(presets[preset].name as NSString))
    }
}
