//! Many numbers as bytes, as they lie in memory: reading them is copying.

use std::fmt;

use serde::de::Visitor;
use serde::{Deserializer, Serializer};

/// Bytes that are given, or refused, at once.
struct Bytes<F>(F);

impl<T, F: FnOnce(&[u8]) -> Option<T>> Visitor<'_> for Bytes<F> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("numbers as bytes")
    }

    fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<T, E> {
        (self.0)(bytes).ok_or_else(|| E::custom("not a whole number of numbers"))
    }
}

fn read<const N: usize, T>(bytes: &[u8], value: impl Fn([u8; N]) -> T) -> Option<Vec<T>> {
    let (numbers, rest) = bytes.as_chunks::<N>();
    rest.is_empty().then(|| numbers.iter().map(|bytes| value(*bytes)).collect())
}

/// Whole numbers, in as many bytes as the largest of them needs.
pub(crate) mod whole {
    use super::{Bytes, Deserializer, Serializer, read};

    pub(crate) fn serialize<S: Serializer>(values: &[u32], to: S) -> Result<S::Ok, S::Error> {
        let largest = values.iter().copied().max().unwrap_or(0);
        let width = if largest <= 0xff {
            1
        } else if largest <= 0xffff {
            2
        } else {
            4
        };
        let mut bytes = Vec::with_capacity(1 + width * values.len());
        bytes.push(width as u8);
        match width {
            1 => bytes.extend(values.iter().map(|&value| value as u8)),
            2 => values.iter().for_each(|&value| bytes.extend((value as u16).to_le_bytes())),
            _ => values.iter().for_each(|value| bytes.extend(value.to_le_bytes())),
        }
        to.serialize_bytes(&bytes)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u32>, D::Error> {
        from.deserialize_bytes(Bytes(|bytes: &[u8]| {
            let (width, bytes) = bytes.split_first()?;
            match width {
                1 => read(bytes, |[value]| u32::from(value)),
                2 => read(bytes, |value| u32::from(u16::from_le_bytes(value))),
                4 => read(bytes, u32::from_le_bytes),
                _ => None,
            }
        }))
    }
}

/// Numbers with all their bits.
pub(crate) mod real {
    use super::{Bytes, Deserializer, Serializer, read};

    pub(crate) fn serialize<S: Serializer>(values: &[f64], to: S) -> Result<S::Ok, S::Error> {
        let mut bytes = Vec::with_capacity(8 * values.len());
        values.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
        to.serialize_bytes(&bytes)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<f64>, D::Error> {
        from.deserialize_bytes(Bytes(|bytes: &[u8]| read(bytes, f64::from_le_bytes)))
    }
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Numbers {
        #[serde(with = "super::whole")]
        whole: Vec<u32>,
        #[serde(with = "super::real")]
        real: Vec<f64>,
    }

    #[test]
    fn numbers_come_back() {
        for largest in [0, 255, 256, 65_535, 65_536, u32::MAX] {
            let numbers = Numbers { whole: vec![largest, 0, 7], real: vec![-0.0, 1e300] };
            let bytes = postcard::to_allocvec(&numbers).expect("small");
            let found: Numbers = postcard::from_bytes(&bytes).expect("as written");
            assert_eq!(found, numbers);
            assert!(found.real[0].is_sign_negative());
            // Cut off, a width that is none, and half a number.
            assert!(postcard::from_bytes::<Numbers>(&bytes[..bytes.len() - 1]).is_err());
            let mut odd = bytes.clone();
            odd[1] = 3;
            assert!(postcard::from_bytes::<Numbers>(&odd).is_err());
        }
        assert!(postcard::from_bytes::<Numbers>(&[2, 4, 0, 0]).is_err());
        assert!(postcard::from_bytes::<Numbers>(&[1, 1, 3, 0, 0, 0]).is_err());
    }
}
