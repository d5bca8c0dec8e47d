/// A buffer list with memory of its own for one slice in one layout, and the way from there to the engine's samples.
final class SliceMemory: @unchecked Sendable {
    let layout: PCMLayout
    let list: UnsafeMutablePointer<AudioBufferList>
    private let frames: Int
    private let bytes: UnsafeMutableRawPointer
    private let values: UnsafeMutablePointer<Double>

    init(_ layout: PCMLayout, frames: Int) {
        (self.layout, self.frames) = (layout, frames)
        list = AudioBufferList.allocate(maximumBuffers: layout.planes).unsafeMutablePointer
        bytes = .allocate(byteCount: max(1, frames * layout.bytesPerFrame * layout.planes), alignment: 16)
        values = .allocate(capacity: max(1, frames))
    }

    deinit {
        free(list)
        bytes.deallocate()
        values.deallocate()
    }

    /// Points the list at its own memory, all zeros.
    func clear(_ count: Int) {
        let size = count * layout.bytesPerFrame
        memset(bytes, 0, size * layout.planes)
        let buffers = UnsafeMutableAudioBufferListPointer(list)
        for index in buffers.indices {
            buffers[index] = AudioBuffer(
                mNumberChannels: UInt32(layout.isInterleaved ? layout.channels : 1), mDataByteSize: UInt32(size),
                mData: bytes + index * size)
        }
    }

    func point(_ channel: Int, to place: UnsafeMutablePointer<Float>, _ count: Int) {
        UnsafeMutableAudioBufferListPointer(list)[channel] = AudioBuffer(
            mNumberChannels: 1, mDataByteSize: UInt32(4 * count), mData: UnsafeMutableRawPointer(place))
    }

    /// Decodes a channel out of the list, which a callback may have pointed elsewhere; what is missing is silent.
    func decode(_ channel: Int, _ count: Int, to target: UnsafeMutablePointer<Float>) {
        let buffer = UnsafeMutableAudioBufferListPointer(list)[layout.isInterleaved ? 0 : channel]
        let there = min(count, Int(buffer.mDataByteSize) / layout.bytesPerFrame, frames)
        for index in there..<max(there, count) { target[index] = 0 }
        guard let data = buffer.mData, there > 0 else {
            for index in 0..<there { target[index] = 0 }
            return
        }
        layout.decode(
            data + (layout.isInterleaved ? channel * layout.bytes : 0), stride: layout.bytesPerFrame, count: there, values)
        for index in 0..<there { target[index] = Float(values[index]) }
    }

    /// Encodes a channel into a list of this layout, which has room for the frames.
    func encode(_ source: UnsafePointer<Float>, _ channel: Int, _ count: Int, into list: UnsafeMutablePointer<AudioBufferList>) {
        guard let data = UnsafeMutableAudioBufferListPointer(list)[layout.isInterleaved ? 0 : channel].mData else { return }
        for index in 0..<count { values[index] = Double(source[index]) }
        layout.encode(
            values, count: count, data + (layout.isInterleaved ? channel * layout.bytes : 0), stride: layout.bytesPerFrame)
    }

    /// Makes a program's list hold so many frames of this layout: buffers without an address get ours. An error for a list of
    /// another form.
    func prepare(_ other: UnsafeMutablePointer<AudioBufferList>, frames count: Int) -> OSStatus {
        let buffers = UnsafeMutableAudioBufferListPointer(other), size = count * layout.bytesPerFrame
        guard buffers.count == layout.planes, count <= frames else { return kAudio_ParamError }
        for index in buffers.indices {
            if buffers[index].mData == nil {
                buffers[index].mData = bytes + index * size
            } else if Int(buffers[index].mDataByteSize) < size {
                return kAudio_ParamError
            }
            buffers[index].mNumberChannels = UInt32(layout.isInterleaved ? layout.channels : 1)
            buffers[index].mDataByteSize = UInt32(size)
        }
        return noErr
    }
}
