//! Addresses to send a browser to: always on this site.

/// The path itself when it leads nowhere else, or `/`.
pub fn local(path: &str) -> &str {
    let legal = path.starts_with('/')
        && !path.starts_with("//")
        && path.len() <= 2048
        && path.bytes().all(|b| b.is_ascii_graphic() && b != b'\\');
    if legal { path } else { "/" }
}

/// A path with a query, its values escaped.
pub fn with_query(path: &str, pairs: &[(&str, &str)]) -> String {
    let mut address = path.to_owned();
    for (i, (key, value)) in pairs.iter().enumerate() {
        address.push(if i == 0 { '?' } else { '&' });
        address.push_str(key);
        address.push('=');
        escape(value, &mut address);
    }
    address
}

fn escape(text: &str, into: &mut String) {
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'/') {
            into.push(char::from(byte));
        } else {
            into.push_str(&format!("%{byte:02X}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_leads_to_another_site() {
        for path in ["/", "/jobs", "/jobs?q=a&sort=name", "/runs/1%20x"] {
            assert_eq!(local(path), path);
        }
        for path in [
            "",
            "jobs",
            "//evil.example",
            "/\\evil.example",
            "https://evil.example",
            "javascript:alert(1)",
            "/a\r\nSet-Cookie: x=y",
            "/a b",
            "/\u{e9}",
        ] {
            assert_eq!(local(path), "/", "{path:?}");
        }
    }

    #[test]
    fn values_are_escaped() {
        let address = with_query("/sign-in", &[("error", "locked"), ("next", "/a?b=c&d=é")]);
        assert_eq!(
            address,
            "/sign-in?error=locked&next=/a%3Fb%3Dc%26d%3D%C3%A9"
        );
    }
}
