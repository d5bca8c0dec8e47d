// [render]

extension Controller {
    /// The value of the controller after power-on, 0...127: as General MIDI 2, section 3.3, and libfluidsynth have it.
    public var initialValue: UInt8 {
        @_noLocks get {
            switch rawValue {
            case 7: 100
            case 11, 43, 98...101: 127
            case 8, 10, 70...79: 64
            default: 0
            }
        }
    }

    /// True if "reset all controllers" takes the controller back to `initialValue`. RP-015 names those that stay: banks,
    /// volume, pan, sound controllers and effects; balance and the time of a glide are set once like these, and stay with them.
    public var isReset: Bool {
        @_noLocks get {
            switch rawValue {
            case 0, 5, 7, 8, 10, 32, 37, 39, 40, 42, 70...79, 91...95, 120...255: false
            default: true
            }
        }
    }
}
