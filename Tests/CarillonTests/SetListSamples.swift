import Carillon
import Patches
import TestUnits

/// Patches of a set list.
enum SetListSamples {
    /// The catalogue has the bell and the drone from here on.
    static let isReady: Bool = {
        UnitCatalog.register(Bell.self)
        UnitCatalog.register(Drone.self)
        UnitCatalog.register(Restless.self)
        return true
    }()

    /// Bells through a mixer, as late as `latency` says, with what is wanted besides.
    static func bells(
        hasLimiter: Bool = false, hasReverb: Bool = false, hasDrone: Bool = false, isRestless: Bool = false
    ) -> Patch {
        _ = isReady
        var patch = Patch()
        patch.units = [
            PatchUnit("bell", "test-bell", role: .instrument), PatchUnit("mixer", "multichannel-mixer", role: .master),
        ]
        patch.connections = [PatchConnection(PatchPort("bell"), to: PatchPort("mixer"))]
        patch.outputs = [PatchPort("mixer")]
        func behind(_ name: String) {
            patch.connections.append(PatchConnection(patch.outputs[0], to: PatchPort(name)))
            patch.outputs = [PatchPort(name)]
        }
        if hasReverb {
            patch.units.append(PatchUnit("reverb", "reverb"))
            behind("reverb")
        }
        if isRestless {
            patch.units.append(PatchUnit("restless", "test-restless"))
            behind("restless")
        }
        if hasDrone {
            patch.units.append(PatchUnit("drone", "test-drone"))
            patch.connections.append(PatchConnection(PatchPort("drone"), to: PatchPort("mixer")))
        }
        if hasLimiter {
            patch.units.append(PatchUnit("limiter", "limiter", role: .master))
            behind("limiter")
        }
        return patch
    }

    static func options(_ patches: [Patch], ports: Int = 1) -> LiveOptions {
        var options = SessionInTime.options
        options.ports = ports
        options.patches = patches.enumerated().map { ListedPatch("patch \($0 + 1)", $1) }
        return options
    }
}
