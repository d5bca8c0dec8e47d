import AudioFiles
import DSP
import Document
import Glibc
import RealtimeCore
import Reports
import Sequencer
import SongFiles
import Synchronization
import Units

/// Loops on their way to or from files. The folder comes whole or not at all, and then the file that names it. Any thread.
final class LoopOrder: Sendable {
    let path: String
    let file: LoopFile
    private let sampleRate: Int
    /// Those of MIDI loops, by track.
    let songs: [Int: Song]
    /// What has come of it.
    let outcome = Mutex(Outcome.underWay)

    enum Outcome {
        case underWay, done
        case failed(Fault)
    }

    private static let block = 4096

    init(path: String, file: LoopFile, sampleRate: Int, songs: [Int: Song]) {
        (self.path, self.file, self.sampleRate, self.songs) = (path, file, sampleRate, songs)
    }

    /// An order to load. - Throws: for a MIDI file that is not there or is none.
    init(path: String, file: LoopFile, sampleRate: Int) throws(Fault) {
        (self.path, self.file, self.sampleRate) = (path, file, sampleRate)
        var songs: [Int: Song] = [:]
        for item in file.items where item.isMIDI {
            do { songs[item.track] = try SongReader.read(path: item.file).song } catch { throw Fault(error) }
        }
        self.songs = songs
    }

    /// Frames of each loop of sound. - Throws: for a file that is not there, is no sound, or does not fit.
    func lengths() throws(Fault) -> [Int] {
        var lengths: [Int] = []
        for item in file.sounds {
            let path = item.file, reader: AudioFileReader
            do { reader = try AudioFileReader(path: path) } catch { throw Fault(error) }
            guard reader.sampleRate == sampleRate, (1...2).contains(reader.channels), reader.frames > 0 else {
                throw .loopDoesNotFit(path: path, rate: reader.sampleRate, channels: reader.channels, wanted: sampleRate)
            }
            lengths.append(Int(reader.frames))
        }
        return lengths
    }

    private func name(_ item: LoopFile.Item) -> String { "\(item.track).\(item.isMIDI ? "mid" : "wav")" }

    func save(from desk: LoopDesk?) -> Outcome {
        let unfinished = "\(path).\(getpid()).unfinished"
        let buffer = AudioBuffer(channels: 2, capacity: Self.block)
        defer {
            for item in file.items { unlink("\(unfinished)/\(name(item))") }
            rmdir(unfinished)
        }
        var complete = file
        do {
            if mkdir(unfinished, 0o755) != 0 { throw Fault(AudioFileError.cannotCreate(path: path, SystemFault(code: errno))) }
            for (place, item) in file.items.enumerated() {
                if let song = songs[item.track] { try SongWriter.write(song, path: "\(unfinished)/\(name(item))") }
                guard let desk, !item.isMIDI else { continue }
                let format = try AudioFileFormat(path: "1.wav", name: nil, bits: .float32)
                let writer = try AudioFileWriter(
                    path: "\(unfinished)/\(name(item))", format: format, channels: 2, layout: .stereo, sampleRate: sampleRate)
                let index = item.track - 1, frames = desk.frames(index)
                for first in stride(from: 0, to: frames, by: Self.block) {
                    let count = min(Self.block, frames - first)
                    desk.read(index, from: first, count, buffer.channels[0], buffer.channels[1])
                    try writer.write([UnsafePointer(buffer.channels[0]), UnsafePointer(buffer.channels[1])], frames: count)
                }
                try writer.finish()
                complete.items[place].joins = desk.joins(index)
            }
            let text = try complete.text(path: path + ".yaml")
            // A folder that has come meanwhile stays.
            if rename(unfinished, path) != 0 { throw Fault(AudioFileError.cannotCreate(path: path, SystemFault(code: errno))) }
            let code = WholeText.write(text, toFile: path + ".yaml")
            if code != 0 {
                for item in file.items { unlink("\(path)/\(name(item))") }
                rmdir(path)
                throw Fault(AudioFileError.cannotCreate(path: path + ".yaml", SystemFault(code: code)))
            }
        } catch let fault as Fault {
            return .failed(fault)
        } catch let error as AudioFileError {
            return .failed(Fault(error))
        } catch let error as SongError {
            return .failed(Fault(error))
        } catch { return .failed(Fault("\(error)", .io, of: path)) }
        return .done
    }

    func load(into desk: LoopDesk?) -> Outcome {
        guard let desk else { return .done }
        let buffer = AudioBuffer(channels: 2, capacity: Self.block)
        do throws(AudioFileError) {
            for item in file.sounds {
                let reader = try AudioFileReader(path: item.file), index = item.track - 1, frames = desk.frames(index)
                // A sound of one channel is heard on both sides.
                let right = buffer.channels[reader.channels > 1 ? 1 : 0]
                var first = 0
                while first < frames {
                    let outputs = reader.channels > 1 ? [buffer.channels[0], right] : [buffer.channels[0]]
                    let count = min(try reader.read(outputs, capacity: Self.block), frames - first)
                    if count == 0 { return .failed(.loopDoesNotFit(path: item.file, frames: first, of: frames)) }
                    desk.write(index, from: first, count, buffer.channels[0], right)
                    first += count
                }
                desk.setJoins(index, item.joins)
            }
        } catch { return .failed(Fault(error)) }
        return .done
    }
}

extension Fault.Kind {
    /// Loops are saved under this name already.
    public static let loopsExist = Self("loopsExist", .cannotCreate)
}

extension Fault {
    static func loopsExist(path: String) -> Fault {
        Fault("already exists", .loopsExist, of: path, remedy: "choose another name")
    }
    static func loopDoesNotFit(path: String, rate: Int, channels: Int, wanted: Int) -> Fault {
        Fault(
            "a sound of \(rate) Hz and \(channels) channels is no loop of a session at \(wanted) Hz", .data, of: path,
            remedy: "play at its rate, or convert it to stereo at \(wanted) Hz")
    }
    static func loopDoesNotFit(path: String, frames: Int, of wanted: Int) -> Fault {
        Fault("ends after \(frames) of \(wanted) frames", .data, of: path, remedy: "save the loops again")
    }
}
