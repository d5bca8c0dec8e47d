import MIDI
import RealtimeCore

/// A message of MIDI's clock at its sample time.
package struct TimedClockMessage: Hashable, Sendable {
    package var time: SampleTime
    package var message: ClockMessage

    package init(_ message: ClockMessage, at time: SampleTime) {
        self.time = time
        self.message = message
    }
}

/// The messages for followers of MIDI's clock, of passages one after the other: pulses; and if the music jumps, begins or
/// halts, a stop, the position and a continue.
///
/// ```
/// song ........|............ jump |.......... halt |  .  .  .  .
/// F8 F8 F8 F8     FC F2   F8 F8 FB F8 F8 F8 F8    FC F8 F8 F8 F8
///                 -2 ms         -1 ms, before a sixteenth
/// ```
/// A position is sent in sixteenths. After a jump to another place pulses go on, and the continue comes before that of the
/// next sixteenth, so that followers are where the music is. While the music stands still, pulses give the tempo. A function
/// of the passages alone: two requests for parts give the same as one for the whole. Pure.
package struct ClockTrack: Sendable {
    /// Frames before a jump at which followers are sent the stop and the position, and before its pulse at which they are
    /// sent the continue: many miss a message that comes with the pulse.
    package let lead: Int, notice: Int
    private let passages: [ClockPassage]

    /// Positions that far apart differ, in pulses.
    private static let tolerance = 0.1
    /// The last position that can be sent.
    private static let lastSixteenth: Int64 = 16_383

    /// - Parameter passages: in the order of time; each ends where the next begins.
    package init(_ passages: [ClockPassage], sampleRate: Int) {
        lead = sampleRate / 500
        notice = sampleRate / 1000
        // One that begins with the next one has no time.
        self.passages = passages.indices.filter { $0 + 1 == passages.count || passages[$0].start < passages[$0 + 1].start }
            .map { passages[$0] }
    }

    /// Returns what is sent from `time` on and before `end`.
    package func messages(from time: SampleTime, to end: SampleTime) -> [TimedClockMessage] {
        var messages: [TimedClockMessage] = []
        func add(_ message: ClockMessage, _ at: SampleTime) {
            if time <= at && at < end { messages.append(TimedClockMessage(message, at: at)) }
        }
        // The pulse before which followers are sent a continue; nil means they have been, or stand still.
        var origin: Int64?
        var isRunning = false
        for (index, passage) in passages.enumerated() {
            let start = passage.start, former = index > 0 ? passages[index - 1] : nil
            if ahead(start) >= end { break }
            // The messages of a jump come after all those of the passage before.
            let announced = max(ahead(start), former?.start ?? ahead(start))
            var first = passage.pulse(from: start)
            if let former, joins(former, passage) {
                // Rounding must neither lose a pulse nor send one twice.
                first = former.pulse(from: start)
            } else {
                if former?.isCounted == true && isRunning { add(.stop, passage.isCounted ? announced : start) }
                (origin, isRunning) = (nil, false)
                if passage.isCounted {
                    let sixteenth = (first + ClockMessage.pulsesPerSixteenth - 1) / ClockMessage.pulsesPerSixteenth
                    origin = sixteenth * ClockMessage.pulsesPerSixteenth
                    if sixteenth > 0 { add(.position(UInt16(min(sixteenth, Self.lastSixteenth))), announced) }
                }
            }
            let next = index + 1 < passages.count ? passages[index + 1] : nil
            let close = next.map { joins(passage, $0) || !$0.isCounted ? $0.start : ahead($0.start) } ?? SampleTime(.max)
            if let place = origin, passage.time(ofPulse: place) < close {
                let due = max(passage.time(ofPulse: place), start)
                // Not before the pulse in front of it, which does not count.
                let before = place > first ? max(passage.time(ofPulse: place - 1), start) : max(start + -notice, announced)
                addPulses(of: passage, first..<place, time, min(end, close), add)
                add(place == 0 ? .start : .continue, max(due + -notice, before))
                addPulses(of: passage, place..<Int64.max, time, min(end, close), add)
                (origin, isRunning) = (nil, true)
            } else {
                addPulses(of: passage, first..<Int64.max, time, min(end, close), add)
            }
        }
        return messages
    }

    private func ahead(_ time: SampleTime) -> SampleTime { time + -lead }

    private func addPulses(
        of passage: ClockPassage, _ pulses: Range<Int64>, _ time: SampleTime, _ end: SampleTime,
        _ add: (ClockMessage, SampleTime) -> Void
    ) {
        var pulse = time > passage.start ? max(pulses.lowerBound, passage.pulse(from: time)) : pulses.lowerBound
        while pulse < pulses.upperBound {
            let due = max(passage.time(ofPulse: pulse), passage.start)
            if due >= end { break }
            add(.pulse, due)
            pulse += 1
        }
    }

    /// Returns true if the music goes on from one passage to the next as if there were no border.
    private func joins(_ former: ClockPassage, _ passage: ClockPassage) -> Bool {
        former.isCounted && passage.isCounted && !passage.restarts
            && abs(former.position(at: passage.start) - passage.position(at: passage.start)) < Self.tolerance
    }
}
