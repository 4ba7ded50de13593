//! The colours of the states can be told apart, also by those who see fewer colours, and texts can be read.

use std::collections::BTreeMap;

const TOKENS: &str = include_str!("../../../style/tokens.css");
const STATES: [&str; 6] = ["idle", "held", "active", "stuck", "done", "broken"];

type Rgb = [f64; 3];
type Lab = [f64; 3];

/// How colours are seen, as a matrix over linear RGB (Machado, Oliveira and Fernandes 2009, full severity).
const SIGHTS: [(&str, [Rgb; 3]); 4] = [
    (
        "normal",
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    ),
    (
        "protan",
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ],
    ),
    (
        "deutan",
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ],
    ),
    (
        "tritan",
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ],
    ),
];

/// The tokens of one theme: 0 is light, 1 is dark.
fn theme(index: usize) -> BTreeMap<String, Rgb> {
    TOKENS
        .lines()
        .filter_map(|line| {
            let (name, value) = line.trim().strip_prefix("--color-")?.split_once(':')?;
            let pair = value
                .trim()
                .strip_prefix("light-dark(")?
                .strip_suffix(");")?;
            let hex = pair.split(',').nth(index)?.trim().strip_prefix('#')?;
            Some((name.to_owned(), linear(hex)))
        })
        .collect()
}

fn linear(hex: &str) -> Rgb {
    [0, 2, 4].map(|i| {
        let c = f64::from(u8::from_str_radix(&hex[i..i + 2], 16).unwrap()) / 255.0;
        if c <= 0.04045 {
            c / 12.92
        } else {
            ((c + 0.055) / 1.055).powf(2.4)
        }
    })
}

fn dot(row: Rgb, c: Rgb) -> f64 {
    row[0] * c[0] + row[1] * c[1] + row[2] * c[2]
}

fn seen(colour: Rgb, sight: &[Rgb; 3]) -> Rgb {
    sight.map(|row| dot(row, colour).clamp(0.0, 1.0))
}

fn lab(c: Rgb) -> Lab {
    let f = |t: f64| {
        if t > 216.0 / 24389.0 {
            t.cbrt()
        } else {
            (24389.0 / 27.0 * t + 16.0) / 116.0
        }
    };
    let x = f(dot([0.4124564, 0.3575761, 0.1804375], c) / 0.95047);
    let y = f(dot([0.2126729, 0.7151522, 0.0721750], c));
    let z = f(dot([0.0193339, 0.1191920, 0.9503041], c) / 1.08883);
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// CIEDE2000.
fn difference(one: Lab, two: Lab) -> f64 {
    let pow7 = |c: f64| (c.powi(7) / (c.powi(7) + 25f64.powi(7))).sqrt();
    let mean = |a: f64, b: f64| (a + b) / 2.0;
    let g = 0.5 * (1.0 - pow7(mean(one[1].hypot(one[2]), two[1].hypot(two[2]))));
    let polar = |c: Lab| {
        let a = c[1] * (1.0 + g);
        (a.hypot(c[2]), c[2].atan2(a).to_degrees().rem_euclid(360.0))
    };
    let ((c1, h1), (c2, h2)) = (polar(one), polar(two));
    let turn = if c1 * c2 == 0.0 {
        0.0
    } else {
        (h2 - h1 + 180.0).rem_euclid(360.0) - 180.0
    };
    let (dl, dc) = (two[0] - one[0], c2 - c1);
    let dh = 2.0 * (c1 * c2).sqrt() * (turn / 2.0).to_radians().sin();
    let (l, c) = (mean(one[0], two[0]), mean(c1, c2));
    let h = if c1 * c2 == 0.0 {
        h1 + h2
    } else if (h1 - h2).abs() <= 180.0 {
        mean(h1, h2)
    } else {
        (mean(h1, h2) + 180.0).rem_euclid(360.0)
    };
    let cos = |degrees: f64| degrees.to_radians().cos();
    let t = 1.0 - 0.17 * cos(h - 30.0) + 0.24 * cos(2.0 * h) + 0.32 * cos(3.0 * h + 6.0)
        - 0.20 * cos(4.0 * h - 63.0);
    let sl = 1.0 + 0.015 * (l - 50.0).powi(2) / (20.0 + (l - 50.0).powi(2)).sqrt();
    let (sc, sh) = (1.0 + 0.045 * c, 1.0 + 0.015 * c * t);
    let around = 60.0 * (-((h - 275.0) / 25.0).powi(2)).exp();
    let rt = -around.to_radians().sin() * 2.0 * pow7(c);
    ((dl / sl).powi(2) + (dc / sc).powi(2) + (dh / sh).powi(2) + rt * (dc / sc) * (dh / sh)).sqrt()
}

fn contrast(one: Rgb, two: Rgb) -> f64 {
    let light = |c| dot([0.2126, 0.7152, 0.0722], c) + 0.05;
    let (a, b) = (light(one), light(two));
    a.max(b) / a.min(b)
}

#[test]
fn the_formula_gives_the_published_values() {
    let rows = [
        ([50.0, 2.6772, -79.7751], [50.0, 0.0, -82.7485], 2.0425),
        ([50.0, 2.4900, -0.0010], [50.0, -2.4900, 0.0011], 7.2195),
        ([50.0, 2.5, 0.0], [73.0, 25.0, -18.0], 27.1492),
        (
            [2.0776, 0.0795, -1.1350],
            [0.9033, -0.0636, -0.5514],
            0.9082,
        ),
    ];
    for (one, two, expected) in rows {
        assert!(
            (difference(one, two) - expected).abs() < 1e-4,
            "{one:?} {two:?}"
        );
    }
}

#[test]
fn any_two_states_differ_for_every_sight() {
    for index in 0..2 {
        let theme = theme(index);
        for (sight, matrix) in &SIGHTS {
            for (i, one) in STATES.iter().enumerate() {
                for two in &STATES[..i] {
                    let colour = |name: &str| lab(seen(theme[name], matrix));
                    let apart = difference(colour(one), colour(two));
                    assert!(
                        apart >= 10.0,
                        "theme {index}, {sight}: {one} and {two} are {apart:.1} apart"
                    );
                }
            }
        }
    }
}

#[test]
fn texts_and_marks_can_be_read_on_every_ground() {
    let texts = ["ink", "quiet", "accent"];
    let grounds = ["canvas", "surface", "sunken"];
    let softs = ["held-soft", "broken-soft", "done-soft", "accent-soft"];
    for index in 0..2 {
        let theme = theme(index);
        let check = |one: &str, two: &str, least: f64| {
            let found = contrast(theme[one], theme[two]);
            assert!(
                found >= least,
                "theme {index}: {one} on {two} has {found:.2}"
            );
        };
        for ground in grounds {
            texts.iter().for_each(|text| check(text, ground, 4.5));
            STATES.iter().for_each(|state| check(state, ground, 3.0));
            check("line-strong", ground, 2.8);
        }
        for soft in softs {
            check("ink", soft, 4.5);
            check("quiet", soft, 4.5);
        }
        check("accent-ink", "accent-fill", 4.5);
        check("broken", "surface", 4.5);
    }
}
