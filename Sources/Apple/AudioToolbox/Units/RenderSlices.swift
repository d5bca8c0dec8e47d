internal import RealtimeCore
import Synchronization

/// The slices of a plan as its callbacks see them: time stamps, and the callbacks before and after each.
final class RenderSlices: @unchecked Sendable {
    private final class Notifies {
        let callbacks: [AURenderCallbackStruct]
        init(_ callbacks: [AURenderCallbackStruct]) { self.callbacks = callbacks }
    }

    /// All lists that there were, since a slice may still read one.
    private var lists: [Notifies] = []
    private let newest = Atomic<UInt>(0)
    /// Of the render thread: whether callbacks before the slice were called, and its first frame.
    private var isOpen = false
    private var stamp = AudioTimeStamp()
    private var start = SampleTime.zero
    private(set) var isPulled = false

    func publish(_ callbacks: [AURenderCallbackStruct]) {
        let list = Notifies(callbacks)
        lists.append(list)
        newest.store(UInt(bitPattern: Unmanaged.passUnretained(list).toOpaque()), ordering: .releasing)
    }

    /// The program pulls: its time stamp holds from this sample time on.
    func pulls(_ stamp: AudioTimeStamp, from start: SampleTime) { (self.stamp, self.start, isPulled) = (stamp, start, true) }

    func isDone() { isPulled = false }

    func begin(_ time: SampleTime, _ frames: Int) -> AudioTimeStamp {
        if !isPulled {
            start = time
            stamp.mSampleTime = Float64(time.rawValue)
            stamp.mHostTime = mach_absolute_time()
            stamp.mRateScalar = 1
            stamp.mFlags = [.sampleTimeValid, .hostTimeValid, .rateScalarValid]
        }
        var now = stamp
        now.mSampleTime += Float64(time.rawValue - start.rawValue)
        if !isOpen {
            isOpen = true
            tell(.unitRenderAction_PreRender, frames, nil)
        }
        return now
    }

    func end(_ frames: Int, _ list: UnsafeMutablePointer<AudioBufferList>?) {
        if isOpen { tell(.unitRenderAction_PostRender, frames, list) }
        isOpen = false
    }

    private func tell(_ action: AudioUnitRenderActionFlags, _ frames: Int, _ list: UnsafeMutablePointer<AudioBufferList>?) {
        guard let place = UnsafeRawPointer(bitPattern: newest.load(ordering: .acquiring)) else { return }
        Unmanaged<Notifies>.fromOpaque(place)._withUnsafeGuaranteedRef { notifies in
            for callback in notifies.callbacks {
                var flags = action, stamp = stamp
                _ = callback.inputProc?(
                    callback.inputProcRefCon ?? UnsafeMutableRawPointer(bitPattern: 1)!, &flags, &stamp, 0, UInt32(frames), list)
            }
        }
    }
}
