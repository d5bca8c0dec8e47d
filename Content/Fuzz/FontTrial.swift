import AudioFiles
import Carillon
import MIDI
import Sequencer
import SongFiles

/// A damaged SoundFont of any kind: all presets are read to recipes, all samples to memory, and one case in ten plays.
struct FontTrial {
    let fuzzCase: FuzzCase
    let path: String

    static let playedShare = 10

    func run() -> FuzzTrial.Outcome {
        let outcome = read()
        if case .refused(let why) = outcome, !fuzzCase.isMutated { return .finding("a whole file is refused: \(why)") }
        return outcome
    }

    private func read() -> FuzzTrial.Outcome {
        do throws(SoundFontError) {
            let bank = fuzzCase.kind == .rmi ? try SongBank(song: path) : nil
            if fuzzCase.kind == .rmi, bank == nil { return .refused("a song without a SoundFont") }
            let library = try SoundFontLibrary([bank?.source ?? SoundFontLibrary.Source(path: path)])
            let list = library.recipes(for: nil)
            let store = try SampleStore(list, from: library)
            if let fault = fault(list, store) { return .finding(fault) }
            guard fuzzCase.seed % Self.playedShare == 0 else { return .read }
            let canSound = store.faults.isEmpty || store.samples.contains { $0.frames > 0 }
            return play(library.reachable.map(\.request), bank, canSound: canSound)
        } catch {
            if case .library = error { return .finding("\(error)") }
            return .refused("\(error)")
        }
    }

    /// Finds what the render side would follow out of its memory.
    private func fault(_ list: RecipeList, _ store: SampleStore) -> String? {
        for sound in list.sounds {
            if sound.first >= 0, sound.count >= 0, Int(sound.first + sound.count) <= list.recipes.count { continue }
            return "a sound of recipes \(sound.first) and \(sound.count) more, of \(list.recipes.count)"
        }
        for recipe in list.recipes {
            guard store.samples.indices.contains(Int(recipe.sample)) else {
                return "sample \(recipe.sample) of \(store.samples.count)"
            }
            guard recipe.firstModulator >= 0, recipe.modulatorCount >= 0,
                Int(recipe.firstModulator + recipe.modulatorCount) <= list.modulators.count
            else { return "modulators from \(recipe.firstModulator) on, of \(list.modulators.count)" }
        }
        guard list.generators.count == list.recipes.count * Generator.count, list.generators.allSatisfy(\.isFinite) else {
            return "generators that are no numbers, or not as many as recipes have"
        }
        for sample in store.samples {
            if sample.loopStart >= 0, sample.loopStart <= sample.loopEnd, sample.loopEnd <= sample.frames { continue }
            return "a loop \(sample.loopStart)...\(sample.loopEnd) of \(sample.frames) frames"
        }
        return nil
    }

    /// Renders some seconds through the sampler: the song in the file, else notes over all presets.
    private func play(_ presets: [PresetRequest], _ bank: SongBank?, canSound: Bool) -> FuzzTrial.Outcome {
        var options = RenderOptions()
        options.instrument = .soundFont([bank == nil ? path : SoundFontLocator.embeddedName])
        options.songBank = bank
        options.sampleRate = fuzzCase.sampleRate
        options.blockFrames = fuzzCase.blockFrames
        options.maximumDuration = 4
        do throws(Fault) {
            var song = Self.song(over: presets)
            if bank != nil {
                do { song = try SongReader.read(path: path).song } catch { return .refused("\(error)") }
            }
            var hearing = Hearing()
            let renderer = try SongRenderer(song, options: options)
            let report = try renderer.render { (channels, frames) throws(AudioFileError) in
                hearing.hear(channels, frames)
            }
            if let finding = hearing.finding(report) { return .finding(finding) }
            if report.counters.faults > 0 { return .finding("a unit was muted") }
            if !fuzzCase.isMutated, hearing.peak == 0 { return .finding("a sound file is silent") }
            return .rendered
        } catch {
            if error.kind.exit == .software || error.kind == .misfit { return .finding("\(error)") }
            return canSound ? .finding("was read, but is not played: \(error)") : .refused("\(error)")
        }
    }

    /// A note of 100 ms every 50 ms: each preset, with all that moves a voice; at least two seconds.
    private static func song(over presets: [PresetRequest]) -> Song {
        var events: [SongEvent] = [], tick: Int64 = 0
        func say(_ status: UInt8, _ first: UInt8, _ second: UInt8 = 0, after delay: Int64 = 0) {
            events.append(SongEvent(tick: tick + delay, .message(MIDIMessage(status: status, data1: first, data2: second))))
        }
        for number in 0..<min(max(presets.count, 40), 80) where !presets.isEmpty {
            let preset = presets[number % presets.count]
            let channel = preset.isDrums ? 9 : UInt8(number % 9), key = [0, 36, 60, 69, 96, 127][number % 6] as UInt8
            if !preset.isDrums { say(0xB0 | channel, 0, UInt8(preset.bank)) }
            say(0xC0 | channel, UInt8(preset.program))
            say(0xB0 | channel, 1, UInt8(number * 7 % 128))
            say(0xB0 | channel, 64, number % 5 == 0 ? 127 : 0)
            say(0xE0 | channel, 0, UInt8(number * 13 % 128))
            say(0x90 | channel, key, UInt8(1 + number * 31 % 127))
            say(0x80 | channel, key, 64, after: 96)
            tick += 48
        }
        let sorted = events.enumerated().sorted { ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset) }.map(\.element)
        return Song(
            format: .simultaneous, division: .ticksPerQuarter(480), tracks: [Track(events: sorted, endTick: tick + 480)])
    }
}
