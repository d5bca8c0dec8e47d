import Reports

/// The report of `carillon latency`: frames of the renderer throughout.
struct LatencyReport: Encodable {
    let device: String
    let thread: String?
    let computed: LatencyFigures
    /// The figures as measured, if something was captured.
    var measured: Measured?

    /// The way from the output to the input, measured by clicks.
    struct Measured: Encodable {
        /// Clicks played, those that were found, and those during which the device was interrupted.
        let clicks: Int
        let heard: Int
        let disturbed: Int
        /// Frames from output to input.
        let least: Int
        let median: Int
        let most: Int

        func lines(_ figures: LatencyFigures) -> [String] {
            func line(_ name: String, _ frames: Int, _ why: String) -> String {
                TextColumns.padded(name, to: 24) + "\(frames) frames, \(figures.milliseconds(frames)) ms, \(why)"
            }
            var lines = ["Measured with \(heard) of \(clicks) clicks:"]
            lines.append(line("output to input", median, "from \(least) to \(most) frames: converters and cable"))
            lines.append(line("round trip", figures.buffer + median, "with the buffer"))
            lines.append(line("key to captured sound", figures.event + median, "without grid and limiter"))
            if disturbed > 0 { lines.append("left out: \(disturbed), during which the device was interrupted") }
            return lines
        }
    }

    var lines: [String] {
        var lines = ["device   \(device)"]
        if let thread { lines.append("thread   \(thread)") }
        lines += ["", "Computed up to the device's output, without its converter and the air (3 ms a metre):"]
        return lines + computed.lines
    }
}
