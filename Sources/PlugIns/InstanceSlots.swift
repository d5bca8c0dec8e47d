import RealtimeCore

// [render]

/// Two sets of instances of a plug-in: one at work, one as new. A reset takes the new one, since LV2 allows a plug-in to
/// allocate when it resets, and many do not reset at all; the control side makes another meanwhile.
///
/// Shared by a unit and its companion: the flags say which of them owns a set.
struct InstanceSlots: ~Copyable, @unchecked Sendable {
    /// Instances of a set: one, or two that make a stereo effect of a plug-in of one channel.
    let count: Int
    private var owned = OwnedMemory()
    /// The instances of set 0, then those of set 1; and the values of their ports.
    let hosts: UnsafeMutablePointer<OpaquePointer>
    let values: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    /// The control side has made a set: the render side may take it.
    private let isFresh: UnsafeMutablePointer<AtomicFlag>
    /// The render side has done with a set: the control side may end it.
    private let isUsed: UnsafeMutablePointer<AtomicFlag>

    /// Two empty sets, whose memory is the caller's to give back with `free`. Control side.
    init(count: Int) {
        self.count = count
        hosts = owned.room(for: 2 * count)
        values = owned.room(for: 2 * count)
        isFresh = owned.room(for: 2)
        isUsed = owned.room(for: 2)
        for set in 0..<2 {
            (isFresh + set).initialize(to: AtomicFlag())
            (isUsed + set).initialize(to: AtomicFlag())
        }
    }

    deinit {
        isFresh.deinitialize(count: 2)
        isUsed.deinitialize(count: 2)
    }

    func offer(_ set: Int, _ hosted: [HostedPlugIn]) {
        for (index, instance) in hosted.enumerated() {
            (hosts + set * count + index).initialize(to: instance.host)
            (values + set * count + index).initialize(to: instance.values)
        }
        isFresh[set].publish(true)
    }

    /// Returns true, once, if the render side has finished with a set. Control side.
    func takeBack(_ set: Int) -> Bool {
        if !isUsed[set].isSet { return false }
        isUsed[set].publish(false)
        return true
    }

    /// A set that is as new, for good; -1 if there is none yet.
    @_noLocks func take() -> Int {
        for set in 0..<2 where isFresh[set].isSet {
            isFresh[set].publish(false)
            return set
        }
        return -1
    }

    @_noLocks func giveBack(_ set: Int) { isUsed[set].publish(true) }
}
