//! The program `horarium`.

use std::process::ExitCode;

fn main() -> ExitCode {
    horarium::cli::main()
}
