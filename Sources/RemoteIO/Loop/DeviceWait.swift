// [render]

/// A wait for the device.
struct DeviceWait: BitwiseCopyable {
    let start: Int64, wasHeldUp: Bool
    /// The moment till which it was to last, if it was put off because simulated time stands still.
    var look: Int64?

    @_noLocks init(start: Int64, wasHeldUp: Bool) {
        self.start = start
        self.wasHeldUp = wasHeldUp
    }
}
