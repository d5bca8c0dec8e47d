/// An instrument made of audio files, for a sampler: zones as SFZ text in a folder of their own, which ends with it.
final class SampleInstrument {
    struct Zone {
        let path: String
        var root = 60
        var keys = 0...127
        var velocities = 0...127
        var isLooped = false
    }

    let path: String
    private let folder: String
    private var isMade = false

    /// Nil where there is nothing to play, a file is missing, or no folder can be made.
    init?(_ zones: [Zone]) {
        folder = FileManager.default.temporaryDirectory.appending(path: "carillon-instrument-\(UUID().uuidString)").path()
        path = folder + "/instrument.sfz"
        guard !zones.isEmpty, zones.allSatisfy({ access($0.path, R_OK) == 0 }) else { return nil }
        var text = ""
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            isMade = true
            for (index, zone) in zones.enumerated() {
                let name = "\(index).\((zone.path as NSString).pathExtension)"
                try FileManager.default.createSymbolicLink(atPath: folder + "/" + name, withDestinationPath: zone.path)
                text += "<region> sample=\(name) pitch_keycenter=\(zone.root) lokey=\(zone.keys.lowerBound) "
                text += "hikey=\(zone.keys.upperBound) lovel=\(zone.velocities.lowerBound) hivel=\(zone.velocities.upperBound)"
                text += zone.isLooped ? " loop_mode=loop_continuous\n" : " loop_mode=one_shot\n"
            }
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        } catch {
            return nil
        }
    }

    deinit {
        guard isMade else { return }
        do { try FileManager.default.removeItem(atPath: folder) } catch { report("\(error)") }
    }

    /// The zones of a sampler's settings, as an `.aupreset` holds them; nil for settings of something else.
    static func zones(of settings: [String: Any]) -> [Zone]? {
        guard let instrument = settings["Instrument"] as? [String: Any], let layers = instrument["Layers"] as? [[String: Any]],
            let files = settings["file-references"] as? [String: String]
        else { return nil }
        func key(_ zone: [String: Any], _ name: String, _ usual: Int) -> Int {
            min(max((zone[name] as? NSNumber)?.intValue ?? usual, 0), 127)
        }
        return layers.flatMap { $0["Zones"] as? [[String: Any]] ?? [] }.compactMap { zone in
            guard let number = (zone["waveform"] as? NSNumber)?.intValue, let file = files["Sample:\(number)"],
                (zone["enabled"] as? NSNumber)?.boolValue ?? true
            else { return nil }
            let low = key(zone, "min key", 0), soft = key(zone, "min velocity", 0)
            return Zone(
                path: file, root: key(zone, "root key", 60), keys: low...max(low, key(zone, "max key", 127)),
                velocities: soft...max(soft, key(zone, "max velocity", 127)),
                isLooped: (zone["loop enabled"] as? NSNumber)?.boolValue ?? false)
        }
    }
}

extension UnitObject {
    func load(_ zones: [SampleInstrument.Zone]) -> OSStatus {
        guard let instrument = SampleInstrument(zones) else { return kAudioUnitErr_InvalidFile }
        let former = sounds.samples
        sounds.samples = instrument
        let status = load(instrument.path, instrument: (0, false, 0))
        if status != noErr { sounds.samples = former }
        return status
    }

    func load(_ data: AUSamplerInstrumentData) -> OSStatus {
        let url = data.fileURL.takeUnretainedValue()
        guard url.isFileURL, let path = url.path else { return kAudioUnitErr_InvalidFilePath }
        switch data.instrumentType {
        case kInstrumentType_DLSPreset:
            let isDrums = data.bankMSB == kAUSampler_DefaultPercussionBankMSB
            // Numbers of banks that are not Apple's are as in the file.
            let bank = isDrums || data.bankMSB == kAUSampler_DefaultMelodicBankMSB ? data.bankLSB : data.bankMSB
            return load(path, instrument: (bank & 127, isDrums, data.presetID & 127))
        case kInstrumentType_Audiofile: return load([SampleInstrument.Zone(path: path)])
        case kInstrumentType_AUPreset:
            do {
                let list = try PropertyListSerialization.propertyList(from: Data(contentsOf: url as URL), format: nil)
                return (list as? NSDictionary).map { load(settings: $0) } ?? kAudioUnitErr_InvalidFile
            } catch {
                return kAudioUnitErr_InvalidFile
            }
        default: return kAudioUnitErr_InstrumentTypeNotFound
        }
    }
}
