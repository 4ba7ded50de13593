//! Where HTTP jobs may go (T5): the rules of `[http] allow`, and the addresses that are closed whatever a rule says.

use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    str::FromStr,
};

/// One entry of `[http] allow`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowRule {
    host: HostRule,
    port: Option<u16>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum HostRule {
    /// Exactly this name.
    Name(String),
    /// Every name that ends so: kept with the leading dot.
    Below(String),
    /// Every address whose first bits are these.
    Net { base: IpAddr, bits: u8 },
}

/// A text that is no rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "not a rule; write a host (\"api.example.org\", \"*.example.org\", \"api.example.org:8443\") or a network (\"10.0.0.0/8\")"
)]
pub struct AllowRuleError;

impl FromStr for AllowRule {
    type Err = AllowRuleError;

    fn from_str(text: &str) -> Result<Self, AllowRuleError> {
        let (host, port) = split_port(text)?;
        let host = if let Some((base, bits)) = host.split_once('/') {
            net(base, bits.parse().map_err(|_| AllowRuleError)?)?
        } else if let Ok(ip) = host.trim_matches(['[', ']']).parse::<IpAddr>() {
            net(&ip.to_string(), if ip.is_ipv4() { 32 } else { 128 })?
        } else if let Some(below) = host.strip_prefix('*') {
            if !below.starts_with('.') || !is_host(&below[1..]) {
                return Err(AllowRuleError);
            }
            HostRule::Below(below.to_ascii_lowercase())
        } else if is_host(host) {
            HostRule::Name(host.to_ascii_lowercase())
        } else {
            return Err(AllowRuleError);
        };
        Ok(Self { host, port })
    }
}

fn split_port(text: &str) -> Result<(&str, Option<u16>), AllowRuleError> {
    // an IPv6 address has colons of its own: with a port it stands in brackets
    let bare_v6 = text.matches(':').count() > 1 && !text.contains("]:");
    match text.rsplit_once(':') {
        Some((host, port)) if !bare_v6 => {
            let port = port.parse().map_err(|_| AllowRuleError)?;
            Ok((host, Some(port)))
        }
        _ => Ok((text, None)),
    }
}

fn net(base: &str, bits: u8) -> Result<HostRule, AllowRuleError> {
    let base: IpAddr = base
        .trim_matches(['[', ']'])
        .parse()
        .map_err(|_| AllowRuleError)?;
    let most = if base.is_ipv4() { 32 } else { 128 };
    if bits > most {
        return Err(AllowRuleError);
    }
    Ok(HostRule::Net { base, bits })
}

fn is_host(text: &str) -> bool {
    let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
    // a name made of digits is an address in disguise
    let digits = text.chars().all(|c| c.is_ascii_digit() || c == '.');
    !text.is_empty() && text.len() <= 253 && text.chars().all(legal) && !digits
}

impl fmt::Display for AllowRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.host {
            HostRule::Name(name) => f.write_str(name)?,
            HostRule::Below(below) => write!(f, "*{below}")?,
            HostRule::Net { base, bits } => write!(f, "{base}/{bits}")?,
        }
        match self.port {
            Some(port) => write!(f, ":{port}"),
            None => Ok(()),
        }
    }
}

impl AllowRule {
    fn names(&self, host: &str, port: u16) -> bool {
        let host = host.trim_end_matches('.').to_ascii_lowercase();
        self.is_port(port)
            && match &self.host {
                HostRule::Name(name) => *name == host,
                HostRule::Below(below) => host.ends_with(below) && host.len() > below.len(),
                HostRule::Net { .. } => false,
            }
    }

    fn holds(&self, ip: IpAddr, port: u16) -> bool {
        let HostRule::Net { base, bits } = &self.host else {
            return false;
        };
        self.is_port(port)
            && match (base, ip) {
                (IpAddr::V4(base), IpAddr::V4(ip)) => {
                    let shift = 32 - u32::from(*bits);
                    prefix(base.to_bits().into(), shift) == prefix(ip.to_bits().into(), shift)
                }
                (IpAddr::V6(base), IpAddr::V6(ip)) => {
                    let shift = 128 - u32::from(*bits);
                    prefix(base.to_bits(), shift) == prefix(ip.to_bits(), shift)
                }
                _ => false,
            }
    }

    fn is_port(&self, port: u16) -> bool {
        self.port.is_none_or(|p| p == port)
    }
}

fn prefix(bits: u128, shift: u32) -> u128 {
    bits.checked_shr(shift).unwrap_or(0)
}

/// Why a request may not go to an address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// Link-local, or the address of a cloud's metadata service.
    #[error("{0} is a link-local or metadata address, which no job may call")]
    Never(IpAddr),
    /// No rule covers it.
    #[error("{0} is not in [http] allow; jobs made at run time may only call what is listed there")]
    NotAllowed(String),
}

/// Whether anybody may send a request to the address at all.
pub fn check_never(ip: IpAddr) -> Result<(), Refused> {
    if is_never(real(ip)) {
        Err(Refused::Never(ip))
    } else {
        Ok(())
    }
}

/// Whether the rules let a job made at run time go to `host`, which resolves to `ip`. A listed name must lead to a
/// public address; a network behind it must be listed itself, so that a name server opens no way inside.
pub fn check_allowed(
    rules: &[AllowRule],
    host: &str,
    ip: IpAddr,
    port: u16,
) -> Result<(), Refused> {
    check_never(ip)?;
    let ip = real(ip);
    let listed = rules.iter().any(|rule| rule.holds(ip, port));
    let named = is_public(ip) && rules.iter().any(|rule| rule.names(host, port));
    if listed || named {
        Ok(())
    } else {
        Err(Refused::NotAllowed(format!("{host}:{port}")))
    }
}

/// The IPv4 address inside the IPv6 forms that carry one.
fn real(ip: IpAddr) -> IpAddr {
    let IpAddr::V6(v6) = ip else { return ip };
    if let Some(v4) = v6.to_ipv4_mapped() {
        return v4.into();
    }
    let s = v6.segments();
    let v4 = |high: u16, low: u16| {
        IpAddr::from(Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low)))
    };
    match s {
        // translated by a NAT64 gateway
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => v4(high, low),
        // 6to4
        [0x2002, high, low, ..] => v4(high, low),
        // the deprecated compatible form; `::` and `::1` are addresses of their own
        [0, 0, 0, 0, 0, 0, high, low] if high != 0 => v4(high, low),
        _ => ip,
    }
}

fn is_never(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(v4) => {
            v4.is_link_local()
                || v4 == Ipv4Addr::new(100, 100, 100, 200)
                || v4 == Ipv4Addr::new(192, 0, 0, 192)
        }
        IpAddr::V6(v6) => {
            v6.is_unicast_link_local() || v6 == Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254)
        }
    }
}

fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(v4) => {
            let [a, b, c, _] = v4.octets();
            let shared = a == 100 && (64..128).contains(&b);
            let protocol = (a, b, c) == (192, 0, 0);
            let benchmark = a == 198 && (b == 18 || b == 19);
            !(v4.is_private()
                || v4.is_loopback()
                || v4.is_link_local()
                || v4.is_documentation()
                || v4.is_multicast()
                || a == 0
                || a >= 240
                || shared
                || protocol
                || benchmark)
        }
        // only global unicast, without the documentation range
        IpAddr::V6(v6) => {
            let [first, second, ..] = v6.segments();
            first & 0xe000 == 0x2000 && (first, second) != (0x2001, 0xdb8)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn link_local_and_metadata_addresses_are_closed_in_every_spelling() {
        for text in [
            "169.254.169.254",
            "169.254.0.1",
            "::ffff:169.254.169.254",
            "64:ff9b::a9fe:a9fe",
            "2002:a9fe:a9fe::1",
            "::169.254.169.254",
            "fe80::1",
            "fd00:ec2::254",
            "100.100.100.200",
            "192.0.0.192",
        ] {
            assert!(check_never(ip(text)).is_err(), "{text}");
            let all = [
                "0.0.0.0/0".parse().expect("a rule"),
                "::/0".parse().expect("a rule"),
            ];
            assert!(check_allowed(&all, "x", ip(text), 80).is_err(), "{text}");
        }
        for text in [
            "127.0.0.1",
            "10.0.0.1",
            "93.184.216.34",
            "::1",
            "2606:2800::1",
        ] {
            assert!(check_never(ip(text)).is_ok(), "{text}");
        }
    }

    #[test]
    fn a_listed_name_leads_to_public_addresses_only() {
        let rules = ["api.example.org".parse().expect("a rule")];
        let check = |host, to, port| check_allowed(&rules, host, ip(to), port).is_ok();
        assert!(check("api.example.org", "93.184.216.34", 443));
        assert!(check("API.example.org.", "93.184.216.34", 443));
        assert!(!check("example.org", "93.184.216.34", 443));
        for inside in [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.0.1",
            "100.64.0.1",
            "0.0.0.0",
            "::1",
            "::",
            "fc00::1",
            "::ffff:127.0.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "2001:db8::1",
        ] {
            assert!(!check("api.example.org", inside, 443), "{inside}");
        }
    }

    #[test]
    fn rules_are_read_and_match_their_host_net_and_port() {
        let cases = [
            ("10.0.0.0/8", "x", "10.9.9.9", 80, true),
            ("10.0.0.0/8", "x", "11.0.0.1", 80, false),
            ("127.0.0.1:9000", "x", "127.0.0.1", 9000, true),
            ("127.0.0.1:9000", "x", "127.0.0.1", 9001, false),
            ("127.0.0.0/8", "x", "::ffff:127.0.0.1", 80, true),
            ("[::1]:80", "x", "::1", 80, true),
            ("fc00::/7", "x", "fd12::1", 80, true),
            ("0.0.0.0/0", "x", "8.8.8.8", 80, true),
            ("*.example.org", "a.example.org", "8.8.8.8", 80, true),
            ("*.example.org", "example.org", "8.8.8.8", 80, false),
            ("*.example.org", "badexample.org", "8.8.8.8", 80, false),
            ("example.org:8443", "example.org", "8.8.8.8", 443, false),
        ];
        for (rule, host, to, port, expected) in cases {
            let rules = [rule.parse().unwrap_or_else(|_| panic!("{rule}"))];
            let allowed = check_allowed(&rules, host, ip(to), port).is_ok();
            assert_eq!(allowed, expected, "{rule} {host} {to} {port}");
        }
        for bad in [
            "",
            "*",
            "http://x",
            "10.0.0.0/33",
            "a b",
            "x:99999",
            "2130706433",
            "*x.org",
        ] {
            assert!(bad.parse::<AllowRule>().is_err(), "{bad:?}");
        }
    }
}
