// [render]

/// Something that happened to a device. Error codes are positive error numbers (`ENODEV`), or 0 if there is none.
package enum DeviceEvent: BitwiseCopyable, Sendable, Equatable {
    /// Begin: open the first device.
    case start
    /// A device is open and has its parameters.
    case opened
    /// A device is being opened by another thread, which may take its time: it is to be looked at again.
    case stillOpening
    /// A device could not be opened: not there, busy, refused.
    case openFailed(Int32)
    /// The device plays.
    case started
    /// A slice was written in time.
    case wrote
    /// A slice was written in time, and a device further up the list, by its index, is available again.
    case preferred(Int)
    /// The device ran out of sound.
    case xrun(XrunCause)
    /// The device takes sound again.
    case prepared
    /// The device does not take sound.
    case prepareFailed(Int32)
    /// The system has put the device to sleep.
    case suspended
    /// The device is awake again.
    case resumed
    /// The device still sleeps.
    case stillSuspended
    /// The device cannot wake up by itself.
    case resumeFailed(Int32)
    /// The device is no longer there, or fails for good.
    case gone(Int32)
    /// The device is there, but does not move.
    case stalled
    /// A slice is due by the substitute clock.
    case tick
    /// End.
    case stop
}

/// One of the things to be done about an event, in order. Every answer ends with something that is awaited.
package enum DeviceEffect: BitwiseCopyable, Sendable, Equatable {
    /// Open that device of the list: `opened`, `stillOpening` or `openFailed`.
    case open(Int)
    /// Fill the buffer so that the sound goes on at the right sample, and start: `started`, `xrun`, `gone`.
    case start
    /// Catch up with what was missed in an xrun, fill the buffer with the next slices and start: `started`, `xrun`,
    /// `gone`.
    case restart
    /// The next 10 ms rise from silence.
    case fadeIn
    /// Get ready after an xrun: `prepared` or `prepareFailed`.
    case prepare
    /// Wake up a sleeping device: `resumed`, `stillSuspended` or `resumeFailed`.
    case resume
    /// Release the device.
    case close
    /// Run the system's clock from where the device was.
    case beginSubstitute
    /// Render a slice that is not audible.
    case pullSubstitute
    /// Wait until the substitute clock has a slice due: `tick`.
    case awaitSubstitute
    /// Wait until the device takes a slice, and give it one: `wrote`, `preferred`, `xrun`, `suspended`, `gone`, `stalled`.
    case serveDevice
    /// The thread ends.
    case finish
}

/// Up to four effects, without memory of its own.
package struct DeviceEffects: BitwiseCopyable, Sendable, Equatable {
    private var slots: (DeviceEffect, DeviceEffect, DeviceEffect, DeviceEffect)
    /// The number of effects, 1...4.
    package let count: Int

    @_noLocks init(_ a: DeviceEffect) {
        slots = (a, a, a, a)
        count = 1
    }
    @_noLocks init(_ a: DeviceEffect, _ b: DeviceEffect) {
        slots = (a, b, b, b)
        count = 2
    }
    @_noLocks init(_ a: DeviceEffect, _ b: DeviceEffect, _ c: DeviceEffect) {
        slots = (a, b, c, c)
        count = 3
    }
    @_noLocks init(_ a: DeviceEffect, _ b: DeviceEffect, _ c: DeviceEffect, _ d: DeviceEffect) {
        slots = (a, b, c, d)
        count = 4
    }

    /// The effect at `index`, 0..<count.
    package subscript(index: Int) -> DeviceEffect {
        @_noLocks get {
            switch index {
            case 0: slots.0
            case 1: slots.1
            case 2: slots.2
            default: slots.3
            }
        }
    }

    package static func == (a: DeviceEffects, b: DeviceEffects) -> Bool {
        if a.count != b.count { return false }
        for i in 0..<a.count where a[i] != b[i] { return false }
        return true
    }
}
