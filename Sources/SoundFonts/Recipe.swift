// [render]

/// The recipe of one voice: when it plays, which sample, and the place of its numbers in the book.
package struct Recipe: BitwiseCopyable, Sendable {
    /// Keys for which it makes a voice, 0...127.
    package var lowestKey: UInt8, highestKey: UInt8
    /// Velocities for which it does, 0...127.
    package var lowestVelocity: UInt8, highestVelocity: UInt8
    /// Index of its sample in the store.
    package var sample: Int32
    /// The modulators in the book.
    package var firstModulator: Int32, modulatorCount: Int32
    /// The plan of an SFZ region; -1 for recipes of the SoundFont model alone.
    package var plan: Int32 = -1

    /// Returns true if a note makes a voice of the recipe.
    @_noLocks @inlinable @inline(__always)
    package func answers(key: UInt8, velocity: UInt8) -> Bool {
        key >= lowestKey && key <= highestKey && velocity >= lowestVelocity && velocity <= highestVelocity
    }
}

/// A sound: a run of recipes in the book. `count` 0: silence.
package struct Sound: BitwiseCopyable, Sendable {
    package var first: Int32
    package var count: Int32
    /// The index of its SFZ regions in the book; -1: it has none.
    package var index: Int32 = -1

    /// No voice at all.
    @inlinable package static var silence: Sound { @_noLocks get { Sound(first: 0, count: 0) } }

    @_noLocks @inlinable init(first: Int32, count: Int32) {
        self.first = first
        self.count = count
    }
}

/// All that a note needs to become voices, in flat memory: sounds by program, recipes, generators, modulators.
///
/// The control side makes it from `RecipeList`; the render side reads it through its pointers, and it never changes.
package struct RecipeBook: ~Copyable, @unchecked Sendable {
    /// One sound for each code of a `PresetRequest`.
    package let sounds: UnsafePointer<Sound>
    package let recipes: UnsafePointer<Recipe>
    /// `Generator.count` numbers for each recipe: presets and instruments summed.
    package let generators: UnsafePointer<Float>
    package let modulators: UnsafePointer<Modulator>
    package let samples: UnsafePointer<PlayableSample>
    /// The plans of SFZ regions.
    package let regions: RegionBook
    package let recipeCount: Int
    private let memory: Memory

    /// Lays the list out. `store` has its samples.
    package init(_ list: RecipeList, _ store: SampleStore) { self.init(Memory(list, store), recipeCount: list.recipes.count) }

    private init(_ memory: Memory, recipeCount: Int) {
        sounds = memory.sounds
        recipes = memory.recipes
        generators = memory.generators
        modulators = memory.modulators
        samples = memory.samples
        regions = memory.regions
        self.recipeCount = recipeCount
        self.memory = memory
    }

    /// Returns this book for another reader: nothing is copied.
    package borrowing func shared() -> RecipeBook { RecipeBook(memory, recipeCount: recipeCount) }

    private final class Memory {
        let sounds: UnsafePointer<Sound>
        let recipes: UnsafePointer<Recipe>
        let generators: UnsafePointer<Float>
        let modulators: UnsafePointer<Modulator>
        let samples: UnsafePointer<PlayableSample>
        let regions: RegionBook
        private let store: SampleStore, memory = FlatMemory()

        init(_ list: RecipeList, _ store: SampleStore) {
            let (indexed, indices, order) = list.indexedSounds
            sounds = memory.copy(indexed)
            recipes = memory.copy(list.recipes)
            generators = memory.copy(list.generators)
            modulators = memory.copy(list.modulators)
            samples = memory.copy(store.samples)
            regions = RegionBook(list.regions, indices, order, in: memory)
            self.store = store
        }
    }
}
