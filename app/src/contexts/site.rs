//! What the server tells the console about itself.

/// Provided by the server, once per request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// The product's version.
    pub version: String,
    /// Whether the first administrator is still missing.
    pub setup_needed: bool,
    /// Whether anybody has to sign in; false with `--no-auth`.
    pub auth: bool,
}

/// The addresses of the console's files; their names hold a hash of their content. Provided by the server, because
/// only it knows whether the files lie in a folder or inside the binary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteFiles {
    /// The style.
    pub css: String,
    /// The script that loads the WebAssembly.
    pub js: String,
    /// The WebAssembly.
    pub wasm: String,
}

impl Default for SiteFiles {
    fn default() -> Self {
        Self {
            css: "/pkg/horarium.css".to_owned(),
            js: "/pkg/horarium.js".to_owned(),
            wasm: "/pkg/horarium.wasm".to_owned(),
        }
    }
}
