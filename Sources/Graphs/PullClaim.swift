import Synchronization

/// The right to pull a renderer: a device has it, or an offline output, and one at a time. It ends with the object.
///
/// Two that pull in turn would each get half of the sound; two at once would break the render side's memory. Any thread.
package final class PullClaim: Sendable {
    private let renderer: Renderer

    /// Takes the right to pull `renderer`. - Throws: `alreadyPulled` while it is taken.
    package init(_ renderer: Renderer) throws(PullError) {
        if renderer.isClaimed.exchange(true, ordering: .acquiring) { throw .alreadyPulled }
        self.renderer = renderer
    }

    deinit { renderer.isClaimed.store(false, ordering: .releasing) }
}

/// The reason why a renderer cannot be pulled.
package enum PullError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A device or another output pulls it.
    case alreadyPulled

    package var description: String {
        "another output pulls this renderer already; stop the device, or let go of the other output, first"
    }
}
