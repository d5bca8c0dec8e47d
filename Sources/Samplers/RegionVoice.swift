// [render]
import DSP
import MIDI
import SoundFonts

/// What a voice of an SFZ region has beside the model's: its plan as it runs.
///
/// The voice reads the sample, this says at which pitch, level and place, once a period of 64 frames.
struct RegionVoice: BitwiseCopyable {
    var plan: UnsafePointer<RegionPlan>
    private(set) var book: RegionBook
    /// The channel that it plays on.
    private var part: UnsafePointer<Part>, channel: UnsafePointer<RegionChannel>
    private(set) var event: RegionEvent
    /// Values of extended controllers that stay, 131...141.
    private var extended = InlineArray<11, Float>(repeating: 0)
    /// Where modulations add up.
    var registers = InlineArray<128, Float>(repeating: 0)
    /// The values of the connections, which follow their controllers.
    private var followed = InlineArray<64, FollowedValue>(repeating: FollowedValue())
    var oscillators = InlineArray<8, RegionOscillatorState>(repeating: RegionOscillatorState())
    var contours = InlineArray<6, RegionEnvelopeState>(repeating: RegionEnvelopeState())
    var flexes = InlineArray<6, RegionFlexState>(repeating: RegionFlexState())
    var envelope = RegionEnvelopeState()
    var filters = RegionFilterState()
    /// The note's own: a factor, cents, hertz of the filters.
    var gain: Float = 1, cents: Float = 0
    var cutoffs = SIMD2<Float>(0, 0)
    /// 0...1.
    private(set) var velocity: Float = 1
    /// The wheel in cents, and the controllers' fades, as they are followed now.
    var bend = FollowedValue(), fade = FollowedValue()
    /// Periods before it sounds; rounds of the loop so far, and the place in the sample before.
    var wait: UInt32 = 0, rounds: UInt32 = 0, place: UInt64 = 0
    /// Frames of noise so far.
    var noiseTime: Int64 = 0
    /// True once another has silenced it.
    var isSilenced = false
    /// The noise of its chance.
    let chance: CounterNoise

    @_noLocks init(
        _ plan: UnsafePointer<RegionPlan>, _ book: RegionBook, _ event: RegionEvent, _ part: UnsafePointer<Part>,
        _ chooser: borrowing RegionChooser
    ) {
        (self.plan, self.book, self.event, self.part) = (plan, book, event, part)
        channel = UnsafePointer(chooser.channels + Int(event.channel))
        chance = CounterNoise(seed: event.number &* 16 &+ UInt64(event.channel))
        let velocity = chooser.velocity(plan, event)
        self.event.velocity = velocity
        self.velocity = Float(Int32(velocity)) * (1.0 / 127)
        for number in 0..<11 {
            let controller = UInt16(truncatingIfNeeded: 131 &+ number)
            extended[number] = chooser.value(controller, plan, self.event, part)
        }
    }

    /// The value of a controller now, 0...1.
    @_noLocks func value(_ controller: UInt16) -> Float {
        switch controller {
        case 128: return Float(Int32(truncatingIfNeeded: part.pointee.bend)) * (1.0 / 8_192)
        case 129: return Float(Int32(part.pointee.pressure)) * (1.0 / 127)
        case 130: return Float(Int32(part.pointee.pressure(of: event.key))) * (1.0 / 127)
        case 131...141: return extended[Int(controller &- 131)]
        default:
            let lowest = book.instruments[Int(plan.pointee.instrument)].firstValue
            return channel.pointee.value(controller, part, book.values + Int(lowest))
        }
    }

    /// True while its own pedal holds it.
    var isSustained: Bool {
        @_noLocks get {
            let rule = plan.pointee.rule
            if rule.sustainController < 0 { return false }
            if rule.sustainController == 64 && rule.sustainThreshold == 0.5 { return part.pointee.isSustained }
            return value(UInt16(rule.sustainController)) >= rule.sustainThreshold
        }
    }

    var wheel: Float { @_noLocks get { Float(Int32(truncatingIfNeeded: part.pointee.bend)) * (1.0 / 8_192) } }

    /// A curve of the book at 0...1; straight between its points.
    @_noLocks func curved(_ curve: Int32, _ value: Float) -> Float {
        if curve < 0 { return value }
        let numbers = book.curves + Int(curve) &* 128
        let place = min(max(value, 0), 1) * 127, index = min(Int(place), 126)
        return numbers[index] + (numbers[index &+ 1] - numbers[index]) * (place - Float(Int32(truncatingIfNeeded: index)))
    }

    /// Adds up the controllers. `periodsPerSecond` 0: as they are, at once.
    @_noLocks mutating func follow(periodsPerSecond: Float) {
        for index in 0..<128 { registers[index] = 0 }
        registers[Int(RegionTarget.amplitude)] = 1
        let first = book.connections + Int(plan.pointee.firstConnection)
        for index in 0..<Int(plan.pointee.connectionCount) {
            let line = first + index
            var now = curved(line.pointee.curve, value(line.pointee.controller))
            let step = line.pointee.step
            if step > 0 { now = Float(Int32(min(max(now / step, -1e6), 1e6))) * step }
            now = followed[index].follow(now, milliseconds: line.pointee.smooth, periodsPerSecond)
            add(now * line.pointee.depth, line.pointee.target)
        }
    }

    @_noLocks mutating func add(_ value: Float, _ target: UInt8) {
        if target == RegionTarget.amplitude {
            registers[1] *= value
        } else {
            registers[Int(target & 127)] += value
        }
    }

    /// A generator's connections add its value.
    @_noLocks mutating func add(_ value: Float, connections first: Int32, _ count: Int32) {
        for index in 0..<Int(count) {
            let line = book.connections + (Int(first) &+ index)
            let register = line.pointee.depthRegister
            let depth =
                line.pointee.depth + line.pointee.byVelocity * velocity + (register == 0 ? 0 : registers[Int(register & 127)])
            add(value * depth, line.pointee.target)
        }
    }

    /// The numbers of an envelope as velocity and controllers have them.
    @_noLocks func values(_ envelope: RegionEnvelope) -> InlineArray<7, Float> {
        var values = envelope.values
        for index in 0..<7 {
            values[index] += envelope.byVelocity[index] * velocity
            if envelope.register != 0 { values[index] += registers[(Int(envelope.register) &+ index) & 127] }
        }
        return values
    }

    /// The factor of a fade, of a value in its unit. What is left of a range after `gap` is the way.
    @_noLocks static func factor(_ fade: RegionFade, _ value: Float, gap: Float) -> Float {
        var share: Float = 1
        if value < fade.inLow {
            share = 0
        } else if value < fade.inHigh {
            share = min((value - fade.inLow) / max(fade.inHigh - fade.inLow - gap, 1e-3), 1)
        }
        if value > fade.outHigh {
            share = 0
        } else if value > fade.outLow {
            share *= max(1 - (value - fade.outLow) / max(fade.outHigh - fade.outLow - gap, 1e-3), 0)
        }
        return fade.keepsPower ? Float(DeterministicMath.squareRoot(Double(max(share, 0)))) : share
    }

    /// The factor of all fades by controllers.
    var fades: Float {
        @_noLocks get {
            var factor: Float = 1
            for index in 0..<Int(plan.pointee.level.fadeCount) {
                let fade = book.fades[Int(plan.pointee.level.firstFade) &+ index]
                factor *= Self.factor(fade, value(fade.controller) * 127, gap: 1)
            }
            return factor
        }
    }

    @_noLocks static func gain(decibels: Float) -> Float {
        Float(DeterministicMath.quickExp2(Double(min(max(decibels, -200), 60)) * 0.16609640474436812))
    }
}
