/// Turns instruments of a DLS file into recipes, one for each region whose wave can be played. Control side.
///
/// The gain of `wsmp` and of connections is attenuation with the other sign, and whole: what the SoundFont's inventors'
/// hardware made of attenuation has no place here. What is louder than a voice at its loudest stays at that.
struct DLSRecipes {
    private let collection: DLSCollection
    private let file: Int

    init(_ collection: DLSCollection, file: Int) {
        self.collection = collection
        self.file = file
    }

    /// Adds the recipes of the instrument with these numbers, the first if several have them.
    func add(bank: Int, program: Int, to list: inout RecipeList) {
        guard let instrument = collection.instruments.first(where: { $0.bank == bank && $0.program == program }) else { return }
        for region in instrument.regions {
            let number = collection.cues[region.cue]
            let wave = collection.waves[number]
            guard let stored = wave.stored else { continue }
            let tuning = region.tuning ?? wave.tuning ?? DLSTuning()
            let articulation = region.articulation.over(instrument.articulation)
            var values = Generator.allCases.map(\.defaultValue)
            values[Generator.attenuation.index] = tuning.attenuation
            values[Generator.rootKey.index] = Float(tuning.rootKey)
            values[Generator.fineTune.index] = Float(tuning.fineTune)
            values[Generator.exclusiveClass.index] = Float(region.keyGroup)
            articulation.apply(to: &values, rootKey: tuning.rootKey)
            if let loop = tuning.loop {
                values[Generator.sampleModes.index] = tuning.endsLoopOnRelease ? 3 : 1
                let starts = (min(loop.lowerBound, stored.frames) - stored.loopStart).quotientAndRemainder(dividingBy: 32_768)
                let ends = (min(loop.upperBound, stored.frames) - stored.loopEnd).quotientAndRemainder(dividingBy: 32_768)
                values[Generator.loopStartOffset.index] = Float(starts.remainder)
                values[Generator.loopStartCoarseOffset.index] = Float(starts.quotient)
                values[Generator.loopEndOffset.index] = Float(ends.remainder)
                values[Generator.loopEndCoarseOffset.index] = Float(ends.quotient)
            }
            for (keys, sounding) in keys(of: region, isKit: bank == 128) {
                if let sounding { values[Generator.fixedKey.index] = Float(sounding) }
                list.add(
                    keys: keys, velocities: region.velocities, generators: values, modulators: articulation.modulators,
                    sample: SampleSource(file: file, sample: number))
            }
        }
    }

    /// The keys that play a region; of a kit whose file has a table of keys, each with the one that sounds.
    private func keys(of region: DLSRegion, isKit: Bool) -> [(keys: ClosedRange<Int>, sounding: Int?)] {
        guard isKit, let table = collection.drumKeys, table != Array(0..<128) else { return [(region.keys, nil)] }
        return table.indices.filter { region.keys.contains(table[$0]) }.map { ($0...$0, table[$0]) }
    }
}
