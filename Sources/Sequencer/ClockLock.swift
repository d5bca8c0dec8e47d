import MIDI

/// Follows another device's MIDI clock: gives the tempo, and the music's position at any moment, from pulses that come early
/// and late by some milliseconds. Pure: moments come in as arguments, in nanoseconds of any one clock.
///
/// A pulse does not say which one it is, so it can only be counted. One that comes twice is left out; lost ones are filled
/// in, as far as the line through the others (`PulseLine`) allows, until a second such pulse shows that the master has
/// another tempo. The line goes through up to ten quarter notes. If the last pulses leave it, the one place is searched at
/// which two lines fit best (least squares with a change-point; Bai and Perron, Econometrica 66, 1998), and pulses before it
/// are forgotten. So a steady master is known ever better, and one that changes is followed within some pulses.
package struct ClockLock: Sendable {
    /// The state of the lock; `rawValue` is shown to users.
    package enum State: String, Sendable, CaseIterable {
        /// No pulses come, or the master was stopped and sends nothing meanwhile.
        case waiting
        /// Pulses come, and are not known well enough yet: the first, or the tempo has changed.
        case locking
        /// The tempo is known to a tenth of a percent.
        case locked
        /// Pulses have stopped without a word. The last tempo goes on.
        case lost
    }

    /// The tempos that are believed, in quarter notes a minute.
    package static let tempos = 20.0...400.0
    static let most = 240, least = 24
    /// Pulses from which a tempo is believed at all.
    private static let few = 6
    /// Nanoseconds of a pulse at one quarter note a minute.
    private static let minute = 60e9 / Double(ClockMessage.pulsesPerQuarter)
    /// Pulses that are missing until the master is lost, and nanoseconds at least: one pulse of the slowest tempo, and some.
    private static let patience = 4.0, shortestLoss = 150e6
    /// Pulses that come sooner than that, in nanoseconds, are one that came twice, while nothing is known of the tempo.
    private static let shortest: Int64 = 4_000_000
    /// Parts of a pulse by which one may be early or late without being another one.
    private static let tolerance = 0.6

    /// Pulses since one that may be an extra one, or that came after some that may have been lost.
    private struct Doubt {
        let isEarly: Bool
        let index: Int64
        var arrivals: [Int64]
    }

    private var window: [PulseLine.Pulse] = []
    private var line: PulseLine?
    /// The period that was known before the line began, and whether so few pulses are laid on it.
    private var former: Double?
    private var keepsFormer = false
    private var doubt: Doubt?
    private var heard: Int64?
    private var isLocked = false
    private var wasStopped = false
    /// The music's position, or the one at which it begins with the next pulse; and the offset of a pulse's number.
    private var place: Int64 = 0, offset: Int64 = 0
    /// True while the music begins with the next pulse.
    private var isArmed = false

    /// True while the master plays: it was started, and not stopped.
    package private(set) var isPlaying = false
    /// The place where the music began last: that of the first pulse after a start, a continue or a song position, in pulses.
    package private(set) var beginning: Int64 = 0
    /// The number of times that the master began anew, or at another place.
    package private(set) var jumps = 0

    /// Creates a follower that has heard nothing.
    package init() {}

    /// True while the music moves: the master plays, and its first pulse has come.
    package var isRunning: Bool { isPlaying && !isArmed }

    /// Quarter notes a minute, the last that was known; nil before the first.
    package var tempo: Double? {
        period.map { min(max(Self.minute / $0, Self.tempos.lowerBound), Self.tempos.upperBound) }
    }

    private var period: Double? { window.count >= Self.few ? line?.period ?? former : former }

    /// Returns the state at a moment: all that came before has been taken.
    package func state(at time: Int64) -> State {
        guard let heard else { return .waiting }
        if Double(Self.bounded(time) - heard) > silence { return wasStopped ? .waiting : .lost }
        return isLocked ? .locked : .locking
    }

    /// The music's position at a moment, in pulses from its beginning on; while it does not move, the position of its pause.
    package func pulses(at time: Int64) -> Double {
        guard isRunning, let line else { return Double(place) }
        return line.index(at: Self.bounded(time)) + Double(offset)
    }

    /// Nanoseconds without a pulse after which the master is lost.
    private var silence: Double { max((period ?? 0) * Self.patience, Self.shortestLoss) }

    /// Takes a message that came at a moment; they come in the order of time.
    package mutating func take(_ message: ClockMessage, at time: Int64) {
        switch message {
        case .start: (place, isPlaying, isArmed, wasStopped) = (0, true, true, false)
        case .continue:
            if !isPlaying { (isPlaying, isArmed, wasStopped) = (true, true, false) }
        case .stop:
            if isRunning, let last = window.last { place = last.index + offset + 1 }
            (isPlaying, isArmed, wasStopped) = (false, false, true)
        case .position(let sixteenths):
            place = Int64(sixteenths) * ClockMessage.pulsesPerSixteenth
            isArmed = isPlaying
        case .pulse: takePulse(at: max(Self.bounded(time), heard ?? .min))
        }
    }

    private static func bounded(_ time: Int64) -> Int64 { min(max(time, -1 << 60), 1 << 60) }

    private mutating func takePulse(at time: Int64) {
        defer { heard = time }
        if isArmed {
            begin(at: time)
        } else if let line, let last = window.last, let period = period ?? (window.count > 1 ? line.period : nil) {
            if heard.map({ Double(time - $0) > silence }) ?? false {
                comeBack(at: time, line, period)
            } else {
                place(
                    time, behind: last, rest: (Double(time - line.last.time) - line.delay(ofIndex: last.index + 1)) / period,
                    gap: Double(time - last.time) / period)
            }
        } else {
            // Too little is known to find missing pulses.
            guard let last = window.last else { return add(0, time) }
            if time - last.time < Self.shortest { return }
            if Double(time - last.time) > Self.shortestLoss { restart() }
            add(last.index + 1, time)
        }
        check()
    }

    /// The first pulse of the music: it counts, whenever it comes. Some masters begin their pulses anew there.
    private mutating func begin(at time: Int64) {
        let index = (window.last?.index ?? -1) + 1
        if let line, let period {
            let rest = (Double(time - line.last.time) - line.delay(ofIndex: index)) / period
            if abs(rest) > 0.25 { restart() }
        } else {
            restart()
        }
        (isArmed, doubt) = (false, nil)
        offset = place - index
        (beginning, jumps) = (place, jumps + 1)
        add(index, time)
    }

    /// Pulses come again: those in between were sent, but not received.
    private mutating func comeBack(at time: Int64, _ line: PulseLine, _ period: Double) {
        let missed = (Double(time - line.last.time) - line.lag) / period
        let index = line.last.index + max(Int64(min(missed, 1e9).rounded()), 1)
        restart()
        add(index, time)
    }

    /// A pulse that came by `rest` parts of a pulse after the next one was due, and by `gap` after the last one.
    private mutating func place(_ time: Int64, behind last: PulseLine.Pulse, rest: Double, gap: Double) {
        // A pulse that comes together with the one before it is the same one, no matter how often that happens.
        if time - last.time < Self.shortest / 4, rest < -Self.tolerance { return }
        doubt?.arrivals.append(time)
        let isEarly = rest < 0, isFar = abs(rest) > Self.tolerance
        if isFar, let doubt, doubt.isEarly == isEarly { return recount(doubt) }
        // A tempo that glides leads away too, and no pulse of it is another one.
        let isOther = isFar && abs(gap - 1) > Self.tolerance * 0.75
        if let doubt, doubt.arrivals.count > Self.few { self.doubt = nil }
        if !isOther || window.count < Self.few * 2 && !keepsFormer { return add(last.index + 1, time) }
        doubt = Doubt(isEarly: isEarly, index: last.index, arrivals: [last.time, time])
        if !isEarly { add(last.index + 1 + Int64(min(rest, 1e9).rounded()), time) }
    }

    /// Takes the pulses of a doubt after all: the master has another tempo, and each pulse counts.
    private mutating func recount(_ doubt: Doubt) {
        restart()
        keepsFormer = false
        for (place, time) in doubt.arrivals.enumerated() { add(doubt.index + Int64(place), time) }
    }

    private mutating func restart() {
        (former, keepsFormer) = (period, true)
        (window, line, doubt, isLocked) = ([], nil, nil, false)
    }

    private mutating func add(_ index: Int64, _ time: Int64) {
        window.append(PulseLine.Pulse(index: index, time: time))
        if window.count > Self.most { window.removeFirst() }
        // A few pulses give the position, and the earlier line gives the tempo.
        let isKept = window.count == 1 || keepsFormer && window.count < Self.few * 2
        line = PulseLine(window[...], period: isKept ? former ?? (window.count == 1 ? Self.minute / 120 : nil) : nil) ?? line
    }

    private mutating func check() {
        guard window.count >= Self.few, let found = line, let last = window.last else { return }
        let tempo = Self.minute / found.period
        guard tempo > Self.tempos.lowerBound * 0.98, tempo < Self.tempos.upperBound * 1.02 else {
            let known = former
            restart()
            (former, keepsFormer) = (known, false)
            return add(last.index, last.time)
        }
        if window.count >= 32, found.hasDrifted {
            // One that was thought to be none, or lost, was no accident either.
            if let doubt { recount(doubt) } else { cut() }
        }
        guard let line else { return }
        // So few pulses may be close to a line by chance.
        let error = line.periodError / line.period * (1 + 8 / Double(window.count))
        if window.count < Self.least || error > 0.0015 { isLocked = false }
        if window.count >= Self.least, error < 0.0004 { isLocked = true }
    }

    private mutating func cut() {
        var best = (misfit: Double.infinity, first: window.count - PulseLine.tails[0])
        for first in PulseLine.tails[0]...(window.count - 4) {
            let misfit = PulseLine.misfit(window[..<first]) + PulseLine.misfit(window[first...])
            if misfit < best.misfit { best = (misfit, first) }
        }
        window.removeFirst(best.first)
        line = PulseLine(window[...]) ?? line
        // What was known is not so any more; even a few pulses know better.
        (former, keepsFormer, isLocked) = (line?.period, false, false)
    }
}
