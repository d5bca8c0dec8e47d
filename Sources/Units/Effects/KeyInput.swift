import UnitAPI

/// The input that an effect with a side chain listens to: its first, or the second, called `key`.
enum KeyInput {
    static var autoSpec: ParameterSpec {
        .toggle(
            "auto-key", default: false,
            help: "Whether it listens to its input key as soon as something is connected there, regardless of key.")
    }

    // [render]

    @_noLocks static func bus(_ io: borrowing RenderIO, key: ParameterRamp, autoKey: ParameterRamp, at frame: Int) -> Int {
        if key[frame] >= 0.5 { return 1 }
        return autoKey[frame] >= 0.5 && io.isConnected(1) ? 1 : 0
    }
}
