// [render]
import DSP
import MIDI
import SoundFonts

/// What a voice of an SFZ region has besides the model's: its plan as it runs.
///
/// The voice reads the sample, this says at which pitch, level and place, once a period of 64 frames.
struct RegionVoice: BitwiseCopyable {
    var plan: UnsafePointer<RegionPlan>
    private(set) var book: RegionBook
    private var source: RegionSource
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
    /// True once its key or another region has let it go; once another has silenced it; if it fades then, whatever its own
    /// envelope is.
    var isLetGo = false, isSilenced = false, isFading = false
    /// The noise of its chance: the sides of a stereo sample have the same.
    let chance: CounterNoise

    @_noLocks init(
        _ plan: UnsafePointer<RegionPlan>, _ book: RegionBook, _ event: RegionEvent, _ source: RegionSource,
        _ chooser: borrowing RegionChooser
    ) {
        (self.plan, self.book, self.event, self.source) = (plan, book, event, source)
        let number = event.number &* 16 &+ UInt64(event.manager), region = UInt64(UInt32(bitPattern: plan.pointee.rule.region))
        chance = CounterNoise(seed: (number &* 65_536 &+ region) ^ (chooser.seed &* 0x9E37_79B9_7F4A_7C15))
        let velocity = chooser.velocity(plan, event)
        self.event.velocity = velocity
        self.velocity = Float(Int32(velocity)) * (1.0 / 127)
        for number in 0..<11 {
            let controller = UInt16(truncatingIfNeeded: 131 &+ number)
            extended[number] = chooser.value(controller, self.event, source)
        }
    }

    /// The value of a controller now, 0...1.
    @_noLocks func value(_ controller: UInt16) -> Float {
        if controller >= 131 && controller <= 141 { return extended[Int(controller &- 131)] }
        return source.value(controller, key: event.key)
    }

    /// True while its own pedal holds it.
    var isSustained: Bool {
        @_noLocks get {
            let rule = plan.pointee.rule
            if rule.sustainController < 0 { return false }
            if rule.sustainController == 64 && rule.sustainThreshold == 0.5 { return source.manager.pointee.isSustained }
            return value(UInt16(rule.sustainController)) >= rule.sustainThreshold
        }
    }

    var wheel: Float { @_noLocks get { source.wheel } }

    /// The key was down for longer than was known when it went up.
    @_noLocks mutating func wasHeld(for seconds: Float) {
        if !event.isRelease || event.seconds == 0 { return }
        gain *= Self.gain(decibels: -plan.pointee.rule.releaseDecay * seconds)
    }

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

    /// A file may write numbers of any size: no sum is beyond 1e9, nor no number at all.
    @_noLocks mutating func add(_ value: Float, _ target: UInt8) {
        let index = Int(target & 127), isFactor = target == RegionTarget.amplitude
        let sum = isFactor ? registers[index] * value : registers[index] + value
        registers[index] = abs(sum) < 1e9 ? sum : sum > 0 ? 1e9 : sum < 0 ? -1e9 : 0
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

    /// The factor of so many cents; twenty octaves are more than there are.
    @_noLocks static func octaves(_ cents: Float) -> Float {
        Float(DeterministicMath.quickExp2(Double(min(max(cents, -24_000), 24_000)) / 1_200))
    }
}
