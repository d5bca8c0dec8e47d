internal import RemoteIO
internal import Reports

/// Whether manual rendering may take its time.
public enum AVAudioEngineManualRenderingMode: Int, Sendable { case offline, realtime }
/// What came of a call that renders.
public enum AVAudioEngineManualRenderingStatus: Int, Sendable {
    case error = -1
    case success = 0
    case insufficientDataFromInputNode, cannotDoInCurrentContext
}
/// Codes of errors of manual rendering.
public enum AVAudioEngineManualRenderingError: Int, Error, Sendable {
    case invalidMode = -80_800
    case initialized = -80_801
    case notRunning = -80_802
}
/// Renders frames into buffers of the manual rendering format, on the thread that calls it.
public typealias AVAudioEngineManualRenderingBlock = (
    AVAudioFrameCount, UnsafeMutablePointer<AudioBufferList>, UnsafeMutablePointer<OSStatus>?
) -> AVAudioEngineManualRenderingStatus

/// Manual rendering of one engine: its output is pulled by the program.
final class ManualRendering {
    let mode: AVAudioEngineManualRenderingMode
    let format: AVAudioFormat
    let maximumFrames: AVAudioFrameCount
    private(set) var output: OfflineOutput?
    /// Makes the format of what was rendered; nil where that is the same.
    private let converter: AVAudioConverter?

    init?(_ mode: AVAudioEngineManualRenderingMode, _ format: AVAudioFormat, _ maximumFrames: AVAudioFrameCount) {
        guard format.commonFormat != .otherFormat, (1...2).contains(format.channelCount), maximumFrames > 0,
            (1_000...768_000).contains(format.sampleRate)
        else { return nil }
        (self.mode, self.format, self.maximumFrames) = (mode, format, maximumFrames)
        let own = AVAudioFormat.standard(format.sampleRate, format.channelCount)
        converter = format.isLike(own) ? nil : AVAudioConverter(from: own, to: format)
    }

    func begin(_ host: EngineHost) throws(Fault) {
        output = try host.engine.offlineOutput(layout: format.channelCount == 1 ? .mono : .stereo)
    }

    func end() { output = nil }

    /// Renders into buffers with room for so many frames.
    func render(_ frames: Int, into list: UnsafeMutablePointer<AudioBufferList>) -> OSStatus {
        guard let output else { return OSStatus(AVAudioEngineManualRenderingError.notRunning.rawValue) }
        output.pull(frames)
        let source = converter.flatMap { AVAudioPCMBuffer(pcmFormat: $0.inputFormat, frameCapacity: AVAudioFrameCount(frames)) }
        let target = UnsafeMutableAudioBufferListPointer(source?.mutableAudioBufferList ?? list)
        guard target.count == output.buffer.channelCount else { return kAudio_ParamError }
        for channel in 0..<target.count {
            memcpy(target[channel].mData, output.buffer[channel: channel].baseAddress, frames * 4)
        }
        guard let converter else { return noErr }
        guard let source, let room = AVAudioPCMBuffer(pcmFormat: format, bufferListNoCopy: list) else { return kAudio_ParamError }
        source.frameLength = AVAudioFrameCount(frames)
        do { try converter.convert(to: room, from: source) } catch {
            return OSStatus(truncatingIfNeeded: (error as NSError).code)
        }
        return noErr
    }
}

extension AVAudioEngine {
    /// Renders by the program from now on, without a device. The engine must not run.
    public func enableManualRenderingMode(
        _ mode: AVAudioEngineManualRenderingMode, format pcmFormat: AVAudioFormat, maximumFrameCount: AVAudioFrameCount
    ) throws {
        try Control.run {
            if isRunning { throw manualError(.initialized) }
            guard let manual = ManualRendering(mode, pcmFormat, maximumFrameCount) else { throw osError(-10_868) }
            restart(manual)
        }
    }

    /// Plays on a device again from the next start on.
    public func disableManualRenderingMode() { Control.run { restart(nil) } }

    /// Whether the program renders, in which mode and format, and how many frames at once.
    public var isInManualRenderingMode: Bool { Control.run { manual != nil } }
    public var manualRenderingMode: AVAudioEngineManualRenderingMode { Control.run { manual?.mode ?? .offline } }
    public var manualRenderingFormat: AVAudioFormat { Control.run { manual?.format ?? defaultFormat } }
    public var manualRenderingMaximumFrameCount: AVAudioFrameCount { Control.run { manual?.maximumFrames ?? 0 } }

    /// Frames that were rendered.
    public var manualRenderingSampleTime: AVAudioFramePosition {
        Control.run { manual == nil ? 0 : host?.engine.renderer.sampleTime.rawValue ?? 0 }
    }

    /// Renders the next frames into a buffer of the manual rendering format, as fast as it can.
    public func renderOffline(
        _ numberOfFrames: AVAudioFrameCount, to buffer: AVAudioPCMBuffer
    ) throws -> AVAudioEngineManualRenderingStatus {
        let status = try Control.run { () -> AVAudioEngineManualRenderingStatus in
            guard let manual, manual.mode == .offline else { throw manualError(.invalidMode) }
            guard isRunning, let host else { throw manualError(.notRunning) }
            guard buffer.format.isLike(manual.format), numberOfFrames <= min(buffer.frameCapacity, manual.maximumFrames) else {
                throw osError(kAudio_ParamError)
            }
            follow()
            do { try host.engine.maintain() } catch { Refusal.write("\(error)") }
            try check(manual.render(Int(numberOfFrames), into: buffer.mutableAudioBufferList))
            buffer.frameLength = numberOfFrames
            // Taps get what was rendered, and players say what they have played.
            do { try host.engine.maintain() } catch { Refusal.write("\(error)") }
            return .success
        }
        Control.run({ music })?.serve()
        return status
    }

    /// A block that renders on a thread of the program's, in mode `realtime`: it takes no lock, and no memory if the format is
    /// Float32 in separate buffers. The engine must be prepared or running.
    public var manualRenderingBlock: AVAudioEngineManualRenderingBlock {
        let manual = Control.run { self.manual }
        return { frames, list, fault in
            guard let manual, frames <= manual.maximumFrames else {
                fault?.pointee = kAudio_ParamError
                return .error
            }
            let status = manual.render(Int(frames), into: list)
            fault?.pointee = status
            return status == noErr ? .success : .error
        }
    }

    private func manualError(_ error: AVAudioEngineManualRenderingError) -> NSError {
        NSError(domain: avfaudioDomain, code: error.rawValue, userInfo: [NSLocalizedDescriptionKey: "\(error)"])
    }
}
