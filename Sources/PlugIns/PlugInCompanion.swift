import CPlugIns
import Synchronization
import UnitAPI

/// Owns a unit's instances of a plug-in; does on the control side what they ask to be done outside `run`, such as reading a
/// file, and makes new ones for those that a reset has used.
final class PlugInCompanion: UnitCompanion, @unchecked Sendable {
    /// What the render side uses.
    let slots: UnsafeMutablePointer<InstanceSlots>
    /// Latency in frames of every instance, as the first says.
    let latency: Int
    private let make: @Sendable () throws(PlugInError) -> [HostedPlugIn]
    /// The two sets; one worker at a time.
    private let sets: Mutex<[[HostedPlugIn]]>

    /// Makes both sets of `count` instances.
    init(count: Int, _ make: @escaping @Sendable () throws(PlugInError) -> [HostedPlugIn]) throws(PlugInError) {
        let sets = [try make(), try make()]
        self.make = make
        latency = sets[0][0].latency
        slots = .allocate(capacity: 1)
        slots.initialize(to: InstanceSlots(count: count))
        for set in 0..<2 { slots.pointee.offer(set, sets[set]) }
        self.sets = Mutex(sets)
        super.init()
    }

    deinit {
        slots.deinitialize(count: 1)
        slots.deallocate()
    }

    override var mayWait: Bool { true }

    override func attend() {
        sets.withLock { sets in
            for instance in sets.joined() { plugin_host_work(instance.host) }
            for set in 0..<2 where slots.pointee.takeBack(set) {
                // One that cannot be made again is missing: the unit is silent, and counts its frames.
                do { sets[set] = try make() } catch {
                    sets[set] = []
                    continue
                }
                slots.pointee.offer(set, sets[set])
            }
        }
    }
}
