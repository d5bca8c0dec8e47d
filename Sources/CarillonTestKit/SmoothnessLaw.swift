import DSP
import MIDI
import UnitAPI

extension UnitLaws {
    /// A jump of a smoothed parameter, in any element, makes no step that the sound did not have.
    ///
    /// A steady sine goes through the unit (or a held note sounds): the steepest step with a jump in the middle stays
    /// within three times the steepest step without one. A parameter of one input bus is tried with the sine on that bus
    /// alone.
    func smoothedParametersDoNotClick() throws -> [LawViolation] {
        guard !unit.descriptor.outputs.isEmpty else { return [] }
        var found: [LawViolation] = []
        let frames = 24_000
        let sine = (0..<frames).map { Float(0.25 * DeterministicMath.sine(turns: Double($0) * 220 / 48_000)) }
        for (index, element) in liveElements where unit.specs[index].smoothing > 0 {
            let spec = unit.specs[index]
            var steady = LawMaterial(silent: unit, sampleRate: sampleRate, frames: frames - 4800)
            for bus in steady.inputs.indices where spec.scope != .input || bus == element {
                steady.inputs[bus] = steady.inputs[bus].map { _ in Array(sine[..<(frames - 4800)]) }
            }
            if unit.descriptor.acceptsMusic {
                steady.events = [(0, .message(MIDIMessage(status: 0x90, data1: 57, data2: 100)))]
            }
            func steepest(_ values: [(time: Int, value: Float)]) throws -> Float {
                let take = try steady.play(
                    automation: values.map {
                        LawMaterial.Change(time: $0.time, index: index, element: element, value: $0.value)
                    })
                return take.channels.reduce(0) { steepest, x in
                    let settled = x.dropFirst(9600)
                    return max(steepest, zip(settled, settled.dropFirst()).reduce(0) { max($0, abs($1.1 - $1.0)) })
                }
            }
            let low = try steepest([(0, spec.range.lowerBound)])
            let high = try steepest([(0, spec.range.upperBound)])
            let jump = try steepest([(0, spec.range.lowerBound), (14_455, spec.range.upperBound)])    // at a crest
            let bound = 3 * max(low, high) + 0.01
            if jump > bound {
                let name = elementCounts[index] > 1 ? "\(spec.name)[\(element)]" : spec.name
                found += broken("smoothed parameters do not click", "\(name): a step of \(jump), bound \(bound)")
            }
        }
        return found
    }

    /// Input of denormal numbers is not slower than twice normal input.
    func denormalsCostNothing() throws -> [LawViolation] {
        guard !unit.inputs.isEmpty, !unit.descriptor.outputs.isEmpty else { return [] }
        func time(_ level: Float) throws -> Duration {
            var sound = LawMaterial(silent: unit, sampleRate: sampleRate, frames: 20_000)
            let samples = (0..<20_000).map { Float($0 % 7 + 1) * level }
            for bus in sound.inputs.indices { sound.inputs[bus] = sound.inputs[bus].map { _ in samples } }
            var best = Duration.seconds(1000)
            for _ in 0..<5 { best = min(best, try sound.play(block: 512).duration) }
            return best
        }
        let normal = try time(0.01), denormal = try time(Float(bitPattern: 0x0000_1BE4))
        if denormal > normal * 2 + .milliseconds(1) {
            return broken("denormal input costs nothing", "\(denormal) against \(normal)")
        }
        return []
    }
}
