import FoundationEssentials

extension AudioFileReader {
    /// Opens the file that a URL names. - Throws: as `init(path:assumesLayout:)`; `cannotOpen` for a URL of no file.
    public convenience init(url: URL, assumesLayout: Bool = false) throws(AudioFileError) {
        try self.init(path: url.isFileURL ? url.path : url.absoluteString, assumesLayout: assumesLayout)
    }
}
