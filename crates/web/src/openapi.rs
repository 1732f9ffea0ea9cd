//! Routes and their description, which is served as `/api/openapi.json`.
//!
//! A route is added together with its description, so neither exists without the other. The schemas come from the types that the
//! handlers receive and send.

use axum::Router;
use axum::handler::Handler;
use axum::routing::{self, MethodRouter};
use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

use crate::error::Problem;
use crate::server::Shared;

const ABOUT: &str = "Classic grid games: play, watch, solve, edit and compete. The page uses this API and nothing else. \
    Messages of the WebSockets are described in docs/page.md. Every error is a `Problem`: one sentence, and the line and \
    column if a level is at fault.";

/// The messages of the sockets, which the API description format cannot express.
const SOCKETS: &str = include_str!("sockets.json");

const JSON: &str = "application/json";

/// Returns a type's schema, and registers the definitions that it refers to.
type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

fn schema_of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// Description of a route.
pub struct Operation {
    about: &'static str,
    parameters: Vec<Parameter>,
    body: Option<Content>,
    responses: Vec<(u16, &'static str, Option<Content>)>,
}

struct Parameter {
    name: &'static str,
    place: &'static str,
    about: &'static str,
    schema: SchemaOf,
}

/// Content of a request or a response.
enum Content {
    Json(SchemaOf),
    /// A file: its media type and what it is.
    File(&'static str, &'static str),
}

impl Operation {
    /// An operation with this summary.
    pub fn new(about: &'static str) -> Self {
        Self { about, parameters: Vec::new(), body: None, responses: Vec::new() }
    }

    /// Adds a path parameter.
    pub fn path<T: JsonSchema>(mut self, name: &'static str, about: &'static str) -> Self {
        self.parameters.push(Parameter { name, place: "path", about, schema: schema_of::<T> });
        self
    }

    /// Adds a query parameter, which is always optional.
    pub fn query<T: JsonSchema>(mut self, name: &'static str, about: &'static str) -> Self {
        self.parameters.push(Parameter { name, place: "query", about, schema: schema_of::<T> });
        self.refuses(400, "The query string is invalid.")
    }

    /// Sets the request body: this value as JSON.
    pub fn takes<T: JsonSchema>(mut self) -> Self {
        self.body = Some(Content::Json(schema_of::<T>));
        self.refuses(400, "The body is invalid.")
            .refuses(413, "The body is too large.")
            .refuses(415, "The body is not JSON.")
    }

    /// Sets the request body: a file.
    pub fn takes_file(mut self, about: &'static str) -> Self {
        self.body = Some(Content::File("application/octet-stream", about));
        self
    }

    /// Adds the response: this value as JSON.
    pub fn answers<T: JsonSchema>(mut self, about: &'static str) -> Self {
        self.responses.push((200, about, Some(Content::Json(schema_of::<T>))));
        self
    }

    /// Adds the response: a file.
    pub fn sends(mut self, media_type: &'static str, about: &'static str) -> Self {
        self.responses.push((200, about, Some(Content::File(media_type, about))));
        self
    }

    /// Adds the response: empty.
    pub fn ends(mut self, about: &'static str) -> Self {
        self.responses.push((204, about, None));
        self
    }

    /// Adds the response: a WebSocket.
    pub fn opens_a_socket(mut self) -> Self {
        self.responses.push((101, "A WebSocket.", None));
        self.refuses(426, "The request does not ask for a WebSocket.")
    }

    /// Adds an error response.
    pub fn refuses(mut self, status: u16, why: &'static str) -> Self {
        self.responses.push((status, why, Some(Content::Json(schema_of::<Problem>))));
        self
    }
}

/// The routes so far, with their descriptions.
pub struct Api {
    router: Router<Shared>,
    paths: Map<String, Value>,
    /// Types of requests.
    read: SchemaGenerator,
    /// Types of responses.
    sent: SchemaGenerator,
}

impl Api {
    /// An API without routes.
    pub fn new() -> Self {
        let mut settings = SchemaSettings::draft2020_12();
        settings.definitions_path = "/components/schemas".into();
        Self {
            router: Router::new(),
            paths: Map::new(),
            read: settings.clone().for_deserialize().into_generator(),
            sent: settings.for_serialize().into_generator(),
        }
    }

    /// Adds a route for GET.
    pub fn get<H: Handler<T, Shared>, T: 'static>(
        self,
        path: &str,
        handler: H,
        operation: Operation,
    ) -> Self {
        self.add("get", path, routing::get(handler), operation)
    }

    /// Adds a route for POST.
    pub fn post<H: Handler<T, Shared>, T: 'static>(
        self,
        path: &str,
        handler: H,
        operation: Operation,
    ) -> Self {
        self.add("post", path, routing::post(handler), operation)
    }

    /// Adds a route for DELETE.
    pub fn delete<H: Handler<T, Shared>, T: 'static>(
        self,
        path: &str,
        handler: H,
        operation: Operation,
    ) -> Self {
        self.add("delete", path, routing::delete(handler), operation)
    }

    /// Adds a route for this method.
    pub fn add(
        mut self,
        method: &str,
        path: &str,
        handler: MethodRouter<Shared>,
        operation: Operation,
    ) -> Self {
        self.router = self.router.route(path, handler);
        let shown = path.replace("{*", "{");
        let described = self.describe(method, &shown, operation);
        self.paths.entry(shown).or_insert_with(|| json!({}))[method] = described;
        self
    }

    fn describe(&mut self, method: &str, path: &str, operation: Operation) -> Value {
        let words = path.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let id = std::iter::once(method).chain(words).collect::<Vec<_>>().join("-");
        let mut described = json!({"summary": operation.about, "operationId": id});
        if !operation.parameters.is_empty() {
            let parameters = operation.parameters.into_iter().map(|parameter| {
                json!({"name": parameter.name, "in": parameter.place, "description": parameter.about,
                       "required": parameter.place == "path", "schema": (parameter.schema)(&mut self.read)})
            });
            described["parameters"] = parameters.collect();
        }
        if let Some(body) = operation.body {
            described["requestBody"] = json!({"required": true, "content": content(&body, &mut self.read)});
        }
        let mut responses = Map::new();
        for (status, about, answer) in operation.responses {
            let mut response = json!({"description": about});
            if let Some(answer) = answer {
                response["content"] = content(&answer, &mut self.sent);
            }
            responses.insert(status.to_string(), response);
        }
        let other = Content::Json(schema_of::<Problem>);
        responses.insert(
            "default".into(),
            json!({"description": "Any other error.", "content": content(&other, &mut self.sent)}),
        );
        described["responses"] = responses.into();
        described
    }

    /// The routes, and the description with the messages of the sockets under `x-sockets`.
    pub fn finish(mut self) -> (Router<Shared>, Value) {
        let mut schemas = self.read.take_definitions(true);
        schemas.extend(self.sent.take_definitions(true));
        schemas.sort_keys();
        let sockets: Value = serde_json::from_str(SOCKETS).expect("the file is JSON");
        let description = json!({
            "openapi": "3.1.0",
            "info": {"title": "Damier", "description": ABOUT, "version": damier_host::VERSION},
            "paths": self.paths,
            "components": {"schemas": schemas},
            "x-sockets": sockets,
        });
        (self.router, description)
    }
}

fn content(content: &Content, generator: &mut SchemaGenerator) -> Value {
    match content {
        Content::Json(schema) => json!({JSON: {"schema": schema(generator)}}),
        Content::File(media_type, about) => json!({*media_type: {"schema": {"description": about}}}),
    }
}
