import AudioFiles
import Graph
import MIDI
import RealtimeCore

/// What was played, to the frame: every event that reached the graph with the sample time at which it took effect, and
/// what the graph was built from.
///
/// Rendered offline (`JournalRenderer`) a complete journal gives the samples that were heard, bit for bit.
public struct Journal: Sendable {
    /// An event that took effect.
    public struct Entry: Sendable {
        public var time: SampleTime
        /// The unit's name in the graph; nil for music to whoever hears its part.
        public var unit: String?
        public var event: UnitEvent

        public init(time: SampleTime, unit: String?, event: UnitEvent) {
            self.time = time
            self.unit = unit
            self.event = event
        }
    }

    /// What the graph was built from.
    public struct Setup: Sendable, Hashable {
        public var sampleRate = 48_000
        /// Parts that the graph has a strip for, port * 16 + channel, in order.
        public var parts = Array(0..<16)
        /// With the SoundFonts that were found.
        public var instrument = RenderOptions.Instrument.soundFont([])
        public var hasEffects = true
        public var gain: Float = 0
        public var settings: [String] = []

        public init() {}

        /// What a session was started with, and what its graph came to have.
        init(_ options: LiveOptions, soundFonts: [String], parts: [Int]) {
            sampleRate = options.sampleRate
            self.parts = parts
            instrument = options.instrument == .squareWave ? .squareWave : .soundFont(soundFonts)
            hasEffects = options.hasEffects
            gain = options.gain
            settings = options.settings
        }

        var options: LiveOptions {
            var options = LiveOptions()
            options.sampleRate = sampleRate
            options.instrument = instrument
            options.hasEffects = hasEffects
            options.gain = gain
            options.settings = settings
            return options
        }
    }

    /// What the graph was built from.
    public var setup = Setup()
    /// The sample time of the first frame that it tells of.
    public var begin = SampleTime.zero
    /// The sample time after the last frame.
    public var end = SampleTime.zero
    /// Whether nothing had been played before `begin`. If something had, its tails are missing from a replay.
    public var isComplete = true
    /// Whether its session told when it ended. Where it did not, a crash or a power cut, `end` is some seconds after the
    /// last event, for what rings on.
    public var hasEnd = true
    /// In order of time; at one time in the order of effect.
    public var entries: [Entry] = []

    public init() {}

    /// The same, so many frames earlier.
    func shifted(by frames: Int64) -> Journal {
        var journal = self
        journal.begin = SampleTime(begin.rawValue - frames)
        journal.end = SampleTime(end.rawValue - frames)
        for index in entries.indices {
            journal.entries[index].time = SampleTime(entries[index].time.rawValue - frames)
        }
        return journal
    }
}

/// Why a journal could not be read or written.
public enum JournalError: Error, Sendable, Hashable, CustomStringConvertible {
    /// `errno` of the call that failed.
    case cannotRead(path: String, code: Int32)
    case cannotCreate(path: String, code: Int32)
    case cannotWrite(path: String, code: Int32)
    /// The first line is not that of a journal.
    case notAJournal(path: String)
    /// A line that says nothing a journal can say.
    case malformed(path: String, line: Int)
    /// Longer than `Journal.largestFile` bytes.
    case tooLarge(path: String)

    public var description: String {
        switch self {
        case .cannotRead(let path, let code): "\(path): \(SystemFault(code: code))"
        case .cannotCreate(let path, let code): "\(path): cannot be created: \(SystemFault(code: code))"
        case .cannotWrite(let path, let code): "\(path): writing failed: \(SystemFault(code: code))"
        case .notAJournal(let path): "\(path): not a journal; its first line would be '\(Journal.firstLine)'"
        case .malformed(let path, let line): "\(path): line \(line) is damaged; delete it and what follows"
        case .tooLarge(let path): "\(path): longer than \(Journal.largestFile >> 20) MB; cut it at a line"
        }
    }
}
