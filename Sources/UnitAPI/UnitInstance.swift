import MIDI
import RealtimeCore
import Synchronization

/// A unit at a stable address: its parameters, its readouts and, through one virtual call each, its author's code.
///
/// The engine owns it; plans borrow it. It dies on the control side after the last plan with it has come back.
///
/// Sendable: what is public never changes after `init`, or is atomic: the render side writes it, and any thread reads it.
public class UnitInstance: @unchecked Sendable {
    /// The unit's description of itself.
    public let descriptor: UnitDescriptor
    /// The setup that the unit was made with.
    public let setup: UnitSetup
    /// The input buses: the descriptor's, the last one repeated up to the element count.
    public let inputs: [UnitDescriptor.Bus]
    /// Frames by which its output is later than its input.
    public let latency: Int
    /// The unit's object on the control side; nil for most.
    public let companion: UnitCompanion?
    /// The parameters on the render side.
    public let parameters: ParameterBlock
    /// The other shares of its work, of which the unit itself is the first; empty for most.
    package let shares: [UnitInstance]
    /// The state that the renderer remembers of the unit from slice to slice. [render]
    package let memory: UnsafeMutablePointer<UnitMemory>
    /// Nanoseconds that each of its slices took, once `measureTime` was called.
    package private(set) var renderTime: TimingHistogram?
    /// The music that it has played, once `recordMusic` was called.
    package private(set) var played: PlayedMusic?
    /// The numbers it shows, in the descriptor's order.
    package let readouts: UnsafeMutablePointer<Readout>
    /// The number of the renderer that has it, 0 before one does: its memory knows of one render thread alone. Control side.
    package let owner = Atomic<Int>(0)
    /// Written by the render side after each of its slices, read by anyone.
    private let rest = AtomicFlag()
    /// Written by the control side, read by the render side before each of its slices.
    private let measured = AtomicFlag()
    /// Counted by the render side, read by anyone.
    private let faultCount = Atomic<Int>(0)

    init(
        _ specs: [ParameterSpec], descriptor: UnitDescriptor, setup: UnitSetup, latency: Int, companion: UnitCompanion?,
        shares: [UnitInstance] = []
    ) {
        (self.companion, self.shares, self.setup) = (companion, shares, setup)
        self.latency = latency + (descriptor.closesLoop ? LoopRing.frames : 0)
        var inputs = descriptor.inputs
        if descriptor.repeatsLastInput, let last = inputs.last {
            while inputs.count < setup.inputCount { inputs.append(last) }
        }
        let descriptor = descriptor.shown(inputs: inputs.count)
        self.descriptor = descriptor
        self.inputs = inputs
        parameters = ParameterBlock(specs, descriptor: descriptor, setup: setup)
        memory = .allocate(capacity: 1)
        memory.initialize(to: UnitMemory())
        if descriptor.sendsMusic { memory.pointee.sent = SentNotes() }
        if descriptor.closesLoop { memory.pointee.loop = LoopRing(inputs) }
        readouts = .allocate(capacity: max(descriptor.readouts.count, 1))
        for index in 0..<max(descriptor.readouts.count, 1) {
            let start = descriptor.readoutsAtStart.indices.contains(index) ? descriptor.readoutsAtStart[index] : 0
            (readouts + index).initialize(to: Readout(start))
        }
    }

    deinit {
        memory.pointee.sent?.deallocate()
        memory.pointee.loop?.deallocate()
        memory.deallocate()
        readouts.deinitialize(count: max(descriptor.readouts.count, 1))
        readouts.deallocate()
    }

    /// True for a unit that receives the song's position.
    package var followsTime: Bool { parameters.tempo >= 0 || descriptor.hearsTime }

    /// Makes a unit of type `U`. Control side.
    ///
    /// - Parameter descriptor: its type's descriptor, or the same under another name.
    public static func make<U: AudioUnit & ~Copyable>(
        _: U.Type, _ setup: UnitSetup, descriptor: UnitDescriptor = U.descriptor
    ) throws(UnitError) -> UnitInstance {
        var setup = setup
        try check(rate: setup, descriptor)
        let descriptor = try descriptor.fitted(to: setup.properties)
        let declared = descriptor.inputs.count
        if setup.inputCount == 0 || !descriptor.repeatsLastInput { setup.inputCount = declared }
        guard setup.inputCount >= declared, setup.inputCount <= 4096 else {
            throw .elementCount(unit: descriptor.name, asked: setup.inputCount, supported: declared...4096)
        }
        try check(setup, descriptor, U.Parameter.allCases.map(\.spec))
        return UnitBox(try U(setup), setup, descriptor)
    }

    private static func check(rate setup: UnitSetup, _ descriptor: UnitDescriptor) throws(UnitError) {
        if UnitSetup.sampleRates.contains(setup.sampleRate) { return }
        throw .unsupportedSampleRate(unit: descriptor.name, asked: setup.sampleRate, supported: UnitSetup.sampleRates)
    }

    /// Refuses start values and properties that the unit has no use for, by the same rules as while it sounds.
    private static func check(
        _ setup: UnitSetup, _ descriptor: UnitDescriptor, _ specs: [ParameterSpec]
    ) throws(UnitError) {
        let name = descriptor.name
        for spec in specs {
            for value in [spec.initial] + spec.bandInitials where !spec.range.contains(value) {
                throw .invalidDeclaration(unit: name, parameter: spec.name, value: "\(value)", valid: spec.valid)
            }
        }
        _ = try descriptor.presets(specs)
        let values = setup.startValues.mapValues { [$0] }.merging(setup.elementValues) { $0 + $1 }
        for (parameter, values) in values.sorted(by: { $0.key < $1.key }) {
            guard let spec = specs.first(where: { $0.name == parameter }) else {
                throw .unknownParameter(unit: name, name: parameter, known: specs.map(\.name))
            }
            if let value = values.first(where: { !spec.range.contains($0) }) {
                let error = ParameterError.outOfRange(
                    parameter: parameter, text: "\(value)", low: spec.text(spec.range.lowerBound),
                    high: spec.text(spec.range.upperBound))
                throw .startValue(error, unit: name)
            }
            let count = spec.elementCount(inputs: setup.inputCount, bands: descriptor.bands)
            if let list = setup.elementValues[parameter], list.count > count {
                throw .elementCount(unit: "\(name).\(parameter)", asked: list.count, supported: 1...count)
            }
        }
        if let property = setup.properties.keys.sorted().first(where: {
            !descriptor.properties.contains($0) && $0 != InsertionLink.property
        }) {
            throw .unknownProperty(unit: name, name: property, known: descriptor.properties)
        }
        if setup.properties[InsertionLink.property] != nil, setup.insertionLink == nil {
            throw .invalidProperty(
                unit: name, property: InsertionLink.property,
                reason: "a slot and a part or a unit of a type are wanted: 0 gs 0110 1")
        }
    }

    /// Boxes a unit that its caller has made, for units that need more than a `UnitSetup`. Control side.
    ///
    /// - Parameter descriptor: this unit's descriptor if it differs from its type's: the width of its buses.
    public static func boxing<U: AudioUnit & ~Copyable>(
        _ unit: consuming U, _ setup: UnitSetup, descriptor: UnitDescriptor = U.descriptor
    ) -> UnitInstance {
        UnitBox(unit, setup, descriptor)
    }

    /// True if notes or controllers mean anything to the unit. Control side.
    public var hearsMusic: Bool {
        descriptor.acceptsMusic || parameters.controllerParameters != nil || parameters.effects != nil
            || parameters.insertion != nil
    }

    /// Makes a unit whose parameters are known only when it is made, such as a plug-in. Control side.
    ///
    /// `make` is called after the start values and properties were found sound. The unit finds its `parameters` by their places
    /// in the list (`RenderIO.parameter(at:)`).
    public static func make<U: AudioUnit & ~Copyable>(
        _ setup: UnitSetup, descriptor: UnitDescriptor, parameters: [ParameterSpec],
        _ make: (UnitSetup) throws(UnitError) -> U
    ) throws(UnitError) -> UnitInstance where U.Parameter == NoParameter {
        var setup = setup
        setup.inputCount = descriptor.inputs.count
        try check(rate: setup, descriptor)
        try check(setup, descriptor, parameters)
        return UnitBox(try make(setup), setup, descriptor, parameters: parameters)
    }

    /// True if the unit reported in its newest slice that it is at rest (`RenderStatus.silent`); false until it has rendered.
    /// Any thread.
    public var isAtRest: Bool { rest.isSet && shares.allSatisfy(\.isAtRest) }

    /// Shows from now on whether it is at rest. Render thread.
    @_noLocks package final func showRest(_ isAtRest: Bool) { rest.publish(isAtRest) }

    /// Returns the number the unit shows under `name`; nil when its descriptor has none of that name. Any thread.
    public func readout(_ name: String) -> Float? {
        descriptor.readouts.firstIndex(of: name).map { readout(at: $0) }
    }

    /// The number at place `index` of the descriptor's readouts: that of all shares together.
    package func readout(at index: Int) -> Float {
        shares.reduce(readouts[index].value) { $0 + $1.readouts[index].value }
    }

    /// Starts measuring its time of rendering, which reads the clock twice a slice; with false, stops. Control side, at any
    /// time.
    package func measureTime(_ isMeasured: Bool = true) {
        if isMeasured, renderTime == nil {
            let histogram = TimingHistogram()
            renderTime = histogram
            // Once: a reader that sees the flag sees this.
            memory.pointee.renderTime = Unmanaged.passUnretained(histogram)
        }
        measured.publish(isMeasured)
        for share in shares { share.measured.publish(isMeasured) }
    }

    /// Makes the music of a MIDI unit be recorded, in plans that are compiled from now on. Control side.
    package func recordMusic() { if descriptor.sendsMusic, played == nil { played = PlayedMusic() } }

    /// True while the unit's slices are to be measured. Render thread.
    package final var isMeasured: Bool { @_noLocks get { measured.isSet } }

    /// Slices in which it produced a sample that is not a number, and was muted. Any thread.
    public var faults: Int { shares.reduce(faultCount.load(ordering: .relaxed)) { $0 + $1.faults } }

    /// Counts one of them. Render thread.
    @_noLocks package final func countFault() { faultCount.add(1, ordering: .relaxed) }

    // [render] Overridden by the box around the unit, which alone knows the unit's type.

    /// `AudioUnit.render`, on the render thread.
    package func render(_ io: borrowing RenderIO) -> RenderStatus { .silent }
    /// `AudioUnit.handle`, on the render thread.
    package func handle(_ event: MusicEvent) {}
    /// `AudioUnit.handle` of a unit with a music bus, on the render thread.
    package func handle(_ event: MusicEvent, _ outlet: borrowing MusicOutlet) {}
    /// `AudioUnit.shed`, on the render thread.
    package func shed(_ level: Int) {}
    /// `AudioUnit.reset`, on the render thread.
    package func reset() {}
}

/// The state that the renderer remembers of a unit from slice to slice.
package struct UnitMemory: BitwiseCopyable {
    /// The unit returned `.silent` in its last call, and nothing has come since.
    package var isAsleep = false
    /// True if what is played passes a MIDI unit by.
    package var isPassed = false
    /// The notes that other units play because of it; nil for a unit that sends no music.
    package var sent: SentNotes?
    /// The sound that was led to the unit in the last frames; nil for a unit that closes no loop.
    package var loop: LoopRing?
    /// True if the unit starts afresh in the next even, or odd, slice of all: another share of its unit had to.
    package var restartsEven = false, restartsOdd = false
    /// The number of position messages that had been sent when the unit got its last one. [of the collector of events]
    package var timesTold: UInt32 = 0
    /// The histogram of the nanoseconds of its slices; not looked at before `UnitInstance.isMeasured` is set.
    package var renderTime: Unmanaged<TimingHistogram>?

    /// Creates a unit that has not run yet.
    package init() {}
}

/// The generic box: one virtual call leads to code that the compiler has specialised and proven.
final class UnitBox<U: AudioUnit & ~Copyable>: UnitInstance, @unchecked Sendable {
    /// Once a plan has it, only the render thread touches it; hence no exclusivity checks.
    @exclusivity(unchecked) private var unit: U

    /// `isShare`: it is one of another's shares, and so has none. `parameters`: nil for those of its type.
    init(
        _ unit: consuming U, _ setup: UnitSetup, _ descriptor: UnitDescriptor, parameters: [ParameterSpec]? = nil,
        isShare: Bool = false
    ) {
        let latency = unit.latency, companion = unit.companion
        var shares: [UnitInstance] = []
        let shareCount = isShare || !descriptor.inputs.isEmpty ? 1 : max(unit.shareCount, 1)
        for index in 1..<shareCount {
            if let share = unit.makeShare(index, setup) { shares.append(UnitBox(share, setup, descriptor, isShare: true)) }
        }
        self.unit = unit
        super.init(
            parameters ?? U.Parameter.specs, descriptor: descriptor, setup: setup, latency: latency, companion: companion,
            shares: shares)
    }

    override func render(_ io: borrowing RenderIO) -> RenderStatus { unit.render(io) }
    override func handle(_ event: MusicEvent) { unit.handle(event) }
    override func handle(_ event: MusicEvent, _ outlet: borrowing MusicOutlet) { unit.handle(event, outlet) }
    override func shed(_ level: Int) { unit.shed(level) }
    override func reset() { unit.reset() }
}
