import Reports

/// The time from a key to the loudspeaker, as computed from what a device granted. Everything in frames of the renderer.
struct LatencyFigures: Equatable, Encodable {
    /// Frames per second.
    var sampleRate: Int
    /// Frames of a slice and of the device's buffer.
    var period: Int
    var buffer: Int
    /// Frames from an event's stamp to where it takes effect.
    var event: Int
    /// Notes of a SoundFont start on multiples of it.
    var grid: Int
    /// Look-ahead of the limiter.
    var limiter: Int

    var lines: [String] {
        let late = grid - 1
        return [
            line("event latency", event, event, "delay of each note after its key: the buffer, and a margin"),
            line("with --immediate", buffer - period, buffer, "instead: as soon as possible, not constant"),
            line("onset grid", 0, late, "SoundFont; none with square-wave"),
            line("limiter", limiter, limiter, "looks ahead for peaks"),
            line("key to output", event + limiter, event + limiter + late, "in all"),
            line("  with --immediate", buffer - period + limiter, buffer + limiter + late, "in all"),
        ]
    }

    private func line(_ name: String, _ low: Int, _ high: Int, _ why: String) -> String {
        let frames = low == high ? "\(low)" : "\(low)-\(high)"
        let from = milliseconds(low), to = milliseconds(high)
        return TextColumns.padded(name, to: 19) + TextColumns.rightAligned(frames, to: 10) + " frames"
            + TextColumns.rightAligned(from == to ? from : "\(from)-\(to)", to: 12) + " ms  \(why)"
    }

    func milliseconds(_ frames: Int) -> String {
        RenderJob.fixed(Double(frames) * 1000 / Double(max(sampleRate, 1)), 2)
    }
}
