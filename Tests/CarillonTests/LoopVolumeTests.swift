import Carillon
import Foundation
import Testing

@testable import Sessions

/// Loops of sound lie after the volume of the session, and follow it.
@Suite struct LoopVolumeTests {
    private let rig: LooperSessionTests

    init() throws { rig = try LooperSessionTests() }

    /// Records a loop of two seconds with a note in it.
    private func record() throws {
        try rig.tread(then: 0.5)
        try rig.note(60)
        try rig.pass(1.5)
        try rig.tread(then: 0.5)
    }

    private func decibels(_ peak: Float) -> Double { 20 * log10(Double(peak)) }

    @Test(arguments: [0, -20.0]) func aLoopFollowsTheVolume(recorded: Double) throws {
        try rig.session.perform(.volume(recorded))
        try rig.pass(0.2)
        try record()
        let first = try decibels(rig.peak(2))
        #expect(first > recorded - 40)
        for wanted in [-20, 0, -6.0] {
            try rig.session.perform(.volume(wanted))
            try rig.pass(0.2)
            let now = try decibels(rig.peak(2))
            #expect(abs(now - first - (wanted - recorded)) < 0.1, "\(first) dB at \(recorded), \(now) dB at \(wanted)")
        }
        try rig.session.perform(.volume(-120))
        try rig.pass(0.2)
        #expect(try rig.peak(2) == 0)
        try rig.session.finish()
    }

    @Test func aFadeTakesLoopsAlong() throws {
        try record()
        let first = try decibels(rig.peak(2))
        try rig.session.perform(.fade(to: -40, over: 1))
        try rig.pass(1.1)
        let faded = try decibels(rig.peak(2))
        #expect(abs(first - 40 - faded) < 0.1, "\(first) dB, then \(faded) dB")
        try rig.session.finish()
    }

    /// What is added at another volume is as loud as what was there.
    @Test func anOverdubAtAnotherVolumeIsAsLoud() throws {
        try record()
        let first = try rig.peak(2)
        try rig.session.perform(.volume(-20))
        try rig.pass(0.2)
        try rig.ask("replace", 1)
        try rig.pass(0.3)
        try rig.note(60)
        try rig.pass(1.9)
        try rig.ask("play", 1)
        try rig.pass(0.2)
        let softer = try rig.peak(2)
        #expect(abs(decibels(softer) - decibels(first) + 20) < 0.5, "\(first), then \(softer)")
        try rig.session.finish()
    }

    @Test func metersShowLoops() throws {
        try record()
        try rig.pass(3)
        #expect(rig.session.snapshot.levels.contains { $0.peak > -40 })
        try rig.ask("stop", 1)
        try rig.pass(3)
        #expect(rig.session.snapshot.levels.allSatisfy { $0.peak < -60 })
        try rig.session.finish()
    }
}
