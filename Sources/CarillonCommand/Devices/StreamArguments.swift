import ArgumentParser
import Carillon

/// Options for how a device is to run: what every command takes that opens one.
struct StreamArguments: ParsableArguments {
    @Option(parsing: .unconditional, help: EngineSetting.rate.help(), transform: EngineSetting.rate.spec.wholeNumber)
    var rate = LiveOptions().sampleRate

    @Option(
        parsing: .unconditional, help: EngineSetting.period.help(), transform: EngineSetting.period.spec.wholeNumber)
    var period = LiveOptions().device.period

    @Option(
        parsing: .unconditional, help: EngineSetting.periods.help(), transform: EngineSetting.periods.spec.wholeNumber)
    var periods = LiveOptions().device.periods
}
