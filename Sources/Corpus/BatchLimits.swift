import Carillon

/// The bounds that a batch sets its jobs.
package enum BatchLimits {
    /// Seconds on the wall that a job may take.
    package static let time = ParameterSpec(
        "time-limit", 0.01...31_622_400, default: 600, unit: .seconds, applies: .atStart,
        help: "Time after which a job is aborted.")
    /// Mebibytes that a process of the batch may take.
    package static let memory = ParameterSpec(
        "memory-limit", 64...1_048_576, default: 4_096, applies: .atStart,
        help: "Memory in MiB that a job may take.")
    /// Processes.
    package static let jobs = ParameterSpec(
        "jobs", 1...256, default: 1, applies: .atStart, help: "Processes that render at the same time.")
}
