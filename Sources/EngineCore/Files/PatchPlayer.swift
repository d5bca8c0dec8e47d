import AudioFiles
import Graphs
import Patches
import RealtimeCore
import Reports
import UnitAPI
import Units

/// The file that a patch names for a `file-player`: opened with the unit, played from its first slice on, or from the place
/// where the unit begins by itself.
enum PatchPlayer {
    /// nil where the unit names no file, or is no player. - Throws: `unit` for a file that cannot be opened or played.
    static func source(for unit: PatchUnit, sampleRate: Double) throws(Fault) -> FileSource? {
        // A session plays its own sounds when it is asked to.
        guard unit.component == FilePlayback.descriptor.name, case .text(let path)? = unit.properties["file"],
            !ReservedNames.ownsSound(unit)
        else { return nil }
        var channels = 2
        if case .integer(let width)? = unit.properties[UnitDescriptor.widthProperty] { channels = width }
        do throws(Fault) {
            let reader: AudioFileReader
            do { reader = try AudioFileReader(path: path, assumesLayout: true) } catch { throw .unreadable(error) }
            return try FileSource(reader, on: channels, engineRate: Int(sampleRate.rounded()))
        } catch {
            throw error.ofUnit(unit.name)
        }
    }

    /// From the unit's next slice on, or by its property `start`. - Throws: `unit` for a beginning that cannot be read.
    package static func begin(_ source: FileSource, in instance: UnitInstance, of unit: PatchUnit) throws(Fault) {
        guard let feed = instance.companion as? PlayerFeed else {
            preconditionFailure("a file player's companion is its feed")
        }
        feed.serve({ source.attend($0) }, look: { source.look($0) }, remark: source.channels.remark(source.reader))
        let loops = unit.properties["loop"] == .flag(true)
        guard feed.headFrames == 0 else {
            // It keeps in step with its song even if the disk is slow.
            feed.keepsTime = instance.descriptor.hearsTime
            do { try source.keepHead(feed, loops: loops) } catch {
                throw error.ofUnit(unit.name)
            }
            return
        }
        source.lock.withLock { _ in
            let segment = source.makeSegment(start: 0, frames: nil, passes: loops ? .endless : .once)
            source.add(FileSource.Request(time: SampleTime(.min), action: .begin, segments: [segment]))
        }
    }
}

extension Patch {
    /// Players that name no file, and so are silent unless a program lets them play one: a remark for each.
    ///
    /// - Parameter path: the patch as the user knows it.
    public func playersWithoutFile(at path: String) -> [Remark] {
        units.filter { $0.component == FilePlayback.descriptor.name && $0.properties["file"] == nil }.map {
            Remark(.missing, path, "\($0.name): it names no file, and is silent", remedy: "add properties: {file: SOUND.flac}")
        } + patches.flatMap { $0.patch.playersWithoutFile(at: path) }
    }
}
