//! What the sign-in and set-up pages say about a refused form.

/// The sentence for an error code in the address of `/sign-in` or `/setup`; none without a code.
pub fn sign_in_error(code: &str) -> Option<&'static str> {
    Some(match code {
        "" => return None,
        "bad_credentials" => "The name or the password is not right.",
        "locked" => {
            "Too many attempts. This account takes no sign-in for a while; try again in a few minutes."
        }
        "weak_password" => {
            "This password is too easy to guess. Use at least 12 characters; a sentence is fine."
        }
        "mismatch" => "The two passwords are not the same. Type both again.",
        "setup_expired" => {
            "This set-up link is no longer valid. Start the server again: it prints a new one."
        }
        "setup_done" => "The first administrator exists already. Sign in instead.",
        "bad_name" => {
            "A name has 1 to 64 characters: lower-case letters, digits, '.', '_' and '-'."
        }
        "cross_site" => {
            "The form did not come from this site, so nothing was done. Send it again from here."
        }
        _ => "That did not work. Try again.",
    })
}
