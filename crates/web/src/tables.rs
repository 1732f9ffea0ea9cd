//! A tournament as the page shows it: plan, tables, who beat whom, ratings over time, games.

use std::collections::BTreeMap;

use damier_arena::plan::{Event, Plan};
use damier_arena::record::Record;
use damier_arena::schedule::{Fixture, Schedule};
use damier_arena::standings::{duels, schedule_of, standings};
use damier_arena::store::Results;
use serde::Deserialize;
use serde_json::{Value, json};

/// The history of ratings has about so many points.
const POINTS: usize = 40;
/// So many games are listed at once, unless fewer are asked for.
const MOST_ROWS: usize = 200;
/// So many faults are listed.
const MOST_FAULTS: usize = 50;

/// Which games are listed.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Selection {
    /// The first one, from 0.
    pub from: Option<usize>,
    /// How many.
    pub count: Option<usize>,
    /// Only games of this agent.
    pub agent: Option<String>,
    /// Only games of this event.
    pub event: Option<String>,
}

/// All that is known, without the state.
pub fn describe(plan: &Plan, results: &Results, history: &Value, selection: &Selection) -> Value {
    let schedule = schedule_of(plan, results);
    json!({
        "name": plan.name,
        "plan": describe_plan(plan),
        "standings": standings(plan, results),
        "cross": (0..plan.events.len()).map(|event| cross(plan, event, &schedule, results)).collect::<Vec<_>>(),
        "history": history,
        "games": games(plan, &schedule, results, selection),
        "faults": faults(plan, &schedule, results),
    })
}

fn describe_plan(plan: &Plan) -> Value {
    let event = |event: &Event| {
        let levels: Vec<&str> = event.levels.iter().map(|level| &*level.name).collect();
        let agents: Vec<&str> = event.agents.iter().map(|&agent| &*plan.agents[agent].name).collect();
        json!({"name": event.name, "game": event.game, "rules": event.rules, "levels": levels, "seeds": event.seeds,
            "turns": event.turns, "seats": event.seats, "agents": agents})
    };
    let names: Vec<Value> = plan.agents.iter().map(|agent| json!({"name": agent.name})).collect();
    json!({"format": plan.format, "terms": plan.terms, "agents": names,
        "events": plan.events.iter().map(event).collect::<Vec<_>>()})
}

/// Who took how many points off whom in an event.
fn cross(plan: &Plan, event: usize, schedule: &Schedule, results: &Results) -> Value {
    let agents = &plan.events[event].agents;
    let games: Vec<Fixture> = schedule.fixtures.iter().filter(|game| game.event == event).cloned().collect();
    let cell = |&row: &usize, &column: &usize| {
        let met = |meeting: &&damier_arena::schedule::Meeting| {
            meeting.event == event && meeting.agents.contains(&row) && meeting.agents.contains(&column)
        };
        (row != column && schedule.meetings.iter().any(|meeting| met(&meeting))).then(|| {
            let duels = duels([row, column], &games, results);
            let points: f64 = duels.iter().map(|duel| duel.score).sum();
            json!({"points": points, "games": duels.len()})
        })
    };
    let rows: Vec<Vec<Option<Value>>> =
        agents.iter().map(|row| agents.iter().map(|column| cell(row, column)).collect()).collect();
    let names: Vec<&str> = agents.iter().map(|&agent| &*plan.agents[agent].name).collect();
    json!({"agents": names, "cells": rows})
}

/// How the ratings of each event went, game after game.
pub fn history(plan: &Plan, results: &Results) -> Value {
    let step = results.len().div_ceil(POINTS).max(1);
    let mut so_far = Results::new();
    let mut events: Vec<Vec<Value>> = vec![Vec::new(); plan.events.len()];
    let numbers: BTreeMap<usize, usize> =
        schedule_of(plan, results).fixtures.iter().map(|game| (game.number, game.event)).collect();
    for (index, (&number, record)) in results.iter().enumerate() {
        so_far.insert(number, record.clone());
        let last = index + 1 == results.len();
        if !(index + 1).is_multiple_of(step) && !last {
            continue;
        }
        let table = standings(plan, &so_far);
        for (event, (points, standing)) in events.iter_mut().zip(&table.events).enumerate() {
            let ratings: serde_json::Map<String, Value> = standing
                .rows
                .iter()
                .filter_map(|row| Some((row.agent.clone(), json!([row.rating?.elo, row.rating?.margin]))))
                .collect();
            let played = so_far.keys().filter(|number| numbers.get(number) == Some(&event)).count();
            let known = points.last().is_some_and(|point: &Value| point["played"] == played);
            if !ratings.is_empty() && !known {
                points.push(json!({"played": played, "ratings": ratings}));
            }
        }
    }
    json!(events)
}

fn games(plan: &Plan, schedule: &Schedule, results: &Results, selection: &Selection) -> Value {
    let name = |agent: usize| &*plan.agents[agent].name;
    let fits = |game: &&Fixture| {
        let event = &plan.events[game.event].name;
        selection.event.as_ref().is_none_or(|wanted| wanted == event)
            && selection
                .agent
                .as_ref()
                .is_none_or(|wanted| game.seats.iter().any(|&agent| name(agent) == wanted))
    };
    let played: Vec<(&Fixture, &Record)> = schedule
        .fixtures
        .iter()
        .filter(fits)
        .filter_map(|game| Some((game, results.get(&game.number)?)))
        .collect();
    let from = selection.from.unwrap_or(0).min(played.len());
    let count = selection.count.unwrap_or(50).min(MOST_ROWS);
    let row = |(game, record): &(&Fixture, &Record)| {
        let event = &plan.events[game.event];
        let seats: Vec<&str> = game.seats.iter().map(|&agent| name(agent)).collect();
        let times: Vec<u64> = record.times.iter().map(|times| times.wall_us).collect();
        json!({"number": game.number, "event": event.name, "level": event.levels[game.level].name, "seed": game.seed,
            "seats": seats, "outcomes": record.outcomes, "reason": record.reason, "turns": record.turns,
            "scores": record.scores, "strikes": record.strikes, "us": times,
            "fault": record.fault.as_ref().map(|(seat, fault)| json!({"seat": seat, "text": fault.to_string()}))})
    };
    let rows: Vec<Value> = played.iter().skip(from).take(count).map(row).collect();
    json!({"total": played.len(), "from": from, "rows": rows})
}

fn faults(plan: &Plan, schedule: &Schedule, results: &Results) -> Vec<Value> {
    let faulty = schedule.fixtures.iter().filter_map(|game| {
        let (seat, fault) = results.get(&game.number)?.fault.as_ref()?;
        let agent = &plan.agents[*game.seats.get(*seat)?].name;
        Some(json!({"number": game.number, "agent": agent, "text": fault.to_string()}))
    });
    faulty.take(MOST_FAULTS).collect()
}
