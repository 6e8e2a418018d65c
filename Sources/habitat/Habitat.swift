import ArgumentParser
@main struct Habitat: ParsableCommand { func run() { print(1) } }
