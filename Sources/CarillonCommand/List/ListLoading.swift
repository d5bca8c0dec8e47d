import Carillon
import Control
import Document
import Glibc
import Patches
import Reports
import SongFiles

/// A set list with its patches and songs. A patch that cannot be read keeps its place, with the reason; a song that cannot be read
/// is left out, and with it an entry that has nothing else.
struct ListLoading {
    let list: SetList
    /// The entries that sound, in their order.
    let patches: [ListedPatch]
    /// The patch that stays through all entries, if it can be read.
    let always: Patch?
    /// Their songs, in the same order.
    let songs: [SessionSong]
    private let patchRemarks: [Remark], buttonFaults: [Remark], missing: [Remark]

    /// Reads the patches and songs of a list. `song`: a song of a session, by its path.
    init(_ list: SetList, song made: (String) -> SessionSong = { SessionSong(name: RenderOutput.name(of: $0), path: $0) }) {
        var listed: [ListedPatch] = [], remarks: [Remark] = [], songs: [SessionSong] = [], missing: [Remark] = []
        for entry in list.entries {
            var patch = ListedPatch(entry.name), song: Int?
            if let path = entry.song {
                do throws(SongError) {
                    _ = try SongReader.read(path: path)
                    songs.append(made(path))
                    song = songs.count
                } catch {
                    let key = list.place("entries.\(entry.name).song")
                    missing.append(Remark(.missing, key, "\(Fault(error)); it is left out"))
                    if entry.patch == nil { continue }
                }
            }
            if let file = entry.patch {
                do throws(DocumentError) {
                    let read = try PatchLoading.readFile(file)
                    patch = ListedPatch(entry.name, read.patch, path: file)
                    remarks += read.remarks
                } catch { patch = ListedPatch(entry.name, path: file, fault: error) }
            }
            patch.song = song
            (patch.program, patch.start, patch.isSkipped) = (entry.program, entry.start, entry.isSkipped)
            (patch.level, patch.tempo, patch.meter, patch.countIn) = (entry.level ?? 0, entry.tempo, entry.meter, entry.countIn)
            (patch.trim, patch.isTrimmed) = (entry.trim ?? 0, entry.trim == nil)
            patch.goesOn = entry.next == .goOn
            do throws(Fault) {
                let sheet = EntrySheet(try Self.text(of: entry), parts: entry.parts)
                patch.sheet = sheet.parts.isEmpty ? nil : sheet
            } catch { missing.append(Remark(.missing, list.place("entries.\(entry.name).text"), "\(error); it is left out")) }
            if let loops = entry.loops {
                patch.loops = loops
                do throws(DocumentError) { _ = try LoopFile(path: loops + ".yaml") } catch {
                    let text = "\(error); until it can be, the entry begins without loops"
                    missing.append(Remark(.missing, list.place("entries.\(entry.name).loops"), text))
                }
            }
            if patch.start == nil { patch.start = entry.parts.first?.scene }
            listed.append(patch)
        }
        var always: Patch?
        if let path = list.always {
            do throws(DocumentError) {
                let read = try PatchLoading.readFile(path)
                always = read.patch
                remarks += read.remarks
            } catch { missing.append(Remark(.missing, list.place("always"), "\(error); it is left out")) }
        }
        (patches, patchRemarks, self.songs, self.missing, self.always) = (listed, remarks, songs, missing, always)
        var read = list, faults: [Remark] = []
        for (place, button) in list.buttons.enumerated() {
            do throws(Fault) {
                read.buttons[place].made = try ControlGrammar.standard.button("\(button.control)=\(button.request)")
            } catch { faults.append(Remark(.missing, list.place("buttons.\(button.control)"), "\(error); it is left out")) }
        }
        (self.list, buttonFaults) = (read, faults)
    }

    /// The words of an entry: a block of the list, or the file that it names.
    private static func text(of entry: SetList.Entry) throws(Fault) -> ChordSheet? {
        guard let text = entry.text else { return nil }
        if !SetList.Entry.isTextFile(text) { return try ChordSheet(text) }
        let read: String
        do throws(BoundedFile.Fault) { read = try BoundedFile.text(path: text, limit: ChordSheet.mostBytes) } catch {
            switch error {
            case .cannotRead(let code): throw Fault("cannot be read: \(String(cString: strerror(code)))", .noInput, of: text)
            case .tooLarge: throw .longText
            }
        }
        return try ChordSheet(read)
    }

    /// The number of entries that can be played.
    var playable: Int { patches.count { $0.fault == nil } }

    /// What the session does not report itself: what of the list is not there, not followed or hardly meant so, then what is said
    /// of its patches.
    var remarks: [Remark] {
        let read = patches.filter { $0.fault == nil && $0.hasPatch }.map { ($0.path ?? "", $0.patch) }
        let sheets = Dictionary(patches.compactMap { patch in patch.sheet.map { (patch.name, $0) } }) { $1 }
        let check = SetListCheck(list, patches: Dictionary(read) { $1 }, sheets: sheets, always: always)
        return check.remarks + missing + buttonFaults + patchRemarks
    }

    /// The entries that are left out, with all that is wrong with their patches.
    var broken: [Remark] {
        patches.flatMap { patch in
            (patch.fault.map { [$0] + $0.others } ?? []).map {
                Remark(.missing, list.place("entries.\(patch.name).patch"), "\($0); it is left out")
            }
        }
    }
}
