//! The page's TypeScript types, generated from the types of its messages.
//!
//! `DAMIER_WRITE_TYPES=1 cargo test -p damier-web typescript` writes the file; without the variable the test fails if it is stale.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use damier_kit::Report;
use damier_kit::message::{SessionInfo, SessionMessage};
use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value};

use crate::error::Problem;
use crate::sockets::Complaint;
use crate::tables::TournamentInfo;
use crate::tournaments::{TournamentMessage, TournamentName};
use crate::{agents, games, jobs, levels, reports, rounds, server, sessions};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/page/messages.d.ts");
const COMMAND: &str = "DAMIER_WRITE_TYPES=1 cargo test -p damier-web typescript";

/// Registers every message that the page receives, with the types they refer to.
fn register(generator: &mut SchemaGenerator) {
    macro_rules! messages {
        ($($message:ty),+ $(,)?) => {
            $(generator.subschema_for::<$message>();)+
        };
    }
    messages![
        Problem,
        Report,
        Complaint,
        SessionMessage<'static>,
        SessionInfo,
        TournamentInfo,
        TournamentMessage,
        TournamentName,
        agents::AgentList,
        games::GameInfo,
        games::LevelText,
        jobs::JobMessage,
        levels::Converted,
        levels::Generated,
        levels::Opened,
        reports::Report,
        rounds::RoundMessage,
        server::Version,
        sessions::Ticket,
    ];
}

/// The whole file.
fn file() -> String {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    register(&mut generator);
    let definitions: BTreeMap<String, Value> = generator.take_definitions(true).into_iter().collect();
    let mut text = format!("// The messages of the server. Generated, not edited: {COMMAND}\n");
    for (name, schema) in &definitions {
        text.push('\n');
        text += &comment(schema, "");
        match plain_object(schema) {
            Some(fields) => writeln!(text, "export interface {name} {}", object(fields, schema, "")),
            None => writeln!(text, "export type {name} = {};", expression(schema, "")),
        }
        .expect("a string takes everything");
    }
    text
}

/// The fields of a schema that is an object and nothing else.
fn plain_object(schema: &Value) -> Option<&Map<String, Value>> {
    let alone = ["$ref", "oneOf", "anyOf", "allOf"].iter().all(|key| schema.get(key).is_none());
    schema.get("properties").and_then(Value::as_object).filter(|_| alone)
}

fn comment(schema: &Value, indent: &str) -> String {
    let Some(text) = schema.get("description").and_then(Value::as_str) else { return String::new() };
    format!("{indent}/** {} */\n", text.replace('\n', " "))
}

fn object(fields: &Map<String, Value>, schema: &Value, indent: &str) -> String {
    let inner = format!("{indent}  ");
    let required = |name: &str| list(schema, "required").iter().any(|known| known == name);
    let mut text = "{\n".to_owned();
    for (name, field) in fields {
        // An optional field is never null: it is omitted instead.
        let (mark, kind) = if required(name) {
            ("", expression(field, &inner))
        } else {
            ("?", without_null(expression(field, &inner)))
        };
        text += &comment(field, &inner);
        writeln!(text, "{inner}{name}{mark}: {kind};").expect("a string takes everything");
    }
    text + indent + "}"
}

fn without_null(kind: String) -> String {
    kind.strip_suffix(" | null").map(str::to_owned).unwrap_or(kind)
}

fn list<'a>(schema: &'a Value, key: &str) -> &'a [Value] {
    schema.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// A schema as a type expression.
fn expression(schema: &Value, indent: &str) -> String {
    let mut parts = Vec::new();
    if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
        parts.push(name.rsplit('/').next().unwrap_or(name).to_owned());
    }
    parts.extend(list(schema, "allOf").iter().map(|part| expression(part, indent)));
    let choices = [list(schema, "oneOf"), list(schema, "anyOf")].concat();
    if !choices.is_empty() {
        parts.push(union(choices.iter().map(|choice| expression(choice, indent))));
    }
    if let Some(fields) = schema.get("properties").and_then(Value::as_object) {
        parts.push(object(fields, schema, indent));
    } else if parts.is_empty() {
        parts.push(simple(schema, indent));
    }
    if parts.len() > 1 {
        parts = parts.into_iter().map(grouped).collect();
    }
    parts.join(" & ")
}

/// A type in parentheses, if it is a union or an intersection: for use inside another type.
fn grouped(kind: String) -> String {
    let mut depth = 0;
    let combined = kind.chars().any(|letter| {
        match letter {
            '{' | '[' | '(' | '<' => depth += 1,
            '}' | ']' | ')' | '>' => depth -= 1,
            _ => {}
        }
        depth == 0 && matches!(letter, '|' | '&')
    });
    if combined { format!("({kind})") } else { kind }
}

/// A schema without references and combinations.
fn simple(schema: &Value, indent: &str) -> String {
    if let Some(value) = schema.get("const") {
        return literal(value);
    }
    if !list(schema, "enum").is_empty() {
        return union(list(schema, "enum").iter().map(literal));
    }
    match schema.get("type") {
        Some(Value::String(kind)) => of_type(kind, schema, indent),
        Some(Value::Array(kinds)) => {
            union(kinds.iter().filter_map(Value::as_str).map(|kind| of_type(kind, schema, indent)))
        }
        _ => "unknown".to_owned(),
    }
}

fn of_type(kind: &str, schema: &Value, indent: &str) -> String {
    match kind {
        "integer" => "number".to_owned(),
        "array" => array(schema, indent),
        "object" => {
            let value = schema
                .get("additionalProperties")
                .map_or("unknown".to_owned(), |value| expression(value, indent));
            format!("Record<string, {value}>")
        }
        other => other.to_owned(),
    }
}

fn array(schema: &Value, indent: &str) -> String {
    let tuple = list(schema, "prefixItems");
    if !tuple.is_empty() {
        let items: Vec<String> = tuple.iter().map(|item| expression(item, indent)).collect();
        return format!("[{}]", items.join(", "));
    }
    let item = schema.get("items").map_or("unknown".to_owned(), |item| expression(item, indent));
    match (schema.get("minItems").and_then(Value::as_u64), schema.get("maxItems").and_then(Value::as_u64)) {
        (Some(min), Some(max)) if min == max => format!("[{}]", vec![item; max as usize].join(", ")),
        _ => format!("{}[]", grouped(item)),
    }
}

fn literal(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), |text| format!("'{text}'"))
}

/// The choices, each once, `null` last.
fn union(choices: impl Iterator<Item = String>) -> String {
    let mut kept: Vec<String> = Vec::new();
    for choice in choices {
        if !kept.contains(&choice) {
            kept.push(choice);
        }
    }
    kept.sort_by_key(|choice| choice == "null");
    kept.join(" | ")
}

#[test]
fn typescript_of_the_page_is_up_to_date() {
    let wanted = file();
    if std::env::var_os("DAMIER_WRITE_TYPES").is_some() {
        std::fs::write(FILE, wanted).expect("the page's folder can be written to");
        return;
    }
    let kept = std::fs::read_to_string(FILE).unwrap_or_default();
    assert!(kept == wanted, "crates/web/page/messages.d.ts is stale; regenerate it: {COMMAND}");
}
