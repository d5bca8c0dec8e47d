import MIDI
import Reports

extension SoundFontFile.Fault {
    /// Returns the fault as a remark on the file.
    public func remark(on file: String) -> Remark {
        switch self {
        case .loopOutsideSample, .wrongLength: Remark(.repaired, file, description)
        case .wrongSizeOf24BitData: Remark(.substituted, file, description)
        case .zonesWithoutTarget(let count): Remark(.missing, file, description, count: count)
        case .unknownOpcode(_, let count): Remark(.notFollowed, file, description, count: count)
        case .sampleInOtherCase(_, _, let found):
            Remark(.substituted, file, description, remedy: "write it as the file is called, \(found)")
        case .sampleInROM, .sampleTooShort, .sampleOutsideData, .sampleRate, .brokenStream, .duplicatePreset, .unreachablePreset,
            .waveEncoding, .missingSample:
            Remark(.missing, file, description)
        }
    }

    /// The sample that it is about, as `SoundFontFile.sampleNames` has it; nil for the file.
    fileprivate var sample: String? {
        switch self {
        case .sampleInROM(let sample), .sampleTooShort(let sample, _), .loopOutsideSample(let sample, _, _),
            .sampleOutsideData(let sample, _, _, _), .sampleRate(let sample, _), .brokenStream(let sample):
            sample
        case .waveEncoding(let wave, _, _): "\(wave)"
        default: nil
        }
    }
}

extension PresetChoice {
    /// The remark that something else plays, or nothing; nil if the preset is there.
    ///
    /// - Parameter place: the files in which it was looked for.
    package func remark(on place: String) -> Remark? {
        substitution == .exact ? nil : Remark(found == nil ? .missing : .substituted, place, description)
    }
}

extension SoundFontLibrary {
    /// Returns what answers requests, each answer once, in the order of the requests.
    package func answers(_ requests: [PresetRequest]) -> [PresetChoice] {
        var seen: Set<PresetChoice> = []
        return requests.map(resolve).filter { seen.insert($0).inserted }
    }

    /// Remarks on answers that are not exact, one on banks that controller 32 alone names, and those on the presets that play.
    ///
    /// - Parameters:
    ///   - requests: nil means everything that the files hold may be played.
    ///   - place: the files.
    package func remarks(answering requests: [PresetRequest]?, on place: String) -> [Remark] {
        let answers = answers(requests ?? []), named = answers.filter(\.isByLowerBank)
        let presets = named.map { "\($0.request.bank):\($0.request.program)" }.joined(separator: ", ")
        let sentence = "controller 32 alone is taken as the bank, for no reset says otherwise: \(presets)"
        return answers.compactMap { $0.remark(on: place) }
            + (named.isEmpty ? [] : [Remark(.repaired, place, sentence, count: named.count)]) + remarks(for: requests)
    }

    /// Remarks on what is wrong with the presets that answer requests, file by file.
    ///
    /// - Parameter requests: nil means everything that the files hold may be played.
    public func remarks(for requests: [PresetRequest]?) -> [Remark] {
        var played: [Int: [SoundFontFile.Preset]] = [:]
        for request in requests ?? [] {
            if let found = resolve(request).found { played[found.file, default: []].append(found.preset) }
        }
        return files.indices.flatMap { file -> [Remark] in
            let faults =
                requests == nil ? files[file].faults : played[file].map { files[file].faults(of: $0) } ?? []
            return faults.map { $0.remark(on: files[file].path) }
        }
    }
}

extension SoundFontFile {
    /// The faults that are heard where these presets play.
    func faults(of presets: [Preset]) -> [Fault] {
        let samples = sampleNames(of: presets), astray = zonesAstray(of: presets)
        return faults.compactMap { fault in
            if let sample = fault.sample { return samples.contains(sample) ? fault : nil }
            switch fault {
            case .zonesWithoutTarget: return astray > 0 ? .zonesWithoutTarget(count: astray) : nil
            // Of these no program change plays any.
            case .duplicatePreset, .unreachablePreset: return nil
            default: return fault
            }
        }
    }

    private func sampleNames(of presets: [Preset]) -> Set<String> {
        switch body {
        case .soundFont(let contents):
            var reader = SoundFontRecipes(contents, file: 0)
            return Set(
                presets.flatMap { reader.targets(bank: $0.bank, program: $0.program).samples }.map { contents.samples[$0].name })
        case .dls(let collection):
            let played = collection.instruments.filter { instrument in
                presets.contains { $0.bank == instrument.bank && $0.program == instrument.program }
            }
            return Set(played.flatMap { $0.regions.map { "\(collection.cues[$0.cue])" } })
        case .sfz: return []
        }
    }

    private func zonesAstray(of presets: [Preset]) -> Int {
        guard case .soundFont(let contents) = body else { return 0 }
        var reader = SoundFontRecipes(contents, file: 0)
        return presets.reduce(0) { $0 + reader.targets(bank: $1.bank, program: $1.program).astray }
    }
}
