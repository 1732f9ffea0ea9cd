#![doc = include_str!("README.md")]

/// The files of a start template.
pub struct Start {
    /// The language, as typed.
    pub language: &'static str,
    /// Each file's name and text.
    pub files: &'static [(&'static str, &'static str)],
}

/// The files of a folder of this package.
macro_rules! files {
    ($folder:literal: $($name:literal),+) => {
        &[$(($name, include_str!(concat!($folder, "/", $name)))),+]
    };
}

/// The start templates of all languages.
pub const STARTS: &[Start] = &[
    Start { language: "python", files: files!("python/start": "agent.toml", "agent.py") },
    Start { language: "c", files: files!("c/start": "agent.toml", "agent.c") },
    Start { language: "prolog", files: files!("prolog/start": "agent.toml", "agent.pl") },
    Start { language: "rust", files: files!("rust/start": "agent.toml", "agent.rs") },
    Start { language: "javascript", files: files!("javascript/start": "agent.toml", "agent.js") },
];
