internal import AudioFiles

/// What a player node is to play, one after the other, as a file of the engine's player: each item has its own frames there.
final class PlayerSource: FrameReading, @unchecked Sendable {
    /// A scheduled buffer or a part of a file. The lock of `Control` guards what changes.
    final class Item: @unchecked Sendable {
        let number: Int64
        /// Frames at the player's rate.
        let frames: Int64
        let kind: AVAudioPlayerNodeCompletionCallbackType
        /// Nil once it was called: a handler may hold its player.
        var completion: ((AVAudioPlayerNodeCompletionCallbackType) -> Void)?
        fileprivate let buffer: AVAudioPCMBuffer?
        fileprivate let file: FilePart?
        var isDone = false

        fileprivate init(
            _ number: Int64, _ frames: Int64, _ kind: AVAudioPlayerNodeCompletionCallbackType,
            _ completion: ((AVAudioPlayerNodeCompletionCallbackType) -> Void)?, buffer: AVAudioPCMBuffer? = nil,
            file: FilePart? = nil
        ) {
            (self.number, self.frames, self.kind, self.completion) = (number, frames, kind, completion)
            (self.buffer, self.file) = (buffer, file)
        }

        /// Its first frame in the source.
        var base: Int64 { number << 32 }
        /// Its first frame in the file; 0 for a buffer.
        var first: Int64 { file?.start ?? 0 }
    }

    let format: AVAudioFormat
    let path = "AVAudioPlayerNode"
    let channels: Int
    let sampleRate: Int
    let frames = Int64.max / 4
    let isSeekable = true
    private let lock = NSLock()
    private var items: [Int64: Item] = [:]
    private var count: Int64 = -1
    private var position: Int64 = 0

    init(_ format: AVAudioFormat) {
        self.format = .standard(format.sampleRate.rounded(), format.channelCount)
        (channels, sampleRate) = (Int(format.channelCount), Int(format.sampleRate.rounded()))
    }

    /// A buffer to be played; nil where it has other channels than the player.
    func add(
        _ buffer: AVAudioPCMBuffer, _ kind: AVAudioPlayerNodeCompletionCallbackType,
        _ completion: ((AVAudioPlayerNodeCompletionCallbackType) -> Void)?
    ) -> Item? {
        guard buffer.format.channelCount == format.channelCount, buffer.frameLength > 0,
            let sound = buffer.format.isLike(format) ? buffer : buffer.converted(to: format)
        else { return nil }
        return keep { Item($0, Int64(sound.frameLength), kind, completion, buffer: sound) }
    }

    /// A part of a file; nil where it has no frame or cannot be opened.
    func add(
        _ file: AVAudioFile, from start: Int64, frames: Int64, _ kind: AVAudioPlayerNodeCompletionCallbackType,
        _ completion: ((AVAudioPlayerNodeCompletionCallbackType) -> Void)?
    ) -> Item? {
        let frames = min(frames, file.length - start)
        guard start >= 0, frames > 0, let part = FilePart(file.url, start, frames, format) else { return nil }
        return keep { Item($0, part.length, kind, completion, file: part) }
    }

    private func keep(_ make: (Int64) -> Item) -> Item {
        lock.withLock {
            count += 1
            let item = make(count)
            items[count] = item
            return item
        }
    }

    func item(at frame: Int64) -> Item? { lock.withLock { items[frame >> 32] } }
    /// Forgets an item that has been played, and what was interrupted by it.
    func drop(_ item: Item) { lock.withLock { items = items.filter { $0.key > item.number || !$0.value.isDone } } }
    func dropAll() { lock.withLock { items = [:] } }

    func seek(to frame: Int64) throws(AudioFileError) { lock.withLock { position = frame } }

    func read(_ output: [UnsafeMutablePointer<Float>], capacity: Int) throws(AudioFileError) -> Int {
        lock.withLock {
            guard let item = items[position >> 32] else { return 0 }
            let offset = position & 0xFFFF_FFFF, count = Int(min(Int64(capacity), item.frames - offset))
            if count <= 0 { return 0 }
            if let buffer = item.buffer {
                for channel in 0..<channels {
                    guard let samples = buffer.floatChannelData?[channel] else { return 0 }
                    output[channel].update(from: samples + Int(offset), count: count)
                }
            } else {
                item.file?.read(output, from: offset, count: count)
            }
            position += Int64(count)
            return count
        }
    }
}

/// A part of a file in the player's format.
private final class FilePart {
    // Of its own: the program's object keeps its place.
    private let file: ExtAudioFileRef
    private let list: UnsafeMutableAudioBufferListPointer
    let start: Int64
    /// Frames at the player's rate.
    let length: Int64
    /// Frames of the file for one of the player's, and the frame of the part that comes next.
    private let ratio: Double
    private var next: Int64 = -1

    init?(_ url: URL, _ start: Int64, _ frames: Int64, _ format: AVAudioFormat) {
        var opened: ExtAudioFileRef?, own = AudioStreamBasicDescription(), size = UInt32(MemoryLayout.size(ofValue: own))
        guard ExtAudioFileOpenURL(url as CFURL, &opened) == noErr, let opened else { return nil }
        let isKnown = ExtAudioFileGetProperty(opened, kExtAudioFileProperty_FileDataFormat, &size, &own) == noErr
        (file, self.start, ratio) = (opened, start, own.mSampleRate / format.sampleRate)
        length = isKnown ? Int64((Double(frames) / ratio).rounded()) : 0
        list = AudioBufferList.allocate(maximumBuffers: Int(format.channelCount))
        let status = ExtAudioFileSetProperty(opened, kExtAudioFileProperty_ClientDataFormat, size, format.streamDescription)
        if status != noErr || length == 0 { return nil }
    }

    deinit {
        ExtAudioFileDispose(file)
        free(list.unsafeMutablePointer)
    }

    /// Reads frames of the part; what the file lacks is silent.
    func read(_ output: [UnsafeMutablePointer<Float>], from first: Int64, count: Int) {
        var done = 0, status = noErr
        if first != next { status = ExtAudioFileSeek(file, start + Int64((Double(first) * ratio).rounded())) }
        while done < count {
            for channel in list.indices {
                list[channel] = AudioBuffer(
                    mNumberChannels: 1, mDataByteSize: UInt32(4 * (count - done)), mData: output[channel] + done)
            }
            var frames = UInt32(count - done)
            if status == noErr { status = ExtAudioFileRead(file, &frames, list.unsafeMutablePointer) }
            if status != noErr || frames == 0 { break }
            done += Int(frames)
        }
        for channel in list.indices { (output[channel] + done).update(repeating: 0, count: count - done) }
        next = first + Int64(count)
    }
}

extension AVAudioPCMBuffer {
    /// The whole buffer in another format; nil where it cannot be converted.
    func converted(to format: AVAudioFormat) -> AVAudioPCMBuffer? {
        let frames = (Double(frameLength) * format.sampleRate / self.format.sampleRate).rounded()
        return AVAudioConverter(from: self.format, to: format)?.convert(self, room: Int(frames), .endOfStream)
    }
}
