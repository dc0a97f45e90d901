//! What keeps the page harmless: the hashes that allow its own scripts and nothing else.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// The content security policy of a page with these scripts.
pub(crate) fn content_security_policy(scripts: &[&str]) -> String {
    let mut policy = "default-src 'none'; script-src".to_owned();
    for script in scripts {
        let _ = write!(policy, " 'sha256-{}'", base64(&Sha256::digest(script.as_bytes())));
    }
    policy.push_str("; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'");
    policy
}

/// Base64 with padding (RFC 4648, section 4).
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |i: usize| u32::from(chunk.get(i).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for i in 0..4 {
            if i <= chunk.len() {
                text.push(char::from(ALPHABET[(bits >> (18 - 6 * i) & 63) as usize]));
            } else {
                text.push('=');
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_of_rfc_4648() {
        let cases =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")];
        for (input, expected) in cases {
            assert_eq!(base64(input.as_bytes()), expected);
        }
    }

    #[test]
    fn hash_of_the_content_security_policy_specification() {
        // CSP level 3, section 8.4, gives this hash for this script.
        let policy = content_security_policy(&["alert('Hello, world.');"]);
        assert!(
            policy.contains("'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='"),
            "{policy}"
        );
    }
}
