import Patches
import Reports
import Sequencer
import UnitAPI

/// A plan of the stems of a song: which inputs of the mixer each of them has, and the patch that gives them.
///
/// **The order of stems** is that in which they are added up: channels as the mixer has them, families with drums first, tracks
/// by their numbers, sounds by their first channel; then sound that plays no part of the song, then the effects as the mixer
/// has them.
struct StemPlan {
    private(set) var stems: [Stem] = []
    /// The mixer at whose inputs they are taken.
    let mixer: String
    private(set) var remarks: [Remark] = []
    /// Inputs of each stem, in order.
    private var members: [[Int]] = []
    private let choice: StemChoice

    /// Plans the stems of `song`.
    /// - Throws: `option` for a patch or a song that cannot be divided so, with the reason.
    init(_ choice: StemChoice, _ song: Song, _ timeline: Timeline, _ patch: SongPatch, track: Int?) throws(Fault) {
        self.choice = choice
        let division = choice.division.rawValue
        let sounds = PartSounds(timeline, patch.names)
        let played = Set(timeline.summary.parts.map { Int($0.port) * 16 + Int($0.channel) }.filter { sounds.notes($0) > 0 })
        let found = try StemInputs(patch.patch, playing: played, division: division)
        mixer = found.mixer
        let dry = found.inputs.filter { $0.effect == nil }
        if dry.isEmpty && choice.isWet {
            throw .option(name: "stems-wet", value: division, remedy: "everything in the patch is heard through effects alone")
        }
        var rule = StemDivision(choice.division, song, sounds, patch.names, track: track)
        var groups: [(place: StemDivision.Place, inputs: [StemInputs.Input])] = []
        for input in dry {
            let place = try rule.place(of: input)
            if let index = groups.firstIndex(where: { $0.place.key == place.key }) {
                groups[index].inputs.append(input)
            } else {
                groups.append((place, [input]))
            }
        }
        groups.sort { ($0.place.order, $0.inputs[0].number) < ($1.place.order, $1.inputs[0].number) }
        remarks = rule.remarks
        let behind = found.behindMixer
        if !behind.isEmpty {
            remarks.append(
                Remark(
                    .level, "stems",
                    "they are taken before \(behind.joined(separator: ", ")), which work\(behind.count == 1 ? "s" : "") on the whole mix: "
                        + "they add up to what \(mixer) gives"))
        }
        for group in groups { add(group.place.name, choice.isWet ? .wet : .dry, group.inputs, sounds) }
        let effects = found.inputs.filter { $0.effect != nil }
        if !choice.isWet {
            for input in effects { add(input.effect ?? input.lead, .effect, [input], sounds) }
            // A division by channels keeps the mixer's order, so that its sum stays the same.
            if choice.division == .channel { sortByInputs() }
        }
    }

    private mutating func add(_ name: String, _ kind: Stem.Kind, _ inputs: [StemInputs.Input], _ sounds: PartSounds) {
        let parts = Set(inputs.flatMap(\.parts)).sorted()
        stems.append(
            Stem(
                name: name, kind: kind, channels: parts.map { $0 + 1 },
                units: inputs.flatMap { $0.strips.isEmpty ? [$0.lead] : $0.strips },
                notes: parts.reduce(0) { $0 + sounds.notes($1) }))
        members.append(inputs.map(\.number))
    }

    private mutating func sortByInputs() {
        let order = members.indices.sorted { members[$0][0] < members[$1][0] }
        (stems, members) = (order.map { stems[$0] }, order.map { members[$0] })
    }

    /// Makes the patch give the stems.
    /// - Throws: `option` if an effect cannot be shared out.
    func divide(_ patch: inout Patch) throws(Fault) {
        var numbers = members
        if choice.isWet { try WetSends(mixer, members, division: choice.division.rawValue).share(&patch, &numbers) }
        guard var unit = patch[unit: mixer] else { return }
        var stem = [Int](repeating: 0, count: max(unit.inputCount, 1))
        for (number, inputs) in numbers.enumerated() { for input in inputs { stem[input] = number } }
        unit.properties["stems"] = .list(stem.map { .integer($0) })
        patch[unit: mixer] = unit
    }
}
