// [render]

/// The values of a channel's controllers: one byte for each number, as it came.
@usableFromInline struct ControllerValues: BitwiseCopyable, Sendable {
    @usableFromInline var values = InlineArray<128, UInt8>(repeating: 0)

    @_noLocks init() {
        for number in 0..<128 { values[number] = Controller(rawValue: UInt8(truncatingIfNeeded: number)).initialValue }
    }

    subscript(number: UInt8) -> UInt8 {
        @_noLocks get { values[Int(number & 127)] }
        @_noLocks set { values[Int(number & 127)] = newValue & 127 }
    }

    /// Controller 121: back to the initial values, as far as RP-015 goes.
    @_noLocks mutating func reset() {
        for number in 0..<120 {
            let controller = Controller(rawValue: UInt8(truncatingIfNeeded: number))
            if controller.isReset { values[number] = controller.initialValue }
        }
    }
}
