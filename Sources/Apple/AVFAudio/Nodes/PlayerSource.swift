internal import AudioFiles
internal import DSP

/// What a player node is to play, one after the other, as a file of the engine's player: each item has its own frames there.
final class PlayerSource: FrameReading, @unchecked Sendable {
    /// A scheduled buffer or a part of a file. The lock of `Control` guards what changes.
    final class Item: @unchecked Sendable {
        let number: Int64
        /// Frames at the player's rate.
        let frames: Int64
        let kind: AVAudioPlayerNodeCompletionCallbackType
        let completion: ((AVAudioPlayerNodeCompletionCallbackType) -> Void)?
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
    func drop(_ item: Item) { lock.withLock { items[item.number] = nil } }

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
                item.file?.read(output, channels, from: offset, count: count)
            }
            position += Int64(count)
            return count
        }
    }
}

/// A part of a file in the player's format, read from its beginning on.
private final class FilePart {
    private let file: AVAudioFile
    let start: Int64
    private let frames: Int64
    private let room: AVAudioPCMBuffer, input: AVAudioPCMBuffer
    private let converter: AVAudioConverter?
    /// Frames at the player's rate, and how many of them were read.
    let length: Int64
    private var next: Int64 = -1
    private var left: Int64 = 0

    init?(_ url: URL, _ start: Int64, _ frames: Int64, _ format: AVAudioFormat) {
        // Of its own: the program's object keeps its place.
        do { file = try AVAudioFile(forReading: url) } catch { return nil }
        let own = file.processingFormat
        converter = own.isLike(format) ? nil : AVAudioConverter(from: own, to: format)
        guard own.isLike(format) || converter != nil, let room = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 8_192),
            let input = AVAudioPCMBuffer(pcmFormat: own, frameCapacity: 8_192)
        else { return nil }
        (self.start, self.frames, self.room, self.input) = (start, frames, room, input)
        length = Int64((Double(frames) * format.sampleRate / own.sampleRate).rounded())
    }

    /// Reads frames of the part; what the file lacks is silent.
    func read(_ output: [UnsafeMutablePointer<Float>], _ channels: Int, from first: Int64, count: Int) {
        if first != next {
            file.framePosition = start
            converter?.reset()
            (next, left) = (0, frames)
            // Loops begin at 0; a seek within a converted part reads up to there.
            if converter == nil {
                file.framePosition = start + first
                (next, left) = (first, frames - first)
            }
            while next < first { fill(Int(min(8_192, first - next))) }
        }
        var done = 0
        while done < count {
            fill(min(8_192, count - done))
            let made = Int(room.frameLength)
            for channel in 0..<channels {
                guard let samples = room.floatChannelData?[channel] else { return }
                if made == 0 { (output[channel] + done).update(repeating: 0, count: count - done) }
                (output[channel] + done).update(from: samples, count: made)
            }
            done += made
            if made == 0 { break }
        }
        next = first + Int64(count)
    }

    private func fill(_ count: Int) {
        room.frameLength = 0
        guard let converter else {
            do { try file.read(into: room, frameCount: AVAudioFrameCount(min(Int64(count), max(0, left)))) } catch { return }
            left -= Int64(room.frameLength)
            return
        }
        let wanted = AVAudioFrameCount(count)
        let view = AVAudioPCMBuffer(pcmFormat: room.format, frameCapacity: wanted)
        guard let view else { return }
        converter.convert(to: view, error: nil) { packets, state in
            let ask = min(Int64(min(packets, 8_192)), self.left)
            do { if ask > 0 { try self.file.read(into: self.input, frameCount: AVAudioFrameCount(ask)) } } catch { self.left = 0 }
            if ask <= 0 || self.input.frameLength == 0 {
                state.pointee = .endOfStream
                return nil
            }
            self.left -= Int64(self.input.frameLength)
            state.pointee = .haveData
            return self.input
        }
        next += Int64(view.frameLength)
        for channel in 0..<Int(room.format.channelCount) {
            guard let from = view.floatChannelData?[channel] else { return }
            room.floatChannelData?[channel].update(from: from, count: Int(view.frameLength))
        }
        room.frameLength = view.frameLength
    }
}

extension AVAudioPCMBuffer {
    /// The whole buffer in another format; nil where it cannot be converted.
    func converted(to format: AVAudioFormat) -> AVAudioPCMBuffer? {
        let frames = (Double(frameLength) * format.sampleRate / self.format.sampleRate).rounded()
        guard let converter = AVAudioConverter(from: self.format, to: format),
            let result = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frames))
        else { return nil }
        var isUsed = false
        converter.convert(to: result, error: nil) { _, state in
            state.pointee = isUsed ? .endOfStream : .haveData
            defer { isUsed = true }
            return isUsed ? nil : self
        }
        return result
    }
}
