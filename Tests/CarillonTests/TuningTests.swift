import Carillon
import CarillonTestKit
import Glibc
import MIDI
import Patches
import RealtimeCore
import RemoteIO
import Sequencer
import Testing

@testable import Sessions
@testable import SongRendering

/// The tuning of a session, measured in what sounds.
@Suite struct TuningTests {
    /// A tone that goes on, of 480 Hz on key 69, as a WAV file of 16 bits and a region for all keys.
    private static func writeSFZ(in folder: String) throws -> String {
        let samples = (0..<4_800).flatMap { frame -> [UInt8] in
            let value = UInt16(bitPattern: Int16(16_000 * sin(2 * .pi * Double(frame) / 100)))
            return [UInt8(value & 255), UInt8(value >> 8)]
        }
        func bytes(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(number >> (8 * $0) & 255) } }
        let head: [UInt8] =
            Array("RIFF".utf8) + bytes(36 + samples.count) + Array("WAVEfmt ".utf8) + bytes(16) + [1, 0, 1, 0] + bytes(48_000)
            + bytes(96_000) + [2, 0, 16, 0] + Array("data".utf8) + bytes(samples.count)
        #expect(ScalaFileTests.write(head + samples, to: folder + "/tone.wav"))
        let region = "<region> sample=tone.wav pitch_keycenter=69 loop_mode=loop_continuous loop_start=0 loop_end=4799\n"
        #expect(ScalaFileTests.write(Array(region.utf8), to: folder + "/tone.sfz"))
        return folder + "/tone.sfz"
    }

    /// A dry session of an instrument, and hertz of its key 69 in equal temperament.
    private static func with(
        _ instrument: String, _ tuning: Tuning? = nil, _ body: (SessionInTime, _ hertz: Double) throws -> Void
    ) throws {
        try ScalaFileTests.withFolder { folder in
            try TinySoundFont().write { font in
                var options = LiveOptions(), hertz = 440.0
                (options.hasEffects, options.tuning) = (false, tuning)
                switch instrument {
                case "soundfont": (options.instrument, hertz) = (.soundFont([font]), 500)
                case "fluidsynth": (options.instrument, hertz) = (.fluidSynth([font]), 500)
                case "sfz": (options.instrument, hertz) = (.soundFont([try writeSFZ(in: folder)]), 480)
                case "square-wave": options.instrument = .squareWave
                default:
                    options.patch = try PatchFile(
                        text: """
                            version: 1
                            units: {synth: {unit: polysynth, osc-2-level: 0 %, role: instrument}}
                            outputs: synth
                            """,
                        units: UnitCatalog.entries
                    ).patch
                }
                let time = try SessionInTime(options)
                try body(time, hertz)
                #expect(time.session.counters.faults == 0 && time.session.counters.lostEvents == 0)
                try time.session.finish()
            }
        }
    }

    /// Cents of what is heard now against `hertz`, which it is near.
    private static func cents(_ time: SessionInTime, near hertz: Double) throws -> Double {
        try time.pass(0.1)
        _ = time.port.takeHeard()
        try time.pass(0.4)
        let sound = time.port.takeHeard()[0].map { Double($0) }
        #expect(sound.contains { abs($0) > 1e-3 })
        return 1_200 * log2(Spectrum.frequency(sound, near: hertz / 48_000) * 48_000 / hertz)
    }

    @Test(arguments: ["soundfont", "fluidsynth", "sfz", "square-wave", "polysynth"])
    func instrumentsFollowATuningWhileTheySound(instrument: String) throws {
        let scale: Double = 1_200 * log2(442.0 / 440)
        try Self.with(instrument) { time, hertz in
            let note = hertz * exp2(-5.0 / 12)
            func sounds(_ cents: Double) throws {
                let heard = try Self.cents(time, near: note * exp2(cents / 1_200))
                #expect(abs(heard) < 1, "\(instrument) at \(cents): \(heard)")
            }
            func strike() throws {
                try time.session.receive(.noteOff(64))
                try time.session.receive(.noteOn(64))
            }
            try strike()
            try sounds(0)
            // While it sounds, and what is struck then.
            try time.session.perform(.tuning("442"))
            try sounds(scale)
            try strike()
            try sounds(scale)
            // No reset of music takes it back, and what music tunes is added.
            try time.session.receive(.reset(.gs, port: 0))
            try strike()
            try sounds(scale)
            try time.session.receive(.scaleTuning(channels: 1, step: 4, hundredths: 5_000, port: 0))
            try sounds(scale + 50)
            try time.session.perform(.tuning("off"))
            try sounds(50)
        }
    }

    @Test(arguments: ["soundfont", "fluidsynth", "square-wave", "polysynth"])
    func aScaleOnItsKeysIsThereFromTheStart(instrument: String) throws {
        let files = ScalaFileTests.scaleOfFive
        try ScalaFileTests.withFiles(files) { scale, map in
            try Self.with(instrument, try Tuning(scale: scale, map: map)) { time, hertz in
                // The fifth of the scale, the third in the next turn, and a key that plays nothing.
                for (key, cents) in [(62, 701.955), (69, 1_901.955 + 386.314), (60, 0)] {
                    try time.session.receive(.noteOn(key))
                    let wanted = hertz * exp2((cents - 900) / 1_200)
                    #expect(abs(try Self.cents(time, near: wanted)) < 1, "\(instrument), key \(key)")
                    try time.session.receive(.noteOff(key))
                    try time.pass(0.5)
                }
                try time.pass(1)
                _ = time.port.takeHeard()
                try time.session.receive(.noteOn(63))
                try time.pass(0.2)
                #expect(time.port.takeHeard()[0].allSatisfy { abs($0) < 1e-4 })
            }
        }
    }

    @Test(arguments: ["soundfont", "fluidsynth"])
    func drumsStayAsTheyAre(instrument: String) throws {
        var heard: [[Float]] = []
        for tuning in [nil, try Tuning(frequency: 300)] {
            try Self.with(instrument, tuning) { time, _ in
                try time.pass(0.1)
                _ = time.port.takeHeard()
                try time.session.receive(.noteOn(60, channel: 10))
                try time.pass(0.3)
                heard.append(time.port.takeHeard()[0])
            }
        }
        #expect(heard[0] == heard[1] && heard[0].contains { $0 != 0 })
    }

    @Test func aSongIsRenderedInATuning() throws {
        func rendered(_ tuning: Tuning?) throws -> [Float] {
            var options = RenderOptions(), sound: [Float] = []
            (options.instrument, options.tuning, options.tail) = (.squareWave, tuning, .exact)
            let renderer = try SongRenderer(SessionInTime.song(1, key: 69, beatFrames: 48_000), options: options)
            _ = try renderer.render { channels, frames in sound += UnsafeBufferPointer(start: channels[0], count: frames) }
            return sound
        }
        let tuned = try rendered(Tuning(frequency: 466.5)).map { Double($0) }
        let hertz = Spectrum.frequency(Array(tuned[4_000..<20_000]), near: 466.5 / 48_000) * 48_000
        #expect(abs(1_200 * log2(hertz / 466.5)) < 1)
        #expect(try rendered(nil) == rendered(Tuning(frequency: 440)))
    }

    @Test func aRequestSaysWhatIsWrong() throws {
        let time = try SessionInTime()
        for text in ["1000", "fast", "", "nothing.scl"] {
            #expect(throws: Fault.self, "\(text)") { try time.session.perform(.tuning(text)) }
        }
        try time.session.perform(.tuning("432 Hz"))
        #expect(time.session.snapshot.tuning == "432 Hz")
        try time.session.perform(.tuning("off"))
        #expect(time.session.snapshot.tuning == nil)
        try time.session.finish()
    }
}
