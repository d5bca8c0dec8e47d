// [render]

/// The plans of SFZ regions in flat memory: what `RegionList` collected, and an index of each sound. The memory is a
/// `RecipeBook`'s.
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
    /// The index of each sound that has one (`Sound.index`), and the recipes that they name.
    package let indices: UnsafePointer<RegionIndex>
    package let order: UnsafePointer<Int32>
    /// The number of regions that take turns.
    package let counterCount: Int
    /// True if any file is SFZ.
    package let hasRegions: Bool

    /// `indices` and `order` are those of the sounds.
    init(_ list: RegionList, _ indices: [RegionIndex], _ order: [Int32], in memory: FlatMemory) {
        plans = memory.copy(list.plans)
        ranges = memory.copy(list.ranges)
        fades = memory.copy(list.fades)
        connections = memory.copy(list.connections)
        oscillators = memory.copy(list.oscillators)
        contours = memory.copy(list.contours)
        points = memory.copy(list.points)
        steps = memory.copy(list.steps)
        curves = memory.copy(list.curves)
        values = memory.copy(list.values)
        instruments = memory.copy(list.instruments)
        self.indices = memory.copy(indices)
        self.order = memory.copy(order)
        counterCount = list.counterCount
        hasRegions = !list.plans.isEmpty
    }

    /// True if the voices of a recipe must be in one share with all others of its channel.
    @_noLocks @inlinable package func staysTogether(_ recipe: Recipe) -> Bool {
        recipe.plan >= 0 && instruments[Int(plans[Int(recipe.plan)].instrument)].staysTogether
    }
}

/// Memory that is freed with it. Control side.
final class FlatMemory {
    private var blocks: [UnsafeMutableRawPointer] = []

    func copy<T: BitwiseCopyable>(_ values: [T]) -> UnsafePointer<T> {
        let memory = UnsafeMutablePointer<T>.allocate(capacity: max(values.count, 1))
        memory.initialize(from: values, count: values.count)
        blocks.append(UnsafeMutableRawPointer(memory))
        return UnsafePointer(memory)
    }

    deinit { for block in blocks { block.deallocate() } }
}
