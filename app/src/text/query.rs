//! Addresses with their query: the only place that holds filter, page and tab.

/// Percent-encodes a value of a query, or one segment of a path.
pub fn encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z'
            | b'a'..=b'z'
            | b'0'..=b'9'
            | b'-'
            | b'_'
            | b'.'
            | b'~'
            | b','
            | b':'
            | b'/' => encoded.push(byte as char),
            _ => {
                encoded.push('%');
                for half in [byte >> 4, byte & 15] {
                    encoded.push(char::from(b"0123456789ABCDEF"[usize::from(half)]));
                }
            }
        }
    }
    encoded
}

/// A path with those pairs whose value is not empty.
pub fn address<'a>(path: &str, pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let mut address = path.to_owned();
    let mut separator = '?';
    for (key, value) in pairs.into_iter().filter(|(_, value)| !value.is_empty()) {
        address.push(separator);
        separator = '&';
        address.push_str(key);
        address.push('=');
        address.push_str(&encode(value));
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_values_are_left_out_and_the_rest_is_encoded() {
        let address = address(
            "/cron",
            [("expr", "0 9 * * MON#1"), ("tz", ""), ("from", "+")],
        );
        assert_eq!(address, "/cron?expr=0%209%20%2A%20%2A%20MON%231&from=%2B");
    }
}
