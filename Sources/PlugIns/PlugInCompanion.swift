import CPlugIns
import Synchronization
import UnitAPI

/// Owns a unit's instances of a plug-in; does on the control side what they ask to be done outside `run`, such as reading a
/// file, and makes new ones for those that a reset has used. What cannot be made is tried again, later and later.
final class PlugInCompanion: UnitCompanion, @unchecked Sendable {
    let slots: UnsafeMutablePointer<InstanceSlots>
    /// Latency in frames of every instance, as the first reports it.
    let latency: Int
    private let make: @Sendable () throws(PlugInError) -> [HostedPlugIn]
    /// Milliseconds of a clock that only goes forward.
    private let clock: @Sendable () -> Int64
    /// The two sets, none if one could not be made, and when that is tried again; one worker at a time.
    private let care: Mutex<(sets: [[HostedPlugIn]], pause: RestartPause)>
    private let reason = Mutex<String?>(nil)

    init(
        count: Int, clock: @escaping @Sendable () -> Int64 = RestartPause.now,
        _ make: @escaping @Sendable () throws(PlugInError) -> [HostedPlugIn]
    ) throws(PlugInError) {
        let sets = [try make(), try make()]
        self.make = make
        self.clock = clock
        latency = sets[0][0].latency
        slots = .allocate(capacity: 1)
        slots.initialize(to: InstanceSlots(count: count))
        for set in 0..<2 { slots.pointee.offer(set, sets[set]) }
        care = Mutex((sets, RestartPause()))
        super.init()
    }

    deinit {
        slots.deinitialize(count: 1)
        slots.deallocate()
    }

    override var mayWait: Bool { true }
    override var complaint: String? { reason.withLock { $0 } }

    override func attend() {
        care.withLock { care in
            for instance in care.sets.joined() { plugin_host_work(instance.host) }
            for set in 0..<2 where slots.pointee.takeBack(set) { care.sets[set] = [] }
            for set in 0..<2 where care.sets[set].isEmpty && care.pause.isOver(clock()) {
                // Meanwhile a unit that is reset once more is silent, and counts its frames.
                do throws(PlugInError) { care.sets[set] = try make() } catch {
                    let text = "after a reset it could not be made again, which is tried once more: \(error.description)"
                    reason.withLock { $0 = text }
                    return care.pause.begin(clock())
                }
                slots.pointee.offer(set, care.sets[set])
            }
            if care.sets.allSatisfy({ !$0.isEmpty }) {
                reason.withLock { $0 = nil }
                care.pause = RestartPause()
            }
        }
    }
}
