internal import AudioFiles
package import EngineCore
package import Graphs
package import RealtimeCore
internal import RemoteIO
package import Reports
import Synchronization
internal import Units

/// An engine that plays on what the environment names: a device, or a file in real time.
package final class DeviceRun: @unchecked Sendable {
    package static let remedy = "CARILLON_OUTPUT may be a card, pipewire, null or FILE.wav"
    /// How many outputs have had each path, and what is written now.
    private static let files = Mutex((counts: [String: Int](), recorders: [ObjectIdentifier: AudioRecorder]()))
    private static let finishesAtExit: Void = {
        // A program that ends without a stop has its files whole.
        ProgramEnd.finish {
            for recorder in DeviceRun.files.withLock({ Array($0.recorders.values) }) {
                do { try recorder.finish() } catch { report("\(error)") }
            }
        }
    }()
    /// Callbacks ask for it too.
    private let runs = Atomic<Bool>(false)
    package var isRunning: Bool { runs.load(ordering: .acquiring) }
    private var recorder: AudioRecorder?
    private var service: PeriodicThread?

    package init() {}

    /// Whether a name is a file's, and no device's.
    package static func isFile(_ name: String) -> Bool {
        name.contains(".") && AudioFileFormat.Container(spelling: NSString(string: name).pathExtension) != nil
    }

    /// Adds what is captured: the device's sound, or from `time` on that of the file that `CARILLON_INPUT` names.
    package static func addInput(
        to graph: inout Graph, channels: Int = 2, at time: SampleTime
    ) throws(Fault) -> NodeID {
        guard let path = AudioDevices.environment("CARILLON_INPUT"), isFile(path) else {
            return try graph.add(DeviceInput.self, name: "input", properties: ["channels": .integer(channels)])
        }
        let player = try graph.add(player: path, name: "input", channels: channels)
        try player.play(at: time)
        return player.node
    }

    /// Starts the engine, and calls `serve` every 20 ms until it is stopped.
    ///
    /// - Parameters:
    ///   - node: the end of the graph, which a file gets.
    ///   - device: the device, or a file: the file itself for the first output of this program, then FILE-2, FILE-3.
    ///   - slice: the frames that are rendered at once, as far as the device grants it.
    ///   - plays: false where the device only captures.
    package func start(
        _ engine: Engine, _ node: NodeID, on device: String, slice: Int = 256, channels: Int = 2, plays: Bool = true,
        serve: @escaping @Sendable () -> Void
    ) throws(Fault) {
        if isRunning { return }
        let isFile = Self.isFile(device)
        if isFile, plays { try record(engine, node, to: device) }
        let input = AudioDevices.environment("CARILLON_INPUT").flatMap { Self.isFile($0) ? nil : $0 }
        runs.store(true, ordering: .releasing)
        do {
            try engine.start(
                on: .device(
                    isFile ? "null" : device, period: slice, channels: max(channels, 2), input: input, playback: plays || isFile))
            service = try PeriodicThread(name: "carillon-serve", milliseconds: 20, serve)
        } catch {
            stop(engine)
            throw error as? Fault ?? Fault("\(error)", .software)
        }
    }

    private func record(_ engine: Engine, _ node: NodeID, to path: String) throws(Fault) {
        _ = Self.finishesAtExit
        if let recorder {
            recorder.resume()
            return
        }
        let count = Self.files.withLock { files in
            files.counts[path, default: 0] += 1
            return files.counts[path] ?? 1
        }
        let name = NSString(string: path)
        let free = count == 1 ? path : "\(name.deletingPathExtension)-\(count).\(name.pathExtension)"
        unlink(free)
        let made = try engine.record(node, to: free)
        recorder = made
        Self.files.withLock { $0.recorders[ObjectIdentifier(made)] = made }
    }

    /// Stops the engine; a file goes on with the next start.
    package func stop(_ engine: Engine) {
        guard isRunning else { return }
        runs.store(false, ordering: .releasing)
        // It may wait for the caller's lock.
        if let service { Thread.detachNewThread { service.stop() } }
        service = nil
        recorder?.pause()
        do { if engine.isRunning { try engine.stop() } } catch { report("\(error)") }
    }

    /// Stops the engine and completes its file.
    package func end(_ engine: Engine) {
        stop(engine)
        guard let recorder else { return }
        self.recorder = nil
        _ = Self.files.withLock { $0.recorders.removeValue(forKey: ObjectIdentifier(recorder)) }
        do { try engine.finish(recorder) } catch { report("\(error)") }
    }
}
