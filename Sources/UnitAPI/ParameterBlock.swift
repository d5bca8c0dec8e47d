import DSP
import MIDI
import RealtimeCore

/// The render side's memory for one unit's parameters: where every value is, and how a controller moves it.
///
/// Allocated and freed on the control side; between, the render thread alone writes it. What any thread may ask is `target`.
///
/// Sendable: what is public never changes, or is one of `targets`, which are atomic.
public final class ParameterBlock: @unchecked Sendable {
    /// The declarations, in order of raw value.
    public let specs: [ParameterSpec]
    /// Values kept per parameter: 1, or as many as the parameter with the most elements has.
    public let elements: Int
    private let inputCount: Int, bandCount: Int
    private var owned = OwnedMemory()
    /// Values, parameter-major. [render]
    package let ramps: UnsafeMutablePointer<ParameterRamp>
    /// Where the values are or go to, for other threads to read; as many as there are ramps. [render]
    package let targets: UnsafeMutablePointer<Readout>
    /// Where each parameter starts, and where a reset of the controllers puts it back. [render]
    package let initials: UnsafeMutablePointer<Float>
    /// Frames that a change of each parameter takes. [render]
    package let glides: UnsafeMutablePointer<Int32>
    /// Values that are on their way now. [render]
    package let movingCount: UnsafeMutablePointer<Int>
    /// The parameter that each of 128 controllers moves, or -1; nil when no controller moves any. [render]
    package let controllerParameters: UnsafeMutablePointer<Int16>?
    /// Tables of 128 values, one for each of 128 controllers; only those of mapped controllers are used. [render]
    package let controllerValues: UnsafeMutablePointer<Float>?
    /// The targets that each message to the effects moves; nil when none moves any. [render]
    package let effects: UnsafeMutablePointer<EffectTarget>?
    /// The place of the unit in an insertion effect; nil if it has none. [render]
    package let insertion: UnsafeMutablePointer<InsertionTargets>?
    /// The parameter that follows the song's tempo, or -1. [render]
    package let tempo: Int
    /// The values that the parameters were set to, without the changes that messages to the effects have made since. [render]
    package let settings: UnsafeMutablePointer<Float>

    init(_ specs: [ParameterSpec], descriptor: UnitDescriptor, setup: UnitSetup) {
        self.specs = specs
        let (inputCount, bandCount) = (max(setup.inputCount, 1), max(descriptor.bands, 1))
        self.inputCount = inputCount
        self.bandCount = bandCount
        elements = specs.map { $0.elementCount(inputs: inputCount, bands: bandCount) }.max() ?? 1
        let count = specs.count * elements
        ramps = owned.make(max(count, 1), of: ParameterRamp(0))
        targets = owned.room(for: max(count, 1))
        for index in 0..<max(count, 1) { (targets + index).initialize(to: Readout()) }
        initials = owned.make(max(specs.count, 1), of: 0)
        glides = owned.make(max(specs.count, 1), of: 0)
        movingCount = owned.make(1, of: 0)
        settings = owned.make(max(specs.count, 1), of: 0)
        let held = setup.heldParameters
        let link = setup.insertionLink
        effects = link == nil ? Self.effects(specs, held: held, place: setup.effectPlace, in: &owned) : nil
        insertion = InsertionTargets.make(link, specs, in: &owned)
        tempo = specs.firstIndex { $0.followsTempo && !held.contains($0.name) } ?? -1
        let isControlled = link == nil && specs.contains { $0.controller != nil }
        controllerParameters = isControlled ? owned.make(128, of: -1) : nil
        controllerValues = isControlled ? owned.make(128 * 128, of: 0) : nil
        for (index, spec) in specs.enumerated() {
            for element in 0..<elements {
                let value = spec.clamped(setup.value(of: spec, element: element))
                ramps[index * elements + element] = ParameterRamp(value)
                targets[index * elements + element].publish(value)
            }
            initials[index] = ramps[index * elements].target
            settings[index] = initials[index]
            glides[index] = Int32(clamping: Int(nearest: spec.smoothing * setup.sampleRate))
            if let controller = spec.controller {
                controllerParameters?[Int(controller)] = Int16(index)
                for value in 0..<128 {
                    controllerValues?[Int(controller) * 128 + value] = spec.value(atFraction: Float(value) / 127)
                }
            }
        }
    }

    private static func effects(
        _ specs: [ParameterSpec], held: Set<String>, place: EffectPlace?, in owned: inout OwnedMemory
    ) -> UnsafeMutablePointer<EffectTarget>? {
        let linked = specs.enumerated().filter { $0.element.effect != nil && !held.contains($0.element.name) }
        if linked.isEmpty { return nil }
        let places = owned.make(EffectParameter.count, of: EffectTarget.none)
        for (index, spec) in linked {
            if let link = spec.effect {
                let message = place?.message(link.parameter) ?? link.parameter
                places[Int(message.rawValue)] = EffectTarget(link, index: index, range: spec.range)
            }
        }
        return places
    }

    deinit { targets.deinitialize(count: max(specs.count * elements, 1)) }
}

extension ParameterBlock {
    /// Returns the value that parameter `index` of input `element` has or glides to, moved by a command, a controller or a
    /// reset of the controllers. Commands that have not taken effect yet are not in it. Any thread.
    ///
    /// Precondition: `index` is one of `specs`, and `element` one of `0..<elements`.
    public func target(_ index: Int, _ element: Int = 0) -> Float {
        precondition(specs.indices.contains(index) && (0..<elements).contains(element), "the unit has no such parameter")
        return targets[index * elements + element].value
    }

    /// The range of the parameter that follows the song's tempo; nothing else but 0 if none does. Control side.
    package var tempoRange: ClosedRange<Float> { tempo < 0 ? 0...0 : specs[tempo].range }

    /// Returns the number of values of parameter `index`: one, or one for each input bus, or for each band.
    public func elementCount(of index: Int) -> Int { specs[index].elementCount(inputs: inputCount, bands: bandCount) }
}

extension ParameterSpec {
    /// Returns the number of values in a unit with `inputs` input buses and `bands` bands.
    public func elementCount(inputs: Int, bands: Int) -> Int {
        switch scope {
        case .global: 1
        case .input: max(inputs, 1)
        case .band: max(bands, 1)
        }
    }

    /// `value` moved into the range; the default for a value that is not a number.
    public func clamped(_ value: Float) -> Float {
        value.isNaN ? initial : min(max(value, range.lowerBound), range.upperBound)
    }

    /// Returns the value at `fraction` 0...1 of the way through the range, along the curve; at 0 for a value that is not a
    /// finite number.
    public func value(atFraction fraction: Float) -> Float {
        let fraction = min(max(fraction.finite, 0), 1)
        switch unit {
        case .toggle: return fraction < 0.5 ? 0 : 1
        case .choice: return (range.lowerBound + fraction * (range.upperBound - range.lowerBound)).rounded()
        default: break
        }
        switch curve {
        case .linear: return clamped(range.lowerBound + fraction * (range.upperBound - range.lowerBound))
        case .logarithmic:
            let low = Double(range.lowerBound)
            return clamped(Float(low * DeterministicMath.power(Double(range.upperBound) / low, Double(fraction))))
        }
    }
}
