import ArgumentParser

@main
struct Marey: ParsableCommand {
}
