import Carillon
import Synchronization

/// A trial that a thread of its own makes while the installation plays: it may read hundreds of songs. Any thread asks for the result.
public final class PendingTrial: Sendable {
    private let found = Mutex<InstallationTrial?>(nil)

    /// Begins it. If the system has no thread to give, it is made at once on the caller's.
    public init(
        _ installation: Installation, isThere: InstallationTrial.DeviceQuestion?,
        network: InstallationTrial.NetworkQuestion? = nil
    ) {
        let work: @Sendable () -> Void = { [self] in
            let trial = InstallationTrial(installation, isThere: isThere, network: network)
            found.withLock { $0 = trial }
        }
        do throws(DeviceError) { try PlainThread(work).detach() } catch { work() }
    }

    /// The result; nil as long as it is made.
    public var result: InstallationTrial? { found.withLock { $0 } }
}
