import MIDI
import UnitAPI

/// The SoundFonts that a unit plays, and what of them: read out of the properties of a `UnitSetup`, the same for every unit
/// that plays SoundFonts.
///
/// Properties: `soundfonts` (list of paths; absent: `SoundFontLocator`), `bank-offsets` (list of 0...127), `presets`
/// (list of `PresetRequest` codes: load these alone, the rest stays silent; absent: load everything), `used-channels`
/// (bit mask; notes of others are dropped and counted). Control side.
package struct SoundFontSelection: Sendable {
    package var sources: [SoundFontLibrary.Source]
    /// Presets to load; nil means all.
    package var requests: [PresetRequest]?
    /// Channels that may sound, one bit each.
    package var usedChannels: UInt16

    /// The properties' names, for a descriptor.
    package static let propertyNames = ["soundfonts", "bank-offsets", "presets", "used-channels"]
    private static let unitNames: Set<String> = ["soundfont", "sampler", "fluidsynth"]

    /// Returns true if a unit of this name in the catalogue plays SoundFonts.
    package static func isNamed(_ component: String) -> Bool { unitNames.contains(component) }

    /// Returns true if a unit with these properties plays an SFZ file, whose regions may take turns.
    package static func playsSFZ(_ properties: [String: PropertyValue]) -> Bool {
        switch properties["soundfonts"] {
        case .list(let paths): paths.contains(where: isSFZ)
        case .some(let path): isSFZ(path)
        case nil: false
        }
    }

    private static func isSFZ(_ value: PropertyValue) -> Bool {
        if case .text(let path) = value { path.lowercased().hasSuffix(".sfz") } else { false }
    }

    /// Reads a setup; without `soundfonts` the search order decides. Throws `property` and what the search throws.
    package init(_ setup: UnitSetup) throws(SoundFontError) {
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
    }

    /// Properties for a `UnitSetup`: these SoundFonts and, given a scan, only the presets and channels it has seen.
    package static func properties(
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
