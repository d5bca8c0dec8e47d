import Graphs
import MIDI
import RealtimeCore
import RemoteIO
import Reports
import Sequencer
import SongRendering

/// A few bars that are never heard, rendered before the device is opened, on a graph of their own that is thrown away.
///
/// The first note is costly: it needs pages of code and tables, and names that the loader still has to look up, with a lock.
/// The rehearsal pays that, so that the first note of the evening is on time.
enum Rehearsal {
    /// The notes of a chord and a beat, with the controllers that a player commonly uses.
    private static let messages: [(status: UInt8, first: UInt8, second: UInt8)] = [
        (0xC0, 0, 0), (0x90, 60, 1), (0x90, 64, 64), (0x90, 67, 127), (0x99, 38, 100), (0xB0, 1, 64), (0xE0, 0, 96),
        (0xD0, 64, 0), (0xA0, 60, 64), (0xB0, 64, 127), (0x80, 60, 64), (0x90, 72, 90), (0xB0, 64, 0), (0xB0, 91, 40),
        (0xB0, 7, 90), (0xB0, 10, 30), (0xE0, 0, 64), (0x80, 72, 0), (0x99, 38, 0), (0xB0, 123, 0), (0xB0, 120, 0),
    ]
    /// Ticks, of 1/960 s, between two of them.
    private static let step: Int64 = 12

    /// Plays it, and returns whether anything sounded. Of SoundFonts only two presets are read.
    @discardableResult static func run(_ options: LiveOptions) throws(Fault) -> Bool {
        let events = messages.enumerated().map { index, message in
            SongEvent(
                tick: Int64(index) * step,
                .message(MIDIMessage(status: message.status, data1: message.first, data2: message.second)))
        }
        let end = Int64(messages.count) * step
        let song = SessionSong(name: "rehearsal", song: Song(tracks: [Track(events: events, endTick: end)]))
        let timeline = try song.timeline(sampleRate: options.sampleRate)
        // Settings name units that are not all here; the session itself has checked them.
        var options = options
        options.settings = []
        let patch = try PreparedPatch(options, parts: [0, 9], songs: SongDemand([timeline]))
        let engine = try PatchStage(options, patch).engine, renderer = engine.renderer
        let output: OfflineOutput
        output = try engine.offlineOutput()
        let slice = min(max(options.device.period, 64), engine.maximumFrames)
        var waiting = timeline.events.makeIterator(), next = waiting.next(), sounded = false
        while next != nil {
            while let event = next, event.time < renderer.sampleTime + slice, renderer.sendLive(event) {
                next = waiting.next()
            }
            engine.companionService.attend()
            if output.pull(slice) == .sounding { sounded = true }
        }
        // As when the machine is too busy, and not any more.
        for level in [3, 2, 1, 0] {
            renderer.shed(level)
            engine.companionService.attend()
            output.pull(slice)
        }
        return sounded
    }
}
