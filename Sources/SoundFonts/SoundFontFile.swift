import Reports
import UnitAPI

/// A SoundFont on disk, read and checked: what it holds, what is wrong with it, and that it is safe to load.
///
/// Only the tables are read, never the sample data (140 MB take a few milliseconds), and no length in the file decides
/// how much memory is used. Control side.
public struct SoundFontFile: Sendable {
    /// The kinds of file.
    public enum Format: String, Sendable, Hashable {
        case sf2 = "SoundFont 2"
        case sf3 = "SoundFont 3 (Ogg Vorbis)"
        case dls = "Downloadable Sounds"
        case
            sfz = "SFZ"
    }

    /// One sound of the file, as a program change finds it.
    public struct Preset: Sendable, Hashable {
        /// 0...127 melodic, 128 drum kits.
        public let bank: Int
        /// 0...127.
        public let program: Int
        /// The name in the file.
        public let name: String

        package init(bank: Int, program: Int, name: String) { (self.bank, self.program, self.name) = (bank, program, name) }
    }

    /// Something that is wrong but leaves the rest playable.
    public enum Fault: Error, Sendable, Hashable, CustomStringConvertible {
        case sampleInROM(sample: String)
        case sampleTooShort(sample: String, frames: Int)
        case loopOutsideSample(sample: String, start: Int, end: Int)
        case sampleOutsideData(sample: String, start: Int, end: Int, available: Int)
        case sampleRate(sample: String, hertz: Int)
        /// The Ogg Vorbis stream is cut or damaged.
        case brokenStream(sample: String)
        /// Zones name instruments or samples that are not there.
        case zonesWithoutTarget(count: Int)
        /// The file's RIFF length is wrong, and its chunks are whole.
        case wrongLength(found: Int, wanted: Int)
        /// `sm24` has not the length that 24-bit data must have: it plays in 16 bits.
        case wrongSizeOf24BitData(found: Int, wanted: Int)
        /// Two presets at one place: the first is played.
        case duplicatePreset(bank: Int, program: Int, name: String)
        case unreachablePreset(bank: Int, program: Int, name: String)
        /// A wave of a DLS file that is neither 8 nor 16 bits of PCM.
        case waveEncoding(wave: Int, format: Int, bits: Int)
        /// An audio file that an SFZ file names cannot be played; its regions are silent.
        case missingSample(name: String, line: Int, reason: String)
        /// An SFZ file names a file that is there under a name in other letters of upper and lower case: that one is taken.
        case sampleInOtherCase(name: String, line: Int, found: String)
        /// An opcode or header of an SFZ file that is not followed.
        case unknownOpcode(name: String, count: Int)

        public var description: String {
            switch self {
            case .sampleInROM(let sample): "sample \(sample) lies in a sound card's ROM: silent"
            case .sampleTooShort(let sample, let frames): "sample \(sample) has \(frames) frames: silent"
            case .loopOutsideSample(let sample, let start, let end):
                "sample \(sample): loop \(start)...\(end) lies outside the sample and is moved inside"
            case .sampleOutsideData(let sample, let start, let end, let available):
                "sample \(sample): \(start)...\(end) lies outside the \(available) frames of data: silent"
            case .sampleRate(let sample, let hertz): "sample \(sample) has a rate of \(hertz) Hz: silent"
            case .brokenStream(let sample): "sample \(sample) is no intact Ogg Vorbis stream: silent"
            case .zonesWithoutTarget(let count):
                "\(count) zones name an instrument or a sample that is not there: silent"
            case .wrongLength(let found, let wanted):
                "RIFF says \(found) bytes and has \(wanted): its chunks are whole, all of it plays"
            case .wrongSizeOf24BitData(let found, let wanted):
                "24-bit part has \(found) bytes instead of \(wanted): plays in 16 bits"
            case .duplicatePreset(let bank, let program, let name):
                "preset \(bank):\(program) \(name) follows another of the same number: never heard"
            case .unreachablePreset(let bank, let program, let name):
                "preset \(bank):\(program) \(name) has a number that no program change reaches: never heard"
            case .waveEncoding(let wave, let format, let bits):
                "wave \(wave) has \(bits) bits in format \(format), neither 8 nor 16 bits of PCM: silent"
            case .missingSample(let name, let line, let reason):
                "sample \(name) in line \(line): \(reason); its regions are silent"
            case .sampleInOtherCase(let name, let line, let found):
                "\(name) in line \(line): there is only \(found), in other letters of upper and lower case, which is taken"
            case .unknownOpcode(let name, let count): Remark.notFollowed(name, count)
            }
        }
    }

    /// The file as the caller named it.
    public let path: String
    public let format: Format
    /// The name the file gives itself; empty if it gives none (and for DLS).
    public let title: String
    /// The copyright of an SF2 or SF3 file; empty if it has none, and for others.
    public var copyright: String { contents?.copyright ?? "" }
    /// 2.01, 2.04, 3.00; 0.0 for DLS.
    public let version: (major: Int, minor: Int)
    /// Ordered by bank, then program.
    public let presets: [Preset]
    /// The number of instruments.
    public let instrumentCount: Int
    /// Every sample of an SF2 or SF3 file, in its order. Empty for others.
    package let samples: [SampleHeader]
    /// Bytes that all sample data takes when loaded (compressed samples decoded to 16 bits).
    public let sampleMemory: Int
    /// Bytes on disk; of a SoundFont inside a song file its own.
    public let fileSize: Int
    /// True if the SoundFont is a part of a song file (RMID).
    public let isInSong: Bool
    /// The identity of the file that was checked. The library opens the file again, by its path.
    package let identity: FileIdentity
    /// The faults of the file, in its order.
    public let faults: [Fault]
    let body: Body

    enum Body: Sendable {
        case soundFont(SoundFontContents)
        case dls(DLSCollection)
        case sfz(SFZInstrument)
    }

    /// The number of samples: those of a SoundFont, the waves of a DLS file, the audio files of an SFZ file.
    public var sampleCount: Int {
        switch body {
        case .soundFont(let contents): contents.samples.count
        case .dls(let collection): collection.waves.count
        case .sfz: sampleFiles.count
        }
    }

    /// The audio files that an SFZ file plays; none for others, which hold their samples.
    package var sampleFiles: [String] {
        guard case .sfz(let instrument) = body else { return [] }
        let paths = instrument.samples.compactMap { sample in
            if case .audioFile(let path, _, _) = sample.encoding { path } else { nil }
        }
        return Set(paths).sorted()
    }

    /// The tables of an SF2 or SF3 file; nil for others.
    package var contents: SoundFontContents? {
        if case .soundFont(let contents) = body { contents } else { nil }
    }

    /// The place of its sample `index`; nil if there is nothing to play.
    func storedSample(_ index: Int) -> StoredSample? {
        switch body {
        case .soundFont(let contents):
            contents.samples[index].isPlayable ? StoredSample(contents.samples[index], contents.layout) : nil
        case .dls(let collection): collection.waves[index].stored
        case .sfz(let instrument): instrument.samples[index]
        }
    }

    /// The name of its sample `index`, or of the audio file that it is.
    func sampleName(_ index: Int) -> String {
        switch body {
        case .soundFont(let contents): return contents.samples[index].name
        case .dls: return "wave \(index)"
        case .sfz(let instrument):
            guard case .audioFile(let path, _, _) = instrument.samples[index].encoding else { return "sample \(index)" }
            return path.split(separator: "/").last.map { String($0) } ?? path
        }
    }

    /// Reads and checks `path`. Throws `SoundFontError`: a fault `missing` if there is no such file, `damaged` if
    /// it is broken.
    public init(path: String) throws(SoundFontError) {
        let file = try SoundFontBytes(path: path)
        self.path = path
        identity = file.identity
        (fileSize, isInSong) = (file.size, file.isInSong)
        let (body, length) = try Self.body(file)
        self.body = body
        let lengthFaults = length.map { [Fault.wrongLength(found: $0, wanted: file.size - 8)] } ?? []
        switch body {
        case .sfz(let instrument):
            let name = path.split(separator: "/").last.map { String($0.dropLast(4)) } ?? ""
            (format, title, version) = (.sfz, name, (0, 0))
            presets = instrument.programs.map { Preset(bank: 0, program: $0, name: name) }
            (instrumentCount, sampleMemory, samples, faults) = (1, instrument.frames * 2, [], instrument.faults)
        case .dls(let collection):
            (format, title, version, presets, samples) = (.dls, "", (0, 0), collection.presets, [])
            (instrumentCount, sampleMemory) = (collection.instrumentCount, collection.waveMemory)
            faults = lengthFaults + collection.faults
        case .soundFont(let contents):
            format = contents.isCompressed ? .sf3 : .sf2
            (title, version, presets, samples) = (contents.title, contents.version, contents.presets, contents.samples)
            (instrumentCount, sampleMemory) = (contents.data.instruments.count - 1, contents.sampleMemory)
            faults = lengthFaults + contents.faults
        }
    }

    /// What is in the file; and the length that its RIFF header has, if that is wrong.
    private static func body(_ file: borrowing SoundFontBytes) throws(SoundFontError) -> (Body, length: Int?) {
        let path = file.path
        if path.lowercased().hasSuffix(".sfz") { return (.sfz(try SFZInstrument(path: path)), nil) }
        let head = try file.read("RIFF", at: 0, count: min(12, file.size))
        let form = head.count == 12 && head.starts(with: Array("RIFF".utf8)) ? RIFFChunk.text(Array(head[8...])) : ""
        guard form == "sfbk" || form == "DLS " else {
            throw .notASoundFont(path: path, firstBytes: Array(head.prefix(4)))
        }
        let length = RecordTable(
            chunk: "RIFF", start: 4, recordSize: 4, bytes: try file.read("RIFF", at: 4, count: 4)
        ).long(0, 0)
        let whole = file.size - 8
        let wrong = length + length % 2 == whole ? nil : length
        do throws(SoundFontError) {
            return (try body(file, form, length: min(length, whole)), wrong)
        } catch {
            // What lies beyond a length that is too small may be what was missing.
            guard length < whole else { throw error }
            return (try body(file, form, length: whole), wrong)
        }
    }

    private static func body(
        _ file: borrowing SoundFontBytes, _ form: String, length: Int
    ) throws(SoundFontError) -> Body {
        let riff = RIFFChunk(name: Array("RIFF".utf8), start: 8, size: length)
        return form == "DLS " ? .dls(try DLSCollection(file, riff)) : .soundFont(try SoundFontContents(file, riff))
    }
}
