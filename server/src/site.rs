//! The console's files: style, script and WebAssembly, from a folder or from inside the binary.

#[cfg(not(feature = "embed"))]
use std::path::Path;
use std::{borrow::Cow, path::PathBuf};

use horarium_app::contexts::SiteFiles;

#[cfg(feature = "embed")]
mod embedded {
    include!(concat!(env!("OUT_DIR"), "/site.rs"));
}

/// The folder of the files that the build makes, inside the site.
const PKG: &str = "pkg";
/// The names of those files, before their hash.
const NAME: &str = "horarium";

/// The compressed forms that the build leaves beside a file, the smallest first.
const ENCODINGS: [(&str, &str); 2] = [("br", "br"), ("gzip", "gz")];

/// Where the console's files are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum SitePlace {
    /// Inside the binary when it was built so, else in the folder `site` beside the binary's own folder.
    #[default]
    Default,
    /// In this folder.
    Folder(PathBuf),
}

/// The console's files.
#[derive(Debug, Clone)]
pub struct Site {
    source: Source,
    names: SiteFiles,
}

#[derive(Debug, Clone)]
enum Source {
    #[cfg(feature = "embed")]
    Embedded,
    Folder(PathBuf),
}

/// A file as it is sent.
#[derive(Debug)]
pub struct StaticFile {
    /// What is in it.
    pub bytes: Cow<'static, [u8]>,
    /// What it is.
    pub content_type: &'static str,
    /// How it is compressed already.
    pub encoding: Option<&'static str>,
    /// Whether its name changes with its content.
    pub hashed: bool,
}

impl StaticFile {
    fn new(path: &str, bytes: Cow<'static, [u8]>, encoding: Option<&'static str>) -> Self {
        Self {
            bytes,
            content_type: content_type(path),
            encoding,
            hashed: is_hashed(path),
        }
    }
}

impl Site {
    /// Finds the files. Missing ones are no fault here: pages work without style and script.
    pub fn open(place: &SitePlace) -> Self {
        let folder = match place {
            #[cfg(feature = "embed")]
            SitePlace::Default => {
                return Self {
                    source: Source::Embedded,
                    names: names(embedded::HASHES),
                };
            }
            #[cfg(not(feature = "embed"))]
            SitePlace::Default => beside_the_binary(),
            SitePlace::Folder(folder) => folder.clone(),
        };
        // written by the build into the site itself, so that it is never older than the files it speaks of
        let hashes = std::fs::read_to_string(folder.join("hash.txt")).unwrap_or_default();
        Self {
            source: Source::Folder(folder),
            names: names(&hashes),
        }
    }

    /// The addresses of style, script and WebAssembly.
    pub fn names(&self) -> &SiteFiles {
        &self.names
    }

    /// The file under a path like `pkg/horarium.css`, as the build compressed it if the reader takes that. Compressing
    /// megabytes anew for every visitor would cost more than sending them.
    pub async fn file(&self, path: &str, accepts: impl Fn(&str) -> bool) -> Option<StaticFile> {
        if !is_plain(path) {
            return None;
        }
        for (encoding, extension) in ENCODINGS {
            if accepts(encoding)
                && let Some(bytes) = self.bytes(&format!("{path}.{extension}")).await
            {
                return Some(StaticFile::new(path, bytes, Some(encoding)));
            }
        }
        let bytes = self.bytes(path).await?;
        Some(StaticFile::new(path, bytes, None))
    }

    async fn bytes(&self, path: &str) -> Option<Cow<'static, [u8]>> {
        match &self.source {
            #[cfg(feature = "embed")]
            Source::Embedded => {
                let at = embedded::FILES
                    .binary_search_by_key(&path, |(name, _)| name)
                    .ok()?;
                Some(Cow::Borrowed(embedded::FILES[at].1))
            }
            Source::Folder(folder) => tokio::fs::read(folder.join(path))
                .await
                .ok()
                .map(Cow::Owned),
        }
    }
}

#[cfg(not(feature = "embed"))]
fn beside_the_binary() -> PathBuf {
    let binary = std::env::current_exe().unwrap_or_default();
    let folder = binary.parent().and_then(Path::parent);
    folder.unwrap_or(Path::new(".")).join("site")
}

/// Reads the build tool's list: `css: <hash>` and so on, a line each.
fn names(hashes: &str) -> SiteFiles {
    let name = |kind: &str, extension: &str| {
        let hash = hashes
            .lines()
            .filter_map(|line| line.split_once(':'))
            .find(|(key, _)| key.trim() == kind)
            .map(|(_, hash)| format!(".{}", hash.trim()))
            .unwrap_or_default();
        format!("/{PKG}/{NAME}{hash}.{extension}")
    };
    SiteFiles {
        css: name("css", "css"),
        js: name("js", "js"),
        wasm: name("wasm", "wasm"),
    }
}

/// Whether the path stays inside the site: plain names, one below the other.
fn is_plain(path: &str) -> bool {
    let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    path.split('/')
        .all(|name| !name.is_empty() && !name.starts_with('.') && name.chars().all(legal))
}

fn is_hashed(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let mut parts = name.split('.');
    matches!((parts.next(), parts.next(), parts.next(), parts.next()),
        (Some(_), Some(hash), Some(_), None) if hash.len() >= 16)
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "json" => "application/json",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_carry_the_hashes_of_the_build() {
        let files = names("css: AbC\njs: d-e_f\n wasm: 123\n");
        assert_eq!(files.css, "/pkg/horarium.AbC.css");
        assert_eq!(files.js, "/pkg/horarium.d-e_f.js");
        assert_eq!(names("").js, "/pkg/horarium.js");
        assert_eq!(names("").wasm, "/pkg/horarium.wasm");
    }

    #[test]
    fn no_path_leads_out_of_the_site() {
        assert!(is_plain("pkg/horarium.abc.js"));
        for path in [
            "",
            "..",
            "pkg/../../x",
            "/etc/passwd",
            "pkg//x",
            "pkg/.hidden",
            "a\\b",
            "a\0",
        ] {
            assert!(!is_plain(path), "{path:?}");
        }
    }

    #[test]
    fn only_names_with_a_hash_are_kept_for_ever() {
        assert!(is_hashed("pkg/horarium.7aLqbUUUQ7qWLqXqKTFmJg.js"));
        assert!(!is_hashed("pkg/horarium.js"));
        assert!(!is_hashed("favicon.svg"));
    }
}
