// [render]
import MIDI
import SoundFonts

/// The present worth of modulators: values of a channel and a key, through their curves, times their amounts.
struct ModulatorValues {
    let part: UnsafePointer<Part>
    private let manager: UnsafePointer<Part>
    let curves: ControlCurves

    @_noLocks init(_ part: UnsafePointer<Part>, manager: UnsafePointer<Part>, _ curves: ControlCurves) {
        (self.part, self.manager, self.curves) = (part, manager, curves)
    }

    @_noLocks func value(_ modulator: Modulator, _ voice: UnsafePointer<Voice>) -> Double {
        let source = modulator.source
        if source.number == 0 && !source.isController { return 0 }
        if part.pointee.hasMatrix && isReplaced(modulator) { return 0 }
        let first = curved(source, raw(source, voice))
        if first == 0 { return 0 }
        var product = Double(modulator.amount) * first
        // Registered parameter 5 sets the depth of the wheel's vibrato.
        if source.isController && source.number == 1 && modulator.destination == .vibratoLFOToPitch {
            product *= manager.pointee.modulationDepth / 50
        }
        let by = modulator.amountSource
        if by.number != 0 || by.isController { product *= curved(by, raw(by, voice)) }
        return modulator.isAbsolute ? abs(product) : product
    }

    /// The standard's vibrato by channel pressure, where the controller matrix has a depth of its own.
    @_noLocks private func isReplaced(_ modulator: Modulator) -> Bool {
        modulator.destination == .vibratoLFOToPitch && modulator.source.number == 13 && !modulator.source.isController
            && modulator.amount == 50 && part.pointee.hasPressureVibrato
    }

    @_noLocks func sum(_ generator: Generator, _ voice: UnsafePointer<Voice>) -> Double {
        var sum = Double(part.pointee.generatorOffset(generator.rawValue))
        for index in 0..<voice.pointee.modulatorCount {
            let modulator = voice.pointee.modulators[index]
            if modulator.destination == generator { sum += value(modulator, voice) }
        }
        if part.pointee.hasMatrix { sum += ControlMatrix.sum(generator, part, voice) }
        return sum
    }

    /// 0...`top(source)`: 127 of 128, and a little more for the wheel.
    @_noLocks private func raw(_ source: ModulatorSource, _ voice: UnsafePointer<Voice>) -> Double {
        if source.isController { return Double(controller(source.number)) / 128 }
        switch source.number {
        case 2:
            let fixed = voice.pointee.base(.fixedVelocity)
            return (fixed > 0 ? fixed : Double(voice.pointee.velocity)) / 128
        case 3: return voice.pointee.soundingKey / 128
        case 10: return Double(part.pointee.pressure(of: voice.pointee.key)) / 128
        case 13: return Double(max(part.pointee.pressure, manager.pointee.pressure)) / 128
        case 14: return Double(part.pointee.bend &+ 8_192) / 16_384
        // Times the standard's 12 700 cents, a semitone is 100: libfluidsynth, which divides by 128, bends 198 for 200.
        case 16: return part.pointee.bendRange / (curves.isRounded ? 12_800 : 12_700)
        default: return 0
        }
    }

    /// Controllers are the manager's but for brightness, which members have of their own on top of it.
    @_noLocks private func controller(_ number: UInt8) -> UInt8 {
        if number != 74 || part == manager { return manager.pointee.value(of: number) }
        let sum = part.pointee.soundControl(.cutoff) &+ manager.pointee.soundControl(.cutoff)
        return UInt8(truncatingIfNeeded: min(max(sum &+ 64, 0), 127))
    }

    /// The standard's ranges (sections 8.2 and 9.5.3): a falling line ends at 0, and no rising one goes beyond 127 of 128, or
    /// what the wheel has; as libfluidsynth has them since 2.5.
    @_noLocks private func curved(_ source: ModulatorSource, _ x: Double) -> Double {
        if curves.isRounded { return roughlyCurved(source, x) }
        let top = source.number == 14 && !source.isController ? 16_383.0 / 16_384 : 127.0 / 128
        let way = source.isNegative ? top - x : x
        let place = source.isBipolar && way != top ? 2 * way - 1 : way
        switch source.curve {
        case .linear: return place
        case .step: return source.isBipolar ? (place >= 0 ? 1 : -1) : place >= 0.5 ? 1 : 0
        case .concave, .convex:
            return place < 0 ? -bent(source.curve, -128 * place) : min(bent(source.curve, 128 * place), top)
        }
    }

    /// As libfluidsynth had it until 2.4.
    @_noLocks private func roughlyCurved(_ source: ModulatorSource, _ x: Double) -> Double {
        switch source.curve {
        case .linear:
            if source.isBipolar { return source.isNegative ? 1 - 2 * x : 2 * x - 1 }
            return source.isNegative ? 1 - x : x
        case .step:
            let isHigh = (x >= 0.5) != source.isNegative
            return isHigh ? 1 : source.isBipolar ? -1 : 0
        case .concave, .convex:
            if !source.isBipolar { return bent(source.curve, 127 * (source.isNegative ? 1 - x : x)) }
            let half = x > 0.5 ? bent(source.curve, 254 * (x - 0.5)) : -bent(source.curve, 254 * (0.5 - x))
            return source.isNegative ? -half : half
        }
    }

    @_noLocks private func bent(_ curve: ModulatorSource.Curve, _ value: Double) -> Double {
        if case .concave = curve { curves.concave(value) } else { curves.convex(value) }
    }

    @_noLocks func set(_ mask: UInt64, of voice: UnsafeMutablePointer<Voice>, _ setting: Voice.Setting) {
        var left = mask
        while left != 0 {
            let number = UInt8(truncatingIfNeeded: left.trailingZeroBitCount)
            left &= left &- 1
            guard let generator = Generator(rawValue: number) else { continue }
            voice.pointee.generators[Generator.count &+ Int(number)] = sum(generator, voice)
            voice.pointee.update(generator, setting)
        }
    }

    /// One bit for each generator that a source moves.
    @_noLocks func moved(by source: UInt8, isController: Bool, _ voice: UnsafePointer<Voice>) -> UInt64 {
        var moved = part.pointee.hasMatrix ? ControlMatrix.generators : 0
        for index in 0..<voice.pointee.modulatorCount {
            let modulator = voice.pointee.modulators[index], first = modulator.source, second = modulator.amountSource
            let isFirst = first.number == source && first.isController == isController
            let isSecond = second.number == source && second.isController == isController
            if isFirst || isSecond { moved |= 1 &<< UInt64(modulator.destination.rawValue) }
        }
        return moved
    }

    /// One bit for each generator whose sum is another by now.
    @_noLocks func changed(_ voice: UnsafePointer<Voice>) -> UInt64 {
        var changed: UInt64 = 0
        for number in 0..<Generator.count {
            guard let generator = Generator(rawValue: UInt8(truncatingIfNeeded: number)) else { continue }
            if sum(generator, voice) != voice.pointee.generators[Generator.count &+ number] { changed |= 1 &<< UInt64(number) }
        }
        return changed
    }
}
