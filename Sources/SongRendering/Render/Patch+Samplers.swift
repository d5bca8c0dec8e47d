import EngineCore
import Patches
import SoundFonts
import UnitAPI

extension Patch {
    /// True if a unit may count what is struck (`Chase`): one that plays an SFZ file.
    var countsStrikes: Bool {
        units.contains { SoundFontSelection.playsSFZ($0.properties) } || patches.contains { $0.patch.countsStrikes }
    }

    /// Gives samplers without a seed of their own one.
    mutating func setSeed(_ seed: Int) {
        let name = ParameterSpec.samplerSeed.name
        for index in units.indices where SoundFontSelection.isNamed(units[index].component) {
            let specs = UnitCatalog.named(units[index].component)?.parameters ?? []
            if !specs.contains(where: { $0.name == name }) || units[index].values[name] != nil { continue }
            units[index].values[name] = [Float(seed)]
        }
        for index in patches.indices { patches[index].patch.setSeed(seed) }
    }
}
