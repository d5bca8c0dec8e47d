import AudioFiles
import DSP
import EngineCore
import MIDI
import Reports
import Sequencer
import SongRendering
import SoundFonts

/// The gain of a session at which a chord on its SoundFonts peaks at `PlugInLevel.reference`, found by rendering three keys of
/// the first program, velocity 100, for two seconds, and kept from one session to the next. Control side.
package struct SoundFontLevel {
    private let cache: LoudnessCache?

    /// Creates a measurement that uses the user's cache.
    package init() { self.init(cache: .standard) }

    init(cache: LoudnessCache?) { self.cache = cache }

    /// The gain in decibels, on top of FluidSynth's level; nil for SoundFonts that are silent or cannot be read.
    ///
    /// - Parameter names: `FILE` or `FILE:OFFSET`; empty for the default search.
    package func gain(of names: [String]) -> Double? {
        // The fault is reported where the session reads them.
        do {
            let lines = ["carillon-soundfont 1 \(SoundVersion.number)"] + (try LoudnessCache.lines(forFonts: names))
            return try cache.gain(for: lines, most: PlugInLevel.most) { () throws(Fault) in
                let level = Decibels.level(ofAmplitude: try peak(of: names))
                return level > -100 ? PlugInLevel.reference - Double(level) : nil
            }
        } catch { return nil }
    }

    private func peak(of names: [String]) throws(Fault) -> Float {
        let keys: [UInt8] = [60, 64, 67]
        var track = Track(name: "chord")
        track.events = keys.map { SongEvent(tick: 0, .message(MIDIMessage(status: 0x90, data1: $0, data2: 100))) }
        // Four quarters at the tempo of a song that sets none.
        track.endTick = 1_920
        var options = RenderOptions()
        (options.instrument, options.tail, options.layout) = (.soundFont(names), .exact, .stereo)
        var peak: Float = 0
        _ = try SongRenderer(Song(tracks: [track]), options: options).render { (channels, frames) throws(AudioFileError) in
            for channel in channels { for frame in 0..<frames { peak = max(peak, abs(channel[frame])) } }
        }
        return peak
    }
}

extension LiveOptions {
    /// The gain in decibels at which a chord on SoundFonts that play without a patch has a session's level, instead of
    /// `usualGain`; nil for what needs none, songs alone that are brought to a loudness too, and for SoundFonts that cannot be
    /// read. It takes a moment for SoundFonts that are not in the user's cache.
    public func soundFontGain() -> Double? { soundFontGain(SoundFontLevel()) }

    func soundFontGain(_ level: SoundFontLevel) -> Double? {
        switch instrument {
        case .squareWave: nil
        case .soundFont(let names), .fluidSynth(let names):
            patch == nil && patches.isEmpty && (loudness == nil || songsHaveOwnInstruments) ? level.gain(of: names) : nil
        }
    }
}
