import UnitAPI

/// What a `SoundFontUnit` is made from, read out of the properties and start values of a `UnitSetup`.
struct SoundFontSetup {
    var sources: [SoundFontLibrary.Source]
    /// Presets to load; nil: all.
    var requests: [PresetRequest]?
    /// Channels that may sound, one bit each.
    var usedChannels: UInt16
    var sampleRate: Double
    var polyphony: Int
    /// The kind of interpolation as the library numbers it: 0, 1, 4, 7.
    var interpolation: Int32
    var gain: Float

    /// The fewest groups that give each used channel one of its own (the library puts channel c into group c modulo
    /// their number): each group costs a buffer to clear and to copy.
    var groupCount: Int {
        let channels = (0..<16).filter { usedChannels >> UInt16($0) & 1 != 0 }
        return (1...16).first { count in Set(channels.map { $0 % count }).count == channels.count } ?? 16
    }

    /// Reads a setup; without `soundfonts` the search order decides. Throws `property` and what the search throws.
    init(_ setup: UnitSetup) throws(SoundFontError) {
        var paths = try Self.texts("soundfonts", setup)
        if paths.isEmpty { paths = try SoundFontLocator().locate().map(\.path) }
        let offsets = try Self.integers("bank-offsets", setup) ?? []
        guard offsets.count <= paths.count else {
            throw .property(
                name: "bank-offsets", reason: .outOfRange(value: offsets.count, allowed: 0...paths.count))
        }
        sources = paths.indices.map {
            SoundFontLibrary.Source(path: paths[$0], bankOffset: $0 < offsets.count ? offsets[$0] : 0)
        }
        if let codes = try Self.integers("presets", setup) {
            var requests: [PresetRequest] = []
            for code in codes {
                guard let request = PresetRequest(code: code) else {
                    throw .property(
                        name: "presets", reason: .outOfRange(value: code, allowed: 0...PresetRequest.codes - 1))
                }
                requests.append(request)
            }
            self.requests = requests
        }
        switch setup.properties["used-channels"] {
        case nil: usedChannels = .max
        case .integer(let mask):
            guard let mask = UInt16(exactly: mask) else {
                throw .property(name: "used-channels", reason: .outOfRange(value: mask, allowed: 0...65_535))
            }
            usedChannels = mask
        default: throw .property(name: "used-channels", reason: .wrongType(expected: "an integer, one bit per channel"))
        }
        sampleRate = setup.sampleRate
        polyphony = Int(setup.value(of: SoundFontUnit.Parameter.polyphony))
        interpolation = [0, 1, 4, 7][min(max(Int(setup.value(of: SoundFontUnit.Parameter.interpolation)), 0), 3)]
        gain = setup.value(of: SoundFontUnit.Parameter.gain)
    }

    private static func texts(_ name: String, _ setup: UnitSetup) throws(SoundFontError) -> [String] {
        switch setup.properties[name] {
        case nil: return []
        case .text(let text): return [text]
        case .list(let values):
            var texts: [String] = []
            for value in values {
                guard case .text(let text) = value else {
                    throw .property(name: name, reason: .wrongType(expected: "paths"))
                }
                texts.append(text)
            }
            guard !texts.isEmpty else { throw .property(name: name, reason: .empty) }
            return texts
        default: throw .property(name: name, reason: .wrongType(expected: "a path or a list of paths"))
        }
    }

    private static func integers(_ name: String, _ setup: UnitSetup) throws(SoundFontError) -> [Int]? {
        switch setup.properties[name] {
        case nil: return nil
        case .list(let values):
            var integers: [Int] = []
            for value in values {
                guard case .integer(let integer) = value else {
                    throw .property(name: name, reason: .wrongType(expected: "integers"))
                }
                integers.append(integer)
            }
            return integers
        default: throw .property(name: name, reason: .wrongType(expected: "a list of integers"))
        }
    }
}

extension SoundFontUnit {
    /// Properties for a `UnitSetup`: these SoundFonts and, given a scan, only the presets and channels it has seen.
    public static func properties(
        _ sources: [SoundFontLibrary.Source], playing scan: PresetScan? = nil
    ) -> [String: PropertyValue] {
        var properties: [String: PropertyValue] = [
            "soundfonts": .list(sources.map { .text($0.path) }),
            "bank-offsets": .list(sources.map { .integer($0.bankOffset) }),
        ]
        if let scan {
            properties["presets"] = .list(scan.requests.map { .integer(Int($0.code)) })
            properties["used-channels"] = .integer(Int(scan.usedChannels))
        }
        return properties
    }
}
