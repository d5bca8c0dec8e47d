import Document
import MIDI
import Patches

/// What an evening's set list says: patches and songs in order, the programs that choose them, and what buttons request. A value;
/// as a file it is YAML (`init(path:)`).
package struct SetList: Sendable {
    /// A place of the list: what sounds, and how it begins.
    package struct Entry: Sendable, Hashable {
        package var name: String
        /// The patch file that sounds.
        package var patch: String?
        /// The song that plays.
        package var song: String?
        /// The scene that is active when the patch is selected.
        package var start: String?
        /// Decibels on top of the patch's own level.
        package var level: Float?
        /// Decibels that bring the patch to the loudness of others; nil: they are measured.
        package var trim: Float?
        /// Quarter notes a minute.
        package var tempo: Float?
        package var meter: Meter?
        /// Bars that are counted before the song plays or a loop records.
        package var countIn: Int?
        /// The program change that selects it, 0...127.
        package var program: Int?
        /// The path under which its loops were saved, without an ending.
        package var loops: String?
        /// Words to sing or to read, plain or as ChordPro, or the path of the file that has them (`isTextFile`).
        package var text: String?
        /// The parts of the piece, in order.
        package var parts: [Part] = []
        package var next = Successor.wait
        /// True if it is left out on the way to the next or the previous entry.
        package var isSkipped = false

        package init(_ name: String) { self.name = name }

        /// True if a text is the name of a file with words, and not the words.
        package static func isTextFile(_ text: String) -> Bool {
            !text.contains(where: \.isNewline) && textEndings.contains(where: text.lowercased().hasSuffix)
        }

        private static let textEndings = [".txt", ".cho", ".crd", ".chopro", ".chordpro", ".pro"]
    }

    /// A part of a piece: verse, chorus.
    package struct Part: Sendable, Hashable {
        package var name = ""
        /// The scene that is called where it begins.
        package var scene: String?
        /// The marker of the song at which it begins.
        package var marker: String?
    }

    /// What comes when a song ends.
    package enum Successor: String, Sendable, Hashable, CaseIterable {
        case wait
        case goOn = "go on"
    }

    /// When an entry that is requested plays.
    package enum Change: String, Sendable, Hashable, CaseIterable {
        case now
        /// Once no key is held.
        case keysUp = "keys up"
        case beat, bar
    }

    /// The messages whose programs select entries.
    package struct Programs: Sendable, Hashable {
        /// 1...16; nil means any.
        package var channel: Int?
        /// The keyboard, by a part of its name or its identity; nil means any.
        package var keyboard: String?
    }

    /// A control with the request that it makes, both as they are written: `controller-80`, `patch next`.
    package struct Button: Sendable, Hashable {
        package var control: String
        package var request: String
        /// The line in the file, from 1; 0 for one that was not read.
        package var line = 0
        /// The button; nil where it is not known, or cannot be made.
        package var made: Session.Button?

        package init(control: String, request: String, line: Int = 0) {
            (self.control, self.request, self.line) = (control, request, line)
        }
    }

    /// The patch file whose units stay through all entries.
    package var always: String?
    /// The programs that select entries; nil means none do.
    package var programs: Programs?
    package var buttons: [Button] = []
    package var changes = Change.now
    package var entries: [Entry] = []
    /// The path of the file; relative names in it begin in its folder.
    package let path: String
    /// The line of each key, by the way to it: `entries.opening.song`.
    package internal(set) var lines: [String: Int] = [:]

    /// An empty list for a file at `path`.
    package init(of path: String) { self.path = path }

    /// The folder of the file, with its slash; empty for one in the current folder.
    package var folder: String { FileFolder(of: path).path }

    /// `evening.yaml:7: entries.opening.song`, as errors and remarks name a key.
    package func place(_ key: String) -> String { path + (lines[key].map { ":\($0)" } ?? "") + ": \(key)" }

    /// Moves entries, in the order of their names, so that the first of them has a place from 1 on. Throws the first name that
    /// no entry has.
    package mutating func move(_ names: [String], to place: Int) throws(UnknownEntry) {
        var moved: [Entry] = []
        for name in names {
            guard let entry = entries.first(where: { $0.name == name }) else {
                throw UnknownEntry(name: name, known: entries.map(\.name))
            }
            if !moved.contains(entry) { moved.append(entry) }
        }
        entries.removeAll { names.contains($0.name) }
        entries.insert(contentsOf: moved, at: min(max(place - 1, 0), entries.count))
    }

    /// A name that no entry has.
    package struct UnknownEntry: Error, Hashable {
        package let name: String
        package let known: [String]
    }
}
