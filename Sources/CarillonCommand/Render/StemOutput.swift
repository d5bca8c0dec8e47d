import AudioFiles
import Carillon
import Glibc
import Reports
import UnitAPI

/// The files of a song's stems while it is rendered: they come all, and the mix with them, or none.
final class StemOutput {
    private struct File {
        let path: String
        let writer: AudioFileWriter
        let unfinished: UnfinishedOutput
    }

    private let renderer: SongRenderer
    private let width: Int
    private var stems: [Stem] { renderer.stems }
    var count: Int { stems.count }
    private let isOneFile: Bool
    private var files: [File] = []
    /// The highest sample of each stem, as a bit pattern: magnitudes are in the order of theirs.
    private var peaks: [Int32]
    private let programmes: [ProgrammeLoudness]
    private var folders: [String] = []

    /// Opens the files beside the mix of `song`.
    /// - Throws: `option` if two files of a call would be the same, and what a file cannot be.
    init(
        _ request: StemRequest, of song: String, beside mix: RenderOutput, _ renderer: SongRenderer, length: AudioFileLength
    ) throws(Fault) {
        self.renderer = renderer
        isOneFile = request.isOneFile
        width = renderer.layout.channels
        peaks = [Int32](repeating: 0, count: renderer.stems.count)
        var programmes: [ProgrammeLoudness] = []
        if request.measuresLoudness {
            for _ in renderer.stems {
                programmes.append(try .measuring(renderer.layout, sampleRate: mix.sampleRate))
            }
        }
        self.programmes = programmes
        let name = RenderOutput.stem(of: song), folder = mix.spoolFolder.flatMap { $0 == "." ? nil : $0 }
        let ending = RenderOutput.ending(of: mix)
        let paths = (0..<(isOneFile ? 1 : stems.count)).map { index in
            let stem = isOneFile ? nil : stems[index].name
            let file = request.names.name(song: name, stem: stem, number: index + 1, of: stems.count)
            return (folder.map { $0.hasSuffix("/") ? $0 : $0 + "/" } ?? "") + file + "." + ending
        }
        if isOneFile, width * stems.count > mix.format.container.maximumChannels {
            throw .option(
                name: "stem-file", value: mix.format.container.rawValue,
                remedy: "it cannot hold \(width * stems.count) channels; choose --format wav, or leave --stem-file out")
        }
        for (index, path) in paths.enumerated() {
            let owner = isOneFile ? "the stems of \(SongList.shown(song))" : "stem \(index + 1) of \(SongList.shown(song))"
            if let other = request.claims.claim(path, for: owner) {
                throw .option(
                    name: "stem-names", value: path,
                    remedy: "\(other) and \(owner) would both become this file; add {song}, {number} or {name}")
            }
        }
        do { for path in paths { try makeFolder(for: path) } } catch {
            removeFolders()
            throw error
        }
        do throws(AudioFileError) {
            for path in paths {
                files.append(try Self.open(path, mix, channels: isOneFile ? width * stems.count : width, length))
            }
        } catch {
            abandon()
            throw Fault(error)
        }
    }

    private static func open(
        _ path: String, _ mix: RenderOutput, channels: Int, _ length: AudioFileLength
    ) throws(AudioFileError) -> File {
        let (writer, unfinished) = try UnfinishedOutput.opening(
            { () throws(AudioFileError) in
                try AudioFileWriter(
                    path: path, format: mix.format, channels: channels,
                    layout: channels == 2 ? .stereo : channels == 1 ? .mono : nil,
                    sampleRate: mix.sampleRate, length: length, replaces: mix.existing == .replaced)
            }, path: \.unfinishedPath)
        return File(path: path, writer: writer, unfinished: unfinished)
    }

    /// Makes the folder that a template names; the one that it is to lie in must be there.
    private func makeFolder(for path: String) throws(Fault) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex else { return }
        let folder = String(path[..<slash])
        if mkdir(folder, 0o777) == 0 {
            folders.append(folder)
        } else if errno != EEXIST {
            throw Fault(AudioFileError.cannotCreate(path: folder, SystemFault(code: errno)))
        }
    }

    func write(_ samples: [UnsafePointer<Float>], frames: Int) throws(AudioFileError) {
        for stem in stems.indices {
            let sides = Array(samples[width * stem..<width * (stem + 1)])
            if !programmes.isEmpty { programmes[stem].add(sides, frames: frames) }
            for channel in sides {
                var peak: Int32 = 0
                for i in 0..<frames { peak = max(peak, Int32(bitPattern: channel[i].bitPattern & 0x7FFF_FFFF)) }
                peaks[stem] = max(peaks[stem], peak)
            }
            if !isOneFile { try files[stem].writer.write(sides, frames: frames) }
        }
        if isOneFile { try files[0].writer.write(samples, frames: frames) }
    }

    func abandon() {
        for file in files {
            file.writer.abandon()
            file.unfinished.isFinished()
        }
        removeFolders()
    }

    private func removeFolders() { folders.forEach { rmdir($0) } }

    /// Moves the stems that sound, and then the mix. If one cannot be moved, none stays but those that replaced another file.
    func finish(beside mix: AudioFileWriter, _ unfinished: UnfinishedOutput) throws(AudioFileError) {
        for index in files.indices where !isHeard(index) { files[index].writer.abandon() }
        let writers = files.indices.filter(isHeard).map { files[$0].writer } + [mix]
        do throws(AudioFileError) {
            for writer in writers { try writer.complete() }
            try UnfinishedOutput.finishing(files.map(\.unfinished) + [unfinished]) { () throws(AudioFileError) in
                try Self.place(writers)
            }
        } catch {
            mix.abandon()
            unfinished.isFinished()
            abandon()
            throw error
        }
        removeFolders()
    }

    private static func place(_ writers: [AudioFileWriter]) throws(AudioFileError) {
        var done: [AudioFileWriter] = []
        do throws(AudioFileError) {
            for writer in writers {
                try writer.finish()
                done.append(writer)
            }
        } catch {
            for writer in done where !writer.hasReplaced && FileKind(writer.path)?.isStream == false { unlink(writer.path) }
            throw error
        }
    }

    /// Returns true for a file in which something sounds; one file of all is always written.
    private func isHeard(_ index: Int) -> Bool { isOneFile || peaks[index] > 0 }

    func results() -> [StemResult] {
        stems.enumerated().map { index, stem in
            let file = files[isOneFile ? 0 : index], first = isOneFile ? width * index + 1 : 1
            return StemResult(
                number: index + 1, stem: stem, path: isHeard(index) ? file.path : nil, fileChannels: Array(first..<first + width),
                level: RenderLevel(
                    loudness: programmes.isEmpty ? nil : programmes[index].integrated(),
                    samplePeak: Float(bitPattern: UInt32(bitPattern: peaks[index]))),
                isMeasured: !programmes.isEmpty,
                clippedSamples: isOneFile ? 0 : file.writer.clippedSamples,
                hasReplaced: file.writer.hasReplaced,
                silence: peaks[index] == 0 ? renderer.reasonForSilence(of: stem) : nil)
        }
    }

    func remarks(_ results: [StemResult]) -> [Remark] {
        let silent = results.filter { $0.silence != nil }.map { result in
            Remark(.level, result.title, "it is silent\(isOneFile ? "" : " and was left out"): \(result.silence ?? "")")
        }
        let clipped = files.reduce(0) { $0 + $1.writer.clippedSamples }
        if clipped == 0 { return silent }
        let loud = results.filter { $0.clippedSamples > 0 }.map(\.title)
        return silent + [
            Remark(
                .level, loud.isEmpty ? "stems" : loud.joined(separator: ", "),
                "\(CountedNoun.text(clipped, "sample")) beyond full scale, and clipped: no limiter works on stems",
                count: Int(clipped), remedy: "--bits 32f keeps them")
        ]
    }
}
