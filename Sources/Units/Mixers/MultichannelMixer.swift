import CRealtime
import DSP
import MIDI
import RealtimeCore
import UnitAPI

/// A mixer: any number of mono or stereo inputs, each with gain, pan, a switch and solo, added up into one stereo output.
///
/// Inputs are added in their order, so the sum is the same to the last bit on every machine; silent ones cost nothing.
/// `pan-law` sets the level in the middle (`PanGains`): a balance for what is stereo, another for a mono source, which
/// is led to both sides and placed by `pan`. Meters are off until `metering` switches them on, as measuring costs
/// more than mixing; they show peak and average (`LevelMeter`) of the sum and of each input.
///
/// With the property `stems`, a number for each input, inputs of the same number are added up first, and `volume` acts on each
/// of these stems: what they add up to is the sum to the last bit. `StemFeed` has them.
public struct MultichannelMixer: AudioUnit, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .mixer, subtype: "mcmx", manufacturer: .carillon),
        name: "multichannel-mixer", summary: "Adds up any number of mono or stereo inputs.", inputs: [.init("input")],
        outputs: [.init("main")], repeatsLastInput: true, properties: ["stems"], readouts: MixerMeters.names,
        readoutsAtStart: MixerMeters.names.map { _ in MixerMeters.floor },
        inputReadouts: MixerMeters.names.map { ($0, MixerMeters.floor) })

    public enum Parameter: Int, UnitParameter {
        case gain, pan, enable, volume, panLaw, solo, metering

        public var spec: ParameterSpec {
            switch self {
            case .gain: .decibels("gain", -120...12, 0, scope: .input, "How loud the input is; -120 dB is silence.")
            case .pan:
                ParameterSpec(
                    "pan", -100...100, default: 0, unit: .pan, scope: .input,
                    help: "Where the input stands between left and right.")
            case .enable: .fadingToggle("enable", default: true, scope: .input, help: "Whether the input is heard.")
            case .volume: .decibels("volume", -120...40, 0, "How loud the sum is; -120 dB is silence.")
            case .panLaw: Self.law
            case .solo:
                .solo(scope: .input, help: "Silences every input that is not soloed, and its sends to effects.")
            case .metering:
                .choice(
                    "metering", ["off", "before-gain", "after-gain"], default: 0,
                    help: "Whether levels are shown, and those of the inputs before or after gain, pan and switches.")
            }
        }

        private static var law: ParameterSpec {
            var spec = ParameterSpec.choice(
                "pan-law", PanGains.laws, default: 0, scope: .input,
                help: "How much softer the middle is: balance not at all, equal-power 3 dB, compromise 4.5 dB, linear 6 dB.")
            // The way leads through the laws between.
            spec.smoothing = 0.02
            return spec
        }
    }

    private var owned: OwnedMemory
    private let amplitudes: UnsafeMutablePointer<AmplitudeMemo>
    private var loudness = AmplitudeMemo()
    private var meters: MixerMeters
    private let product: UnsafeMutablePointer<Float>
    /// The feed that takes the stems; nil means the inputs are added up one by one.
    private let feed: StemFeed?
    private let stems: UnsafeMutablePointer<StemPlace>?
    private let lost: AudioBuffer?
    private let lostChannels: UnsafePointer<UnsafeMutablePointer<Float>>?

    public init(_ setup: UnitSetup) throws(UnitError) {
        let count = max(setup.inputCount, 1)
        if let numbers = setup.properties["stems"] {
            let feed = StemFeed(try StemFeed.stems(numbers, inputs: count))
            (self.feed, stems) = (feed, feed.place)
            let lost = AudioBuffer(channels: 2, capacity: setup.maximumFrames)
            (self.lost, lostChannels) = (lost, lost.channels)
        } else {
            (feed, stems, lost, lostChannels) = (nil, nil, nil, nil)
        }
        owned = OwnedMemory()
        amplitudes = owned.make(count, of: AmplitudeMemo())
        meters = MixerMeters(inputs: count, sampleRate: setup.sampleRate)
        product = owned.make(setup.maximumFrames, of: 0)
    }

    /// The feed of the stems.
    public var companion: UnitCompanion? { feed }

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        let left = io.output(0, 0).base, right = io.output(0, 1).base
        let volume = io[Parameter.volume], metering = io[Parameter.metering].target
        let loudness = loudness(volume.target)
        let isShut = volume.isSteady && loudness == 0
        if metering < 0.5 {
            meters.hide(io)
            if isShut { return .silent }
        }
        if metering >= 0.5 { for input in 0..<io.inputCount { measure(io, input, isAfterGain: metering > 1.5) } }
        var isSounding = false
        if let stems {
            if !isShut { isSounding = addStems(io, stems.pointee, volume, loudness) }
        } else {
            for input in 0..<io.inputCount {
                if isShut || io.isSilent(input) || isOff(io, input) { continue }
                if !isSounding {
                    // Added to zero rather than copied: no sum ends in a negative zero.
                    rt_zero(left, io.frames)
                    rt_zero(right, io.frames)
                    isSounding = true
                }
                add(io, input, left, right)
            }
            if isSounding { raise(left, right, volume, loudness, io.frames) }
        }
        if metering >= 0.5 {
            meters.measure(io, -1, isSounding ? UnsafePointer(left) : nil, isSounding ? UnsafePointer(right) : nil)
            // Awake until nothing falls any more.
            if !isSounding && !meters.isResting {
                io.markSilent()
                return .sounding
            }
        }
        return isSounding ? .sounding : .silent
    }

    @_noLocks public mutating func reset() { meters.clear() }

    /// Adds up each stem by itself, if its feed wants it, and all of them. Returns whether anything sounds.
    @_noLocks private func addStems(
        _ io: borrowing RenderIO, _ place: StemPlace, _ volume: ParameterRamp, _ loudness: Float
    ) -> Bool {
        guard let lost = lostChannels else { return false }
        let left = io.output(0, 0).base, right = io.output(0, 1).base
        var isSounding = false, next = 0
        while next < place.inputCount {
            let stem = place.order[next].stem, bus = Int(stem) &* 2
            let stemLeft = place.channel(bus, at: io.sampleTime, io.frames) ?? lost[0]
            let stemRight = place.channel(bus &+ 1, at: io.sampleTime, io.frames) ?? lost[1]
            var sounds = false
            while next < place.inputCount, place.order[next].stem == stem {
                let input = Int(place.order[next].input)
                next &+= 1
                if io.isSilent(input) || isOff(io, input) { continue }
                if !sounds {
                    rt_zero(stemLeft, io.frames)
                    rt_zero(stemRight, io.frames)
                    sounds = true
                }
                add(io, input, stemLeft, stemRight)
            }
            if !sounds { continue }
            raise(stemLeft, stemRight, volume, loudness, io.frames)
            if !isSounding {
                rt_zero(left, io.frames)
                rt_zero(right, io.frames)
                isSounding = true
            }
            rt_add(left, stemLeft, io.frames)
            rt_add(right, stemRight, io.frames)
        }
        return isSounding
    }

    @_noLocks private func raise(
        _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ volume: ParameterRamp,
        _ loudness: Float, _ frames: Int
    ) {
        if !volume.isSteady {
            for i in 0..<frames {
                let loudness = Decibels.amplitude(volume[i])
                left[i] *= loudness
                right[i] *= loudness
            }
        } else if loudness != 1 {
            rt_scale(left, left, loudness, frames)
            rt_scale(right, right, loudness, frames)
        }
    }

    @_noLocks private func isOff(_ io: borrowing RenderIO, _ input: Int) -> Bool {
        let gain = io[Parameter.gain, input], enable = io[Parameter.enable, input]
        return (gain.isSteady && gain.target <= -120) || (enable.isSteady && enable.target == 0)
    }

    @_noLocks private func gains(_ io: borrowing RenderIO, _ input: Int) -> InputGains {
        let gain = io[Parameter.gain, input]
        return InputGains(
            gain: gain, pan: io[Parameter.pan, input], enable: io[Parameter.enable, input],
            law: io[Parameter.panLaw, input],
            amplitude: amplitudes[input](gain.target))
    }

    @_noLocks private func add(
        _ io: borrowing RenderIO, _ input: Int, _ left: UnsafeMutablePointer<Float>,
        _ right: UnsafeMutablePointer<Float>
    ) {
        let fromLeft = io.input(input, 0).base, fromRight = io.input(input, 1).base
        let gains = gains(io, input)
        if gains.isSteady {
            let steady = gains.steady
            Self.add(fromLeft, left, steady.left, io.frames)
            Self.add(fromRight, right, steady.right, io.frames)
        } else {
            for i in 0..<io.frames {
                let now = gains[i]
                left[i] += fromLeft[i] * now.left
                right[i] += fromRight[i] * now.right
            }
        }
    }

    @_noLocks private static func add(
        _ from: UnsafePointer<Float>, _ to: UnsafeMutablePointer<Float>, _ gain: Float, _ count: Int
    ) {
        if gain == 1 { rt_add(to, from, count) } else if gain != 0 { rt_add_scaled(to, from, gain, count) }
    }

    @_noLocks private mutating func measure(_ io: borrowing RenderIO, _ input: Int, isAfterGain: Bool) {
        let left = io.input(input, 0).base, right = io.input(input, 1).base
        if io.isSilent(input) || (isAfterGain && isOff(io, input)) { return meters.measure(io, input, nil, nil) }
        if !isAfterGain { return meters.measure(io, input, left, right) }
        let gains = gains(io, input)
        for i in 0..<io.frames { product[i] = left[i] * gains[i].left }
        meters.hear(io, input, 0, product)
        for i in 0..<io.frames { product[i] = right[i] * gains[i].right }
        meters.hear(io, input, 1, product)
        meters.show(io, input)
    }
}
