internal import EngineCore
internal import Graphs
import Synchronization

/// An output unit that runs: on the device that `CARILLON_OUTPUT` names, or into a file in real time.
final class DeviceRun: @unchecked Sendable {
    /// Callbacks ask for it too.
    private let runs = Atomic<Bool>(false)
    var isRunning: Bool { runs.load(ordering: .acquiring) }
    private var recorder: AudioRecorder?
    /// The file that is heard instead of a microphone.
    var captured: FilePlayer?
    private static let recordings = Mutex<[ObjectIdentifier: AudioRecorder]>([:])
    private static let finishesAtExit: Void = {
        // A program that ends without a stop has its file whole.
        atexit { for recorder in DeviceRun.recordings.withLock({ Array($0.values) }) { DeviceRun.finish(recorder) } }
    }()

    static func isFile(_ name: String) -> Bool {
        ["wav", "aiff", "aif", "flac", "ogg", "opus", "w64", "rf64", "caf"].contains(
            name.split(separator: ".").last.map { $0.lowercased() } ?? "") && name.contains(".")
    }

    /// - Parameter channels: those of the plan's output.
    func start(_ engine: Engine, _ node: NodeID, channels: Int, _ settings: UnitObject.DeviceSettings) throws {
        if isRunning { return }
        guard var device = AudioDevices.name(of: settings.number, capturing: !settings.plays) else {
            throw UnitFaults.Refusal(status: kAudioHardwareBadDeviceError)
        }
        if Self.isFile(device) {
            let path = device
            if recorder == nil {
                _ = Self.finishesAtExit
                if unlink(path) != 0, errno != ENOENT { throw UnitFaults.Refusal(status: kAudioUnitErr_FailedInitialization) }
                let made = try engine.record(node, to: path)
                recorder = made
                Self.recordings.withLock { $0[ObjectIdentifier(made)] = made }
            } else {
                _ = recorder?.resume()
            }
            device = "null"
        }
        try captured?.play()
        let input = AudioDevices.environment("CARILLON_INPUT").flatMap { Self.isFile($0) ? nil : $0 }
        let choice = DeviceChoice.device(
            device, channels: max(channels, 2), input: input, playback: settings.plays)
        runs.store(true, ordering: .releasing)
        do { try engine.start(on: choice) } catch {
            runs.store(false, ordering: .releasing)
            UnitFaults.report("\(error) (or set CARILLON_OUTPUT to a card, pipewire, null or FILE.wav)")
            throw UnitFaults.Refusal(status: kAudioHardwareBadDeviceError)
        }
        serve(engine)
    }

    private func serve(_ engine: Engine) {
        nonisolated(unsafe) let engine = engine
        let thread = Thread { [weak self] in
            var isAlive = true
            while isAlive {
                usleep(20_000)
                _ = UnitCalls.alone {
                    isAlive = self?.isRunning ?? false
                    guard isAlive else { return noErr }
                    do { try engine.maintain() } catch { return UnitFaults.status(of: error) }
                    return noErr
                }
            }
        }
        thread.start()
    }

    func stop(_ engine: Engine) {
        guard isRunning else { return }
        runs.store(false, ordering: .releasing)
        _ = recorder?.pause()
        do { try engine.stop() } catch { UnitFaults.report("\(error)") }
    }

    func end(_ engine: Engine) {
        stop(engine)
        guard let recorder else { return }
        Self.recordings.withLock { $0[ObjectIdentifier(recorder)] = nil }
        Self.finish(recorder)
        self.recorder = nil
    }

    private static func finish(_ recorder: AudioRecorder) {
        do { try recorder.finish() } catch { UnitFaults.report("\(error)") }
    }
}
