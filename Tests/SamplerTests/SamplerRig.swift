import CarillonTestKit
import MIDI
import RealtimeCore
import Sequencer
import SongFiles
import SoundFonts
import UnitAPI

@testable import Graphs
@testable import Samplers

/// A sampler in the real renderer, its sixteen main buses added up.
struct SamplerRig {
    let rig: OfflineRig
    let unit: UnitInstance
    let node: NodeID

    static let timGM = "/usr/share/sounds/sf2/TimGM6mb.sf2"
    static let fluidR3 = "/usr/share/sounds/sf2/FluidR3_GM.sf2"
    static let songs = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 } + "/songs"

    /// As libfluidsynth does it: whole cents, whole centibels, 256 places between two frames.
    static let rounded: [String: Float] = ["rounding": 1]

    init(
        _ path: String, sampleRate: Double = 48_000, values: [String: Float] = [:],
        properties: [String: PropertyValue] = [:], threads: Int = 1, memory: SampleMemory? = nil
    ) throws {
        rig = OfflineRig(sampleRate: sampleRate, maximumFrames: 4_096, threads: threads)
        var all = SoundFontSelection.properties([.init(path: path)])
        all.merge(properties) { $1 }
        let setup = rig.setup(startValues: values, properties: all)
        if let memory {
            unit = UnitInstance.boxing(try Sampler(setup, in: memory), setup)
        } else {
            unit = try UnitInstance.make(Sampler.self, setup)
        }
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

    static func timeline(_ path: String, sampleRate: Int = 48_000) throws -> [TimedMusicEvent] {
        try Timeline(SongReader.read(path: path).song, sampleRate: sampleRate).events
    }

    static func note(_ time: Int, _ key: UInt8, _ velocity: UInt8, channel: UInt8 = 0) -> TimedMusicEvent {
        message(time, 0x90 | channel, key, velocity)
    }

    static func message(_ time: Int, _ status: UInt8, _ a: UInt8, _ b: UInt8 = 0) -> TimedMusicEvent {
        TimedMusicEvent(
            time: SampleTime(Int64(time)), event: .message(MIDIMessage(status: status, data1: a, data2: b)))
    }
}

extension SamplerRig {
    /// The same events, later.
    static func shifted(_ events: [TimedMusicEvent], by frames: Int) -> [TimedMusicEvent] {
        events.map { TimedMusicEvent(time: $0.time + frames, event: $0.event) }
    }
}
