import AudioFiles
import Carillon
import Glibc
import Sequencer
import SongFiles

/// Runs one case in this process or through the command, and says what came of it.
struct FuzzTrial {
    enum Outcome {
        case rendered
        /// Read whole, and not played.
        case read
        /// Turned down with a typed error, which says so.
        case refused(String)
        case finding(String)
    }

    let corpus: Corpus
    let folder: String
    /// The command to try; nil leaves such cases to the library.
    let carillon: String?

    func run(_ fuzzCase: FuzzCase) -> Outcome {
        let path = "\(folder)/case.\(fuzzCase.ending)"
        switch fuzzCase.trial {
        case .patch: return PatchTrial.run(fuzzCase)
        case .valid: return readAsItStands(fuzzCase)
        case .song:
            return render(fuzzCase.bytes, on: .squareWave, fuzzCase)
        case .songOnSoundFont:
            return render(fuzzCase.bytes, on: .soundFont([corpus.soundFontPath]), fuzzCase, at: path)
        case .font:
            guard FileBytes.write(fuzzCase.bytes, to: path) else { return .finding("\(path) cannot be written") }
            for sample in fuzzCase.kind == .sfz ? FontSeed.samples : [] {
                let bytes = sample.name == fuzzCase.sample?.name ? fuzzCase.sample?.bytes ?? [] : sample.bytes
                guard FileBytes.write(bytes, to: "\(folder)/\(sample.name)") else {
                    return .finding("\(sample.name) cannot be written")
                }
            }
            return FontTrial(fuzzCase: fuzzCase, path: path).run()
        case .soundFont, .largeSoundFont:
            guard FileBytes.write(fuzzCase.bytes, to: path) else { return .finding("\(path) cannot be written") }
            return render(Corpus.exercise, on: .soundFont([path]), fuzzCase)
        case .songCommand, .soundFontCommand:
            guard FileBytes.write(fuzzCase.bytes, to: path) else { return .finding("\(path) cannot be written") }
            guard let carillon else {
                return fuzzCase.trial.isSong
                    ? render(fuzzCase.bytes, on: .soundFont([corpus.soundFontPath]), fuzzCase)
                    : render(Corpus.exercise, on: .soundFont([path]), fuzzCase)
            }
            return CommandTrial(carillon: carillon, folder: folder).run(
                song: fuzzCase.trial.isSong ? path : nil,
                soundFont: fuzzCase.trial.isSong ? corpus.soundFontPath : path, fuzzCase)
        }
    }

    private func readAsItStands(_ fuzzCase: FuzzCase) -> Outcome {
        do {
            let file = try SongReader.read(bytes: fuzzCase.bytes, name: "seed \(fuzzCase.seed)")
            if let repair = file.repairs.first { return .finding("a valid song is repaired: \(repair)") }
            if let reading = file.readings.first(where: { $0 != .asItStands }) { return .finding("a valid track is \(reading)") }
            return file.song == ValidSong(seed: fuzzCase.seed).song ? .read : .finding("a valid song is read wrongly")
        } catch { return .finding("a valid song is refused: \(error)") }
    }

    /// Plays a song; at `path`, where that is given, it may bring a SoundFont.
    private func render(
        _ song: [UInt8], on instrument: RenderOptions.Instrument, _ fuzzCase: FuzzCase, at path: String? = nil
    ) -> Outcome {
        var options = RenderOptions()
        options.instrument = instrument
        options.sampleRate = fuzzCase.sampleRate
        options.blockFrames = fuzzCase.blockFrames
        options.maximumDuration = 0.4
        do throws(SongError) {
            let file = try SongReader.read(bytes: song, name: "seed \(fuzzCase.seed)")
            if let path, file.container == .riff {
                guard FileBytes.write(song, to: path) else { return .finding("\(path) cannot be written") }
                options.songBank = SongBank.bank(in: file, path: path).bank
            }
            do throws(Fault) {
                var hearing = Hearing()
                let renderer = try SongRenderer(file.song, options: options)
                let report = try renderer.render { (channels, frames) throws(AudioFileError) in
                    hearing.hear(channels, frames)
                }
                if let finding = hearing.finding(report) { return .finding(finding) }
                return .rendered
            } catch {
                return error.kind.exit == .software || error.kind == .misfit ? .finding("\(error)") : .refused("\(error)")
            }
        } catch {
            if case .library = error { return .finding("\(error)") }
            return .refused("\(error)")
        }
    }
}
