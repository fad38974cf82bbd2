/// Which version of Marey this is; written beside every number it makes.
public enum MareyVersion {
    /// The version, after semver.org.
    public static let current = "0.1.0"
}
