//! Conversion of errors and JSON values to Python.

use damier_core::game::Illegal;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use pyo3::{IntoPyObjectExt, create_exception};
use serde_json::Value;

create_exception!(damier, DamierError, PyValueError, "A request that Damier cannot fulfil.");
create_exception!(damier, IllegalActionError, DamierError, "An action that the rules do not allow.");
create_exception!(damier, LevelError, DamierError, "A level that cannot be found or read.");

/// Turns an illegal action into an exception.
pub fn illegal_action(error: &Illegal) -> PyErr {
    IllegalActionError::new_err(error.to_string())
}

/// Turns any other error into an exception.
pub fn damier_error(error: impl std::fmt::Display) -> PyErr {
    DamierError::new_err(format!("{error:#}"))
}

/// Turns an error about a level into an exception.
pub fn level_error(error: impl std::fmt::Display) -> PyErr {
    LevelError::new_err(format!("{error:#}"))
}

/// The function that pickle calls to restore a value, and its arguments.
pub type Reduced<'py, A> = PyResult<(Bound<'py, PyAny>, A)>;

/// Converts a JSON value as Python's `json` would.
pub fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Null => Ok(py.None().into_bound(py)),
        Value::Bool(value) => value.into_bound_py_any(py),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(number), _) => number.into_bound_py_any(py),
            (None, Some(number)) => number.into_bound_py_any(py),
            (None, None) => number.as_f64().into_bound_py_any(py),
        },
        Value::String(text) => text.into_bound_py_any(py),
        Value::Array(items) => {
            let items = items.iter().map(|item| to_python(py, item)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, items)?.into_bound_py_any(py)
        }
        Value::Object(fields) => {
            let dict = PyDict::new(py);
            for (key, value) in fields {
                dict.set_item(key, to_python(py, value)?)?;
            }
            dict.into_bound_py_any(py)
        }
    }
}
