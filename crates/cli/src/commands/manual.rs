//! Help, completions and the manual page, all from the same definitions.

use std::io::Write;

use anyhow::Result;
use clap::CommandFactory;
use clap_complete::Shell;

use crate::Answer;
use crate::args::Arguments;

/// Prints a completion script.
pub fn completions(shell: Shell) -> Result<Answer> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "damier", &mut script);
    std::io::stdout().write_all(&script)?;
    Ok(Answer::Yes)
}

/// Prints the manual page: the overview, then a section for each command.
pub fn man() -> Result<Answer> {
    let mut command = Arguments::command();
    command.build();
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    for command in command.get_subcommands().filter(|command| command.get_name() != "help") {
        writeln!(page, ".SH \"damier {}\"", command.get_name().to_uppercase())?;
        let manual = clap_mangen::Man::new(command.clone());
        manual.render_synopsis_section(&mut page)?;
        manual.render_description_section(&mut page)?;
        manual.render_options_section(&mut page)?;
        manual.render_extra_section(&mut page)?;
    }
    std::io::stdout().write_all(&page)?;
    Ok(Answer::Yes)
}
