import EngineCore
import Glibc
import MIDI
import Patches
import UnitAPI
import Units

/// A running session as a patch file.
extension StagePart {
    /// The patch as it is played now: the one that the session was given, or the session's own without one, with the values
    /// that were moved by hand, the sounds that were chosen and the controllers that were learned. If songs alone play, values
    /// that songs have moved are as they were before; if keyboards play too, the origin of a move is unknown.
    /// `given` is the patch as its file says it; nil means the session's own. From `since` on differences count as moves made
    /// here; nil: from the current one, as it was made.
    func played(_ given: Patch? = nil, since former: Patch? = nil) -> Patch {
        let base = given ?? core.options.patch ?? unnamed
        // If only songs play, the values that their controllers moved are not saved.
        let isSongs = !sounds.areChosen
        var now = isSongs ? core.engine.askedPatch : core.engine.patch
        // The volume is that of all patches of a set list.
        if list.isSetList, core.isTurned, let name = core.engine.graph[core.graph.volume]?.name {
            now[unit: name]?.values[MultichannelMixer.Parameter.volume.spec.name] = [Float(core.graph.volumeAtStart)]
        }
        var patch = base.keepingValues(now, since: former ?? core.graph.patch)
        // Controllers that were edited in the file meanwhile stay.
        if base.controllers == (core.options.patch ?? Patch()).controllers { patch.controllers = core.engine.controllers }
        return isSongs ? patch : choosingSounds(in: patch)
    }

    /// The patch that plays if none was named, without the session's own units.
    private var unnamed: Patch {
        var patch = core.graph.patch
        let meters = Set(patch.units.filter { $0.role == .meter }.map(\.name))
        patch.units.removeAll { meters.contains($0.name) }
        patch.connections.removeAll { meters.contains($0.to.unit) }
        for index in patch.units.indices { patch.units[index].properties = [:] }
        patch.soundFonts = core.graph.soundFonts
        return patch
    }

    /// The sounds that channels have now, in the zones that play them.
    private func choosingSounds(in patch: Patch) -> Patch {
        let silent = ChannelSounds()
        let chosen = (0..<16).filter { sounds.request(part: $0) != silent.request(part: $0) }
        var patch = patch
        if patch.zones.isEmpty {
            // Sounds were chosen for channels: each of these becomes a zone, and one more has all the others.
            if chosen.isEmpty { return patch }
            for part in chosen {
                var zone = Zone("channel-\(part + 1)")
                zone.channels = PartList([part])
                zone.channel = part + 1
                patch.zones.append(zone)
            }
            if chosen.count < 16 {
                var rest = Zone("others")
                rest.channels = PartList((0..<16).filter { !chosen.contains($0) })
                patch.zones.append(rest)
            }
        }
        var flat = patch
        // The fault is reported where the patch is written.
        do { flat = try patch.flattened() } catch { return patch }
        let routing = PartRouting(flat)
        for index in patch.zones.indices {
            let zone = patch.zones[index]
            // For a zone that also plays out, the sound would be sent there too.
            guard zone.output == nil, let part = routing.part(of: zone) else { continue }
            let now = sounds.request(part: part)
            let wanted = PresetRequest.asked(bank: zone.bank, program: zone.program) ?? silent.request(part: part)
            if now != wanted { (patch.zones[index].bank, patch.zones[index].program) = (now.bank, now.program) }
        }
        return patch
    }

    /// Carries out a surface's request: as `savePatch`, or in the session's own folder.
    func save(_ asked: String?) throws(Fault) -> String {
        try core.save(.patch, as: asked) { (path) throws(Fault) in try savePatch(path) }
    }

    /// Writes the patch as it is played now into a file: comments and order of an existing file stay.
    /// Without `path` it is the file that the session was started with, or `carillon-YYYYMMDD-HHMMSS.yaml` here. Returns it.
    func savePatch(_ path: String?) throws(Fault) -> String {
        let path = path ?? core.options.patchPath ?? Self.freePatchName
        let units = UnitCatalog.entries
        do throws(PatchFileError) {
            let text: String, written: Patch
            if access(path, F_OK) == 0 {
                let source = try PatchFile.source(path: path)
                let given = try PatchFile(text: source, path: path, units: units).patch
                // Edits made meanwhile in the session's own file stay; any other file gets what is heard.
                let isOwn = Self.isSame(path, core.options.patchPath)
                written = played(given, since: isOwn ? saved : given)
                text = try PatchFile.update(source: source, to: written, path: path, units: units)
                if isOwn { saved = (saved ?? core.graph.patch).written(written, over: given) }
            } else {
                written = played()
                text = try PatchFile.text(of: written, path: path, units: units, isCommented: true)
            }
            try PatchFile.write(text, to: path)
            core.tell(PatchFile.lostPresets(of: written, path: path, units: units))
            return path
        } catch { throw Fault(error) }
    }
}

extension Patch {
    /// This patch, as a file had it, with the values that were written into the file since.
    fileprivate func written(_ new: Patch, over old: Patch) -> Patch {
        var result = self
        for unit in new.units {
            guard let index = result.units.firstIndex(where: { $0.name == unit.name }), let before = old[unit: unit.name] else {
                continue
            }
            for name in Set(unit.values.keys).union(before.values.keys) where unit.values[name] != before.values[name] {
                result.units[index].values[name] = unit.values[name]
            }
        }
        for nested in new.patches {
            guard let index = result.patches.firstIndex(where: { $0.name == nested.name }),
                let before = old.patches.first(where: { $0.name == nested.name })
            else { continue }
            result.patches[index].patch = result.patches[index].patch.written(nested.patch, over: before.patch)
        }
        return result
    }
}

extension StagePart {
    private static func isSame(_ one: String, _ other: String?) -> Bool {
        var (first, second) = (stat(), stat())
        guard let other, stat(one, &first) == 0, stat(other, &second) == 0 else { return one == other }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    private static var freePatchName: String { NumberedName.free("carillon-\(NumberedName.now).yaml") }
}

extension PresetRequest {
    /// Returns the preset that a zone begins with; nil where it says nothing.
    fileprivate static func asked(bank: Int?, program: Int?) -> PresetRequest? {
        if bank == nil && program == nil { return nil }
        return bank == 128
            ? PresetRequest(kit: UInt8(program ?? 0)) : PresetRequest(bank: UInt8(bank ?? 0), program: UInt8(program ?? 0))
    }
}
