/// What this thread renders at the moment, for calls that come from a callback.
struct RenderContext {
    let host: Unmanaged<RenderHost>
    /// Captured frames of this slice; nil where nothing is captured.
    let captured: UnsafePointer<UnsafeMutablePointer<Float>>?
    let capturedChannels: Int
    let frames: Int

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    static var current: UnsafePointer<RenderContext>? {
        pthread_getspecific(key).map { UnsafePointer($0.assumingMemoryBound(to: RenderContext.self)) }
    }

    func call<Result>(_ body: () -> Result) -> Result {
        let outer = pthread_getspecific(Self.key)
        return withUnsafePointer(to: self) { place in
            pthread_setspecific(Self.key, place)
            defer { pthread_setspecific(Self.key, outer) }
            return body()
        }
    }
}
