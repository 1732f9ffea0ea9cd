#![doc = include_str!("README.md")]

/// A template: a minimal agent that works.
pub struct Template {
    /// The language, as `damier new-agent` takes it.
    pub language: &'static str,
    /// The name and text of each file.
    pub files: &'static [(&'static str, &'static str)],
}

/// Embeds the files of a folder of this package.
macro_rules! files {
    ($folder:literal: $($name:literal),+) => {
        &[$(($name, include_str!(concat!($folder, "/", $name)))),+]
    };
}

/// The templates of all languages.
pub const TEMPLATES: &[Template] = &[
    Template { language: "python", files: files!("python/start": "agent.toml", "agent.py") },
    Template { language: "c", files: files!("c/start": "agent.toml", "agent.c") },
    Template { language: "prolog", files: files!("prolog/start": "agent.toml", "agent.pl") },
    Template { language: "rust", files: files!("rust/start": "agent.toml", "agent.rs") },
    Template { language: "javascript", files: files!("javascript/start": "agent.toml", "agent.js") },
];

/// The files that all Prolog doors share, for their folder `door`.
pub const PROLOG_DOOR: &[(&str, &str)] = &[
    ("door/course.pl", include_str!("prolog/door/course.pl")),
    ("door/gnu.pl", include_str!("prolog/door/gnu.pl")),
];
