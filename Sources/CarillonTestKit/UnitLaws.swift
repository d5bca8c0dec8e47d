import DSP
import Glibc
import MIDI
import RealtimeCore
import UnitAPI

/// The laws, one function each; every one of them also demands that the probe saw nothing forbidden.
struct UnitLaws {
    let unit: UnitUnderTest
    private let material: LawMaterial
    private let reference: OfflineRig

    init(_ unit: UnitUnderTest) throws {
        self.unit = unit
        material = LawMaterial(unit, sampleRate: 48_000)
        reference = try material.play(block: 256)
    }

    private func broken(_ law: String, _ observation: String) -> [LawViolation] {
        [LawViolation(law: "\(unit.descriptor.name): \(law)", observation: observation)]
    }

    private func clean(_ rig: OfflineRig, _ law: String) -> [LawViolation] {
        var found: [LawViolation] = []
        if rig.violations.total > 0 { found += broken("the render side does nothing forbidden", "\(law): \(rig.violations)") }
        if rig.renderer.counters.faults > 0 { found += broken("every sample is a number", "\(law): the unit was muted") }
        return found
    }

    /// Names, ranges and help are there and fit together.
    func declarationIsSound() -> [LawViolation] {
        var found: [LawViolation] = []
        let law = "the declaration is sound"
        var names: Set<String> = []
        for spec in unit.specs {
            if !names.insert(spec.name).inserted { found += broken(law, "two parameters are named \(spec.name)") }
            if !spec.range.contains(spec.initial) { found += broken(law, "\(spec.name): the default is out of range") }
            if !spec.range.lowerBound.isFinite || !spec.range.upperBound.isFinite {
                found += broken(law, "\(spec.name): the range is not finite")
            }
            if spec.help.isEmpty { found += broken(law, "\(spec.name) has no help") }
            if spec.curve == .logarithmic && spec.range.lowerBound <= 0 {
                found += broken(law, "\(spec.name): a logarithmic range starts above 0")
            }
            if spec.name.utf8.contains(where: { !(97...122).contains($0) && !(48...57).contains($0) && $0 != 45 }) {
                found += broken(law, "\(spec.name) is not kebab-case")
            }
        }
        if unit.descriptor.summary.isEmpty { found += broken(law, "there is no summary") }
        return found
    }

    /// Two units that hear the same give the same.
    func isDeterministic() throws -> [LawViolation] {
        let again = try material.play(block: 256)
        var found = clean(again, "deterministic")
        if let difference = firstDifference(reference.recording, again.recording) {
            found += broken("the same input gives the same samples", "a second unit differs at \(difference)")
        }
        // What a companion feeds is silent here: no file is played, no device captures.
        let isExpectedToSound = !unit.descriptor.outputs.isEmpty && reference.graph.nodes[0].instance.companion == nil
        if isExpectedToSound && !reference.recording.contains(where: { $0.contains { $0 != 0 } }) {
            found += broken("the law's passage sounds", "nothing but zeros came out, so no law was tested")
        }
        return found
    }

    /// The same samples at every block size.
    func blockSizeDoesNotMatter() throws -> [LawViolation] {
        var found: [LawViolation] = []
        for block in [1, 7, 64, 128, 1024] {
            let rig = try material.play(block: block)
            found += clean(rig, "block \(block)")
            if let difference = firstDifference(reference.recording, rig.recording) {
                found += broken("block size does not matter", "block \(block) differs from block 256 at \(difference)")
            }
        }
        return found
    }

    /// After `reset` a unit sounds like a new one.
    func resetEqualsNew() throws -> [LawViolation] {
        let rig = try material.play(block: 256, resetAfterFirstPass: true)
        let tail = rig.recording.map { Array($0.suffix(material.frames)) }
        var found = clean(rig, "reset")
        // A source plays only once, so an effect hears silence after its reset, as a new unit would.
        let silent = unit.descriptor.inputs.isEmpty ? nil : LawMaterial(unit, sampleRate: 48_000, isSilent: true)
        let wanted = try silent?.play(block: 256).recording ?? reference.recording
        if let difference = firstDifference(wanted, tail) {
            found += broken("reset equals new", "differs at \(difference)")
        }
        return found
    }

    /// Silence in gives silence out, within the declared tail after sound.
    func silenceStaysSilent() throws -> [LawViolation] {
        let silent = LawMaterial(unit, sampleRate: 48_000, seconds: 0.3, isSilent: true)
        let quiet = try silent.play(block: 256)
        var found = clean(quiet, "silence")
        if unit.descriptor.component.type != .generator,
            quiet.recording.contains(where: { $0.contains { $0 != 0 } })
        {
            found += broken("silence in gives silence out", "there is sound without input")
        }
        let short = LawMaterial(unit, sampleRate: 48_000, seconds: 0.5)
        let tail = Int(unit.descriptor.tail * 48_000) + reference.graph.nodes[0].instance.latency + 64
        let rig = try short.play(block: 1024, frames: short.frames + tail + 4096)
        found += clean(rig, "tail")
        if unit.descriptor.component.type != .generator,
            rig.recording.contains(where: { $0.suffix(4096).contains { abs($0) > 1e-5 } })
        {
            found += broken("the tail ends when declared", "there is sound \(unit.descriptor.tail) s after the input ended")
        }
        return found
    }

    /// Finite with every parameter at its lowest and its highest.
    func isFiniteAtEveryCorner() throws -> [LawViolation] {
        var found: [LawViolation] = []
        let short = LawMaterial(unit, sampleRate: 48_000, seconds: 0.2)
        for (index, spec) in unit.specs.enumerated() {
            for value in [spec.range.lowerBound, spec.range.upperBound] {
                let rig = spec.applies == .live
                    ? try short.play(block: 128, automation: [(0, index, 0, value)])
                    : try short.play(block: 128, startValues: [spec.name: value])
                found += clean(rig, "\(spec.name) = \(value)")
                found += bounded(rig, "\(spec.name) = \(value)")
            }
        }
        for isHigh in [false, true] {
            var changes: [(time: Int, index: Int, element: Int, value: Float)] = []
            for (index, spec) in unit.specs.enumerated() where spec.applies == .live {
                changes.append((0, index, 0, isHigh ? spec.range.upperBound : spec.range.lowerBound))
            }
            let rig = try short.play(block: 128, automation: changes)
            found += clean(rig, "all parameters \(isHigh ? "high" : "low")")
        }
        return found
    }

    private func bounded(_ rig: OfflineRig, _ what: String) -> [LawViolation] {
        let peak = rig.recording.flatMap { $0 }.map { abs($0) }.max() ?? 0
        return peak < 1000 ? [] : broken("levels stay sane", "\(what): peak \(peak)")
    }

    /// Finite, and the same at any block size, while parameters move at random.
    func isFiniteUnderAutomation() throws -> [LawViolation] {
        var random = SeededRandom(seed: 99)
        var changes: [(time: Int, index: Int, element: Int, value: Float)] = []
        let live = unit.specs.enumerated().filter { $0.element.applies == .live }
        if live.isEmpty { return [] }
        let short = LawMaterial(unit, sampleRate: 48_000, seconds: 0.4)
        for n in 0..<60 {
            let (index, spec) = live[Int(random.next() % UInt64(live.count))]
            changes.append((n * short.frames / 60 + n, index, 0, spec.value(atFraction: (random.sample() + 1) / 2)))
        }
        let rig = try short.play(block: 512, automation: changes)
        let other = try short.play(block: 33, automation: changes)
        var found = clean(rig, "random automation") + clean(other, "random automation") + bounded(rig, "random automation")
        if let difference = firstDifference(rig.recording, other.recording) {
            found += broken("block size does not matter", "under automation, blocks 512 and 33 differ at \(difference)")
        }
        return found
    }

    /// A jump of a smoothed parameter makes no step that the sound did not have.
    func smoothedParametersDoNotClick() throws -> [LawViolation] {
        // A steady sine through the unit (or a held note of it): the steepest step with a jump in the middle must stay
        // within three times the steepest step without one, plus what the two levels themselves imply.
        guard unit.descriptor.inputs.first?.channels == 2, !unit.descriptor.outputs.isEmpty else { return [] }
        var found: [LawViolation] = []
        let frames = 24_000
        let sine = (0..<frames).map { Float(0.25 * DeterministicMath.sine(turns: Double($0) * 220 / 48_000)) }
        func steepest(_ changes: [(Int, Float)], _ index: Int) throws -> Float {
            let rig = OfflineRig(maximumFrames: 1024)
            let node = try rig.graph.add(try unit.make(rig.setup()))
            let source = try rig.add(left: sine, right: sine)
            try rig.graph.connect(source, to: node)
            try rig.graph.setOutput(node)
            try rig.publish()
            for (time, value) in changes { rig.set(index: index, value, of: node, at: time) }
            rig.render(frames - 4800, block: 256)
            let settled = rig.recording.map { $0[9600...] }
            return settled.map { x in zip(x, x.dropFirst()).map { abs($1 - $0) }.max() ?? 0 }.max() ?? 0
        }
        for (index, spec) in unit.specs.enumerated() where spec.smoothing > 0 && spec.applies == .live {
            let low = try steepest([(0, spec.range.lowerBound)], index)
            let high = try steepest([(0, spec.range.upperBound)], index)
            let jump = try steepest([(0, spec.range.lowerBound), (14_400, spec.range.upperBound)], index)
            let bound = 3 * max(low, high) + 0.01
            if jump > bound {
                found += broken("smoothed parameters do not click", "\(spec.name): a step of \(jump), bound \(bound)")
            }
        }
        return found
    }

    /// An impulse comes out after exactly the declared latency; a note starts on its frame, rounded up to the grid.
    func latencyIsAsDeclared() throws -> [LawViolation] {
        guard unit.descriptor.acceptsMusic else { return [] }
        var found: [LawViolation] = []
        for time in [1, 63, 64, 100, 777] {
            let rig = OfflineRig(maximumFrames: 1024, channels: unit.descriptor.outputs[0].channels)
            let node = try rig.graph.add(try unit.make(rig.setup()))
            try rig.graph.setOutput(node)
            try rig.publish()
            rig.send(.message(MIDIMessage(status: 0x90, data1: 60, data2: 127)), to: node, at: time)
            rig.render(4096, block: 256)
            let latency = rig.graph.nodes[0].instance.latency
            let grid = unit.descriptor.eventGranularity
            let earliest = (time + grid - 1) / grid * grid + latency
            let onset = rig.recording.compactMap { $0.firstIndex { $0 != 0 } }.min() ?? -1
            // A sampler's sample may itself begin with silence, so a coarse grid bounds the onset from below only.
            if onset < earliest || (grid == 1 && onset > earliest) {
                found += broken(
                    "events take effect when declared", "a note at frame \(time) sounds at \(onset), declared \(earliest)")
            }
        }
        return found
    }

    /// Every offered sample rate makes sound, or says no with an error.
    func everyRateWorks() throws -> [LawViolation] {
        var found: [LawViolation] = []
        for rate in unit.sampleRates {
            let short = LawMaterial(unit, sampleRate: rate, seconds: 0.2)
            let rig = try short.play(block: 100)
            found += clean(rig, "\(rate) Hz") + bounded(rig, "\(rate) Hz")
        }
        return found
    }

    /// What this thread has used of a processor: a busy machine does not lengthen it.
    private static var threadTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Input of denormal numbers is not slower than twice normal input.
    func denormalsCostNothing() throws -> [LawViolation] {
        guard unit.descriptor.inputs.first?.channels == 2, !unit.descriptor.outputs.isEmpty else { return [] }
        func time(_ level: Float) throws -> Duration {
            var best = Duration.seconds(1000)
            for _ in 0..<5 {
                let rig = OfflineRig(maximumFrames: 1024)
                let node = try rig.graph.add(try unit.make(rig.setup()))
                let samples = (0..<20_000).map { Float($0 % 7 + 1) * level }
                let source = try rig.add(left: samples, right: samples)
                try rig.graph.connect(source, to: node)
                try rig.graph.setOutput(node)
                try rig.publish()
                let start = Self.threadTime
                rig.render(20_000, block: 512)
                best = min(best, Self.threadTime - start)
            }
            return best
        }
        let normal = try time(0.01), denormal = try time(Float(bitPattern: 0x0000_1BE4))
        if denormal > normal * 2 + .milliseconds(1) {
            return broken("denormal input costs nothing", "\(denormal) against \(normal)")
        }
        return []
    }
}

/// Where two recordings differ first; nil where they are the same to the bit.
public func firstDifference(_ a: [[Float]], _ b: [[Float]]) -> String? {
    for channel in 0..<max(a.count, b.count) {
        guard channel < a.count, channel < b.count else { return "channel \(channel), which one of them lacks" }
        let x = a[channel], y = b[channel]
        for frame in 0..<max(x.count, y.count) {
            guard frame < x.count, frame < y.count else { return "frame \(frame), where one of them ends" }
            if x[frame].bitPattern != y[frame].bitPattern {
                return "channel \(channel), frame \(frame): \(x[frame]) and \(y[frame])"
            }
        }
    }
    return nil
}
