import Synchronization

/// Descriptions that programs point to. On Apple's systems such a pointer outlives a temporary object until the autorelease pool
/// is emptied, and programs rely on that; here equal bytes are stored once and stay.
enum SharedBytes {
    private static let places = Mutex<[[UInt8]: UInt]>([:])

    /// Returns bytes that never move and are never freed, aligned to 8.
    static func pointer(to bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer {
        let address = places.withLock { places in
            let key = Array(bytes)
            if let known = places[key] { return known }
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 8)
            memory.copyMemory(from: bytes)
            let place = memory.baseAddress.map { UInt(bitPattern: $0) } ?? 0
            places[key] = place
            return place
        }
        guard let pointer = UnsafeRawPointer(bitPattern: address) else { preconditionFailure("memory has an address") }
        return pointer
    }
}
