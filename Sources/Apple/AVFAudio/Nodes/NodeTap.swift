internal import Graphs
internal import Reports
internal import Units

/// One tap: gathers what the engine's tap gives into buffers, on a queue of its own.
final class NodeTap: @unchecked Sendable {
    private let size: Int
    private let asked: AVAudioFormat?
    private let block: AVAudioNodeTapBlock
    private let queue = DispatchQueue(label: "AVAudioNode.tap")
    private var reader: TapReader?
    private weak var host: EngineHost?
    private var outlet: NodeID?
    // Of the queue.
    private var pending: [[Float]] = []
    private var start: Int64 = 0
    private var rate = 0.0
    private var format = AVAudioFormat.standard(48_000, 2)
    private var converter: AVAudioConverter?
    private var isOver = false

    init(_ size: AVAudioFrameCount, _ format: AVAudioFormat?, _ block: @escaping AVAudioNodeTapBlock) {
        (self.size, asked, self.block) = (max(1, Int(size)), format, block)
    }

    /// Listens to a unit; to another one than before where the node's was made anew.
    func connect(_ host: EngineHost, _ outlet: NodeID, busFormat: AVAudioFormat) throws(Fault) {
        if self.host === host, self.outlet == outlet { return }
        leave()
        let reader = try host.engine.tap(outlet, seconds: 10)
        (self.reader, self.host, self.outlet) = (reader, host, outlet)
        let own = AVAudioFormat.standard(host.engine.sampleRate, AVAudioChannelCount(reader.channels))
        let formats = Carried((own, asked ?? busFormat)), channels = reader.channels
        // Not waited for: a block that is called meanwhile may wait for this call.
        queue.async { [self] in
            let (own, wanted) = formats.value
            rate = own.sampleRate
            format = own.isLike(wanted) ? own : wanted
            converter = own.isLike(wanted) ? nil : AVAudioConverter(from: own, to: wanted)
            pending = Array(repeating: [], count: channels)
        }
        let take: @Sendable () -> Void = { [weak self, weak reader] in
            guard let self, let reader else { return }
            let blocks = reader.read()
            if !blocks.isEmpty { self.queue.async { self.take(blocks) } }
        }
        reader.serve(take, look: take)
    }

    private func leave() {
        guard let reader, let host else { return }
        // A unit that has left the graph took its tap's edge along.
        do { try host.engine.remove(reader) } catch { Refusal.write("removeTap: \(error)") }
        (self.reader, self.host, outlet) = (nil, nil, nil)
    }

    func end() {
        leave()
        queue.async { self.isOver = true }
    }

    // MARK: - On the queue

    private func take(_ blocks: [TapBlock]) {
        for block in blocks {
            if pending[0].isEmpty { start = block.time.rawValue }
            for channel in pending.indices { pending[channel] += block.channels[channel] }
            // As many frames of the engine as make a buffer of the tap's format.
            let wanted = max(1, Int((Double(size) * rate / format.sampleRate).rounded()))
            while pending[0].count >= wanted, !isOver { give(wanted) }
        }
    }

    private func give(_ count: Int) {
        let own = converter?.inputFormat ?? format
        guard let buffer = AVAudioPCMBuffer(pcmFormat: own, frameCapacity: AVAudioFrameCount(count)) else { return }
        buffer.frameLength = AVAudioFrameCount(count)
        for channel in pending.indices {
            pending[channel].withUnsafeBufferPointer { samples in
                if let base = samples.baseAddress { buffer.floatChannelData?[channel].update(from: base, count: count) }
            }
            pending[channel].removeFirst(count)
        }
        let frame = Int64((Double(start) * format.sampleRate / rate).rounded())
        let time = AVAudioTime(hostTime: mach_absolute_time(), sampleTime: frame, atRate: format.sampleRate)
        start += Int64(count)
        guard let converter else { return block(buffer, time) }
        guard let converted = converter.convert(buffer, room: size + 64, .noDataNow) else { return }
        if converted.frameLength > 0 { block(converted, time) }
    }
}
