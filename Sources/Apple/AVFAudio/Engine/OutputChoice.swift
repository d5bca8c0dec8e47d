internal import EngineCore

/// Where engines play: `CARILLON_OUTPUT`, as `carillon play --device` takes it, or a file; without it, the default device.
struct OutputChoice {
    let device: String
    /// The file that everything is recorded into while no device plays.
    let file: String?
    /// The device to capture from, or the file that is heard in its place.
    let input: String?
    let inputFile: String?

    static func read(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> OutputChoice {
        let output = environment["CARILLON_OUTPUT"].flatMap { $0.isEmpty ? nil : $0 } ?? "default"
        let input = environment["CARILLON_INPUT"].flatMap { $0.isEmpty ? nil : $0 }
        return OutputChoice(
            device: isFile(output) ? "null" : output, file: isFile(output) ? output : nil,
            input: input.flatMap { isFile($0) ? nil : $0 }, inputFile: input.flatMap { isFile($0) ? $0 : nil })
    }

    private static func isFile(_ name: String) -> Bool {
        ["wav", "flac", "aiff", "aif", "caf", "ogg"].contains(NSString(string: name).pathExtension.lowercased())
    }

    var choice: DeviceChoice { .device(device, input: input) }

    /// A name for a recording: the file itself for the first of this program, then FILE-2, FILE-3.
    static func freeName(_ path: String) -> String {
        Control.run {
            let number = (numbers[path] ?? 0) + 1
            numbers[path] = number
            let name = NSString(string: path)
            let free = number == 1 ? path : "\(name.deletingPathExtension)-\(number).\(name.pathExtension)"
            unlink(free)
            return free
        }
    }

    /// How many recordings each file has had. Guarded by the lock of `Control`.
    private nonisolated(unsafe) static var numbers: [String: Int] = [:]
}
