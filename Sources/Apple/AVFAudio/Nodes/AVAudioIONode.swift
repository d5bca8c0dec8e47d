internal import Graphs
internal import Reports
internal import Units

/// A node at the edge of the graph.
open class AVAudioIONode: AVAudioNode {
    /// An output unit that stands for it. The engine obeys the output node's device when it starts, and nothing else of it.
    open var audioUnit: AudioUnit? { auAudioUnit.unit }
    override var unitDescription: AudioComponentDescription { .init(kAudioUnitType_Output, kAudioUnitSubType_HALOutput) }

    /// Seconds until what is rendered now is heard, or since what comes now was captured.
    open var presentationLatency: TimeInterval {
        Control.run {
            guard let engine = owner?.host?.engine, let grant = engine.grant, engine.isRunning else { return 0 }
            return Double(grant.bufferFrames) / Double(grant.sampleRate)
        }
    }

    /// False: only `kAudioUnitSubType_VoiceProcessingIO` cancels echo.
    open var isVoiceProcessingEnabled: Bool { false }
    /// Throws `kAudio_UnimplementedError` for true.
    open func setVoiceProcessingEnabled(_ enabled: Bool) throws {
        if enabled { throw osError(kAudio_UnimplementedError, "setVoiceProcessingEnabled") }
    }
}

/// The node that plays.
open class AVAudioOutputNode: AVAudioIONode {
    open override var numberOfInputs: Int { 1 }

    /// The format of the device: the engine's.
    open override func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
        Control.run { owner?.manual?.format ?? ownFormat }
    }
}

/// Gives frames to the input node in manual rendering; nil where it has none.
public typealias AVAudioIONodeInputBlock = (AVAudioFrameCount) -> UnsafePointer<AudioBufferList>?

/// The node that captures, plays the file that `CARILLON_INPUT` names, or asks the program in manual rendering.
open class AVAudioInputNode: AVAudioIONode, AVAudioMixing {
    private var source: RenderSource?

    /// The format of the device: the engine's.
    open override func inputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat { Control.run { source?.format ?? ownFormat } }

    /// Sets the block that gives frames in manual rendering, of linear PCM. Before the engine starts.
    @discardableResult
    open func setManualRenderingInputPCMFormat(
        _ format: AVAudioFormat, inputBlock block: @escaping AVAudioIONodeInputBlock
    ) -> Bool {
        Control.run {
            guard owner?.manual != nil, owner?.isRunning == false, format.commonFormat != .otherFormat, format.channelCount <= 2
            else { return false }
            source = RenderSource(format) { _, _, frames, list in
                guard let given = block(frames) else { return kAudio_ParamError }
                let from = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: given))
                for (source, target) in zip(from, UnsafeMutableAudioBufferListPointer(list)) {
                    guard let data = source.mData else { return kAudio_ParamError }
                    memcpy(target.mData, data, Int(min(source.mDataByteSize, target.mDataByteSize)))
                }
                return noErr
            }
            owner?.host?.outdate(self)
            owner?.refresh()
            return true
        }
    }

    override func addUnits(to graph: inout Graph, _ host: EngineHost, _ links: [NodeLink]) throws(Fault) -> [NodeID] {
        if let source { return [try source.add(to: &graph)] }
        if owner?.manual != nil { return [try graph.add(DeviceInput.self)] }
        return [try DeviceRun.addInput(to: &graph, at: host.engine.renderer.sampleTime)]
    }
}
