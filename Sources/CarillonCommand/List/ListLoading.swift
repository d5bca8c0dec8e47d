import Carillon
import Control
import Document
import Patches
import Reports

/// A set list with its patches. A patch that cannot be read keeps its place, with the reason.
struct ListLoading {
    let list: SetList
    /// The entries with a patch, in their order.
    let patches: [ListedPatch]
    /// The buttons of the list that can be read.
    let buttons: [Session.Button]
    private let patchRemarks: [Remark], buttonFaults: [Remark]

    init(_ list: SetList) {
        self.list = list
        var listed: [ListedPatch] = [], remarks: [Remark] = []
        for entry in list.entries {
            guard let file = entry.patch else { continue }
            var patch: ListedPatch
            do throws(DocumentError) {
                let read = try PatchLoading.readFile(file)
                patch = ListedPatch(entry.name, read.patch, path: file)
                remarks += read.remarks
            } catch { patch = ListedPatch(entry.name, path: file, fault: error) }
            (patch.program, patch.start, patch.isSkipped) = (entry.program, entry.start, entry.isSkipped)
            listed.append(patch)
        }
        (patches, patchRemarks) = (listed, remarks)
        var buttons: [Session.Button] = [], faults: [Remark] = []
        for button in list.buttons {
            do throws(Fault) { buttons.append(try ControlGrammar.standard.button("\(button.control)=\(button.request)")) } catch {
                faults.append(Remark(.missing, list.place("buttons.\(button.control)"), "\(error); it is left out"))
            }
        }
        (self.buttons, buttonFaults) = (buttons, faults)
    }

    /// The number of entries that can be played.
    var playable: Int { patches.count { $0.fault == nil } }

    /// What the session does not report itself: what of the list is not there, not followed or hardly meant so, then what is said
    /// of its patches.
    var remarks: [Remark] {
        let read = patches.filter { $0.fault == nil }.map { ($0.path ?? "", $0.patch) }
        return SetListCheck(list, patches: Dictionary(read) { $1 }).remarks + buttonFaults
            + patchRemarks
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
