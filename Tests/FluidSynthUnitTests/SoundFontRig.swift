import CarillonTestKit
import MIDI
import RealtimeCore
import Sequencer
import SongFiles
import SoundFonts
import UnitAPI

@testable import FluidSynthUnit
@testable import Graphs

/// A SoundFont unit in the real renderer, all sixteen buses added up.
struct SoundFontRig {
    let rig: OfflineRig
    let unit: UnitInstance
    let node: NodeID

    /// The installed SoundFont that songs are played with.
    static let timGM = "/usr/share/sounds/sf2/TimGM6mb.sf2"
    static let songs = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 } + "/songs"

    init(
        properties: [String: PropertyValue], sampleRate: Double = 48_000, startValues: [String: Float] = [:]
    ) throws {
        rig = OfflineRig(sampleRate: sampleRate, maximumFrames: 4_096)
        unit = try UnitInstance.make(
            FluidSynth.self, rig.setup(startValues: startValues, properties: properties))
        node = try rig.graph.add(unit)
        let sum = try rig.graph.add(UnitInstance.boxing(BusSum(), rig.setup()))
        for bus in 0..<16 { try rig.graph.connect(node, output: bus, to: sum) }
        try rig.graph.setOutput(sum)
        for part in 0..<16 { try rig.graph.route(part: part, to: node) }
        try rig.publish()
    }

    /// Plays events to the end of `frames`.
    func play(_ events: [TimedMusicEvent], frames: Int, block: Int = 512) -> [[Float]] {
        rig.renderer.play(Score(events))
        rig.render(frames, block: block)
        return rig.recording
    }

    static func timeline(_ song: String, sampleRate: Int = 48_000) throws -> [TimedMusicEvent] {
        let score = try SongReader.read(path: songs + "/" + song)
        return try Timeline(score.song, sampleRate: sampleRate).events
    }

    static func scan(_ events: [TimedMusicEvent]) -> PresetScan {
        var scan = PresetScan()
        for event in events { scan.apply(event.event) }
        return scan
    }

    static func note(_ time: Int, _ key: UInt8, _ velocity: UInt8, channel: UInt8 = 0) -> TimedMusicEvent {
        TimedMusicEvent(
            time: SampleTime(Int64(time)),
            event: .message(MIDIMessage(status: 0x90 | channel, data1: key, data2: velocity)))
    }

    static func message(_ time: Int, _ status: UInt8, _ a: UInt8, _ b: UInt8 = 0) -> TimedMusicEvent {
        TimedMusicEvent(
            time: SampleTime(Int64(time)), event: .message(MIDIMessage(status: status, data1: a, data2: b)))
    }
}
