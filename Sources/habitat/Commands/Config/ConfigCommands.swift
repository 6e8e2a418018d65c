import ArgumentParser

struct ConfigCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Show and change the configuration of your user.",
        discussion: """
            The file is $XDG_CONFIG_HOME/habitat/config.toml, otherwise ~/.config/habitat/config.toml. HABITAT_CONFIG \
            names another file; if it is empty, no file is read. An option precedes a variable, and a variable precedes \
            the file. 'habitat help environment' lists them.

            Examples:
              habitat config
              habitat config set user ana
            """,
        subcommands: [ConfigList.self, ConfigSet.self, ConfigUnset.self], defaultSubcommand: ConfigList.self)
}
