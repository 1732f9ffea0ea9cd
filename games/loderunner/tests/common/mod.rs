/// The oracle of the rule set `classic`.
pub mod literal;
