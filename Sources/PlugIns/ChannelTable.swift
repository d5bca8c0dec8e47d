import CPlugIns
import CRealtime
import UnitAPI

// [render]

/// Which channel of which bus is which port of a plug-in, and which ports are shown.
struct ChannelTable: ~Copyable {
    private struct Row: BitwiseCopyable {
        let bus: Int32, channel: Int32
        let port: UInt32
        let isInput: Bool
    }

    private let rows: UnsafeMutablePointer<Row>
    private let count: Int
    private let shown: UnsafeMutablePointer<Int32>
    private let shownCount: Int
    private let inputs: UnsafeMutablePointer<Int32>
    private let inputCount: Int

    /// The table of a plug-in. Control side.
    init(_ controls: PlugInControls) {
        func row(_ channel: PlugInControls.Channel, isInput: Bool) -> Row {
            Row(bus: Int32(channel.bus), channel: Int32(channel.channel), port: channel.port, isInput: isInput)
        }
        let all = controls.inputChannels.map { row($0, isInput: true) }
            + controls.outputChannels.map { row($0, isInput: false) }
        (rows, count) = Self.copy(all)
        (shown, shownCount) = Self.copy(controls.shown.map { Int32($0.port) })
        (inputs, inputCount) = Self.copy(controls.controls.map { Int32($0.port) })
    }

    private static func copy<Element>(_ list: [Element]) -> (UnsafeMutablePointer<Element>, Int) {
        let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(list.count, 1))
        memory.initialize(from: list, count: list.count)
        return (memory, list.count)
    }

    deinit {
        rows.deallocate()
        shown.deallocate()
        inputs.deallocate()
    }

    /// Lets the ports of an instance lead straight to the buses, from frame `offset` of the call on. The second instance has
    /// the second channel.
    @_noLocks func connect(_ io: borrowing RenderIO, _ offset: Int, instance: Int, to host: OpaquePointer) {
        for index in 0..<count {
            let row = rows[index]
            let bus = Int(row.bus), channel = Int(row.channel) &+ instance
            if row.isInput {
                // LV2 knows no pointer that may only be read; a plug-in does not write there.
                plugin_host_connect(host, row.port, UnsafeMutablePointer(mutating: io.input(bus, channel).base) + offset)
            } else {
                plugin_host_connect(host, row.port, io.output(bus, channel).base + offset)
            }
        }
    }

    /// What one instance was told, another is told too.
    @_noLocks func copyControls(from: UnsafeMutablePointer<Float>, to: UnsafeMutablePointer<Float>) {
        for index in 0..<inputCount { to[Int(inputs[index])] = from[Int(inputs[index])] }
    }

    /// Shows what the control outputs say.
    @_noLocks func show(_ io: borrowing RenderIO, _ values: UnsafeMutablePointer<Float>) {
        for index in 0..<shownCount { io.publish(index &+ PlugInControls.readoutCount, values[Int(shown[index])]) }
    }
}
