import ArgumentParser
import CProgram
import Carillon
import Corpus
import FoundationEssentials
import Glibc

/// `carillon batch-worker`: a process of a batch that renders job after job and keeps the SoundFonts. Users do not type it.
struct BatchWorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch-worker", abstract: "Render jobs for the batch that started this process.", shouldDisplay: false)

    @Option var out: String
    @Option var parent: Int32
    @Option var memory: Int
    /// The descriptor of memory that the batch reads places in.
    @Option var place: Int32?

    func run() throws {
        // A batch that was killed takes its processes with it.
        if program_end_with_parent(SIGTERM, parent) != 0 { throw ExitCode(70) }
        if let place { RenderPlace.share(place) }
        program_limit_memory(Int64(memory) << 20)
        Interruption.reportClosedPipes()
        // Ctrl-C is the batch's; when that ends, the job in hand does, and takes its files along.
        signal(SIGINT, SIG_IGN)
        Interruption.waitForParts()
        let folder = BatchFolder(path: out), stage: BatchStage
        do { stage = try folder.stage() } catch { throw Failure.report(error) }
        defer { stage.end() }
        var worker = BatchWorker(stage: stage)
        while !Interruption.isAsked, let line = readLine() {
            let order: BatchOrder
            do { order = try JSONDecoder().decode(BatchOrder.self, from: Data(line.utf8)) } catch {
                throw Failure.report("an order of the batch cannot be read: \(error)", exitCode: 70)
            }
            try StandardOutput.print(worker.answer(order).text)
        }
    }
}

/// The work of a process of a batch.
struct BatchWorker {
    let stage: BatchStage
    /// The last job's options, read: the next one's are mostly the same.
    private var last: (arguments: [String], command: RenderCommand)?
    /// The engine of the last job is kept until the next one has its own, so that they share their samples.
    private var kept: SongRenderer?

    init(stage: BatchStage) { self.stage = stage }

    /// Renders a job, and returns its outcome.
    mutating func answer(_ order: BatchOrder) -> BatchAnswer {
        var answer = BatchAnswer()
        let start = Self.processorSeconds
        Failure.isKept = true
        do {
            let result = try rendered(order)
            let row = BatchRow(
                fields: order.fields, key: order.key, songHash: order.songHash, report: RenderObject(result)
            ).text
            answer.bytes = try stage.publish(order.key, row: row)
            (answer.row, answer.output) = (row, result.outputPath)
            answer.duration = result.report.duration
        } catch let error as RenderError {
            answer.error = RenderFailure(order.song, error, existing: .refused).row
            answer.code = BatchFault.Code(rawValue: error.exitCode)
            answer.isOutputAtFault = Self.isOutputAtFault(error)
        } catch let fault as BatchFault {
            (answer.error, answer.code) = (fault.reason, fault.code)
            answer.isOutputAtFault = fault.code == .io
        } catch let code as ExitCode {
            (answer.error, answer.code) = (Failure.kept ?? "exit code \(code.rawValue)", .init(rawValue: code.rawValue))
        } catch {
            (answer.error, answer.code) = (RenderCommand.message(for: error), .usage)
        }
        if answer.row == nil { stage.clear() }
        // The report does not name the folder in which the sound was made.
        answer.error = answer.error?.split(separator: "\(stage.path)/", omittingEmptySubsequences: false).joined()
        answer.processorSeconds = Self.processorSeconds - start
        return answer
    }

    private mutating func rendered(_ order: BatchOrder) throws -> RenderResult {
        let command: RenderCommand
        if let last, last.arguments == order.arguments {
            command = last.command
        } else {
            command = try RenderCommand.parse(["-"] + order.arguments)
            last = (order.arguments, command)
        }
        let job = try command.job(for: order.song, in: stage.path, key: order.key, songHash: order.songHash)
        var renderer: SongRenderer?
        let result = try job.run(loaded: { renderer = $0 })
        kept = renderer
        // Another song may have come under its name since it was hashed.
        do throws(BoundedFile.Fault) {
            if try ContentHash.ofFile(order.song) == order.songHash {
                return result.moved(from: stage.path, to: BatchFolder.shelf(order.key))
            }
        } catch { throw BatchFault("\(order.song): went away while it was rendered; begin again", .noInput) }
        throw BatchFault("\(order.song): was replaced while it was rendered; begin again", .data)
    }

    private static func isOutputAtFault(_ error: RenderError) -> Bool {
        guard case .audioFile(let fault) = error else { return false }
        switch fault {
        case .cannotCreate, .writeFailed, .cannotReplace: return true
        default: return false
        }
    }

    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
