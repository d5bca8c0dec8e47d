import MIDI

/// Recipes while they are collected: arrays that grow, from SoundFonts, DLS and SFZ alike. Control side.
package struct RecipeList: Sendable {
    /// One for each code of a `PresetRequest`.
    package internal(set) var sounds = [Sound](repeating: .silence, count: PresetRequest.codes)
    package internal(set) var recipes: [Recipe] = []
    package internal(set) var generators: [Float] = []
    package internal(set) var modulators: [Modulator] = []
    package internal(set) var regions = RegionList()
    /// The samples that the recipes play; their `sample` is an index here.
    package internal(set) var samples: [SampleSource] = []
    private var sampleIndices: [SampleSource: Int32] = [:]
    private var modulatorRuns: [[Modulator]: Int32] = [:]

    /// Creates a list without recipes.
    package init() {}

    /// Adds a recipe; `generators` are `Generator.count` numbers, `plan` that of an SFZ region.
    mutating func add(
        keys: ClosedRange<Int>, velocities: ClosedRange<Int>, generators: [Float], modulators: [Modulator],
        sample: SampleSource, plan: Int32 = -1
    ) {
        let index = sampleIndices[sample] ?? Int32(samples.count)
        if Int(index) == samples.count {
            samples.append(sample)
            sampleIndices[sample] = index
        }
        // Most zones have the same modulators.
        let first = modulatorRuns[modulators] ?? Int32(self.modulators.count)
        if modulatorRuns.updateValue(first, forKey: modulators) == nil { self.modulators += modulators }
        recipes.append(
            Recipe(
                lowestKey: UInt8(keys.lowerBound), highestKey: UInt8(keys.upperBound),
                lowestVelocity: UInt8(velocities.lowerBound), highestVelocity: UInt8(velocities.upperBound), sample: index,
                firstModulator: first, modulatorCount: Int32(modulators.count), plan: plan))
        self.generators += generators
    }

    mutating func define(_ code: Int, _ body: (inout RecipeList) -> Void) {
        let first = recipes.count
        body(&self)
        sounds[code] = Sound(first: Int32(first), count: Int32(recipes.count - first))
    }

    /// The sounds, those of SFZ regions with their index; the indices; and the recipes that these name.
    var indexedSounds: (sounds: [Sound], indices: [RegionIndex], order: [Int32]) {
        var indexed = sounds, indices: [RegionIndex] = [], order: [Int32] = [], known: [Int32: Int32] = [:]
        for code in sounds.indices where sounds[code].count > 0 && recipes[Int(sounds[code].first)].plan >= 0 {
            let first = sounds[code].first
            if known[first] == nil {
                known[first] = Int32(indices.count)
                indices.append(RegionIndex(sounds[code], of: self, to: &order))
            }
            indexed[code].index = known[first] ?? -1
        }
        return (indexed, indices, order)
    }
}

/// A sample as a file names it: which file, which of its samples.
package struct SampleSource: Sendable, Hashable {
    /// Index of the file in the library.
    package var file: Int
    /// Index in the file's table of samples.
    package var sample: Int
}
