import ALSA
import ArgumentParser
import CProgram
import Carillon
import Control
import Glibc
import Installations
import Patches
import Reports

/// One run of `serve`: the runner's turns, its signals, and reports to the service manager and the log.
struct ServeRun {
    /// Seconds between two turns while sound is made, and at most while the installation is closed: a clock that is set is noticed.
    private static let turn = 0.1, sleep = 10.0

    private let installation: Installation
    private let reread: () throws(PatchFileError) -> Installation
    private let access: NetworkAccess

    private let output: LogOutput

    init(
        _ installation: Installation, _ access: NetworkAccess, _ output: LogOutput,
        reread: @escaping () throws(PatchFileError) -> Installation
    ) {
        (self.installation, self.access, self.output, self.reread) = (installation, access, output, reread)
    }

    /// Runs it until a signal ends it; returns the exit code: 0 for SIGTERM, which is how services end.
    func run() throws -> Int32 {
        Interruption.reportClosedPipes()
        let (store, remark) = try store()
        let notice: ServiceNotice
        do { notice = try ServiceNotice() } catch { throw Failure.report(error) }
        let signals: Int32
        do { signals = try SignalPipe.install(hangUpEnds: false, endingWithin: InstallationRunner.longestFade) } catch {
            throw Failure.report(error)
        }
        try tryOut()
        var world = InstallationRunner.World(
            clock: { WallTime.now }, uptime: { SteadyClock.seconds }, port: { ALSAPort.ofEverySystem() }, zone: .system)
        world.isThere = { SoundSystems.isThere($0, capturing: $1) }
        let runner = InstallationRunner(installation, in: world, store: store, isThreaded: true)
        runner.onEnd = { SignalPipe.expectEnd(within: $0) }
        let socket = try access.socket(for: runner.inbox), gateway = try access.gateway(isPatient: true)
        var log = InstallationLog(output), watch = InstallationWatch(notice)
        log.onSentence = { socket?.tell($0, at: "\(WallZone.now)") }
        runner.step()
        // A song that cannot be read is waited for; a sound that cannot be made is a mistake of the file.
        if let fault = runner.fault, !fault.isOfSong { throw Failure.report(fault) }
        if let remark { log.say([remark]) }
        log.say(gateway?.announcements ?? [])
        var isReady = false, pending: PendingTrial?, isChangedAgain = false, played: ObjectIdentifier?
        while true {
            let snapshot = runner.snapshot, playing = runner.session == nil ? nil : snapshot
            log.tell(runner, playing)
            let session = runner.session
            log.say(
                RemarkReport.lines(
                    runner.takeRemarks(), song: session?.playlist?.currentPath, soundFonts: session?.graph.soundFonts ?? []))
            watch.look(at: runner, snapshot)
            socket?.publish(snapshot) { (question) throws(Fault) in try runner.perform(question) }
            // A service that waits for this one may send requests at once.
            if !isReady { watch.tell(.ready) }
            isReady = true
            switch runner.isOver ? SIGTERM : wait(signals, runner, watch, socket, isBusy: pending != nil) {
            case nil: break
            case SIGHUP?:
                watch.tellReloading()
                // One look at a time: what changes meanwhile is looked at after it.
                isChangedAgain = true
            case let number? where number == SIGINT || number == SIGTERM:
                let code: Int32 = number == SIGINT ? 128 + SIGINT : 0
                watch.tell(.stopping)
                runner.finish()
                gateway?.end()
                socket?.end()
                log.tell(runner, nil)
                log.end(runner.isOver ? "quit" : SessionLoop.Ending.signal(number).name)
                return code
            default: break
            }
            if let trial = pending?.result {
                log.say(reload(runner, trial))
                pending = nil
                if !isChangedAgain { watch.tell(.ready) }
                program_give_back_memory()
            }
            if isChangedAgain, pending == nil {
                isChangedAgain = false
                pending = trial(runner) { log.say([$0]) }
                if pending == nil { watch.tell(.ready) }
            }
            socket?.takeArrivals()
            if let gateway { log.say(gateway.follow()) }
            socket?.tell(trouble: gateway?.trouble)
            runner.step()
            let playedNow = runner.session.map { ObjectIdentifier($0) }
            if played != nil, playedNow != played { program_give_back_memory() }
            played = playedNow
        }
    }
}

extension ServeRun {
    /// The store of the state; nil if there is no place for it, with a remark.
    fileprivate func store() throws -> (StateFile?, remark: String?) {
        guard let folder = StateFolder.path(of: installation) else {
            return (
                nil,
                "there is no folder for the state (HOME is not set): after a power cut it starts anew; "
                    + "name one with state: in the file"
            )
        }
        StateFolder.prepare(folder)
        let store = StateFile(folder: folder)
        var patience = 20
        while true {
            do throws(Fault) {
                try store.lock()
                return (store, nil)
            } catch {
                guard error.kind == .stateInUse else { return (nil, "\(error). After a power cut it begins anew") }
                // One that was killed a moment ago still holds it.
                if patience == 0 { throw Failure.report(error) }
                patience -= 1
                usleep(50_000)
            }
        }
    }

    /// Finds a sound that cannot be now, and not when the installation opens in the morning.
    fileprivate func tryOut() throws {
        if installation.calendar(in: .system).situation(at: WallTime.now).playlist != nil { return }
        do throws(Fault) { _ = try InstallationTrial.session(of: installation) } catch { throw Failure.report(error) }
    }

    /// The first signal that ends it if several came. `isBusy`: something is waited for that a thread does.
    fileprivate func wait(
        _ signals: Int32, _ runner: InstallationRunner, _ watch: InstallationWatch, _ socket: ControlSocket?, isBusy: Bool
    ) -> Int32? {
        var seconds = Self.turn
        if runner.session == nil, !isBusy {
            seconds = Self.sleep
            if let change = runner.nextChange { seconds = min(seconds, max(Double(change - WallTime.now), 0.2)) }
            if runner.isOpen { seconds = min(seconds, 1) }
            if let patience = watch.patience { seconds = min(seconds, patience) }
        }
        var waiting = [signals, socket?.arrivals ?? -1].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        _ = poll(&waiting, nfds_t(waiting.count), Int32((seconds * 1000).rounded(.up)))
        // A signal that asks for the end is taken before any number of requests to read the file again.
        var asked: Int32?
        while let signal = SignalPipe.next(from: signals) {
            if signal == SIGINT || signal == SIGTERM { return signal }
            if asked != SIGHUP { asked = signal }
        }
        return asked
    }

    /// Reads the file again, and begins a check of it on a thread; nil if it cannot be read, with the reason passed to `say`.
    fileprivate func trial(_ runner: InstallationRunner, _ say: (String) -> Void) -> PendingTrial? {
        do throws(PatchFileError) {
            let new = try reread()
            return PendingTrial(new, isThere: runner.deviceQuestion(for: new)) { NetworkAccess($0).trial }
        } catch {
            say("\(error); the installation is unchanged")
            return nil
        }
    }

    fileprivate func reload(_ runner: InstallationRunner, _ trial: InstallationTrial) -> [String] {
        let path = trial.installation.path
        do throws(Fault) {
            let changes = try runner.reload(trial)
            return ["\(path): reloaded: " + (changes.isEmpty ? "nothing has changed" : changes.joined(separator: "; "))]
        } catch { return error.sentences + ["\(path): not reloaded; the installation is unchanged"] }
    }
}

extension Fault {
    fileprivate var isOfSong: Bool { origin is SongError || kind == .noSong || kind == .songWithoutNotes }
}
