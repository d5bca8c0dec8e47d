import ArgumentParser
import CProgram
import Carillon
import Corpus
import Glibc
import Reports

/// `carillon batch-worker`: a process of a batch that renders job after job and keeps the SoundFonts. Users do not type it.
struct BatchWorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch-worker", abstract: "Render jobs for the batch that started this process.", shouldDisplay: false)

    @Option var out: String
    @Option var parent: Int32
    @Option var memory: Int
    @Option(transform: MemorySize.init) var sampleMemory: MemorySize?
    /// The descriptor of memory that the batch reads places in.
    @Option var place: Int32?

    func run() throws {
        // A batch that was killed takes its processes with it.
        if program_end_with_parent(SIGTERM, parent) != 0 { throw ExitCode(70) }
        if let place { RenderPlace.share(place) }
        program_limit_memory(Int64(memory) << 20)
        sampleMemory?.use()
        Interruption.reportClosedPipes()
        // Ctrl-C is the batch's; when that ends, the current job does, and takes its files along.
        signal(SIGINT, SIG_IGN)
        Interruption.waitForParts()
        let stage: BatchStage, renders = BatchRenders()
        do { stage = try BatchStage(in: BatchFolder(path: out)) } catch { throw Failure.report(error) }
        defer { stage.end() }
        let worker = BatchWorker(stage, renders.render)
        while !Interruption.isAsked, let line = readLine() {
            let order: BatchOrder
            do { order = try BatchOrder(text: line) } catch {
                throw Failure.report("an order of the batch cannot be read: \(error)", exitCode: 70)
            }
            try StandardOutput.print(worker.answer(order).text)
        }
    }
}

/// The renders of a process of a batch, one after the other.
private final class BatchRenders {
    /// The last job's options, read: the next one's are mostly the same.
    private var last: (options: BatchOptions, request: RenderRequest)?
    /// The engine of the last job, until the next one has its own, so that they share their samples.
    private var renderer: SongRenderer?

    /// Renders a job into a folder.
    func render(_ order: BatchOrder, into folder: String) throws -> BatchResult {
        Failure.isKept = true
        do {
            let known = last?.options == order.options ? last?.request : nil
            let request = try known ?? RenderRequest(order.options.given)
            last = (order.options, request)
            var renderer: SongRenderer?
            let result = try request.job(for: order.song, in: folder, key: order.key, songHash: order.songHash)
                .run(loaded: { renderer = $0 }).moved(from: folder, to: BatchFolder.shelf(order.key))
            self.renderer = renderer
            return BatchResult(output: result.outputPath, duration: result.report.duration, report: result.fieldValue)
        } catch let error as Fault {
            let reason = RenderFailure(order.song, error, existing: .refused).row
            throw Fault(reason, Self.isOutputAtFault(error) ? .init(Fault.Kind.io.name, error.kind.exit) : error.kind)
        } catch let code as ExitCode {
            let reason = Failure.kept ?? "exit code \(code.rawValue)"
            throw Fault(reason, .init("job", .init(rawValue: code.rawValue)))
        } catch { throw Fault("\(error)", .usage) }
    }

    private static func isOutputAtFault(_ error: Fault) -> Bool {
        switch error.origin as? AudioFileError {
        case .cannotCreate, .writeFailed, .cannotReplace: true
        default: false
        }
    }
}
