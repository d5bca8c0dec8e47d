// [render]

/// The plans of SFZ regions in flat memory: what `RegionList` collected. Part of a `RecipeBook`, which owns the memory.
package struct RegionBook: BitwiseCopyable, @unchecked Sendable {
    package let plans: UnsafePointer<RegionPlan>
    package let ranges: UnsafePointer<RegionRange>
    package let fades: UnsafePointer<RegionFade>
    package let connections: UnsafePointer<RegionConnection>
    package let oscillators: UnsafePointer<RegionOscillator>
    package let contours: UnsafePointer<RegionContour>
    package let points: UnsafePointer<RegionPoint>
    package let steps: UnsafePointer<Float>
    package let curves: UnsafePointer<Float>
    package let values: UnsafePointer<Float>
    package let instruments: UnsafePointer<RegionInstrument>
    /// The number of regions; 0: no file is SFZ.
    package let regionCount: Int

    init(_ list: RegionList) {
        plans = Self.memory(list.plans)
        ranges = Self.memory(list.ranges)
        fades = Self.memory(list.fades)
        connections = Self.memory(list.connections)
        oscillators = Self.memory(list.oscillators)
        contours = Self.memory(list.contours)
        points = Self.memory(list.points)
        steps = Self.memory(list.steps)
        curves = Self.memory(list.curves)
        values = Self.memory(list.values)
        instruments = Self.memory(list.instruments)
        regionCount = list.regionCount
    }

    /// True if the voices of a recipe must be in one share with all others of its channel.
    @_noLocks @inlinable package func staysTogether(_ recipe: Recipe) -> Bool {
        recipe.plan >= 0 && instruments[Int(plans[Int(recipe.plan)].instrument)].staysTogether
    }

    func free() {
        plans.deallocate()
        ranges.deallocate()
        fades.deallocate()
        connections.deallocate()
        oscillators.deallocate()
        contours.deallocate()
        points.deallocate()
        steps.deallocate()
        curves.deallocate()
        values.deallocate()
        instruments.deallocate()
    }

    static func memory<T: BitwiseCopyable>(_ values: [T]) -> UnsafePointer<T> {
        let memory = UnsafeMutablePointer<T>.allocate(capacity: max(values.count, 1))
        memory.initialize(from: values, count: values.count)
        return UnsafePointer(memory)
    }
}
