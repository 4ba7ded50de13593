//! The document around the application.

use leptos::{nonce::use_nonce, prelude::*};
use leptos_meta::MetaTags;

use crate::{
    App,
    contexts::{SiteFiles, cookie},
    views::Theme,
};

/// The whole document. The colours are chosen here, before anything is drawn, so that nothing flashes.
pub fn shell(options: LeptosOptions) -> impl IntoView {
    let theme = Theme::named(&cookie("horarium_theme").unwrap_or_default());
    let files = use_context::<SiteFiles>().unwrap_or_default();
    view! {
        <!DOCTYPE html>
        <html lang="en" data-theme=theme.as_str()>
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1" />
                <meta name="color-scheme" content="light dark" />
                <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
                <link rel="stylesheet" id="leptos" href=files.css.clone() />
                <AutoReload options />
                <Wake files />
                <MetaTags />
            </head>
            <body>
                <App />
            </body>
        </html>
    }
}

/// Loads the script without blocking the page. The names come from the build, never from a request.
#[component]
fn Wake(files: SiteFiles) -> impl IntoView {
    let SiteFiles { js, wasm, .. } = files;
    let script = format!(
        "import({js:?}).then(page=>page.default({{module_or_path:{wasm:?}}}).then(()=>page.hydrate()))"
    );
    view! {
        <link rel="modulepreload" href=js />
        <link rel="preload" href=wasm r#as="fetch" r#type="application/wasm" crossorigin="" />
        <script type="module" nonce=use_nonce()>
            {script}
        </script>
    }
}
