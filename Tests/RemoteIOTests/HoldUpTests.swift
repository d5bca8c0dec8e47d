import CarillonTestKit
import Graphs
import MIDI
import RealtimeCore
import RemoteIO
import Testing

/// A machine that is held up a hundred times while somebody plays: what a player did is heard, where it belongs or at the
/// restart, and the song goes on.
@Suite struct HoldUpTests {
    struct Case: Sendable, CustomStringConvertible {
        let isImmediate: Bool, isPlayerHeldUp: Bool
        /// How long the machine is held up, milliseconds.
        let milliseconds: ClosedRange<Double>
        var description: String {
            "\(isImmediate ? "immediate" : "constant latency"), held up for \(milliseconds) ms"
                + (isPlayerHeldUp ? ", the MIDI thread too" : "")
        }
    }

    static let cases = [false, true].flatMap { isImmediate in
        [false, true].flatMap { isPlayerHeldUp in
            [12.0...30, 35...90].map {
                Case(isImmediate: isImmediate, isPlayerHeldUp: isPlayerHeldUp, milliseconds: $0)
            }
        }
    }

    @Test(arguments: cases) func everyClickIsHeardAndTheSongGoesOn(_ one: Case) throws {
        let seconds = 38, clicks = 4 * seconds - 8
        var random = SeededRandom(seed: 7)
        let machine = try HeldUpMachine(seconds: seconds + 1, isImmediate: one.isImmediate), port = machine.port
        port.troubles = (0..<100).map { number in
            .holdUp(
                at: 0.3 + 0.36 * Double(number) + Double.random(in: 0...0.1, using: &random),
                lasting: Double.random(in: one.milliseconds, using: &random) / 1000)
        }
        for number in 0..<clicks {
            machine.click(
                UInt8(60 + number % 12), velocity: UInt8(number % 120 + 1),
                at: 0.2 + 0.25 * Double(number) + Double.random(in: 0...0.1, using: &random), lasting: 0.03,
                isHeldUp: one.isPlayerHeldUp)
        }
        machine.run(seconds: seconds)

        let status = port.status, heard = port.played[0], notes = machine.notes
        #expect(status.phase == .running && status.counts.losses == 0 && status.counts.unexpected == 0)
        #expect(status.counts.xruns >= 30)
        // The song is where the device is: a frame is heard a buffer after it was due, as at the start, however often sound
        // began again.
        let now = port.status.time?.sampleTime(atNanoseconds: Int64(seconds) * 1_000_000_000)
        let drift = try #require(now) - SampleTime(Int64(48_000 * seconds - 1024))
        #expect(abs(drift) <= 8, "\(drift) frames")
        // Each click is there, in order, long enough to be heard, and as loud as it was played. Stamps are as exact as the
        // clock. What takes effect at once does so with a slice: as much as a hold-up that is no xrun earlier or later.
        let least = one.isImmediate ? 480 : 1436
        // A note that was heard before ends at the restart, where it should have ended meanwhile.
        let most = 2100 + Int(48 * one.milliseconds.upperBound)
        #expect(notes.map(\.velocity) == (0..<clicks).map { (click: Int) -> UInt8 in UInt8(click % 120 + 1) })
        var shortest = Int.max, displaced = 0
        for note in notes {
            let level = Float(note.velocity) / 256, place = note.start + 1024
            #expect((least...most).contains(note.end - note.start), "\(note)")
            let length = heard[max(0, place - 8)..<min(heard.count, note.end + 1024 + 8)].count { $0 == level }
            shortest = min(shortest, length)
            // It is over where it was rendered to be.
            let end = note.end + 1024 + 8
            if heard[end..<min(heard.count, end + 400)].contains(where: { $0 != 0 }) { displaced += 1 }
        }
        // The first 10 ms after an xrun rise from silence.
        #expect(shortest >= (one.isImmediate ? 480 : 950), "of one click \(shortest) frames were heard at its full level")
        #expect(displaced == 0)
        #expect(heard.suffix(4800).allSatisfy { $0 == 0 }, "a note hangs")
        #expect(one.isImmediate || machine.rig.renderer.counters.lateLiveEvents > 0)
        print(
            "\(one): \(status.counts.xruns) xruns, drift \(drift), \(machine.rig.renderer.counters.lateEvents) late, "
                + "at least \(shortest) frames of each click")
        try expectReplay(machine)
    }

    /// The processor is away for 25 to 65 ms twice a second, and with it whoever hands keys to the kernel: both ends of a click of
    /// 30 ms come at once, and stamped so. With a buffer that bridges some hold-ups and not others each click is heard on its own.
    @Test(arguments: [false, true], [2, 5]) func aClickIsHeardWhoseEndsComeTogether(_ isImmediate: Bool, _ periods: Int) throws {
        let seconds = 68, clicks = 200
        var random = SeededRandom(seed: 11)
        let machine = try HeldUpMachine(seconds: seconds + 2, isImmediate: isImmediate, periods: periods), port = machine.port
        port.troubles = (0..<2 * seconds).map { number in
            .holdUp(
                at: 0.3 + 0.5 * Double(number) + Double.random(in: 0...0.1, using: &random),
                lasting: Double.random(in: 0.025...0.065, using: &random))
        }
        for number in 0..<clicks {
            machine.click(
                UInt8(60 + number % 12), velocity: UInt8(number % 120 + 1),
                at: 0.2 + Double(number) / 3 + Double.random(in: 0...0.1, using: &random), lasting: 0.03, isHeldUp: true,
                isStampedLate: true)
        }
        machine.run(seconds: seconds)
        let notes = machine.notes, heard = port.played[0], buffer = 512 * periods
        #expect(
            port.status.phase == .running
                && notes.map(\.velocity) == (0..<clicks).map { (click: Int) -> UInt8 in UInt8(click % 120 + 1) })
        var least = Int.max
        for note in notes {
            let level = Float(note.velocity) / 256, place = note.start + buffer
            let sound = heard.prefix(max(note.end, 0) + buffer + 8).dropFirst(place)
            least = min(least, sound.count(where: { $0 == level }))
        }
        // What takes effect at once may have the first 10 ms after an xrun, which rise from silence.
        #expect(least >= 470, "\(least)")
        try expectReplay(machine)
    }

    private func expectReplay(_ machine: HeldUpMachine) throws {
        let frames = Int(machine.rig.renderer.sampleTime.rawValue), again = OfflineRig()
        let memory = UnsafeMutableBufferPointer<Float>.allocate(capacity: frames)
        defer { memory.deallocate() }
        memory.initialize(repeating: 0)
        try HeldUpMachine.play(again, into: memory)
        again.replay(machine.journal, frames: frames, block: 777)
        #expect(memory.elementsEqual(machine.rendered[..<frames]))
    }

    /// A device that is gone for seconds is no xrun: what was played meanwhile is over when it comes back.
    @Test func whatWasPlayedWithoutADeviceIsNotPlayedAgain() throws {
        let machine = try HeldUpMachine(seconds: 6, isImmediate: false)
        machine.port.troubles = [.absence(at: 1, lasting: 2)]
        for number in 0..<16 {
            machine.click(60, velocity: UInt8(number + 1), at: 0.1 + 0.25 * Double(number), lasting: 0.03, isHeldUp: false)
        }
        machine.run(seconds: 5)
        #expect(machine.port.status.counts.losses == 1 && machine.port.status.counts.returns == 1)
        #expect(machine.notes.allSatisfy { $0.end - $0.start == 1440 })
        let heard = Set(machine.port.played[0].map { Int($0 * 256) })
        #expect((5...11).allSatisfy { !heard.contains($0) } && [1, 2, 3, 14, 15, 16].allSatisfy { heard.contains($0) })
        #expect(machine.rig.renderer.counters.lateLiveEvents == 0)
    }
}
