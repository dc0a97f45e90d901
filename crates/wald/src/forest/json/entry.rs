//! Entries of the arrays, read without an intermediate tree of values.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, SeqAccess, Unexpected, Visitor};

/// Stands for "no node", "no feature", "no side".
pub(super) const NONE: u32 = u32::MAX;

/// A position; every negative number and null is [`NONE`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Index(pub(super) u32);

/// A number; null is NaN.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Number(pub(super) f64);

/// How often a row was drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Count(pub(super) u16);

/// The position of a child, or `left` and `right` for 0 and 1; null is [`NONE`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Child(pub(super) u32);

/// Node values of equal length, one after the other; NaN where a node has none.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Values {
    pub(super) flat: Vec<f64>,
    /// Length of each node's value; 0 where it has none.
    pub(super) lengths: Vec<u32>,
}

/// Turns whole floats (`3.0`) into integers; programs without integers write them so.
fn whole<E: de::Error>(value: f64, expected: &dyn de::Expected) -> Result<i64, E> {
    if value.fract() == 0.0 && value.abs() < 9e15 {
        Ok(value as i64)
    } else {
        Err(E::invalid_value(Unexpected::Float(value), expected))
    }
}

struct IndexVisitor;

impl Visitor<'_> for IndexVisitor {
    type Value = Index;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a position counted from 0, or -1")
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Index, E> {
        match u32::try_from(value) {
            Ok(NONE) => Err(E::invalid_value(Unexpected::Signed(value), &self)),
            Ok(index) => Ok(Index(index)),
            Err(_) if value < 0 => Ok(Index(NONE)),
            Err(_) => Err(E::invalid_value(Unexpected::Signed(value), &self)),
        }
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Index, E> {
        match i64::try_from(value) {
            Ok(value) => self.visit_i64(value),
            Err(_) => Err(E::invalid_value(Unexpected::Unsigned(value), &self)),
        }
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Index, E> {
        let value = whole(value, &self)?;
        self.visit_i64(value)
    }

    fn visit_unit<E: de::Error>(self) -> Result<Index, E> {
        Ok(Index(NONE))
    }
}

impl<'de> Deserialize<'de> for Index {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(IndexVisitor)
    }
}

struct NumberVisitor;

impl Visitor<'_> for NumberVisitor {
    type Value = Number;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a number or null")
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Number, E> {
        Ok(Number(value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Number, E> {
        Ok(Number(value as f64))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Number, E> {
        Ok(Number(value as f64))
    }

    fn visit_unit<E: de::Error>(self) -> Result<Number, E> {
        Ok(Number(f64::NAN))
    }

    // R's jsonlite writes missing numbers as this string.
    fn visit_str<E: de::Error>(self, value: &str) -> Result<Number, E> {
        if value == "NA" {
            Ok(Number(f64::NAN))
        } else {
            Err(E::invalid_value(Unexpected::Str(value), &self))
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberVisitor)
    }
}

struct CountVisitor;

impl Visitor<'_> for CountVisitor {
    type Value = Count;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "how often the row was drawn, 0 to {}", u16::MAX)
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Count, E> {
        u16::try_from(value)
            .map(Count)
            .map_err(|_| E::invalid_value(Unexpected::Signed(value), &self))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Count, E> {
        u16::try_from(value)
            .map(Count)
            .map_err(|_| E::invalid_value(Unexpected::Unsigned(value), &self))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Count, E> {
        let value = whole(value, &self)?;
        self.visit_i64(value)
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CountVisitor)
    }
}

struct ChildVisitor;

impl Visitor<'_> for ChildVisitor {
    type Value = Child;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("`left`, `right`, a position among the children, or null")
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Child, E> {
        match value {
            "left" => Ok(Child(0)),
            "right" => Ok(Child(1)),
            _ => Err(E::invalid_value(Unexpected::Str(value), &self)),
        }
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Child, E> {
        match u32::try_from(value) {
            Ok(child) if child != NONE => Ok(Child(child)),
            _ => Err(E::invalid_value(Unexpected::Signed(value), &self)),
        }
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Child, E> {
        match u32::try_from(value) {
            Ok(child) if child != NONE => Ok(Child(child)),
            _ => Err(E::invalid_value(Unexpected::Unsigned(value), &self)),
        }
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Child, E> {
        let value = whole(value, &self)?;
        self.visit_i64(value)
    }

    fn visit_unit<E: de::Error>(self) -> Result<Child, E> {
        Ok(Child(NONE))
    }
}

impl<'de> Deserialize<'de> for Child {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ChildVisitor)
    }
}

/// Appends the value of one node.
struct ValueSeed<'a>(&'a mut Values);

impl<'de> DeserializeSeed<'de> for ValueSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueSeed<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a number, a list of numbers, or null")
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<(), E> {
        self.0.flat.push(value);
        self.0.lengths.push(1);
        Ok(())
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<(), E> {
        self.visit_f64(value as f64)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<(), E> {
        self.visit_f64(value as f64)
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<(), E> {
        NumberVisitor.visit_str::<E>(value)?;
        self.visit_unit()
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        self.0.lengths.push(0);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let before = self.0.flat.len();
        while let Some(Number(value)) = entries.next_element()? {
            self.0.flat.push(value);
        }
        let entries = &self.0.flat[before..];
        if entries.iter().all(|value| value.is_nan()) {
            self.0.flat.truncate(before);
        }
        self.0.lengths.push((self.0.flat.len() - before) as u32);
        Ok(())
    }
}

struct ValuesVisitor;

impl<'de> Visitor<'de> for ValuesVisitor {
    type Value = Option<Values>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list of node values, or null")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut values = Values::default();
        loop {
            let node = values.lengths.len();
            match entries.next_element_seed(ValueSeed(&mut values)) {
                Ok(Some(())) => {}
                Ok(None) => return Ok(Some(values)),
                Err(error) => return Err(de::Error::custom(format_args!("node {node}: {error}"))),
            }
        }
    }
}

/// Reads the values of nodes.
pub(super) fn values<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<Values>, D::Error> {
    reader.deserialize_any(ValuesVisitor)
}

/// A list whose errors name the wrong entry.
struct ListVisitor<T> {
    label: &'static str,
    entry: PhantomData<T>,
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for ListVisitor<T> {
    type Value = Option<Vec<T>>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "a list with one entry per {}", self.label)
    }

    fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut list = Vec::new();
        loop {
            match entries.next_element() {
                Ok(Some(entry)) => list.push(entry),
                Ok(None) => {
                    list.shrink_to_fit();
                    return Ok(Some(list));
                }
                Err(error) => {
                    let place = format_args!("{} {}: {error}", self.label, list.len());
                    return Err(de::Error::custom(place));
                }
            }
        }
    }
}

fn list<'de, D, T>(deserializer: D, label: &'static str) -> Result<Option<Vec<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    deserializer.deserialize_any(ListVisitor { label, entry: PhantomData })
}

/// Reads an array over nodes, or null.
pub(super) fn per_node<'de, D, T>(deserializer: D) -> Result<Option<Vec<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    list(deserializer, "node")
}

/// Reads an array over training rows, or null.
pub(super) fn per_row<'de, D, T>(deserializer: D) -> Result<Option<Vec<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    list(deserializer, "row")
}

/// Reads the trees.
pub(super) fn per_tree<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Ok(list(deserializer, "tree")?.unwrap_or_default())
}
