import RealtimeCore

/// A compiled graph, built and freed on the control side: the memory that `PlanTables` points into.
///
/// It borrows the units and keeps them alive.
public final class RenderPlan: Retirable, @unchecked Sendable {
    /// What the render thread walks.
    let tables: PlanTables
    private let memory: PlanMemory

    init(_ tables: PlanTables, memory: PlanMemory) {
        self.tables = tables
        self.memory = memory
    }

    /// The most frames of one slice.
    public var maximumFrames: Int { tables.maximumFrames }
    /// Frames by which the output lags behind the events.
    public var latency: Int { tables.latency }
}
