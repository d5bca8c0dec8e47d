/// An installation that explains itself, as a start for the user's own.
public enum InstallationExample {
    /// The text of the file, without the last line break.
    public static let text = String(decoding: PackageResources.museum_yaml.dropLast(), as: UTF8.self)
}
