import MIDI
import UnitAPI

/// When what goes in comes out: what the graph relies on when it makes paths of different length meet.
extension UnitLaws {
    /// A setting of the parameters, by name, at which the latency is looked for.
    private var settings: [(name: String, values: [String: Float])] {
        var list: [(String, [String: Float])] = [("the defaults", [:])]
        for spec in unit.specs {
            for value in [spec.range.lowerBound, spec.range.upperBound] where value != spec.initial {
                list.append(("\(spec.name) = \(value)", [spec.name: value]))
            }
        }
        for isHigh in [false, true] {
            var values: [String: Float] = [:]
            for spec in unit.specs { values[spec.name] = isHigh ? spec.range.upperBound : spec.range.lowerBound }
            list.append(("all parameters \(isHigh ? "high" : "low")", values))
        }
        return list
    }

    /// The declared latency is how much later an impulse comes out at the setting where it comes out soonest.
    ///
    /// An effect may delay sound for the sake of music: an echo, a chorus, a pre-delay. That is no latency, so such an
    /// effect has a setting without it, a mix or a delay of 0. Latency is what remains at every setting: at none may
    /// the response's peak be earlier than declared, and at one of them (the defaults, each parameter at its lowest and
    /// its highest, all of them) it must be there on the frame. The peak, since a linear-phase filter rings before it.
    func latencyIsAsDeclared() throws -> [LawViolation] {
        guard !unit.inputs.isEmpty, !unit.descriptor.outputs.isEmpty else { return [] }
        let law = "the latency is as declared", at = 700
        var found: [LawViolation] = []
        for bus in unit.inputs.indices {
            var earliest: (frames: Int, declared: Int)?
            var isOnTime = false
            for setting in settings {
                var probe = LawMaterial(silent: unit, sampleRate: sampleRate, frames: at + 1)
                probe.inputs[bus] = probe.inputs[bus].map { _ in [Float](repeating: 0, count: at) + [0.25] }
                let take = try probe.play(frames: at + 8192, startValues: setting.values)
                let declared = take.unit.latency
                for response in take.channels {
                    let peak = response.reduce(0) { max($0, abs($1)) }
                    // Two samples may share the peak if it lies between them.
                    guard peak > 0, let first = response.firstIndex(where: { abs($0) >= 0.99 * peak }) else { continue }
                    if abs(response[at + declared]) >= 0.99 * peak {
                        isOnTime = true
                    } else if first < at + declared {
                        found += broken(
                            law,
                            "\(setting.name): an impulse at input \(bus) comes out after \(first - at) frames, sooner "
                                + "than the declared \(declared)")
                    }
                    if first - at - declared < (earliest.map { $0.frames - $0.declared } ?? .max) {
                        earliest = (first - at, declared)
                    }
                }
            }
            if let earliest, !isOnTime, found.isEmpty {
                found += broken(
                    law,
                    "an impulse at input \(bus) comes out after \(earliest.frames) frames at the soonest, "
                        + "declared are \(earliest.declared)")
            }
            if earliest == nil && unit.inputs.count == 1 {
                found += broken(law, "no setting lets an impulse through, so nothing can be measured")
            }
        }
        return found
    }

    /// A note sounds on its frame, or on the next frame of the declared grid, plus the latency.
    func notesAreWhereTheyAreDeclared() throws -> [LawViolation] {
        guard unit.descriptor.acceptsMusic, !unit.descriptor.outputs.isEmpty else { return [] }
        var found: [LawViolation] = []
        for time in [1, 63, 64, 100, 777] {
            var note = LawMaterial(silent: unit, sampleRate: sampleRate, frames: 4096)
            note.events = [(time, .message(MIDIMessage(status: 0x90, data1: 60, data2: 127)))]
            let take = try note.play()
            let grid = unit.descriptor.eventGranularity
            let earliest = (time + grid - 1) / grid * grid + take.unit.latency
            let onset = take.channels.compactMap { $0.firstIndex { $0 != 0 } }.min() ?? -1
            // A sampler's sample may itself begin with silence, so a coarse grid bounds the onset from below only.
            if onset < earliest || (grid == 1 && onset > earliest) {
                found += broken(
                    "events take effect when declared", "a note at frame \(time) sounds at \(onset), declared \(earliest)")
            }
        }
        return found
    }
}
