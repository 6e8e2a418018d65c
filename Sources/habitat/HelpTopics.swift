/// The topics of `habitat help` that are not commands.
enum HelpTopics {
    /// Returns the text of a topic, or `nil` if `words` do not request one.
    static func text(for words: [String]) -> String? { words == ["help", "environment"] ? environment : nil }

    private static let environment = """
        The first source that has a value sets it: the option, the variable, the key of
        the configuration file, then the default.

        value    option              variable         key       default
        store    --store             HABITAT_STORE    store     habitat.db in the
                                                                current folder
        user     --as, --operator    HABITAT_USER     user      the operator
        reports  --reports           HABITAT_REPORTS  reports   the built-in reports
        color                        NO_COLOR (never) color     auto
                                     TERM=dumb (never)
        places                                        [places]  none

        The file is $XDG_CONFIG_HOME/habitat/config.toml, otherwise
        ~/.config/habitat/config.toml. HABITAT_CONFIG names another file; if it is
        empty, no file is read. HABITAT_REPORTS is a list of folders, separated by
        colons. 'habitat config' lists the values and their sources.

        Further variables:
          HABITAT_LOG            log level of the standard error, such as debug
          HABITAT_ANALYST_STORE  login that runs user-supplied SQL on PostgreSQL
          TZ                     time zone of new accounts
          TZDIR                  folder of the time zone rules
        """
}
