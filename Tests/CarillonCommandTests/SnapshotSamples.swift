import Carillon

@testable import EngineCore
@testable import Sessions
@testable import SongRendering

/// Moments of a session, for screens and logs.
enum SnapshotSamples {
    static let transport = SessionSnapshot.Transport(
        song: "pachelbel-canon.mid", number: 2, count: 3, isPlaying: true, seconds: 62.4, length: 200.2, bar: 17, beat: 2,
        tempo: 54, rate: 1, transpose: 0, repetition: .off, channels: [1, 2, 3, 10], muted: [], soloed: [])

    /// Two keyboards, five notes, a device that gave what was wanted.
    static var live: SessionSnapshot {
        var snapshot = SessionSnapshot()
        snapshot.sampleTime = SampleTime(480_000)
        snapshot.device.wanted = ["hw:0,0"]
        snapshot.device.name = "hw:0,0"
        snapshot.device.state = "running"
        snapshot.device.rate = 48_000
        snapshot.device.period = 256
        snapshot.device.periods = 2
        snapshot.device.format = "S16_LE"
        snapshot.device.channels = 2
        snapshot.device.latencyMilliseconds = 10.667
        snapshot.device.thread = "SCHED_FIFO 70"
        snapshot.load = 0.231
        snapshot.worstLoad = 0.46
        snapshot.voices = 12
        snapshot.sources = [
            .init(
                name: "KeyLab 88", identity: "usb:1c75:0210", isConnected: false,
                reason: "not connected because no rule names it; add one", heldNotes: 0, events: 0),
            .init(
                name: "Keystation 61 MK3", identity: "usb:0a4d:0090", isConnected: true, reason: "any",
                heldNotes: 4, events: 31),
        ]
        snapshot.notes = [(1, 64), (1, 60), (1, 67), (2, 39), (10, 36)].map { .init(channel: $0, key: $1) }
        snapshot.levels = [.init(peak: -6.1, average: -18.3), .init(peak: -12, average: -30)]
        let channels = [
            (1, -6.1, SoundPreset(bank: 0, program: 0, name: "Grand Piano")),
            (2, -32.4, SoundPreset(bank: 0, program: 48, name: "String Ensemble")),
            (3, -120, SoundPreset(bank: 8, program: 32, name: "Upright Bass")),
            (10, -5.2, SoundPreset(bank: 128, program: 0, name: "Standard Kit")),
        ]
        snapshot.channels = channels.map { .init(number: $0, level: .init(peak: $1, average: $1 - 9), sound: $2) }
        return snapshot
    }

    /// The second of three songs; a device that gave something else than was wanted, and has had trouble.
    static var play: SessionSnapshot {
        var snapshot = live
        snapshot.sources = []
        snapshot.notes = []
        snapshot.device.wantedRate = 44_100
        snapshot.device.wantedPeriods = 3
        snapshot.xrunCauses.renderLate = 1
        snapshot.xrunCauses.driver = 2
        snapshot.lateEvents = 1
        var transport = Self.transport
        transport.rate = 1.05
        transport.transpose = 2
        transport.repetition = .all
        transport.muted = [3]
        snapshot.transport = transport
        return snapshot
    }

    /// Sixteen channels, words, a marker and a song to come.
    static var karaoke: SessionSnapshot {
        var snapshot = play
        let names = ["Grand Piano", "Strings", "Upright Bass", "Harp", "Choir", "Oboe", "Horn", "Flute"]
        snapshot.channels = (1...16).map { number in
            let kit = SoundPreset(bank: 128, program: 0, name: "Standard Kit")
            let sound = SoundPreset(bank: 0, program: number, name: names[number % 8])
            let level = level(average: Double(-8 * number), peak: Double(-6 * number))
            return .init(number: number, level: level, sound: number == 10 ? kit : sound)
        }
        snapshot.notes = [note(channel: 1, key: 60), note(channel: 3, key: 36)]
        snapshot.transport?.channels = Array(1...16)
        snapshot.transport?.soloed = [2]
        snapshot.transport?.lyrics = .init(
            sung: "How I won", toCome: "der what you are", next: " Up above the world so high")
        snapshot.transport?.next = "bach-air.mid"
        snapshot.transport?.markers = 4
        snapshot.transport?.markerNumber = 2
        snapshot.transport?.marker = "Verse 2"
        return snapshot
    }

    /// Some sounds, as a session lists them.
    static var sixteenChannels: SessionSnapshot {
        var snapshot = SessionSnapshot()
        snapshot.channels = (1...16).map { .init(number: $0, level: level(average: -60, peak: -60)) }
        return snapshot
    }

    static let presets = [
        SoundPreset(bank: 0, program: 0, name: "Grand Piano"), SoundPreset(bank: 0, program: 25, name: "Steel Strings"),
        SoundPreset(bank: 0, program: 48, name: "String Ensemble"), SoundPreset(bank: 0, program: 50, name: "Synth Strings"),
        SoundPreset(bank: 8, program: 0, name: "Piano, Wide"), SoundPreset(bank: 128, program: 0, name: "Standard Kit"),
        SoundPreset(bank: 128, program: 40, name: "Brush Kit"),
    ]

    static func metronome(isRunning: Bool = true, tempo: Double, beats: Int = 4, beat: Int = 0) -> SessionSnapshot.Metronome {
        .init(isRunning: isRunning, tempo: tempo, beats: beats, beat: beat, bar: 1)
    }

    static func source(_ name: String, isConnected: Bool, reason: String = "any") -> SessionSnapshot.Source {
        .init(name: name, identity: "usb:" + name, isConnected: isConnected, reason: reason, heldNotes: 0, events: 0)
    }

    static func note(channel: Int, key: Int) -> SessionSnapshot.Note { .init(channel: channel, key: key) }

    static func level(average: Double, peak: Double) -> SessionSnapshot.Level { .init(peak: peak, average: average) }
}
