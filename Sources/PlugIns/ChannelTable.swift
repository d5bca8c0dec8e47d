import CPlugIns
import CRealtime
import RealtimeCore
import UnitAPI

// [render]

/// A table that maps channels of buses to ports of a plug-in, and lists the ports that are shown.
struct ChannelTable: ~Copyable {
    private struct Row: BitwiseCopyable {
        let bus: Int32, channel: Int32
        let port: UInt32
        let isInput: Bool
    }

    private var owned = OwnedMemory()
    private let rows: UnsafeMutablePointer<Row>
    private let count: Int
    private let shown: UnsafeMutablePointer<Int32>
    private let shownCount: Int
    private let inputs: UnsafeMutablePointer<Int32>
    private let inputCount: Int
    private let instanceCount: Int

    init(_ controls: PlugInControls) {
        func row(_ channel: PlugInControls.Channel, isInput: Bool) -> Row {
            Row(bus: Int32(channel.bus), channel: Int32(channel.channel), port: channel.port, isInput: isInput)
        }
        let all =
            controls.inputChannels.map { row($0, isInput: true) }
            + controls.outputChannels.map { row($0, isInput: false) }
        (rows, count) = (owned.copy(all), all.count)
        (shown, shownCount) = (owned.copy(controls.shown.map { Int32($0.port) }), controls.shown.count)
        instanceCount = controls.isDoubled ? 2 : 1
        (inputs, inputCount) = (owned.copy(controls.controls.map { Int32($0.port) }), controls.controls.count)
    }

    /// Straight to the buses, from frame `offset` of the call on. The second instance has the second channel.
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

    /// Gives the inputs of a call to a plug-in in another process; the channels of a doubled one are both there.
    @_noLocks func give(_ io: borrowing RenderIO, to link: OpaquePointer) {
        var next: Int32 = 0
        for instance in 0..<instanceCount {
            for index in 0..<count where rows[index].isInput {
                let row = rows[index], channel = Int(row.channel) &+ instance
                plugin_link_write(link, next, io.input(Int(row.bus), channel).base, Int32(truncatingIfNeeded: io.frames))
                next &+= 1
            }
        }
    }

    /// Takes the outputs that begin with frame `start` of the link from there; frames before `limit` are silent.
    @_noLocks func take(_ io: borrowing RenderIO, from link: OpaquePointer, _ start: Int64, silentBefore limit: Int64) {
        var next: Int32 = 0
        let silent = Int(truncatingIfNeeded: min(max(max(limit, 0) &- start, 0), Int64(io.frames)))
        for instance in 0..<instanceCount {
            for index in 0..<count where !rows[index].isInput {
                let row = rows[index], base = io.output(Int(row.bus), Int(row.channel) &+ instance).base
                plugin_link_read(link, next, start, base, Int32(truncatingIfNeeded: io.frames))
                rt_zero(base, silent)
                next &+= 1
            }
        }
    }

    @_noLocks func show(_ io: borrowing RenderIO, from link: OpaquePointer) {
        for index in 0..<shownCount {
            io.publish(index &+ PlugInControls.readoutCount, plugin_link_value(link, UInt32(shown[index])))
        }
    }

    @_noLocks func copyControls(from: UnsafeMutablePointer<Float>, to: UnsafeMutablePointer<Float>) {
        for index in 0..<inputCount { to[Int(inputs[index])] = from[Int(inputs[index])] }
    }

    @_noLocks func show(_ io: borrowing RenderIO, _ values: UnsafeMutablePointer<Float>) {
        for index in 0..<shownCount { io.publish(index &+ PlugInControls.readoutCount, values[Int(shown[index])]) }
    }
}
