import MIDI

/// Finds MIDI feedback loops: a message that we send comes back, is sent on again, and so on for ever.
///
/// A message that returns within 50 ms of being sent, and that had itself been sent on after such a return, has gone round
/// once more. After eight rounds it is no longer sent on. If it then stops coming, it was a loop; if it still comes, a source
/// just sends the same message very often, and is left alone for a minute. Pure.
struct FeedbackDetector: Sendable {
    private static let returnTime: Int64 = 50_000_000
    private static let rounds = 8
    private static let trialTime: Int64 = 150_000_000
    private static let acquittal: Int64 = 60_000_000_000

    private struct Sent {
        var message: MIDIMessage
        var time: Int64
        var round: Int
    }

    /// A message is held to see whether it stops.
    private struct Trial {
        let link: MIDILink
        let message: MIDIMessage
        let end: Int64
        /// Arrivals from the link, less what others sent meanwhile and it may only have returned.
        var unexplained = 0
    }

    private var sent: [Sent] = []
    private var next = 0
    private var trials: [Trial] = []
    private var acquitted: [MIDILink: Int64] = [:]

    init() {}

    /// When `verdicts` should be asked; nil while nothing is under suspicion.
    var deadline: Int64? { trials.map(\.end).min() }

    mutating func mayForward(_ message: MIDIMessage, from link: MIDILink, at now: Int64) -> Bool {
        var message = message
        message.port = 0
        for index in trials.indices where trials[index].message == message {
            if trials[index].link == link {
                trials[index].unexplained += 1
                return false
            }
            trials[index].unexplained -= 1
        }
        let earlier = sent.filter { $0.message == message && now - $0.time <= Self.returnTime }.max { $0.time < $1.time }
        let round = earlier.map { $0.round + 1 } ?? 0
        if round >= Self.rounds && now >= acquitted[link] ?? .min {
            trials.append(Trial(link: link, message: message, end: now + Self.trialTime))
            return false
        }
        let entry = Sent(message: message, time: now, round: round)
        if sent.count < 64 {
            sent.append(entry)
        } else {
            sent[next] = entry
            next = (next + 1) % 64
        }
        return true
    }

    /// The links over which a loop runs, among those whose trial is over at time `now`.
    mutating func verdicts(at now: Int64) -> [MIDILink] {
        var guilty: [MIDILink] = []
        for trial in trials where trial.end <= now {
            // One may have been on its way when the trial began.
            if trial.unexplained > 1 {
                acquitted[trial.link] = now + Self.acquittal
            } else if !guilty.contains(trial.link) {
                guilty.append(trial.link)
            }
        }
        trials.removeAll { $0.end <= now }
        return guilty
    }

    mutating func forget(_ link: MIDILink) {
        trials.removeAll { $0.link == link }
        acquitted[link] = nil
    }
}
