//! Every code has a sentence.

use horarium_app::{
    error::{self, AppError},
    text::{Trouble, sentence, sign_in_error, status, trouble},
};
use horarium_core::code::ErrorCode;

fn app_error(code: &str) -> AppError {
    AppError {
        args: vec!["x".to_owned(), "y".to_owned()],
        ..AppError::plain(code)
    }
}

#[test]
fn every_code_becomes_a_sentence() {
    let own = [
        error::SIGNED_OUT,
        error::DENIED,
        error::BAD_REQUEST,
        error::BAD_DATA,
        error::BAD_TIME,
        error::BAD_FIELDS,
        error::NO_PAGE,
        error::UNREACHABLE,
    ];
    for code in own
        .into_iter()
        .chain(ErrorCode::ALL.iter().map(|c| c.as_str()))
    {
        let text = sentence(&app_error(code));
        assert!(
            !text.is_empty() && !text.contains('{') && !text.contains(code),
            "{code}: {text}"
        );
    }
}

#[test]
fn troubles_have_their_statuses() {
    let rows = [
        (error::SIGNED_OUT, Trouble::SignedOut, 401),
        (error::DENIED, Trouble::NoRight, 403),
        ("SCHEDULING_NOTFOUND_001", Trouble::NotFound, 404),
        (error::NO_PAGE, Trouble::NotFound, 404),
        ("SCHEDULING_UNAVAILABLE_003", Trouble::Unreachable, 503),
        ("SCHEDULING_VALIDATION_002", Trouble::Failed, 400),
        ("SCHEDULING_CONFLICT_001", Trouble::Failed, 409),
        ("SCHEDULING_UNEXPECTED_001", Trouble::Failed, 500),
    ];
    for (code, kind, expected) in rows {
        assert_eq!((trouble(code), status(code)), (kind, expected), "{code}");
    }
}

#[test]
fn the_sign_in_page_knows_all_codes() {
    let codes = [
        "bad_credentials",
        "locked",
        "weak_password",
        "mismatch",
        "setup_expired",
        "setup_done",
        "bad_name",
        "cross_site",
    ];
    let unknown = sign_in_error("something_new");
    for code in codes {
        let text = sign_in_error(code);
        assert!(text.is_some() && text != unknown, "{code}");
    }
    assert_eq!(sign_in_error(""), None);
}
