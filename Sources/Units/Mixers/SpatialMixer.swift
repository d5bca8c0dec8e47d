import CRealtime
import DSP
import RealtimeCore
import SOFAFiles
import UnitAPI

/// A room around the listener: up to 32 sources, each at a place of its own, and a head that can move and turn.
///
/// Each input is one source; a stereo one is folded to mono. Coordinates are metres: x to the right, y up, z to the back
/// (`ListenerView`). Distance makes a source softer (`DistanceModel`), what is in its way duller as well (`ShadeFilter`):
/// an obstruction shades the direct sound alone, an occlusion what goes to the reverb too, with a quarter of it for the
/// lows. There is no Doppler effect and no room of its own: `reverb-send` leads to one, as loud from far away as from near.
///
/// How it is rendered is chosen when it is made: `equal-power` between two speakers, `hrtf` for headphones, with the filters
/// of the SOFA file that the property `head` names (`HeadConvolver`), or `vbap` among the speakers of a `layout`
/// (`SpeakerRing`). The output `speakers` has a channel for each of eight, `main` the first two.
///
/// Gains are worked out every 64 frames of sample time and glide between; no distance delays a sound.
public struct SpatialMixer: EffectWithMemory, ~Copyable {
    public static let descriptor = UnitDescriptor(
        component: ComponentDescription(type: .mixer, subtype: "spmx", manufacturer: .carillon), name: "spatial-mixer",
        summary: "Places up to 32 sources in the room around a listener.", inputs: [.init("source")],
        outputs: [.init("main"), .init("reverb-send", use: .send), .init("speakers", channels: SpeakerRing.width)],
        repeatsLastInput: true, tail: 1, properties: [headProperty])

    public enum Parameter: Int, UnitParameter {
        case x, y, z, gain, enable, obstruction, occlusion, reverbSend
        case listenerX, listenerY, listenerZ, yaw, pitch, roll
        case distanceModel, referenceDistance, maximumDistance, rollOff, rendering, layout

        public var spec: ParameterSpec { SpatialParameters.spec(self) }
    }

    /// The property that names a SOFA file; and the file if it is left out, which Debian's libmysofa1 brings.
    static let headProperty = "head", defaultHead = "/usr/share/libmysofa/default.sofa"
    /// The value of `rendering` that plays on a layout of speakers.
    public static var vbap: Int { SpatialRendering.vbap.rawValue }
    static let sourceLimit = 32

    private let sampleRate: Double
    private let rendering: SpatialRendering
    private let ring: SpeakerRing
    private let ears: HeadConvolver
    private var owned: OwnedMemory
    private let sources: UnsafeMutablePointer<SpatialSource>
    private let sourceCount: Int
    private let gains: UnsafeMutablePointer<Double>
    private let mono: UnsafeMutablePointer<Float>
    private var isSending = false
    /// Where it is in time.
    public var runs = EffectRuns()
    /// The frames that the ears' filters hold; what the shades hold, keeps it awake besides.
    public let memory: Int

    public init(_ setup: UnitSetup) throws(UnitError) { try self.init(setup, head: try Self.head(setup)) }

    /// Creates a mixer whose head does not come from a file.
    package init(_ setup: UnitSetup, head: HeadFilters?) throws(UnitError) {
        sourceCount = max(setup.inputCount, 1)
        guard sourceCount <= Self.sourceLimit else {
            throw .elementCount(unit: Self.descriptor.name, asked: sourceCount, supported: 1...Self.sourceLimit)
        }
        owned = OwnedMemory()
        sampleRate = setup.sampleRate
        rendering = SpatialRendering(setup)
        ring = SpeakerRing(layout: Int(setup.value(of: Parameter.layout)))
        ears = HeadConvolver(head, sources: sourceCount)
        memory = max(ears.memory, 2 * DelayLine.run)
        sources = owned.make(sourceCount, of: SpatialSource())
        gains = owned.make(SpeakerRing.width, of: 0)
        mono = owned.make(DelayLine.run, of: 0)
    }

    /// The filters of the head that is requested; nil if none is needed.
    private static func head(_ setup: UnitSetup) throws(UnitError) -> HeadFilters? {
        let name = descriptor.name
        guard case .hrtf = SpatialRendering(setup) else { return nil }
        let path: String
        switch setup.properties[headProperty] {
        case nil: path = defaultHead
        case .text(let text): path = text
        default: throw .invalidProperty(unit: name, property: headProperty, reason: "name a SOFA file")
        }
        do { return HeadFilters(try HeadResponses(path: path), sampleRate: setup.sampleRate) } catch {
            throw error.of(unit: name)
        }
    }

    // [render]

    @_noLocks public mutating func render(_ io: borrowing RenderIO) -> RenderStatus {
        isSending = false
        let status = renderRuns(io)
        if !isSending { io.markSilent(1) }
        return status
    }

    @_noLocks public mutating func reset() {
        clear()
        runs = EffectRuns()
    }

    /// Everything is at once where it should be.
    @_noLocks public mutating func wake(_ io: borrowing RenderIO, at i: Int) {
        aim(io, at: i, isWaking: true)
        for s in 0..<sourceCount { sources[s].arrive() }
    }

    @_noLocks public mutating func tune(_ io: borrowing RenderIO, at i: Int) { aim(io, at: i, isWaking: false) }

    @_noLocks private mutating func aim(_ io: borrowing RenderIO, at i: Int, isWaking: Bool) {
        let view = ListenerView(
            x: Double(io[Parameter.listenerX][i]), y: Double(io[Parameter.listenerY][i]),
            z: Double(io[Parameter.listenerZ][i]), yaw: Double(io[Parameter.yaw][i]), pitch: Double(io[Parameter.pitch][i]),
            roll: Double(io[Parameter.roll][i]))
        let model = DistanceModel(
            Int(io[Parameter.distanceModel].target), reference: Double(io[Parameter.referenceDistance][i]),
            maximum: Double(io[Parameter.maximumDistance][i]), rollOff: Double(io[Parameter.rollOff][i]))
        for s in 0..<sourceCount {
            let place = view.place(
                x: Double(io[Parameter.x, s][i]), y: Double(io[Parameter.y, s][i]), z: Double(io[Parameter.z, s][i]))
            let obstruction = Double(io[Parameter.obstruction, s][i]), occlusion = Double(io[Parameter.occlusion, s][i])
            let level = Double(Decibels.amplitude(io[Parameter.gain, s][i]) * io[Parameter.enable, s][i])
            // The lows lose a quarter of an occlusion, the highs the rest too.
            let lows = level * DeterministicMath.exp2(-occlusion * 0.25 * 0.16609640474436813)    // log2(10) / 20
            sources[s].level.aim(lows * model.gain(at: place.distance))
            sources[s].sending.aim(lows * Double(io[Parameter.reverbSend, s][i]))
            sources[s].shade.aim(ShadeFilter.pole(decibels: obstruction + occlusion * 0.75, sampleRate: sampleRate))
            sources[s].sendShade.aim(ShadeFilter.pole(decibels: occlusion * 0.75, sampleRate: sampleRate))
            if case .hrtf = rendering {
                ears.turn(s, to: place, isWaking: isWaking)
                continue
            }
            spread(place)
            for channel in 0..<SpeakerRing.width { sources[s].aim(channel, gains[channel]) }
        }
    }

    @_noLocks public mutating func process(_ io: borrowing RenderIO, _ run: EffectRun) {
        for bus in 0..<3 {
            for channel in 0..<io.outputChannels(bus) { rt_zero(io.output(bus, channel).base + run.start, run.count) }
        }
        var held = 0.0
        for s in 0..<sourceCount {
            // If its filters are empty too, silence adds nothing.
            if io.isSilent(s) && sources[s].held == 0 && ears.isQuiet(s) { continue }
            play(io, s, run)
            held = max(held, sources[s].held)
        }
        for channel in 0..<2 {
            rt_copy(io.output(0, channel).base + run.start, io.output(2, channel).base + run.start, run.count)
        }
        runs.stir(run, holding: held)
    }

    /// No filter holds anything.
    @_noLocks public mutating func clear() {
        for s in 0..<sourceCount { sources[s].clear() }
        ears.clear()
    }

    /// With two speakers, left and right powers whose difference is how far to the side it is.
    @_noLocks private func spread(_ place: ListenerView.Place) {
        if case .vbap = rendering { return ring.spread(place, to: gains) }
        let distance = place.distance, side = distance > 0 ? min(max(place.right / distance, -1), 1) : 0
        for channel in 2..<SpeakerRing.width { gains[channel] = 0 }
        gains[0] = DeterministicMath.squareRoot((1 - side) * 0.5)
        gains[1] = DeterministicMath.squareRoot((1 + side) * 0.5)
    }

    @_noLocks private mutating func play(_ io: borrowing RenderIO, _ s: Int, _ run: EffectRun) {
        let left = io.input(s, 0).base + run.start, right = io.input(s, 1).base + run.start
        let source = sources + s
        if source.pointee.isSending {
            isSending = true
            let sendLeft = io.output(1, 0).base + run.start, sendRight = io.output(1, 1).base + run.start
            for k in 0..<run.count {
                let sample = source.pointee.send((left[k] + right[k]) * 0.5, run.phase &+ k)
                sendLeft[k] += sample
                sendRight[k] += sample
            }
        }
        for k in 0..<run.count { mono[k] = source.pointee.direct((left[k] + right[k]) * 0.5, run.phase &+ k) }
        if run.phase &+ run.count == DelayLine.run { source.pointee.settle() }
        if case .hrtf = rendering {
            ears.add(s, mono, run, io.output(2, 0).base + run.start, io.output(2, 1).base + run.start)
            return
        }
        for channel in 0..<SpeakerRing.width where source.pointee.isHeard(channel) {
            source.pointee.add(mono, to: io.output(2, channel).base + run.start, channel, run)
        }
    }
}
