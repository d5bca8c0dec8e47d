import CPlugIns
import RealtimeCore
import UnitAPI

// [render]

/// The controls of a plug-in on the render side: the last value of each, and the conversion from its parameter's values.
///
/// A parameter that jumps is passed on at once; one that glides is passed on every 64 frames of sample time, so that a
/// plug-in gets the same values for any slices.
struct ControlTable: ~Copyable {
    private struct Row: BitwiseCopyable {
        let port: Int32
        let firstValue: Int32, valueCount: Int32
        let scale: Float
        let isWhole: Bool
        /// The parameter's target when it was looked at last, and its value that the plug-in knows.
        var target: Float, sent: Float
    }

    /// Frames between two values of a parameter that glides.
    static var grid: Int { @_noLocks get { 64 } }

    private var owned = OwnedMemory()
    private let rows: UnsafeMutablePointer<Row>
    private let count: Int
    private let values: UnsafeMutablePointer<Float>

    /// The table of `controls` at `rate` hertz. Control side.
    init(_ controls: [PlugInControls.Control], rate: Double) {
        count = controls.count
        rows = owned.room(for: max(count, 1))
        let all = controls.flatMap(\.values)
        values = owned.copy(all)
        var first = 0
        for (index, control) in controls.enumerated() {
            (rows + index).initialize(
                to: Row(
                    port: Int32(control.port), firstValue: Int32(first), valueCount: Int32(control.values.count),
                    scale: control.scale * (control.isOfRate ? Float(rate) : 1), isWhole: control.isWhole, target: .nan,
                    sent: .nan))
            first += control.values.count
        }
    }

    @_noLocks func forget() {
        for index in 0..<count {
            rows[index].target = .nan
            rows[index].sent = .nan
        }
    }

    /// Writes what has changed by frame `offset` of the call into the ports' values. Whether something still moves.
    @_noLocks func follow(
        _ io: borrowing RenderIO, _ offset: Int, to ports: UnsafeMutablePointer<Float>, isOnGrid: Bool
    ) -> Bool {
        follow(io, offset, isOnGrid: isOnGrid) { ports[Int($0)] = $1 }
    }

    /// Sends a plug-in in another process the values that have changed by frame `offset`, after the frames that it was given.
    @_noLocks func follow(_ io: borrowing RenderIO, _ offset: Int, over link: OpaquePointer, isOnGrid: Bool) -> Bool {
        follow(io, offset, isOnGrid: isOnGrid) {
            plugin_link_set_value(link, UInt32($0), $1)
            _ = plugin_link_tell(link, Int64(offset), PLUGIN_LINK_CONTROL, UInt32($0), $1, nil)
        }
    }

    @_noLocks @inline(__always) private func follow(
        _ io: borrowing RenderIO, _ offset: Int, isOnGrid: Bool, _ sent: (Int32, Float) -> Void
    ) -> Bool {
        var isMoving = false
        for index in 0..<count {
            let ramp = io.parameter(at: index)
            if ramp.target != rows[index].target || isOnGrid {
                let value = ramp[offset]
                rows[index].target = ramp.target
                if value != rows[index].sent {
                    rows[index].sent = value
                    sent(rows[index].port, meaning(index, value))
                }
            }
            if rows[index].sent != ramp.target { isMoving = true }
        }
        return isMoving
    }

    @_noLocks private func meaning(_ index: Int, _ value: Float) -> Float {
        let row = rows[index]
        if row.valueCount > 0 {
            let place = min(max(Int32(value + 0.5), 0), row.valueCount &- 1)
            return values[Int(row.firstValue &+ place)]
        }
        let scaled = value * row.scale
        if !row.isWhole { return scaled }
        return Float(Int32(scaled < 0 ? max(scaled - 0.5, -2e9) : min(scaled + 0.5, 2e9)))
    }
}
