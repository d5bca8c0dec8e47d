import Carillon
import Reports

/// The current activity of an installation.
extension InstallationStatus {
    /// The state of an installation, the same on all surfaces: status, metrics, health, page, log, service manager.
    public struct Activity: Sendable, Hashable {
        /// The kinds of states.
        public enum State: String, CaseIterable, Sendable {
            /// Closed by the calendar.
            case closed
            /// Open, and the first sound is being made ready.
            case opening
            /// A song plays.
            case playing
            /// Silence between two songs or two playlists.
            case between
            /// The music is paused, and goes on where it was.
            case paused
            /// The music was stopped.
            case stopped
            /// Open, but silent without a command.
            case silent
        }

        /// The state.
        public var state: State
        /// The reason for silence, as half a sentence; nil in other states.
        public var reason: String?
        /// The origin of the pause or the stop: `the calendar`, `http 192.168.1.7 (full)`; nil in other states.
        public var by: String?
        /// When it began, as the installation's clocks showed it.
        public var since: String
        /// Seconds until the next song begins; nil if no song is due.
        public var nextIn: Double?

        /// Creates a state.
        public init(_ state: State, reason: String? = nil, by: String? = nil, since: String = "", nextIn: Double? = nil) {
            (self.state, self.reason, self.by, self.since, self.nextIn) = (state, reason, by, since, nextIn)
        }

        /// The state as text for the user: `paused by the calendar`, `silent: the sound card is lost`.
        public var sentence: String {
            switch state {
            case .between: nextIn.map { "between songs, the next in \(Int($0.rounded(.up))) s" } ?? "between songs"
            case .paused, .stopped: state.rawValue + (by.map { " by \($0)" } ?? "")
            case .silent: state.rawValue + (reason.map { ": \($0)" } ?? "")
            case .closed, .opening, .playing: state.rawValue
            }
        }
    }

    /// A fault of an installation: it should sound and does not, or sounds though it is closed.
    public struct Trouble: Sendable, Hashable {
        /// The fault, as a sentence without its end.
        public var reason: String
        /// When it began, as the installation's clocks showed it.
        public var since: String
    }
}

extension InstallationStatus.Activity: Fielded {
    package static let fields: [Field<Self>] = [
        Field("state", \.state, "The state: closed, opening, playing, between (songs), paused, stopped or silent."),
        Field("reason", \.reason, "Why it is silent."),
        Field("by", \.by, "Who requested the pause or the stop."),
        Field("since", \.since, "When it began, in local time."),
        Field("nextIn", \.nextIn, "Seconds until the next song begins."),
        Field("sentence", \.sentence, "The state as a sentence."),
        Field(measuring: .gauge("house_state", "The state of the installation: 1 for the current one.")) { activity in
            State.allCases.map { Metric.Sample($0 == activity.state ? 1 : 0, "state", $0.rawValue) }
        },
    ]
}

extension InstallationStatus.Activity.State: FieldWord {}

extension InstallationStatus.Trouble: Fielded {
    package static let fields: [Field<Self>] = [
        Field("reason", \.reason, "What is wrong."),
        Field("since", \.since, "When it began, in local time."),
    ]
}
