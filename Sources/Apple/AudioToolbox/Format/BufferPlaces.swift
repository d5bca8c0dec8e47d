enum BufferPlaces {
    /// One address for each plane, with how many frames fit; nil where the list has too few buffers, or one without an address.
    static func of(_ list: UnsafeMutablePointer<AudioBufferList>, _ layout: PCMLayout) -> (
        places: [UnsafeMutableRawPointer], frames: Int
    )? {
        let buffers = UnsafeMutableAudioBufferListPointer(list)
        guard buffers.count == layout.planes else { return nil }
        var places: [UnsafeMutableRawPointer] = [], frames = Int.max
        for buffer in buffers {
            guard let place = buffer.mData else { return nil }
            places.append(place)
            frames = min(frames, Int(buffer.mDataByteSize) / layout.bytesPerFrame)
        }
        return (places, frames)
    }

    static func setFrames(_ frames: Int, _ list: UnsafeMutablePointer<AudioBufferList>, _ layout: PCMLayout) {
        let buffers = UnsafeMutableAudioBufferListPointer(list)
        for index in buffers.indices { buffers[index].mDataByteSize = UInt32(clamping: frames * layout.bytesPerFrame) }
    }
}
