import ALSA
import ArgumentParser
import Carillon
import Corpus
import Reports

/// `carillon latency`: how long from a key to the loudspeaker, computed and, with a loop-back, measured.
struct LatencyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "latency",
        abstract: "Report the latency from a key to the loudspeaker.",
        discussion: """
            Opens the device, reads back the settings it granted, and computes the latency of carillon live. With \
            --input-device it also plays clicks and detects them in the input: connect an output to an input with a cable \
            first, and turn the loudspeakers down.

            Examples:
              carillon latency --device hw:0,0 --period 128
              carillon latency --device hw:0,0 --input-device hw:0,0
              carillon latency --device hw:Loopback,0 --input-device hw:Loopback,1
            """)

    @Option(help: ArgumentHelp("The audio device; carillon devices lists them.", valueName: "name"))
    var device = "default"

    @Option(help: ArgumentHelp("The device that captures the sound; without it nothing is measured.", valueName: "name"))
    var inputDevice: String?

    @OptionGroup var stream: StreamArguments

    @Option(parsing: .unconditional, help: Self.clickCount.argumentHelp(), transform: Self.clickCount.wholeNumber)
    var clicks = Int(Self.clickCount.initial)

    private static let clickCount = ParameterSpec("clicks", 1...1_000, default: 10, help: "Clicks to measure with.")

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        if device.isEmpty { throw ValidationError("--device: the name is empty; carillon devices lists names") }
        if inputDevice == "" { throw ValidationError("--input-device: the name is empty") }
        if device == "null", inputDevice != nil {
            throw ValidationError("--device null plays nothing that could be captured; name a device")
        }
    }

    func run() throws {
        let request = DeviceRequest(
            devices: [device], sampleRate: stream.rate, periodFrames: stream.period, periods: stream.periods,
            capture: inputDevice != nil, captureDevice: inputDevice)
        do { try run(request) } catch let error as DeviceError {
            throw Failure.report(Fault(error))
        }
    }

    private func run(_ request: DeviceRequest) throws {
        let loop = try LoopBack(sampleRate: stream.rate)
        let unit = try loop.open(request)
        defer { unit.stop() }
        let grant = unit.grant
        let latency = unit.deviceTime.map { Int($0.latency) } ?? 0
        let figures = LatencyFigures(
            sampleRate: stream.rate, period: grant.sliceFrames, buffer: max(latency - request.eventMargin, 0), event: latency,
            grid: Sampler.descriptor.eventGranularity, limiter: try Self.limiterFrames(stream.rate))
        var report = LatencyReport(
            device: grant.description, thread: unit.threadPriority?.description, computed: figures)
        // What is known is shown before the clicks begin.
        if !json { try StandardOutput.print(report.lines.map(OneLine.text).joined(separator: "\n")) }
        if inputDevice != nil {
            let measured = try judge(try loop.measure(unit, clicks: clicks))
            report.measured = measured
            if !json { try StandardOutput.print(([""] + measured.lines(figures)).joined(separator: "\n")) }
        } else if !json {
            try StandardOutput.print(
                "\nNot measured: name a --input-device that hears the output, by a cable or as hw:Loopback,1 does.")
        }
        if json { try StandardOutput.print(JSONOutput.text(report)) }
    }

    /// Returns the figures that the clicks give, if enough of them came back.
    private func judge(_ result: LoopBack.Result) throws -> LatencyReport.Measured {
        if result.disturbed * 2 > result.clicks {
            throw Failure.report(
                "not measured: \(device) was interrupted during \(result.disturbed) of \(result.clicks) clicks; choose a "
                    + "longer --period or more --periods", exitCode: 69)
        }
        let places = result.places.sorted()
        guard let first = places.first, let last = places.last, places.count * 2 > result.clicks - result.disturbed else {
            throw Failure.report(
                "not measured: \(places.count) of \(result.clicks) clicks came back; connect the output of \(device) with "
                    + "the input of \(inputDevice ?? ""), and turn both up", exitCode: 69)
        }
        return LatencyReport.Measured(
            clicks: result.clicks, heard: places.count, disturbed: result.disturbed, least: first,
            median: places[places.count / 2], most: last)
    }

    private static func limiterFrames(_ rate: Int) throws -> Int {
        let engine = Engine(sampleRate: Double(rate), maximumFrames: 64)
        return try engine.edit { (graph) throws(Fault) in
            let source = try graph.add(SquareWave.self), limiter = try graph.add(Limiter.self)
            try graph.connect(source, to: limiter)
            try graph.setOutput(limiter)
            return try graph.node(limiter).instance.latency
        }
    }
}
