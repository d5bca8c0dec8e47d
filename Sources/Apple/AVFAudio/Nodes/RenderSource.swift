internal import EngineCore
internal import Graphs
internal import RealtimeCore
internal import Reports
internal import SampleRate
internal import UnitAPI

/// A render block of the program as a unit: called in its format and at its rate, converted to the engine's.
final class RenderSource {
    let format: AVAudioFormat
    /// Tells it from all others.
    let number: Int
    private let block: AVAudioSourceNodeRenderBlock
    private nonisolated(unsafe) static var count = 0

    init(_ format: AVAudioFormat, _ block: @escaping AVAudioSourceNodeRenderBlock) {
        (self.format, self.block) = (format, block)
        number = Control.run {
            Self.count += 1
            return Self.count
        }
    }

    func add(to graph: inout Graph, name: String) throws(Fault) -> NodeID {
        let call: SourceCall
        do throws(SampleRateError) {
            call = try SourceCall(format, block, engineRate: graph.sampleRate, frames: graph.maximumFrames)
        } catch { throw Fault(error) }
        let carried = Carried(call)
        return try graph.add(
            source: graph.node(named: name) == nil ? name : "\(name)-\(number)", channels: Int(format.channelCount)
        ) {
            carried.value.fill($0)
        }
    }
}

/// The memory of a source's calls. It is made on the control side, and then the render thread's.
private final class SourceCall {
    private let block: AVAudioSourceNodeRenderBlock
    private let kind: AVAudioCommonFormat
    private let isInterleaved: Bool
    private let channels: Int
    private let list: UnsafeMutableAudioBufferListPointer
    /// What the block writes where it cannot write the bus itself, and that as planes.
    private let raw: UnsafeMutableRawPointer
    private let planes: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let targets: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private let grain: Int
    private let bytes: Int
    private let converter: RateConverter?
    /// The frame of the source's own rate that comes next.
    private var next: Int64 = -1
    private let ratio: Double

    init(_ format: AVAudioFormat, _ block: @escaping AVAudioSourceNodeRenderBlock, engineRate: Double, frames: Int)
        throws(SampleRateError)
    {
        let changesRate = format.sampleRate != engineRate
        self.block = block
        (kind, isInterleaved, channels) = (format.commonFormat, format.isInterleaved, Int(format.channelCount))
        ratio = format.sampleRate / engineRate
        grain = changesRate ? 512 : frames
        converter =
            changesRate
            ? try RateConverter(from: Int(format.sampleRate.rounded()), to: Int(engineRate.rounded()), channels: channels) : nil
        bytes = Int(format.streamDescription.pointee.mBytesPerFrame)
        list = AudioBufferList.allocate(maximumBuffers: format.bufferCount)
        raw = .allocate(byteCount: max(1, grain * bytes * list.count), alignment: 64)
        raw.initializeMemory(as: UInt8.self, repeating: 0, count: grain * bytes * list.count)
        planes = .allocate(capacity: channels)
        targets = .allocate(capacity: channels)
        for channel in 0..<channels {
            let plane = UnsafeMutablePointer<Float>.allocate(capacity: grain)
            plane.initialize(repeating: 0, count: grain)
            (planes + channel).initialize(to: plane)
            (targets + channel).initialize(to: plane)
        }
    }

    deinit {
        for channel in 0..<channels { planes[channel].deallocate() }
        planes.deallocate()
        targets.deallocate()
        raw.deallocate()
        free(list.unsafeMutablePointer)
        converter?.close()
    }

    // [render]

    func fill(_ io: borrowing RenderIO) -> RenderStatus {
        for channel in 0..<channels { targets[channel] = io.output(0, channel).base }
        guard let converter else {
            let isSilent = call(io.frames, at: io.sampleTime.rawValue, targets)
            if isSilent { io.markSilent() }
            return .sounding
        }
        if next < 0 { next = Int64((Double(io.sampleTime.rawValue) * ratio).rounded()) }
        var made = 0
        while made < io.frames {
            if converter.needsInput {
                if call(grain, at: next, planes) {
                    for channel in 0..<channels { planes[channel].update(repeating: 0, count: grain) }
                }
                next += Int64(grain)
                converter.take(grain)
            }
            guard let more = converter.step(targets, at: made, frames: io.frames - made, from: planes) else { break }
            made += more
        }
        if made < io.frames { io.markSilent() }
        return .sounding
    }

    /// Calls the block for so many frames, into these planes. True if it was silent, or failed.
    private func call(_ frames: Int, at time: Int64, _ planes: UnsafeMutablePointer<UnsafeMutablePointer<Float>>) -> Bool {
        let isDirect = kind == .pcmFormatFloat32 && (!isInterleaved || channels == 1)
        for index in 0..<list.count {
            list[index].mNumberChannels = UInt32(isInterleaved ? channels : 1)
            list[index].mDataByteSize = UInt32(frames * bytes)
            list[index].mData = isDirect ? UnsafeMutableRawPointer(planes[index]) : raw + index * grain * bytes
        }
        var isSilence = ObjCBool(false), stamp = AudioTimeStamp()
        (stamp.mSampleTime, stamp.mHostTime) = (Double(time), mach_absolute_time())
        stamp.mFlags = .sampleHostTimeValid
        if block(&isSilence, &stamp, AVAudioFrameCount(frames), list.unsafeMutablePointer) != noErr || isSilence.boolValue {
            return true
        }
        if !isDirect { for channel in 0..<channels { unpack(channel, frames, planes[channel]) } }
        return false
    }

    private func unpack(_ channel: Int, _ frames: Int, _ plane: UnsafeMutablePointer<Float>) {
        guard let data = list[isInterleaved ? 0 : channel].mData else { return }
        let (first, step) = isInterleaved ? (channel, channels) : (0, 1)
        switch kind {
        case .pcmFormatFloat64:
            let samples = data.assumingMemoryBound(to: Double.self)
            for frame in 0..<frames { plane[frame] = Float(samples[first + frame * step]) }
        case .pcmFormatInt16:
            let samples = data.assumingMemoryBound(to: Int16.self)
            for frame in 0..<frames { plane[frame] = Float(samples[first + frame * step]) / 32_768 }
        case .pcmFormatInt32:
            let samples = data.assumingMemoryBound(to: Int32.self)
            for frame in 0..<frames { plane[frame] = Float(samples[first + frame * step]) / 2_147_483_648 }
        default:
            let samples = data.assumingMemoryBound(to: Float.self)
            for frame in 0..<frames { plane[frame] = samples[first + frame * step] }
        }
    }
}
