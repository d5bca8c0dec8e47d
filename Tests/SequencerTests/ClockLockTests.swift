import MIDI
import Testing

@testable import Sequencer

/// A master whose pulses come early and late by chance, and somebody who follows it.
private struct Master {
    var random: Dice
    var lock = ClockLock()
    /// Milliseconds by which a pulse comes early or late at most.
    var jitter = 3.0
    /// Quarter notes a minute.
    var tempo = 120.0
    /// When the next pulse is due, in nanoseconds, and its number since the start.
    var due = 1e9
    var pulse = 0

    init(seed: UInt64, tempo: Double = 120, jitter: Double = 3) {
        random = Dice(seed: seed)
        (self.tempo, self.jitter) = (tempo, jitter)
    }

    var period: Double { 60e9 / 24 / tempo }
    var now: Int64 { Int64(due) }

    /// The next pulse comes; `isHeard`: or is lost on its way.
    mutating func beat(isHeard: Bool = true) {
        let late = Double.random(in: -1...1, using: &random) * jitter * 1e6
        if isHeard { lock.take(.pulse, at: Int64(due + late)) }
        (due, pulse) = (due + period, pulse + 1)
    }

    mutating func beat(_ count: Int) { for _ in 0..<count { beat() } }

    mutating func start() {
        lock.take(.start, at: Int64(due - 4e6))
        pulse = 0
    }

    /// Milliseconds by which the follower is ahead, half a pulse after the last one was due.
    var phaseError: Double {
        let place = Double(pulse) - 0.5
        return (lock.pulses(at: Int64(due - period / 2)) - place) * period / 1e6
    }

    /// The same of the tempo, in parts.
    var tempoError: Double { (lock.tempo ?? 0) / tempo - 1 }
    var state: ClockLock.State { lock.state(at: Int64(due - period / 2)) }

    /// Beats until it is locked; how many pulses that took.
    mutating func beatUntilLocked() -> Int {
        for count in 0..<1_000 {
            if state == .locked { return count }
            beat()
        }
        return .max
    }
}

@Suite struct ClockLockTests {
    @Test(arguments: [(120.0, 1), (97.3, 2), (60, 3), (174, 4), (240, 5), (120, 6), (120, 7), (133.7, 8)] as [(Double, UInt64)])
    func aMasterThatTremblesIsKnownExactly(_ tempo: Double, _ seed: UInt64) {
        var master = Master(seed: seed, tempo: tempo)
        #expect(master.lock.state(at: 0) == .waiting && master.lock.tempo == nil)
        master.start()
        master.beat()
        #expect(master.state == .locking)
        #expect(master.beatUntilLocked() < 200)
        var squares = 0.0, most = 0.0, tempoMost = 0.0, locked = 0
        for _ in 0..<2_500 {
            master.beat()
            let error = master.phaseError
            (squares, most) = (squares + error * error, max(most, abs(error)))
            tempoMost = max(tempoMost, abs(master.tempoError))
            locked += master.state == .locked ? 1 : 0
        }
        #expect((squares / 2_500).squareRoot() < 1 && most < 2)
        #expect(tempoMost < 0.001)
        #expect(locked == 2_500)
    }

    @Test func aMasterThatDoesNotTrembleIsKnownAtOnce() {
        var master = Master(seed: 1, tempo: 128, jitter: 0)
        master.start()
        #expect(master.beatUntilLocked() <= 24)
        master.beat(100)
        #expect(abs(master.phaseError) < 1e-4 && abs(master.tempoError) < 1e-7)
    }

    /// A master leaps from tempo to tempo; how many pulses it takes at most until it is locked again.
    private func pulsesUntilLocked(_ tempos: [Double], jitter: Double, seed: UInt64) -> Int {
        var master = Master(seed: seed, jitter: jitter), most = 0
        master.start()
        master.beat(400)
        for tempo in tempos {
            let before = master.tempo
            master.tempo = tempo
            // The interval that begins now is the first of the new tempo.
            master.due += master.period - 60e9 / 24 / before
            master.beat(48)
            most = max(most, 48 + master.beatUntilLocked())
            #expect(abs(master.phaseError) < 2, "\(seed): \(before) to \(tempo)")
            #expect(abs(master.tempoError) < 0.0015, "\(seed): \(before) to \(tempo)")
            master.beat(200)
        }
        return most
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>) func anotherTempoIsFollowedWithinABar(_ seed: UInt64) {
        #expect(pulsesUntilLocked([140, 120, 121, 70, 100, 60], jitter: 1, seed: seed) <= 72)
        // One that trembles more, or is twice as fast all at once, takes up to a bar, or two.
        #expect(pulsesUntilLocked([140, 120, 70, 100, 125, 75], jitter: 3, seed: seed) <= 110)
        #expect(pulsesUntilLocked([300, 60, 240, 120, 70, 139], jitter: 1, seed: seed) <= 192)
    }

    @Test func aRideIsFollowed() {
        var master = Master(seed: 5, jitter: 1)
        master.start()
        master.beat(300)
        var most = 0.0
        // An accelerando from 120 to 160 in eight bars.
        for _ in 0..<768 {
            master.tempo += 40.0 / 768
            master.beat()
            most = max(most, abs(master.phaseError))
        }
        #expect(most < 6)
        master.beat(120)
        #expect(master.state == .locked && abs(master.phaseError) < 2)
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>) func pulsesThatGetLostAreFilledIn(_ seed: UInt64) {
        var master = Master(seed: seed)
        master.start()
        master.beat(300)
        for lost in [1, 2, 1, 3, 40, 400] {
            for _ in 0..<lost { master.beat(isHeard: false) }
            #expect((master.state == .lost) == (lost > 8))
            // While it is lost the last tempo goes on.
            #expect(abs(master.tempoError) < 0.001 && abs(master.phaseError) < 8)
            master.beat(100)
            #expect(master.state == .locked && abs(master.phaseError) < 2, "\(lost) lost")
        }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>) func aPulseThatComesTwiceShiftsNothing(_ seed: UInt64) {
        var master = Master(seed: seed), dice = Dice(seed: seed)
        master.start()
        master.beat(200)
        for _ in 0..<40 {
            master.beat(dice.roll(8...30))
            // At once, or some milliseconds later.
            master.lock.take(.pulse, at: Int64(master.due - master.period) + Int64(dice.roll(0...5)) * 1_000_000)
            #expect(abs(master.phaseError) < 2 && abs(master.tempoError) < 0.001)
        }
        #expect(master.state == .locked)
    }

    @Test func itStandsWhereTheMasterStands() {
        var master = Master(seed: 9, jitter: 1)
        // A clock that runs before anything plays tells the tempo.
        master.beat(100)
        #expect(master.state == .locked && !master.lock.isPlaying && master.lock.pulses(at: master.now) == 0)
        master.start()
        #expect(master.lock.isPlaying && !master.lock.isRunning && master.lock.jumps == 0)
        master.beat(50)
        #expect(master.lock.isRunning && master.lock.jumps == 1 && abs(master.phaseError) < 1)
        master.lock.take(.stop, at: master.now)
        #expect(!master.lock.isPlaying && master.lock.pulses(at: master.now) == 50)
        // Pulses of a master that stands still move nothing.
        let stopped = master.pulse
        master.beat(30)
        #expect(master.state == .locked && master.lock.pulses(at: master.now) == 50)
        master.lock.take(.continue, at: master.now)
        master.pulse = stopped
        master.beat(10)
        #expect(abs(master.phaseError) < 1 && master.lock.jumps == 2)
        // Somewhere else: bar 9 of 4/4.
        master.lock.take(.stop, at: master.now)
        master.lock.take(.position(128), at: master.now)
        #expect(master.lock.pulses(at: master.now) == 768)
        master.lock.take(.continue, at: master.now)
        master.pulse = 768
        master.beat(10)
        #expect(abs(master.phaseError) < 1)
        // Told while it plays, it holds from the next pulse on.
        master.lock.take(.position(2), at: master.now)
        master.pulse = 12
        master.beat(10)
        #expect(abs(master.phaseError) < 1 && master.lock.jumps == 4)
    }

    @Test func aMasterThatSendsNothingWhileItStandsIsWaitedFor() {
        var master = Master(seed: 3, jitter: 1)
        master.start()
        master.beat(100)
        master.lock.take(.stop, at: master.now)
        master.due += 30e9
        #expect(master.lock.state(at: master.now) == .waiting && abs(master.tempoError) < 0.001)
        // Its pulses begin anew with the music, at no multiple of what was.
        master.due += 0.37 * master.period
        master.start()
        master.beat(3)
        #expect(master.state == .locking && abs(master.phaseError) < 1.5)
        master.beat(60)
        #expect(master.state == .locked && abs(master.phaseError) < 1)
        // One that goes without a word is lost, and the music goes on.
        master.due += 3e9
        #expect(master.lock.state(at: master.now) == .lost && master.lock.isRunning)
    }

    @Test func temposThatCannotBeAreNotBelieved() {
        for period in [1_000, 100_000, 3_000_000, 5_500_000, 200_000_000, 5_000_000_000] as [Int64] {
            var lock = ClockLock()
            lock.take(.start, at: 0)
            for pulse in 0..<300 as Range<Int64> {
                lock.take(.pulse, at: pulse * period)
                if let tempo = lock.tempo { #expect(ClockLock.tempos.contains(tempo)) }
            }
            #expect(lock.state(at: 300 * period) != .locked, "\(period) ns")
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>) func nothingThatComesBreaksIt(_ seed: UInt64) {
        var dice = Dice(seed: seed), lock = ClockLock(), time: Int64 = 0
        for _ in 0..<2_500 {
            switch dice.roll(0...40) {
            case 0: time = Int64(truncatingIfNeeded: dice.next())
            case 1: time = [.min, .max, 0, -1][dice.roll(0...3)]
            case 2: lock.take(.start, at: time)
            case 3: lock.take(.continue, at: time)
            case 4: lock.take(.stop, at: time)
            case 5: lock.take(.position(UInt16(dice.roll(0...65_535))), at: time)
            case 6: time = time &+ Int64(dice.roll(0...10_000_000_000))
            default:
                time = time &+ Int64(dice.roll(0...60_000_000))
                lock.take(.pulse, at: time)
            }
            #expect(lock.tempo.map { ClockLock.tempos.contains($0) } ?? true)
            #expect(lock.pulses(at: time).isFinite && lock.pulses(at: .max).isFinite)
            _ = lock.state(at: time)
        }
    }
}
