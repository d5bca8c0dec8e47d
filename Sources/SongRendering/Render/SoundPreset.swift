import MIDI
import SoundFonts

/// A sound that a channel can play: a preset of the SoundFonts in use, by the numbers that reach it.
public struct SoundPreset: Sendable, Hashable {
    /// 0...127 melodic, 128 drum kits.
    public let bank: Int
    /// 0...127.
    public let program: Int
    /// The name in the file.
    public let name: String

    public init(bank: Int, program: Int, name: String) {
        (self.bank, self.program, self.name) = (bank, program, name)
    }

    /// True if it is a drum kit.
    public var isDrums: Bool { bank == 128 }
}

/// The names that the SoundFonts in use have for what channels ask for. Control side.
package struct SoundNames: Sendable {
    private let library: SoundFontLibrary?
    /// Every sound that can be requested, melodic ones by bank and program, then drum kits.
    package let presets: [SoundPreset]

    /// The names in a library; nil for an instrument that has no presets.
    init(_ library: SoundFontLibrary?) {
        self.library = library
        presets = library?.reachable.compactMap(SoundPreset.init) ?? []
    }

    /// Returns the request by its bank: that of controller 32 alone if a SoundFont has the program there, otherwise 0.
    package func plain(_ request: PresetRequest) -> PresetRequest {
        if let library { return library.plain(request) }
        return request.isByLowerBank ? PresetRequest(bank: 0, program: UInt8(request.program)) : request
    }

    /// Returns the sound that plays for this request of a channel: a substitute if the preset is missing; nil means silence.
    package func sound(_ request: PresetRequest) -> SoundPreset? {
        (library?.resolve(request)).flatMap(SoundPreset.init)
    }
}

extension SoundPreset {
    /// The numbers are those that reach it: a file with an offset has others.
    fileprivate init?(_ choice: PresetChoice) {
        guard let found = choice.found else { return nil }
        self.init(bank: choice.request.bank, program: choice.request.program, name: found.preset.name)
    }
}
