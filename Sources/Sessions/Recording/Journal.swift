import AudioFiles
import Glibc
import Graphs
import Patches
import RealtimeCore
import Reports
import SongRendering
import SoundFonts

/// A record of a performance, to the frame: every event that reached the graph with the sample time at which it took effect,
/// and the set-up of the graph.
///
/// Rendered offline (`JournalRenderer`) a complete journal gives the samples that were heard, bit for bit.
package struct Journal: Sendable {
    /// An event that took effect.
    package struct Entry: Sendable {
        package var time: SampleTime
        /// The unit's name in the graph; nil for music to the units that its part is routed to.
        package var unit: String?
        package var event: UnitEvent

        package init(time: SampleTime, unit: String?, event: UnitEvent) {
            self.time = time
            self.unit = unit
            self.event = event
        }
    }

    /// A change of the graph that took effect, before the events of its frame.
    package struct Edit: Sendable, Hashable {
        package var time: SampleTime
        /// The difference between the graph before and after.
        package var difference: PatchDifference

        package init(time: SampleTime, _ difference: PatchDifference) {
            (self.time, self.difference) = (time, difference)
        }
    }

    /// The set-up that a graph was built from.
    package struct Setup: Sendable, Hashable {
        package var sampleRate = 48_000
        /// The graph at `begin`.
        package var patch = Patch()
        /// The song that journals of version 1 name instead of a patch.
        package var song: SongSetup?

        /// Creates an empty graph.
        package init(sampleRate: Int = 48_000, patch: Patch = Patch()) {
            (self.sampleRate, self.patch) = (sampleRate, patch)
        }
    }

    /// The set-up of a graph in a journal of version 1: that of a song, and how it was requested.
    package struct SongSetup: Sendable, Hashable {
        /// Parts that the graph has a strip for, port * 16 + channel, in order.
        package var parts = Array(0..<16)
        /// The instrument that plays the song, with the SoundFonts that were found.
        package var instrument = RenderOptions.Instrument.soundFont([])
        package var hasEffects = true
        package var gain: Float = 0
        package var settings: [String] = []

        package init() {}

        /// The patch that it means. SoundFonts are looked for here.
        func patch(sampleRate: Int) throws(Fault) -> Patch {
            var options = LiveOptions()
            options.sampleRate = sampleRate
            options.instrument = instrument
            options.hasEffects = hasEffects
            options.gain = gain
            options.settings = settings
            return try SongPatch(for: nil, parts: parts, options: options.sound).patch
        }
    }

    /// The set-up from which the graph was built.
    package var setup = Setup()
    /// The sample time of the first frame that it covers.
    package var begin = SampleTime.zero
    /// The sample time after the last frame.
    package var end = SampleTime.zero
    /// True if nothing had been played before `begin`. If something had, its tails are missing from a replay.
    package var isComplete = true
    /// True if its session wrote when it ended. If it did not, after a crash or a power cut, `end` is some seconds after the
    /// last event, for what rings on.
    package var hasEnd = true
    /// Everything that was played, in order of time; at one time in the order of effect.
    package var entries: [Entry] = []
    /// Changes of the graph, in order of time.
    package var edits: [Edit] = []

    package init() {}

    func shifted(by frames: Int64) -> Journal {
        var journal = self
        journal.begin = SampleTime(begin.rawValue - frames)
        journal.end = SampleTime(end.rawValue - frames)
        for index in entries.indices {
            journal.entries[index].time = SampleTime(entries[index].time.rawValue - frames)
        }
        for index in edits.indices { journal.edits[index].time = SampleTime(edits[index].time.rawValue - frames) }
        return journal
    }
}

extension Fault.Kind {
    /// A file has the name of a new journal.
    static let journalExists = Self("journalExists", .cannotCreate)
}

/// Journals that cannot be read or written; `code` is the `errno` of the call that failed.
extension Fault {
    static func cannotRead(path: String, code: Int32) -> Fault { Fault("\(SystemFault(code: code))", .noInput, of: path) }
    static func cannotCreate(path: String, code: Int32) -> Fault {
        let fault = SystemFault(code: code)
        return code == EEXIST
            ? Fault("cannot be created: \(fault)", .journalExists, of: path)
            : Fault(
                "cannot be created: \(fault)", .cannotCreate, of: path,
                origin: AudioFileError.cannotCreate(path: path, fault))
    }
    static func cannotWrite(path: String, code: Int32) -> Fault {
        Fault("writing failed: \(SystemFault(code: code))", .io, of: path)
    }
    static func notAJournal(path: String) -> Fault {
        Fault("not a journal", .data, of: path, remedy: "its first line would be '\(Journal.firstLine)'")
    }
    static func malformed(path: String, line: Int) -> Fault {
        Fault("line \(line) is damaged", .data, of: path, remedy: "delete it and what follows")
    }
    static func patch(path: String, line: Int, _ error: PatchFileError) -> Fault {
        Fault("line \(line): \(error)", .data, of: path, origin: error)
    }
    static func tooLarge(path: String) -> Fault {
        Fault("longer than \(Journal.largestFile >> 20) MB", .data, of: path, remedy: "cut it at a line")
    }
}
