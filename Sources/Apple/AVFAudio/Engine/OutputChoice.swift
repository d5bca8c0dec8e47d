internal import EngineCore
internal import Reports

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

    /// Records the output into the file: the file itself for the first engine of this program, then FILE-2, FILE-3. A program
    /// that ends without a stop has its files whole.
    static func record(_ host: EngineHost, into path: String) throws(Fault) -> AudioRecorder {
        _ = finishesAtExit
        let number = (numbers[path] ?? 0) + 1, name = NSString(string: path)
        let free = number == 1 ? path : "\(name.deletingPathExtension)-\(number).\(name.pathExtension)"
        unlink(free)
        let recorder = try host.engine.record(host.output, to: free)
        numbers[path] = number
        recorders.append(recorder)
        return recorder
    }

    static func forget(_ recorder: AudioRecorder) { recorders.removeAll { $0 === recorder } }

    // Guarded by the lock of `Control`.
    private nonisolated(unsafe) static var numbers: [String: Int] = [:]
    private nonisolated(unsafe) static var recorders: [AudioRecorder] = []
    private static let finishesAtExit: Void = {
        atexit {
            for recorder in OutputChoice.recorders { do { try recorder.finish() } catch { Refusal.write("\(error)") } }
        }
    }()
}
