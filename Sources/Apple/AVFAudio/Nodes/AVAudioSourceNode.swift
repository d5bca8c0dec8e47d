internal import Graphs
internal import Reports
internal import UnitAPI

/// Makes sound on the render thread, into buffers of the node's format: as `AURenderCallback`, with a flag for silence.
public typealias AVAudioSourceNodeRenderBlock = (
    UnsafeMutablePointer<ObjCBool>, UnsafePointer<AudioTimeStamp>, AVAudioFrameCount, UnsafeMutablePointer<AudioBufferList>
) -> OSStatus

/// Gets sound on the render thread.
public typealias AVAudioSinkNodeReceiverBlock = (
    UnsafePointer<AudioTimeStamp>, AVAudioFrameCount, UnsafePointer<AudioBufferList>
) -> OSStatus

/// A node whose sound a block makes.
open class AVAudioSourceNode: AVAudioNode, AVAudioMixing {
    private let block: AVAudioSourceNodeRenderBlock
    private let format: AVAudioFormat?

    /// In the format of its connection.
    public init(renderBlock block: @escaping AVAudioSourceNodeRenderBlock) { (self.block, format) = (block, nil) }

    /// In a format of its own: linear PCM of any kind and rate, of one or two channels.
    public init(format: AVAudioFormat, renderBlock block: @escaping AVAudioSourceNodeRenderBlock) {
        (self.block, self.format) = (block, format)
    }

    override var ownFormat: AVAudioFormat { format ?? super.ownFormat }

    private func format(_ links: [NodeLink]) -> AVAudioFormat { format ?? links.first { $0.isFrom(self) }?.format ?? ownFormat }

    override func needs(_ host: EngineHost, _ links: [NodeLink]) -> [Double] {
        let format = format(links)
        return [
            format.sampleRate, Double(format.channelCount), Double(format.commonFormat.rawValue), format.isInterleaved ? 1 : 0,
        ]
    }

    override func addUnits(to graph: inout Graph, _ host: EngineHost, _ links: [NodeLink]) throws(Fault) -> [NodeID] {
        [try RenderSource(format(links), block).add(to: &graph)]
    }
}

/// A node that gives what is connected to it to a block, and to nothing else.
open class AVAudioSinkNode: AVAudioNode {
    private let block: AVAudioSinkNodeReceiverBlock

    public init(receiverBlock block: @escaping AVAudioSinkNodeReceiverBlock) { self.block = block }

    open override var numberOfInputs: Int { 1 }
    open override var numberOfOutputs: Int { 0 }

    override func addUnits(to graph: inout Graph, _ host: EngineHost, _ links: [NodeLink]) throws(Fault) -> [NodeID] {
        let call = Carried(block), memory = Carried(BufferListMemory())
        let setup = UnitSetup(sampleRate: graph.sampleRate, maximumFrames: graph.maximumFrames)
        let unit = UnitInstance.callback("sink", inputs: [2], outputs: [], setup: setup) { io in
            let list = memory.value.list
            for channel in 0..<2 {
                list[channel].mNumberChannels = 1
                list[channel].mDataByteSize = UInt32(io.frames * 4)
                list[channel].mData = UnsafeMutableRawPointer(mutating: io.input(0, channel).base)
            }
            var stamp = AudioTimeStamp()
            (stamp.mSampleTime, stamp.mHostTime) = (Double(io.sampleTime.rawValue), mach_absolute_time())
            stamp.mFlags = .sampleHostTimeValid
            _ = call.value(&stamp, AVAudioFrameCount(io.frames), list.unsafePointer)
            return .sounding
        }
        return [try graph.add(unit)]
    }
}

/// The list of a sink's two channels.
private final class BufferListMemory {
    let list = AudioBufferList.allocate(maximumBuffers: 2)

    deinit { free(list.unsafeMutablePointer) }
}
