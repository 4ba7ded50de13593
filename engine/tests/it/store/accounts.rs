use horarium_core::state::Role;
use horarium_engine::store::{AuditEntry, Session, User};
use uuid::Uuid;

use super::{Store, fixture::t};

crate::on_every_store!(
    a_user_comes_back_as_created_and_updated,
    a_name_is_taken_once,
    the_first_user_is_made_once_even_by_many_at_once,
    a_session_lives_until_it_is_ended,
    old_and_unused_sessions_go,
    t11_the_audit_log_is_appended_to_and_read_latest_first,
    a_setting_is_written_replaced_and_removed,
);

fn user(name: &str) -> User {
    User {
        id: Uuid::new_v4(),
        name: name.to_owned(),
        role: Role::Admin,
        password_hash: "$argon2id$x".to_owned(),
        disabled: false,
        failures: 0,
        locked_until: None,
        created_at: t(0),
    }
}

async fn a_user_comes_back_as_created_and_updated(store: Store) {
    let mut ada = user("ada");
    assert!(store.user_create(&ada).await.unwrap());
    assert_eq!(
        store.user_by_name("ada").await.unwrap().as_ref(),
        Some(&ada)
    );
    assert_eq!(store.user_by_name("Ada").await.unwrap(), None);
    ada.role = Role::Viewer;
    ada.password_hash = "$argon2id$y".to_owned();
    ada.disabled = true;
    ada.failures = 3;
    ada.locked_until = Some(t(60));
    store.user_update(&ada).await.unwrap();
    store.user_update(&user("nobody")).await.unwrap();
    let bob = user("bob");
    store.user_create(&bob).await.unwrap();
    assert_eq!(store.user_list().await.unwrap(), [ada, bob]);
}

async fn a_name_is_taken_once(store: Store) {
    let ada = user("ada");
    assert!(store.user_create(&ada).await.unwrap());
    assert!(!store.user_create(&user("ada")).await.unwrap());
    assert_eq!(store.user_list().await.unwrap(), [ada]);
}

async fn the_first_user_is_made_once_even_by_many_at_once(store: Store) {
    let tasks: Vec<_> = (0..16)
        .map(|number| {
            let store = store.clone();
            tokio::spawn(async move {
                let first = user(&format!("user-{number}"));
                store.user_create_first(&first).await.unwrap()
            })
        })
        .collect();
    let mut made = 0;
    for task in tasks {
        made += usize::from(task.await.unwrap());
    }
    assert_eq!(made, 1);
    assert_eq!(store.user_list().await.unwrap().len(), 1);
}

fn session(id_hash: &str, user: &User, seen: i64) -> Session {
    Session {
        id_hash: id_hash.to_owned(),
        user: user.id,
        created_at: t(1),
        seen_at: t(seen),
        address: "127.0.0.1".to_owned(),
    }
}

async fn a_session_lives_until_it_is_ended(store: Store) {
    let (ada, bob) = (user("ada"), user("bob"));
    store.user_create(&ada).await.unwrap();
    store.user_create(&bob).await.unwrap();
    for (id, owner) in [("s1", &ada), ("s2", &ada), ("s3", &bob), ("s4", &ada)] {
        store.session_create(&session(id, owner, 1)).await.unwrap();
    }
    store.session_touch("s1", t(9)).await.unwrap();
    let found = store.session_get("s1").await.unwrap();
    assert_eq!(found, Some((session("s1", &ada, 9), ada.clone())));
    store.session_delete("s4").await.unwrap();
    assert_eq!(store.session_get("s4").await.unwrap(), None);
    store.session_delete_user(ada.id).await.unwrap();
    assert_eq!(store.session_get("s1").await.unwrap(), None);
    assert_eq!(store.session_get("s2").await.unwrap(), None);
    assert!(store.session_get("s3").await.unwrap().is_some());
}

async fn old_and_unused_sessions_go(store: Store) {
    let ada = user("ada");
    store.user_create(&ada).await.unwrap();
    let old = Session {
        created_at: t(0),
        ..session("old", &ada, 100)
    };
    let unused = Session {
        created_at: t(50),
        ..session("unused", &ada, 60)
    };
    let good = Session {
        created_at: t(50),
        ..session("good", &ada, 100)
    };
    for session in [&old, &unused, &good] {
        store.session_create(session).await.unwrap();
    }
    assert_eq!(store.session_prune(t(50), t(100)).await.unwrap(), 2);
    let left = store.session_get("good").await.unwrap();
    assert_eq!(left, Some((good, ada)));
}

async fn t11_the_audit_log_is_appended_to_and_read_latest_first(store: Store) {
    let entry = |number: i64, object: &str| AuditEntry {
        at: t(number),
        actor: "ada".to_owned(),
        address: "127.0.0.1".to_owned(),
        action: "job.pause".to_owned(),
        object: object.to_owned(),
        detail: "{\"reason\":\"x\"}".to_owned(),
        outcome: "ok".to_owned(),
    };
    // two at one instant stay in the order in which they were written
    let all = [entry(1, "job:a"), entry(2, "job:b"), entry(2, "job:a")];
    for entry in &all {
        store.audit_append(entry).await.unwrap();
    }
    let [first, second, third] = all;
    let whole = store.audit_list(None, 0, 10).await.unwrap();
    assert_eq!(whole, [third.clone(), second.clone(), first.clone()]);
    assert_eq!(store.audit_list(None, 1, 1).await.unwrap(), [second]);
    let of_a = store.audit_list(Some("job:a"), 0, 10).await.unwrap();
    assert_eq!(of_a, [third, first]);
}

async fn a_setting_is_written_replaced_and_removed(store: Store) {
    assert_eq!(store.setting_get("zone").await.unwrap(), None);
    for value in ["UTC", "Asia/Shanghai"] {
        store.setting_put("zone", Some(value)).await.unwrap();
        let stored = store.setting_get("zone").await.unwrap();
        assert_eq!(stored.as_deref(), Some(value));
    }
    store.setting_put("zone", None).await.unwrap();
    store.setting_put("zone", None).await.unwrap();
    assert_eq!(store.setting_get("zone").await.unwrap(), None);
}
