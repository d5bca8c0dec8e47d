import DSP
import Reports
import Testing

@testable import TimePitch

/// Whether librubberband2 is installed, which Carillon does not demand.
let isInstalled = RubberBandCalls.load(RubberBandCalls.libraryName) == nil

@Suite(.enabled(if: isInstalled, "librubberband2 is not installed")) struct TimeStretchTests {
    @Test(arguments: [0.8, 0.9, 1.1, 1.25]) func onsetsOfDrumsStayInTime(ratio: Double) throws {
        let drums = Drums(frames: 48_000 * 8)
        let made = try TimeStretch.stretch([drums.sound], sampleRate: 48_000, ratio: ratio)[0]
        // Milliseconds: against what the same look finds in the drums themselves.
        let errors = drums.onsets.map { onset in
            let bias = Drums.onset(in: drums.sound, near: onset) - onset, wanted = Int(Double(onset) * ratio) + bias
            return abs(Double(Drums.onset(in: made, near: wanted) - wanted)) / 48
        }.sorted()
        print("ratio \(ratio): onsets off by \(errors[errors.count / 2]) ms in the median, \(errors.last ?? 0) ms at worst")
        #expect(errors.count > 20 && errors[errors.count / 2] < 1.5 && errors[errors.count - 1] < 8, "\(errors)")
    }

    @Test(arguments: [0.5, 0.77, 1, 1.3, 2]) func aSoundLastsAsLongAsTheRatioSaysAtItsPitch(ratio: Double) throws {
        for frames in [1, 999, 48_001] {
            let made = try TimeStretch.stretch([sine(440, frames), sine(660, frames)], sampleRate: 48_000, ratio: ratio)
            #expect(made.map(\.count) == Array(repeating: Int((Double(frames) * ratio).rounded()), count: 2))
            guard frames > 10_000 else { continue }
            let middle = made[0].count / 4..<made[0].count * 3 / 4
            for (channel, frequency) in [440.0, 660].enumerated() {
                let heard = amplitude(made[channel][middle], at: frequency)
                #expect(abs(heard - 0.5) < 0.03, "\(frequency) Hz: \(heard)")
            }
        }
    }

    @Test(arguments: [-12.0, -5, 3.5, 7, 12]) func aPitchMovesAtTheSameLength(semitones: Double) throws {
        let made = try TimeStretch.stretch([sine(440, 48_000)], sampleRate: 48_000, ratio: 1, semitones: semitones)[0]
        let frequency = 440 * Semitones.factor(semitones), heard = amplitude(made[12_000..<36_000], at: frequency)
        #expect(made.count == 48_000 && abs(heard - 0.5) < 0.05, "\(heard)")
    }

    @Test func thePiecesInWhichItComesDoNotMatter() throws {
        let drums = Drums(frames: 60_000).sound
        let whole = try TimeStretch.stretch([drums], sampleRate: 48_000, ratio: 1.2)
        for piece in [1_000, 4_097] {
            let stretch = try TimeStretch(sampleRate: 48_000, channels: 1, ratio: 1.2)
            var made: [Float] = []
            for start in stride(from: 0, to: drums.count, by: piece) {
                made += try stretch.convert([Array(drums[start..<min(start + piece, drums.count)])])[0]
            }
            made += try stretch.finish()[0]
            #expect(made == whole[0], "pieces of \(piece)")
        }
    }

    @Test func whatCannotBeIsRefused() throws {
        #expect(throws: Fault.outside(what: "ratio", asked: 3, supported: 0.5...2)) {
            _ = try TimeStretch(sampleRate: 48_000, channels: 1, ratio: 3)
        }
        #expect(throws: Fault.refused(sampleRate: 48_000, channels: 0)) {
            _ = try TimeStretch(sampleRate: 48_000, channels: 0, ratio: 1)
        }
        let stretch = try TimeStretch(sampleRate: 48_000, channels: 2, ratio: 1)
        #expect(throws: Fault.channels(asked: 2)) { _ = try stretch.convert([[1]]) }
        #expect(try stretch.finish() == [[], []])
        #expect(throws: Fault.finished) { _ = try stretch.convert([[1], [1]]) }
    }
}

@Suite struct MissingLibraryTests {
    @Test func aLibraryThatIsNotThereIsNamedWithItsRemedy() throws {
        let reason = try #require(RubberBandCalls.load("librubberband-nowhere.so.9"))
        #expect(reason.contains("librubberband-nowhere.so.9"))
        #expect(Fault.notInstalled(reason: reason).description.contains("apt-get install librubberband2"))
    }
}
