import UnitAPI

/// The settings of a device, declared once: options, checks and help texts read them here.
package enum DeviceSetting: String, CaseIterable, Sendable {
    case rate, period, periods, threads

    /// Name, range, default and help.
    package var spec: ParameterSpec {
        switch self {
        case .rate:
            ParameterSpec(
                rawValue, 8_000...384_000, default: 48_000, unit: .hertz, applies: .atStart, help: "Sample rate.")
        case .period:
            ParameterSpec(
                rawValue, 16...8_192, default: 256, unit: .frames, applies: .atStart,
                help: "Time between two wake-ups of the device.")
        case .periods:
            ParameterSpec(rawValue, 2...64, default: 2, applies: .atStart, help: "Periods in the device's buffer.")
        case .threads:
            ParameterSpec(
                rawValue, 1...Float(RenderThreads.limit), default: 1, applies: .atStart,
                help: "Rendering threads; the number does not change the result.")
        }
    }
}

extension DeviceRequest {
    /// Refuses numbers that no device could have. Throws `outOfRange`.
    package func check() throws(ParameterError) {
        try DeviceSetting.rate.spec.check(Double(sampleRate))
        try DeviceSetting.period.spec.check(Double(periodFrames))
        try DeviceSetting.periods.spec.check(Double(periods))
        try DeviceSetting.threads.spec.check(Double(threads))
    }
}
