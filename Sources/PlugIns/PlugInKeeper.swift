import CPlugIns
import CRealtime
import Synchronization
import UnitAPI

/// Keeps the process of a plug-in: starts it, sees it end, ends it when it hangs, and starts it anew, later and later if it
/// goes on ending.
///
/// Offline, if it is asked before every slice, it waits until the process has made what it was given, and for one that
/// starts anew: nothing is late there.
final class PlugInKeeper: UnitCompanion, @unchecked Sendable {
    /// The memory in common with the process, for the render side.
    let link: OpaquePointer
    private let file: Int32
    private let name: String
    private let care: Mutex<Care>

    /// Milliseconds that a process may take to come to life, and to make what it was given.
    private static let birth: Int64 = 20_000, patience: Int64 = 2_000
    /// Failed starts after which an offline render no longer waits.
    private static let attempts = 5

    private struct Care {
        var process: Int32 = 0
        var started: Int64 = 0
        var pause = RestartPause()
        var attempts = 0
    }

    /// Starts the process and waits for it. `ring`: frames of the rings in common, a power of two.
    init(_ plan: PlugInPlan, _ setup: UnitSetup, ring: Int) throws(PlugInError) {
        name = plan.name
        let controls = plan.controls, count = controls.isDoubled ? 2 : 1
        var file: Int32 = -1
        guard controls.plugIn.ports.count <= Int(PLUGIN_LINK_PORTS),
            let link = plugin_link_new(
                Int32(controls.inputChannels.count * count), Int32(controls.outputChannels.count * count), Int32(ring),
                &file)
        else { throw .noProcess(name: plan.name, reason: "the system gives no memory in common, or it has too many ports") }
        self.link = link
        self.file = file
        care = Mutex(Care())
        super.init()
        let most = Int32(setup.maximumFrames)
        guard plugin_link_settle(link, setup.sampleRate, most, controls.plugIn.uri, plan.state ?? "") else {
            throw .noProcess(name: plan.name, reason: "its URI is too long")
        }
        for (port, value) in plan.start(setup) { plugin_link_set_value(link, port, value) }
        if let reason = care.withLock({ start(&$0) }) { throw .noProcess(name: plan.name, reason: reason) }
        let begin = Self.now()
        while !plugin_link_is_ready(link) {
            let seen = plugin_link_seen_answer(link)
            var status: Int32 = 0
            let hasEnded = care.withLock { plugin_link_has_ended($0.process, &status) }
            if hasEnded { care.withLock { $0.process = 0 } }
            if hasEnded || Self.now() - begin > Self.birth {
                throw .noProcess(name: plan.name, reason: "it ended before it could play; see what its plug-in needs")
            }
            if !plugin_link_is_ready(link) { plugin_link_wait_answer(link, seen, 20) }
        }
    }

    deinit {
        care.withLock { if $0.process != 0 { plugin_link_kill($0.process) } }
        plugin_link_close(link, file)
    }

    /// Processes that have ended by themselves, or hung, so far.
    var crashes: Int { Int(plugin_link_crashes(link)) }
    var process: Int32 { care.withLock { $0.process } }
    var isReady: Bool { plugin_link_is_ready(link) }

    private static func now() -> Int64 { RestartPause.now() }

    override var mayWait: Bool { true }
    override var complaint: String? {
        isReady ? nil : "its process has ended, and another is started; check whether the plug-in works"
    }

    private func start(_ care: inout Care) -> String? {
        guard let program = PlugInProgram.path() else {
            return "the program carillon is neither beside this one nor in the path"
        }
        plugin_link_set_state(link, PLUGIN_LINK_STARTING)
        let code = plugin_link_spawn(program, file, &care.process)
        care.started = Self.now()
        care.attempts += 1
        if code == 0 { return nil }
        care.process = 0
        return "\(program): error \(code)"
    }

    /// Offline, rendering waits for a plug-in's process that runs. Without one that cannot be started it goes on, and the start is
    /// tried again later.
    override func attend() {
        care.withLock { care in
            repeat {
                look(&care)
                revive(&care)
            } while isReady && plugin_link_made(link) < plugin_link_given(link)
        }
    }

    /// Waits for a process that plays, as often as one may be started.
    private func revive(_ care: inout Care) {
        while !isReady && care.attempts < Self.attempts {
            let seen = plugin_link_seen_answer(link)
            var status: Int32 = 0
            if care.process == 0 {
                if start(&care) != nil { bury(&care) }
            } else if plugin_link_has_ended(care.process, &status) {
                bury(&care)
            } else if Self.now() - care.started > Self.birth {
                end(&care)
            } else if !isReady {
                plugin_link_wait_answer(link, seen, 20)
            }
        }
        if isReady { care.attempts = 0 }
    }

    override func look() { care.withLock { look(&$0) } }

    private func look(_ care: inout Care) {
        if care.process == 0 {
            // What cannot be started now is tried again, and meanwhile silent and counted.
            if care.pause.isOver(Self.now()), start(&care) != nil { bury(&care) }
            return
        }
        var status: Int32 = 0
        if plugin_link_has_ended(care.process, &status) { return bury(&care) }
        if !plugin_link_is_ready(link) {
            if Self.now() - care.started > Self.birth { end(&care) }
            return
        }
        care.attempts = 0
        if care.pause.hasGrown, Self.now() - care.started > 60_000 { care.pause.shorten() }
        let given = plugin_link_given(link), begin = Self.now()
        while true {
            let seen = plugin_link_seen_answer(link)
            if plugin_link_made(link) >= given { return }
            plugin_link_wake(link)
            if plugin_link_has_ended(care.process, &status) { return bury(&care) }
            if Self.now() - begin > Self.patience { return end(&care) }
            plugin_link_wait_answer(link, seen, 20)
        }
    }

    private func end(_ care: inout Care) {
        plugin_link_kill(care.process)
        bury(&care)
    }

    /// The process is gone: another comes after a pause, twice as long each time, ten seconds at most.
    private func bury(_ care: inout Care) {
        plugin_link_set_state(link, PLUGIN_LINK_STARTING)
        plugin_link_count_crash(link)
        care.process = 0
        care.pause.begin(Self.now())
    }
}
