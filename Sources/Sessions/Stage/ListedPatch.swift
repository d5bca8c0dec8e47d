import MIDI
import Patches

/// A patch of a set list, with its name there.
public struct ListedPatch: Sendable, Hashable {
    /// The name that screens and `PatchPlace.named` call it by.
    public var name: String
    public var patch: Patch
    /// The file that it was read from, which `savePatch` updates; nil means none.
    public var path: String?
    /// The reason why the file is not a patch; nil where it is one. Such a patch keeps its place in the list and is left out
    /// until `Session.replace` gives it another.
    public var fault: PatchFileError?
    /// The program change that selects it, 0...127, where the session hears programs for its list; nil means none.
    public var program: Int?
    /// The scene that is active when it is selected; nil means none.
    public var start: String?
    /// False for an entry whose keys play the session's instrument; `patch` is empty then.
    package var hasPatch = true
    /// Decibels on top of the patch's own level, -60...12.
    package var level: Float = 0
    /// Decibels that bring its patch to the loudness of others, -12...12 where they were measured.
    package var trim: Float = 0
    /// True if its trim is measured before the session begins.
    package var isTrimmed = false
    /// Its song, by its place among those of the session, from 1; nil means the song that plays goes on.
    package var song: Int?
    /// Quarter notes a minute, 20...400, from when it is selected.
    package var tempo: Float?
    package var meter: Meter?
    /// Bars that are counted before its song begins, 0...4.
    package var countIn: Int?
    /// The path under which its loops were saved, without an ending; nil for none.
    package var loops: String?
    /// Its parts with their words; nil for none.
    package var sheet: EntrySheet?
    /// True if the next entry is selected when its song ends, and that one's song plays then.
    package var goesOn = false
    /// True if `PatchPlace.next` and `.previous` leave it out.
    public var isSkipped = false

    var gain: Float { level + trim }

    public init(_ name: String, _ patch: Patch, path: String? = nil) {
        (self.name, self.patch, self.path) = (name, patch, path)
    }

    /// An entry whose keys play the session's instrument.
    package init(_ name: String) {
        self.init(name, Patch())
        hasPatch = false
    }

    /// A file that is not a patch, and the reason.
    public init(_ name: String, path: String, fault: PatchFileError) {
        (self.name, self.path, self.fault) = (name, path, fault)
        patch = Patch()
    }
}

/// A patch of the set list to go to.
public enum PatchPlace: Sendable, Hashable {
    /// The one after the one that sounds, or was requested last; at the end of the list nothing happens. Patches that cannot be
    /// played, or are skipped, are left out.
    case next
    /// The one before.
    case previous
    /// The one with this number, counted from 1.
    case number(Int)
    /// The first one of this name.
    case named(String)
}
