import Carillon

/// The numbers of a session that are watched over months: name, kind, unit and help in one place each, for `metrics`, for
/// Prometheus and for whatever comes.
public enum SessionMetric: CaseIterable, Sendable {
    case frames, xruns, lateEvents, lostEvents
    case load, worstLoad, shedding, voices, heldNotes
    case peak, average, volume, limiter
    case deviceRunning, latency, keyboards
    case outputRunning, outputXruns, outputMissing
    case songPlaying, songNumber, songPosition, songBar, songTempo, songRounds
    case memory

    /// The behaviour of a value.
    public enum Kind: String, Sendable {
        /// A value that only grows, from 0 at the start.
        case counter
        case gauge
    }

    /// The name of a metric and what it says.
    public struct Declaration: Sendable {
        /// Words with underscores; the unit is not among them.
        public let name: String
        public let kind: Kind
        /// The unit that is counted, as Prometheus names it: `seconds`; empty for a bare number.
        public let unit: String
        public let help: String

        /// The name that Prometheus knows: `carillon_frames_total`.
        public var prometheusName: String {
            ["carillon", name, unit, kind == .counter ? "total" : ""].filter { !$0.isEmpty }.joined(separator: "_")
        }
    }

    /// A value at one moment; several of one metric differ by their label.
    public struct Sample: Sendable, Hashable {
        /// Name and value of what tells it from others: `cause`, `driver`.
        public let label: [String]
        public let value: Double
    }

    /// Its declaration.
    public var declaration: Declaration {
        func counter(_ name: String, in unit: String = "", _ help: String) -> Declaration {
            Declaration(name: name, kind: .counter, unit: unit, help: help)
        }
        func gauge(_ name: String, in unit: String = "", _ help: String) -> Declaration {
            Declaration(name: name, kind: .gauge, unit: unit, help: help)
        }
        return switch self {
        case .frames: counter("frames", "Frames of sound that were made.")
        case .xruns: counter("xruns", "Interruptions of the sound by cause.")
        case .lateEvents: counter("late_events", "Events that came after their time.")
        case .lostEvents: counter("lost_events", "Events that found no room, and notes that reached no instrument.")
        case .load: gauge("load", in: "ratio", "Time that rendering takes, of the time there is.")
        case .worstLoad: gauge("worst_load", in: "ratio", "The most of late that rendering took of the time there is.")
        case .shedding: gauge("shedding_level", "How far load is shed: 0 not at all, 3 all that can go.")
        case .voices: gauge("voices", "Voices that sound.")
        case .heldNotes: gauge("held_notes", "Notes that keys hold.")
        case .peak: gauge("peak", in: "dbfs", "The highest sample of late, by output channel.")
        case .average: gauge("average", in: "dbfs", "Root mean square of late, by output channel.")
        case .volume: gauge("volume", in: "decibels", "Volume of all that sounds.")
        case .limiter: gauge("limiter_reduction", in: "decibels", "What the limiter takes away.")
        case .deviceRunning:
            gauge("device_running", "Whether a device runs, or none is there by wish: 1, or 0 while it is lost or opening.")
        case .latency: gauge("device_latency", in: "seconds", "Time from a key to the loudspeaker as computed.")
        case .keyboards: gauge("keyboards", "Keyboards that are connected.")
        case .outputRunning:
            gauge("device_output_running", "Whether the second device of a unit device-output runs: 1 or 0, by unit.")
        case .outputXruns: counter("device_output_xruns", "Interruptions of the sound of a second device, by unit.")
        case .outputMissing:
            counter("device_output_missing", in: "frames", "Frames that a second device had not in time, by unit.")
        case .songPlaying: gauge("song_playing", "Whether a song plays: 1 or 0.")
        case .songNumber: gauge("song_number", "The place of the song in the list, counted from 1.")
        case .songPosition: gauge("song_position", in: "seconds", "Where the song stands, at its own tempo.")
        case .songBar: gauge("song_bar", "The bar, counted from 1.")
        case .songTempo: gauge("song_tempo", "Quarter notes a minute that sound now.")
        case .songRounds: counter("song_rounds", "How often the list has begun anew by itself.")
        case .memory: gauge("resident_memory", in: "bytes", "Memory of the process that lies in RAM.")
        }
    }

    /// Its values: none where there is nothing to measure, as without a song. What is not finite is left out.
    ///
    /// - Parameter memory: bytes of the process; see `ProcessMemory`.
    public func samples(_ snapshot: SessionSnapshot, memory: Int? = nil) -> [Sample] {
        let song = snapshot.transport
        let found: [Sample] =
            switch self {
            case .frames: Self.one(Double(snapshot.sampleTime.rawValue))
            case .xruns:
                [
                    Sample(label: ["cause", "render-late"], value: Double(snapshot.xrunsRenderLate)),
                    Sample(label: ["cause", "woke-late"], value: Double(snapshot.xrunsWokeLate)),
                    Sample(label: ["cause", "driver"], value: Double(snapshot.xrunsDriver)),
                ]
            case .lateEvents: Self.one(Double(snapshot.lateEvents))
            case .lostEvents: Self.one(Double(snapshot.lostEvents))
            case .load: Self.one(snapshot.load)
            case .worstLoad: Self.one(snapshot.worstLoad)
            case .shedding: Self.one(Double(snapshot.sheddingLevel))
            case .voices: Self.one(Double(snapshot.voices))
            case .heldNotes: Self.one(Double(snapshot.notes.count))
            case .peak: Self.levels(snapshot.levels.map(\.peak))
            case .average: Self.levels(snapshot.levels.map(\.average))
            case .volume: Self.one(snapshot.volume)
            case .limiter: Self.one(snapshot.limiter.now)
            case .deviceRunning: Self.one(["running", "no device"].contains(snapshot.device.state) ? 1 : 0)
            case .latency: Self.one(snapshot.device.latencyMilliseconds.map { $0 / 1000 })
            case .keyboards: Self.one(Double(snapshot.sources.count { $0.isConnected }))
            case .outputRunning:
                snapshot.deviceOutputs.map {
                    Sample(label: ["unit", $0.unit], value: $0.state == "running" ? 1 : 0)
                }
            case .outputXruns: snapshot.deviceOutputs.map { Sample(label: ["unit", $0.unit], value: Double($0.xruns)) }
            case .outputMissing:
                snapshot.deviceOutputs.map {
                    Sample(label: ["unit", $0.unit], value: Double($0.missingFrames))
                }
            case .songPlaying: Self.one(song.map { $0.isPlaying ? 1 : 0 })
            case .songNumber: Self.one(song.map { Double($0.number) })
            case .songPosition: Self.one(song?.seconds)
            case .songBar: Self.one(song.map { Double($0.bar) })
            case .songTempo: Self.one(song?.tempo)
            case .songRounds: Self.one(song.map { Double($0.rounds) })
            case .memory: Self.one(memory.map(Double.init))
            }
        return found.filter(\.value.isFinite)
    }

    private static func one(_ value: Double?) -> [Sample] { value.map { [Sample(label: [], value: $0)] } ?? [] }

    private static func levels(_ levels: [Double]) -> [Sample] {
        levels.enumerated().map { Sample(label: ["channel", "\($0 + 1)"], value: $1) }
    }
}
