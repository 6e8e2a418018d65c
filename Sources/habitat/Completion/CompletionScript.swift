import ArgumentParser

/// The completion script of a shell.
///
/// The scripts of the parser know neither common options before the command's name nor `report ID`. Their additions
/// arrange the typed words as ``ArgumentNormalizer`` does, and the program still gets the words unchanged.
enum CompletionScript {
    /// A change of the script of a shell.
    struct Change {
        /// The line with which the script of the shell begins.
        let firstLine: String
        /// The texts that are replaced, and the new texts.
        let replacements: [(old: String, new: String)]
        /// The text that follows the script.
        let addition: String
    }

    /// Returns a script of the parser with the changes for its shell.
    ///
    /// - Parameter text: The output of the parser.
    /// - Returns: The changed script, or any other text unchanged.
    static func presented(_ text: String) -> String {
        let changes = [bash, zsh, fish]
        guard let change = changes.first(where: { change in text.hasPrefix(change.firstLine) }) else { return text }
        let script = change.replacements.reduce(text) { script, replacement in
            script.replacing(replacement.old, with: replacement.new)
        }
        let complete = script + change.addition
        return change.firstLine == fish.firstLine ? checkingCommandFirst(complete) : complete
    }

    // MARK: Words of the scripts

    /// Returns a pattern of a shell: words, separated by `separator`.
    private static func pattern(_ words: some Sequence<String>, separator: String) -> String {
        words.sorted().joined(separator: separator)
    }

    /// The common options without a value.
    private static let flags = ArgumentNormalizer.flags
    /// The common options with a value.
    private static let valued = ArgumentNormalizer.valued
    /// The beginnings of common options with a value in the same word.
    private static let assigned = ArgumentNormalizer.valued.map { option in option + "=*" }
    /// The words after `report` that are not the ID of a report.
    private static let reportWords =
        ReportCommands.configuration.subcommands.map { command in command._commandName } + ["help"]

    /// The command whose options precede no command.
    private static let standardCommand = Todo._commandName

    // MARK: Bash

    /// The changes of the script for Bash.
    ///
    /// With the completion of host names, `@` ends a word, so that Bash completes a part of the argument. The package
    /// bash-completion contains the same command.
    ///
    /// Readline appends `/` to the name of a folder, also if the word is not a file. So words that need no quotes are not
    /// file names, unless the argument is a file.
    private static let bash = Change(
        firstLine: "#!/bin/bash\n",
        replacements: [
            (
                #"    "${COMP_WORDS[0]}" "${@}" "${words[@]}""#,
                #"""
                    local -ir count="${#__habitat_leading[@]}"
                    local -ir index="${@: -2:1}"
                    "${COMP_WORDS[0]}" "${@:1:${#}-2}" "$((index + count))" "${@: -1}" \
                        "${words[0]}" "${__habitat_leading[@]}" "${words[@]:1}"
                """#
            ),
            (
                "__habitat_add_completions() {\n",
                "__habitat_add_completions() {\n    [[ \"${1}\" = -W ]] || __habitat_offers_files=true\n"
            ),
            ("complete -o filenames -F _habitat habitat", ""),
        ],
        addition: #"""

            # The common options that precede the command's name, unchanged.
            __habitat_leading=()

            # Removes these options from the words, and inserts 'run' between 'report' and the ID of a report.
            __habitat_arrange() {
                __habitat_leading=()
                local -i index=1 value
                while ((index < COMP_CWORD)); do
                    case "${COMP_WORDS[index]}" in
                    \#(pattern(flags, separator: "|")))
                        __habitat_leading+=("${COMP_WORDS[index]}")
                        ((index += 1))
                        ;;
                    \#(pattern(valued, separator: "|")))
                        ((value = index + 1))
                        [[ "${COMP_WORDS[value]}" = '=' ]] && ((value += 1))
                        if ((value >= COMP_CWORD)); then
                            COMP_WORDS=("${COMP_WORDS[0]}" \#(standardCommand) "${COMP_WORDS[@]:index}")
                            ((COMP_CWORD += 2 - index))
                            return
                        fi
                        __habitat_leading+=("${COMP_WORDS[index]}=${COMP_WORDS[value]}")
                        ((index = value + 1))
                        ;;
                    *)
                        break
                        ;;
                    esac
                done
                COMP_WORDS=("${COMP_WORDS[0]}" "${COMP_WORDS[@]:index}")
                ((COMP_CWORD += 1 - index))
                [[ "${COMP_WORDS[1]}" = report ]] || return
                ((COMP_CWORD > 2)) || return
                case "${COMP_WORDS[2]}" in
                \#(pattern(reportWords, separator: "|"))|-*) ;;
                *)
                    COMP_WORDS=("${COMP_WORDS[@]:0:2}" run "${COMP_WORDS[@]:2}")
                    ((COMP_CWORD += 1))
                    ;;
                esac
            }

            __habitat_complete_words() {
                local __habitat_offers_files=false
                local cur="${2}"
                local -x SAP_SHELL=bash
                __habitat_arrange
                _habitat "${@}"
                if [[ "${COMP_WORDS[1]}" = report ]] && ((COMP_CWORD == 2)); then
                    __habitat_add_completions -W "$(__habitat_custom_complete ---completion report run -- positional@0 2 0)"
                fi
                "${__habitat_offers_files}" && return
                local word
                for word in "${COMPREPLY[@]}"; do
                    [[ "${word}" = *[![:alnum:]_@.,+%/-]* ]] && return
                done
                compopt +o filenames
            }

            complete -o filenames -F __habitat_complete_words habitat
            shopt -u hostcomplete
            """#)

    // MARK: Z shell

    private static let zsh = Change(
        firstLine: "#compdef habitat\n",
        replacements: [
            (
                #"""
                    local -ir current_word_index="$((CURRENT - 1))"

                    local -i ret=1

                """#,
                #"""
                    local -ir current_word_index="$((CURRENT - 1))"

                    local -i ret=1
                    __habitat_arrange && ret=0

                """#
            ),
            (
                "\n_habitat() {\n",
                #"""

                # Removes common options before the command's name from the words, and inserts 'run' between 'report' and the
                # ID of a report. Succeeds if it offers IDs of reports.
                __habitat_arrange() {
                    # Otherwise, the Z shell restores the words when the function returns.
                    compstate[restore]=''
                    local -i index=2
                    while (( index < CURRENT )); do
                        case "${words[index]}" in
                        (\#(pattern(flags + assigned, separator: "|")))
                            (( index += 1 ))
                            ;;
                        (\#(pattern(valued, separator: "|")))
                            if (( index + 1 == CURRENT )); then
                                words=("${words[1]}" \#(standardCommand) "${(@)words[index,-1]}")
                                (( CURRENT += 3 - index ))
                                return 1
                            fi
                            (( index += 2 ))
                            ;;
                        (*)
                            break
                            ;;
                        esac
                    done
                    words=("${words[1]}" "${(@)words[index,-1]}")
                    (( CURRENT += 2 - index ))
                    [[ "${words[2]}" = report ]] || return 1
                    if (( CURRENT == 3 )); then
                        __habitat_custom_complete ---completion report run -- positional@0 "${current_word_index}" 0
                        return
                    fi
                    (( CURRENT > 3 )) || return 1
                    case "${words[3]}" in
                    (\#(pattern(reportWords, separator: "|"))|-*) ;;
                    (*)
                        words=("${(@)words[1,2]}" run "${(@)words[3,-1]}")
                        (( CURRENT += 1 ))
                        ;;
                    esac
                    return 1
                }

                _habitat() {

                """#
            ),
        ],
        addition: "")

    // MARK: Fish

    /// Returns a script for Fish whose lines check the command before the other words.
    ///
    /// The script has a line for each option of each command, and the conditions of all lines would parse the typed words.
    /// Fish checks several conditions in their order, and checks equal conditions once for each Tab key.
    private static func checkingCommandFirst(_ script: String) -> String {
        script.replacing(/-n '(__habitat_should_offer_\w+) ("[^"]*")/) { match in
            let condition = match.output.1
            let command = match.output.2
            return "-n '__habitat_is_command \(command)' -n '\(condition) \(command)"
        }
    }

    private static let fish = Change(
        firstLine: "function __habitat_",
        replacements: [
            (
                "    set -l unparsed_tokens (__habitat_tokens -pc)\n",
                "    set -l unparsed_tokens (__habitat_tokens -pc)\n    __habitat_arrange\n"
            )
        ],
        addition: #"""

            # Removes common options before the command's name from the tokens, and inserts 'run' between 'report' and the ID
            # of a report.
            function __habitat_arrange -S
                while set -q unparsed_tokens[2]
                    switch $unparsed_tokens[2]
                    case \#(pattern(flags, separator: " ")) \#(pattern(assigned.map { "'\($0)'" }, separator: " "))
                        set -e unparsed_tokens[2]
                    case \#(pattern(valued, separator: " "))
                        if not set -q unparsed_tokens[3]
                            set unparsed_tokens $unparsed_tokens[1] \#(standardCommand) $unparsed_tokens[2]
                            return
                        end
                        set -e unparsed_tokens[2..3]
                    case '*'
                        break
                    end
                end
                if test "$unparsed_tokens[2]" = report; and set -q unparsed_tokens[3]
                    switch $unparsed_tokens[3]
                    case \#(pattern(reportWords, separator: " ")) '-*'
                    case '*'
                        set unparsed_tokens $unparsed_tokens[1..2] run $unparsed_tokens[3..]
                    end
                end
            end

            # Whether the typed words begin with a command. The words are parsed once for each Tab key.
            function __habitat_is_command -a expected_commands
                set -l line (commandline -pc)
                if test "$line" != "$__habitat_line"
                    set -l non_repeating_flags_or_options
                    set -l non_repeating_flags_or_options_absent 0
                    set -l positional_index 0
                    set -l commands
                    __habitat_parse_tokens
                    set -g __habitat_line "$line"
                    set -g __habitat_commands "$commands"
                end
                test "$__habitat_commands" = "$expected_commands"
            end

            complete -c 'habitat' -n '__habitat_should_offer_completions_for_positional "habitat report" -eq 1' -fka '(__habitat_custom_completion ---completion report run -- positional@0 (count (__habitat_tokens -pc)) (__habitat_tokens -tC))'
            """#)
}
