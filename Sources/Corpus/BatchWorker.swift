import Carillon
import Glibc

/// The files and the report of a job.
public struct BatchResult {
    let output: String
    let duration: Double
    let report: any Encodable

    /// - Parameters:
    ///   - path: the sound's file, in the folder that its worker got.
    ///   - duration: seconds of sound.
    ///   - facts: what else the report of the row has.
    public init(path: String, duration: Double, facts: [String: JSONValue] = [:]) {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        (output, self.duration) = ("\(BatchFolder.shelf(name))/\(name)", duration)
        let own: [String: JSONValue] = ["output": .text(output), "bytes": .whole(FileIdentity(path: path)?.size ?? 0)]
        report = facts.merging(own) { $1 }
    }

    /// - Parameters:
    ///   - output: the path of the sound in the batch's folder, also in the report: `ab/KEY.wav`.
    ///   - duration: seconds of sound.
    ///   - report: an object with `output` and `bytes`, the size of the sound.
    package init(output: String, duration: Double, report: any Encodable) {
        (self.output, self.duration, self.report) = (output, duration, report)
    }
}

/// A worker's own part of a job: it calls what renders, and publishes files and row.
package struct BatchWorker {
    /// Renders a job into files in a folder, whose names begin with the job's key.
    package typealias Render = (_ order: BatchOrder, _ folder: String) throws -> BatchResult

    private let stage: BatchStage
    private let render: Render

    package init(_ stage: BatchStage, _ render: @escaping Render) { (self.stage, self.render) = (stage, render) }

    package func answer(_ order: BatchOrder) -> BatchAnswer {
        var answer = BatchAnswer()
        let start = clock()
        do {
            let result = try rendered(order)
            let row = BatchRow(fields: order.fields, key: order.key, songHash: order.songHash, report: result.report).text
            answer.bytes = try stage.publish(order.key, row: row)
            (answer.status, answer.row, answer.output) = (.done, row, result.output)
            answer.duration = result.duration
        } catch let fault as Fault {
            (answer.error, answer.code, answer.endsBatch) = ("\(fault)", fault.kind.exit, fault.kind.name == Fault.Kind.io.name)
        } catch { (answer.error, answer.code) = ("\(error)", .data) }
        if answer.row == nil { stage.clear() }
        // The report does not name the folder in which the sound was made.
        answer.error = answer.error?.split(separator: "\(stage.path)/", omittingEmptySubsequences: false).joined()
        answer.processorSeconds = Double(clock() - start) / 1e6
        return answer
    }

    private func rendered(_ order: BatchOrder) throws -> BatchResult {
        let result = try render(order, stage.path)
        // Another song may have come under its name since it was hashed.
        do throws(BoundedFile.Fault) {
            if try ContentHash.ofFile(order.song) == order.songHash { return result }
        } catch { throw Fault("\(order.song): went away while it was rendered; begin again", .noInput) }
        throw Fault("\(order.song): was replaced while it was rendered; begin again", .data)
    }
}
