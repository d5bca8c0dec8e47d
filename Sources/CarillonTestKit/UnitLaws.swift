import UnitAPI

/// The laws, one function each; every one of them also demands that the probe saw nothing forbidden.
///
/// A unit is fed on every channel of every input bus, heard on every output bus, and automated in every element; one that
/// repeats its last input has three more of it. The laws of sleep, of latency and of smoothness have files of their own.
struct UnitLaws {
    let unit: UnitUnderTest
    /// The rate at which the laws are tried: 48 kHz, or the first that the unit does not refuse.
    let sampleRate: Double
    let elementCounts: [Int]
    let material: LawMaterial
    let reference: LawMaterial.Take

    init(_ unit: UnitUnderTest) throws {
        self.unit = unit
        let sampleRate = try Self.acceptedRate(of: unit)
        let material = LawMaterial(unit, sampleRate: sampleRate)
        let reference = try material.play()
        (self.sampleRate, self.material, self.reference) = (sampleRate, material, reference)
        elementCounts = unit.specs.indices.map { reference.unit.parameters.elementCount(of: $0) }
    }

    /// 48 kHz, else another rate the unit offers; its error for 48 kHz if it refuses all of them.
    private static func acceptedRate(of unit: UnitUnderTest) throws(UnitError) -> Double {
        func refusal(_ rate: Double) -> UnitError? {
            do throws(UnitError) { _ = try unit.make(UnitSetup(sampleRate: rate)) } catch { return error }
            return nil
        }
        guard let first = refusal(48_000) else { return 48_000 }
        guard let rate = unit.sampleRates.first(where: { refusal($0) == nil }) else { throw first }
        return rate
    }

    func broken(_ law: String, _ observation: String) -> [LawViolation] {
        [LawViolation(law: "\(unit.descriptor.name): \(law)", observation: observation)]
    }

    func clean(_ take: LawMaterial.Take, _ what: String) -> [LawViolation] {
        var found: [LawViolation] = []
        let violations = take.rig.violations
        if violations.total > 0 { found += broken("the render side does nothing forbidden", "\(what): \(violations)") }
        if take.rig.renderer.counters.faults > 0 { found += broken("every sample is a number", "\(what): the unit was muted") }
        return found
    }

    func difference(_ a: LawMaterial.Take, _ b: LawMaterial.Take) -> String? {
        if let difference = firstDifference(a.channels, b.channels) { return difference }
        for (index, name) in unit.descriptor.readouts.enumerated() where a.readouts[index] != b.readouts[index] {
            return "the readout \(name): \(a.readouts[index]) and \(b.readouts[index])"
        }
        return nil
    }

    private func bounded(_ take: LawMaterial.Take, _ what: String) -> [LawViolation] {
        take.peak < 1000 ? [] : broken("levels stay sane", "\(what): peak \(take.peak)")
    }

    var liveElements: [(index: Int, element: Int)] {
        unit.specs.indices.filter { unit.specs[$0].applies == .live }.flatMap { index in
            (0..<elementCounts[index]).map { (index, $0) }
        }
    }

    /// Names, ranges and help are there and fit together.
    func declarationIsSound() -> [LawViolation] {
        var found: [LawViolation] = []
        let law = "the declaration is sound"
        var names: Set<String> = []
        for spec in unit.specs {
            if !names.insert(spec.name).inserted { found += broken(law, "two parameters are named \(spec.name)") }
            if !([spec.initial] + spec.bandInitials).allSatisfy(spec.range.contains) {
                found += broken(law, "\(spec.name): the default is out of range")
            }
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

    /// Two units with the same input give the same output.
    func isDeterministic() throws -> [LawViolation] {
        let again = try material.play()
        var found = clean(reference, "the first passage") + clean(again, "deterministic")
        if let difference = difference(reference, again) {
            found += broken("the same input gives the same samples", "a second unit differs at \(difference)")
        }
        // What a companion feeds is silent here: no file is played, no device captures.
        let isExpectedToSound = !unit.descriptor.outputs.isEmpty && reference.unit.companion == nil
        if isExpectedToSound && reference.peak == 0 {
            found += broken("the law's passage sounds", "nothing but zeros came out, so no law was tested")
        }
        return found
    }

    /// A unit gives the same samples at every block size.
    func blockSizeDoesNotMatter() throws -> [LawViolation] {
        var found: [LawViolation] = []
        for block in [1, 7, 64, 128, 1024] {
            let take = try material.play(block: block)
            found += clean(take, "block \(block)")
            if let difference = difference(reference, take) {
                found += broken("block size does not matter", "block \(block) differs from block 256 at \(difference)")
            }
        }
        return found
    }

    /// A unit gives the same samples on every number of threads.
    func threadsDoNotMatter() throws -> [LawViolation] {
        let take = try material.play(block: 1_000, threads: 3)
        var found = clean(take, "three threads")
        if let difference = difference(reference, take) {
            found += broken("threads do not matter", "three differ from one at \(difference)")
        }
        return found
    }

    /// Reset in the middle of a sound, a unit sounds like a new one that begins at that sample time.
    func resetEqualsNew() throws -> [LawViolation] {
        // On a multiple of the coarsest grid of events, so that the reset is not late.
        let start = material.frames * 5 / 16 / 64 * 64
        let fresh = try material.play(from: start)
        let used = try material.play(from: start, isUsed: true)
        var found = clean(fresh, "begun at frame \(start)") + clean(used, "reset")
        // What a companion keeps, such as a count of what was lost, outlives a reset of the unit.
        let isAlone = reference.unit.companion == nil
        if let difference = isAlone ? difference(fresh, used) : firstDifference(fresh.channels, used.channels) {
            found += broken("reset equals new", "a reset at frame \(start): differs at \(difference)")
        }
        return found
    }

    /// Silence in gives silence out, within the declared tail after sound.
    func silenceStaysSilent() throws -> [LawViolation] {
        let isGenerator = unit.descriptor.component.type == .generator
        let quiet = try LawMaterial(silent: unit, sampleRate: sampleRate, frames: Int(0.3 * sampleRate)).play()
        var found = clean(quiet, "silence")
        if !isGenerator && quiet.peak > 0 { found += broken("silence in gives silence out", "there is sound without input") }
        let short = LawMaterial(unit, sampleRate: sampleRate, seconds: 0.5)
        let tail = Int(unit.descriptor.tail * sampleRate) + reference.unit.latency + 64
        let take = try short.play(block: 1024, frames: short.frames + tail + 4096)
        found += clean(take, "tail")
        if !isGenerator && take.channels.contains(where: { $0.suffix(4096).contains { abs($0) > 1e-5 } }) {
            found += broken("the tail ends when declared", "there is sound \(unit.descriptor.tail) s after the input ended")
        }
        return found
    }

    /// Finite with every parameter at its lowest and its highest.
    func isFiniteAtEveryCorner() throws -> [LawViolation] {
        var found: [LawViolation] = []
        let short = LawMaterial(unit, sampleRate: sampleRate, seconds: 0.2)
        for (index, spec) in unit.specs.enumerated() {
            for value in [spec.range.lowerBound, spec.range.upperBound] {
                let changes = (0..<elementCounts[index]).map {
                    LawMaterial.Change(time: 0, index: index, element: $0, value: value)
                }
                let take =
                    spec.applies == .live
                    ? try short.play(block: 128, automation: changes)
                    : try short.play(block: 128, startValues: [spec.name: value])
                found += clean(take, "\(spec.name) = \(value)") + bounded(take, "\(spec.name) = \(value)")
            }
        }
        for isHigh in [false, true] {
            let changes = liveElements.map { index, element in
                let range = unit.specs[index].range
                return LawMaterial.Change(
                    time: 0, index: index, element: element, value: isHigh ? range.upperBound : range.lowerBound)
            }
            let take = try short.play(block: 128, automation: changes)
            found += clean(take, "all parameters \(isHigh ? "high" : "low")")
        }
        return found
    }

    /// Finite, and the same at any block size, while parameters move at random, every element for itself.
    func isFiniteUnderAutomation() throws -> [LawViolation] {
        var random = SeededRandom(seed: 99)
        let live = liveElements
        if live.isEmpty { return [] }
        let short = LawMaterial(unit, sampleRate: sampleRate, seconds: 0.4)
        let count = max(60, 3 * live.count)
        let changes = (0..<count).map { n in
            let (index, element) = live[Int(random.next() % UInt64(live.count))]
            let value = unit.specs[index].value(atFraction: (random.sample() + 1) / 2)
            return LawMaterial.Change(time: n * short.frames / count + n % 61, index: index, element: element, value: value)
        }
        let take = try short.play(block: 512, automation: changes)
        let other = try short.play(block: 33, automation: changes)
        var found =
            clean(take, "random automation") + clean(other, "random automation")
            + bounded(take, "random automation")
        if let difference = difference(take, other) {
            found += broken("block size does not matter", "under automation, blocks 512 and 33 differ at \(difference)")
        }
        return found
    }

    /// Every offered sample rate makes sound, or is refused by the error that names the rates.
    func everyRateWorks() throws -> [LawViolation] {
        var found: [LawViolation] = []
        let law = "every rate works or is refused"
        for rate in unit.sampleRates {
            do throws(UnitError) {
                _ = try unit.make(UnitSetup(sampleRate: rate))
            } catch {
                if case .unsupportedSampleRate(_, rate, let supported) = error, !supported.contains(rate) { continue }
                found += broken(law, "\(rate) Hz: \(error)")
                continue
            }
            let take = try LawMaterial(unit, sampleRate: rate, seconds: 0.2).play(block: 100)
            found += clean(take, "\(rate) Hz") + bounded(take, "\(rate) Hz")
        }
        return found
    }
}

/// Returns where two recordings differ first; nil if they are the same to the bit.
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
