import Acquisition
import ArgumentParser
import Devices
import Foundation
import Signals
import Study

struct StudyPlacesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "places", abstract: "List the devices that keys with the right to record may connect to.",
        discussion: """
            Example: marey study places add my-study polar@A0:9E:1A:00:11:22 "muse@*"
                     marey study places list my-study
                     marey study places remove my-study "muse@*"

            A key connects to the listed places alone; the owner of the service connects to any. A * matches \
            anything: "muse@*" is every Muse, "*" every device.
            """,
        subcommands: [PlacesAdd.self, PlacesList.self, PlacesRemove.self])
}

struct PlacesAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add places; a running service takes them from the next request on.")

    @Argument(help: "The study folder.")
    var folder: String

    @Argument(help: "The places: MODEL@PLACE; * stands for anything.")
    var places: [String]

    func run() throws {
        let known = DeviceModel.all.map(\.id)
        for place in places {
            let model = place.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
            guard model.contains("*") || known.contains(String(model).lowercased()), !place.contains(",") else {
                throw Failure.misuse(
                    "“\(place)” is no place of a device: MODEL@PLACE without options, the model one of "
                        + known.joined(separator: ", "))
            }
        }
        let bookkeeping = try Bookkeeping(StudyFolder(opening: URL(fileURLWithPath: folder, isDirectory: true)))
        for place in places {
            let isNew = try bookkeeping.addDevicePlace(place, at: .now)
            StandardOutput.tell(isNew ? "added \(place)" : "\(place) is listed already")
        }
    }
}

struct PlacesList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the places.")

    @Argument(help: "The study folder.")
    var folder: String

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let study = try StudyFolder(opening: URL(fileURLWithPath: folder, isDirectory: true))
        let places = try Bookkeeping(study).devicePlaces()
        if json { return try OutputOptions.emitJSON(places) }
        StandardOutput.print("place")
        for place in places { StandardOutput.print(place) }
    }
}

struct PlacesRemove: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Take a place off the list; what is connected stays so.")

    @Argument(help: "The study folder.")
    var folder: String

    @Argument(help: "The place as it is listed.")
    var place: String

    func run() throws {
        let study = try StudyFolder(opening: URL(fileURLWithPath: folder, isDirectory: true))
        guard try Bookkeeping(study).removeDevicePlace(place) else {
            throw Failure.nothingDone(
                "\(place) is not listed; see marey study places list \(ShellWord.quoted(folder))")
        }
        StandardOutput.tell("removed \(place)")
    }
}
