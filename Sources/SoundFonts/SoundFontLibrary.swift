import MIDI

/// Some SoundFonts on top of each other, and which of their presets answers a request.
///
/// A SoundFont named later lies on top of those named before, as with FluidSynth. A bank offset moves its banks up: its kits
/// play where a drum channel's bank is the offset, and elsewhere only if no other has the kit. A SoundFont inside a song lies there for
/// that song: its kits lie on top with any offset, and with offset 0 its bank 0 answers for banks that it does not have. No
/// replacement is silent: `resolve` says what was taken instead. Control side.
public struct SoundFontLibrary: Sendable {
    /// A file, and by how much its banks are moved.
    public struct Source: Sendable, Hashable {
        public var path: String
        /// 0...127.
        public var bankOffset: Int

        public init(path: String, bankOffset: Int = 0) {
            self.path = path
            self.bankOffset = bankOffset
        }
    }

    /// The files, checked, in the order named.
    public let files: [SoundFontFile]
    /// The sources that the files were named with.
    public let sources: [Source]
    /// The presets of each file.
    public let presets: [[SoundFontFile.Preset]]
    /// The place of the preset of each code of a bank or a kit: file << 32 | index in `presets`; -1 if there is none.
    private let places: [Int]
    /// The places of each melodic program in the lowest bank that has it, of the first melodic preset, and of the first kit.
    private let inLowestBank: [Int], firstMelodic: Int, firstKit: Int

    /// Reads and checks the files. Throws `SoundFontError`.
    public init(_ sources: [Source]) throws(SoundFontError) {
        guard !sources.isEmpty else { throw .property(name: "soundfonts", reason: .empty) }
        var files: [SoundFontFile] = []
        var presets: [[SoundFontFile.Preset]] = []
        for source in sources {
            guard (0...127).contains(source.bankOffset) else {
                throw .property(name: "bank-offsets", reason: .outOfRange(value: source.bankOffset, allowed: 0...127))
            }
            let file = try SoundFontFile(path: source.path)
            files.append(file)
            presets.append(file.presets)
        }
        var places = [Int](repeating: -1, count: 256 * 128)
        // Kits of files with an offset first, so that any other covers them.
        let lies = sources.indices.map { sources[$0].bankOffset == 0 || files[$0].isInSong }
        let order = sources.indices.filter { !lies[$0] } + sources.indices.filter { lies[$0] }
        for file in order {
            for (index, preset) in presets[file].enumerated() where preset.bank == 128 && preset.program < 128 {
                places[128 * 128 + preset.program] = file << 32 | index
                places[(128 + sources[file].bankOffset) * 128 + preset.program] = file << 32 | index
            }
        }
        for file in sources.indices {
            for (index, preset) in presets[file].enumerated() where preset.bank < 128 && preset.program < 128 {
                let bank = preset.bank + sources[file].bankOffset
                if bank < 128 { places[bank * 128 + preset.program] = file << 32 | index }
            }
            guard files[file].isInSong, sources[file].bankOffset == 0 else { continue }
            let covered = presets[file].filter { $0.bank == 0 && $0.program < 128 }.map(\.program)
            for code in covered.flatMap({ program in (1..<128).map { $0 * 128 + program } }) {
                if places[code] >= 0, places[code] >> 32 != file { places[code] = -1 }
            }
        }
        (self.sources, self.files, self.presets, self.places) = (sources, files, presets, places)
        inLowestBank = (0..<128).map { program in
            (0..<128).lazy.map { places[$0 * 128 + program] }.first { $0 >= 0 } ?? -1
        }
        firstMelodic = places[..<(128 * 128)].first { $0 >= 0 } ?? -1
        firstKit = places[(128 * 128)..<(129 * 128)].first { $0 >= 0 } ?? -1
    }

    /// Finds what answers a request.
    ///
    /// Melodic: the preset itself; the same program in bank 0, or in the lowest bank that has it; the first program of
    /// its family of eight in bank 0; program 0 of bank 0, or the first melodic preset there is. Drums: the kit itself;
    /// the first of its group of eight; kit 0, or the first kit there is.
    package func resolve(_ request: PresetRequest) -> PresetChoice {
        let plain = plain(request), (place, substitution) = place(of: plain)
        return PresetChoice(
            request: plain, found: place < 0 ? nil : found(place), substitution: substitution,
            isByLowerBank: request.isByLowerBank && plain.bank == request.bank)
    }

    /// Returns the request of a bank or a kit that a request comes to here: controller 32 alone names a bank where the program is
    /// there, otherwise bank 0.
    package func plain(_ request: PresetRequest) -> PresetRequest {
        guard request.isByLowerBank else { return request }
        let named = PresetRequest(bank: UInt8(request.bank), program: UInt8(request.program))
        return places[Int(named.code)] >= 0 ? named : PresetRequest(bank: 0, program: UInt8(request.program))
    }

    /// The place of the preset that answers a request, -1 for none; and how far it is from the request.
    func place(of request: PresetRequest) -> (place: Int, substitution: PresetChoice.Substitution) {
        let code = Int(plain(request).code)
        if places[code] >= 0 { return (places[code], .exact) }
        let isDrums = code >= 128 * 128, program = code % 128
        // A kit has a bank only where a file is moved there.
        if code >= 129 * 128 { return place(of: PresetRequest(kit: UInt8(program))) }
        if !isDrums && inLowestBank[program] >= 0 { return (inLowestBank[program], .otherBank) }
        let family = places[(isDrums ? 128 * 128 : 0) + program / 8 * 8]
        if family >= 0 { return (family, .sameFamily) }
        let first = isDrums ? firstKit : firstMelodic
        return (first, first < 0 ? .silence : .firstPreset)
    }

    /// Every preset that a request reaches as it is, in order of the requests' codes: melodic banks first, then drum kits.
    package var reachable: [PresetChoice] {
        places.indices.compactMap { code in
            places[code] < 0 ? nil : PresetRequest(code: code).map(resolve)
        }
    }

    func found(_ place: Int) -> PresetChoice.Found {
        let file = place >> 32
        return PresetChoice.Found(file: file, path: files[file].path, preset: presets[file][place & 0xFFFF_FFFF])
    }
}

/// A request, what answers it, and why not what was requested.
package struct PresetChoice: Sendable, Hashable, CustomStringConvertible {
    /// A preset of one of the files.
    package struct Found: Sendable, Hashable {
        /// Index of the file in the library.
        package let file: Int
        package let path: String
        /// Bank and program as the file numbers them.
        package let preset: SoundFontFile.Preset
    }

    /// The distance of an answer from its request.
    package enum Substitution: String, Sendable, Hashable {
        case exact
        case otherBank = "other-bank"
        case sameFamily = "same-family"
        case firstPreset = "first-preset"
        case silence
    }

    /// The request of a score, by its bank.
    package let request: PresetRequest
    /// Nil means the notes stay silent.
    package let found: Found?
    package let substitution: Substitution
    /// True if controller 32 alone has named the bank, and it is there.
    package let isByLowerBank: Bool

    package var description: String {
        guard let found else { return "\(request): nothing like it in any SoundFont; silent" }
        let answer = "\(found.preset.bank):\(found.preset.program) \(found.preset.name)"
        return substitution == .exact ? "\(request): \(answer)" : "\(request) missing, \(answer) instead"
    }
}
