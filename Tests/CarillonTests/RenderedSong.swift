import Carillon
import Foundation
import RTProbe

/// Songs of this repository and rendered samples, for the tests of this target.
enum RenderedSong {
    /// The package's folder.
    static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    /// Our own SoundFont.
    static let soundFont = package.appending(path: "soundfonts/carillon.sf2").path

    /// One of the songs in `songs/`.
    static func song(_ name: String) throws -> Song {
        try SongReader.read(path: package.appending(path: "songs/\(name).mid").path, strict: true).song
    }

    /// Options that name our own SoundFont and stop after `seconds`.
    static func options(_ seconds: Double? = nil, instrument: RenderOptions.Instrument? = nil) -> RenderOptions {
        var options = RenderOptions()
        options.instrument = instrument ?? .soundFont([soundFont])
        options.maximumDuration = seconds
        return options
    }

    /// Renders `song`; channels x frames, and what the probe saw on the render side.
    static func render(
        _ song: Song, _ options: RenderOptions, stems: StemChoice? = nil
    ) throws -> (samples: [[Float]], report: RenderReport, seen: String) {
        let renderer = try SongRenderer(song, options: options, stems: stems)
        var samples = [[Float]](repeating: [], count: renderer.layout.channels)
        _ = rt_probe_take()
        let report = try renderer.render(into: { (channels, frames) throws(AudioFileError) in
            for c in samples.indices { samples[c].append(contentsOf: UnsafeBufferPointer(start: channels[c], count: frames)) }
        })
        let first = String(cString: rt_probe_first())
        let seen = rt_probe_take()
        let total =
            seen.allocations + seen.frees + seen.locks + seen.blocking + seen.arc + seen.objects + seen.metadata
            + seen.once + seen.casts + seen.accesses
        return (samples, report, total == 0 ? "" : "\(seen)\n\(first)")
    }

    /// A song of one track at 480 ticks per quarter and 120 quarters a minute: 960 ticks a second.
    static func song(_ events: [(tick: Int64, kind: SongEvent.Kind)], end: Int64? = nil) -> Song {
        Song(
            format: .simultaneous, division: .ticksPerQuarter(480),
            tracks: [Track(events: events.sorted { $0.tick < $1.tick }.map { SongEvent(tick: $0.tick, $0.kind) }, endTick: end)])
    }

    /// A note of channel 1.
    static func note(_ tick: Int64, _ length: Int64, key: UInt8 = 69, velocity: UInt8 = 100) -> [(
        tick: Int64, kind: SongEvent.Kind
    )] {
        [
            (tick, .message(MIDIMessage(status: 0x90, data1: key, data2: velocity))),
            (tick + length, .message(MIDIMessage(status: 0x80, data1: key, data2: 0))),
        ]
    }
}
