/// A render callback as a unit: a closure if a struct of its own would be too much.
///
/// The closure is not proven: the compiler cannot see through it. In a release build calling it counts no references and
/// allocates nothing; its contents are the caller's responsibility. Code that is to stay is written as a struct that conforms
/// to `AudioUnit`.
final class CallbackUnit: UnitInstance, @unchecked Sendable {
    private let body: (borrowing RenderIO) -> RenderStatus

    init(_ descriptor: UnitDescriptor, _ setup: UnitSetup, _ body: sending @escaping (borrowing RenderIO) -> RenderStatus) {
        self.body = body
        super.init([], descriptor: descriptor, setup: setup, latency: 0, companion: nil)
    }

    override func render(_ io: borrowing RenderIO) -> RenderStatus { body(io) }
}

extension UnitInstance {
    /// Returns a unit that calls `body` for every segment of a slice, on the render thread. Control side.
    ///
    /// The closure gets what `AudioUnit.render` gets. It must not allocate, lock, or count references; nothing proves that it
    /// does not. What it captures is the render thread's from then on: the compiler refuses what others go on using, unless that
    /// is `Sendable`. `inputs` and `outputs` are channels of each bus.
    public static func callback(
        _ name: String, inputs: [Int] = [], outputs: [Int] = [2], setup: UnitSetup,
        _ body: sending @escaping (borrowing RenderIO) -> RenderStatus
    ) -> UnitInstance {
        let type: FourCharCode = inputs.isEmpty ? .generator : .effect
        let descriptor = UnitDescriptor(
            component: ComponentDescription(type: type, subtype: "clbk", manufacturer: .carillon), name: name,
            summary: "A render callback of the program.",
            inputs: inputs.enumerated().map { .init("input-\($0 + 1)", channels: $1) },
            outputs: outputs.enumerated().map { .init("output-\($0 + 1)", channels: $1) })
        return CallbackUnit(descriptor, setup, body)
    }
}
