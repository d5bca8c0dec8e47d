import ArgumentParser

/// The option for how much is logged.
struct LogArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Log level: info, or warning for problems only. (default: info)", valueName: "level"),
        completion: .list(LogLevel.allCases.map(\.name)), transform: Self.level)
    var logLevel = LogLevel.info

    private static func level(_ text: String) throws -> LogLevel {
        if let level = LogLevel.allCases.first(where: { $0.name == text }) { return level }
        throw ValidationError("\"\(text)\" is not one of \(LogLevel.allCases.map(\.name).joined(separator: ", "))")
    }
}
