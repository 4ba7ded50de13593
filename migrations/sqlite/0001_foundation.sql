-- The tables of Horarium on SQLite. Instants are whole microseconds since 1970-01-01 UTC, ids are 16 bytes,
-- definitions and data are JSON text.

-- "HORA": tells this database from those of other programs
PRAGMA application_id = 1213157953;

-- numbers that only grow; tokens of claims and runs come from here
CREATE TABLE counters (
    name  TEXT NOT NULL PRIMARY KEY,
    value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO counters (name, value) VALUES ('token', 0);

CREATE TABLE jobs (
    name             TEXT NOT NULL PRIMARY KEY,
    -- the definition without its triggers; the four columns after it repeat what queries ask for
    definition       TEXT NOT NULL,
    job_type         TEXT NOT NULL,
    tags             TEXT NOT NULL,
    search           TEXT NOT NULL,
    local            INTEGER NOT NULL,
    origin           TEXT NOT NULL,
    fingerprint      TEXT,
    code_definition  TEXT,
    paused           INTEGER NOT NULL,
    paused_at        INTEGER,
    paused_by        TEXT,
    paused_reason    TEXT,
    paused_until     INTEGER,
    version          INTEGER NOT NULL,
    active_run       BLOB,
    last_run_at      INTEGER,
    last_finished_at INTEGER,
    last_status      TEXT,
    created_at       INTEGER NOT NULL,
    updated_at       INTEGER NOT NULL,
    updated_by       TEXT NOT NULL
) STRICT;

CREATE INDEX jobs_paused_until ON jobs (paused_until) WHERE paused_until IS NOT NULL;

CREATE TABLE triggers (
    id              INTEGER PRIMARY KEY,
    job             TEXT NOT NULL REFERENCES jobs (name),
    name            TEXT NOT NULL,
    uid             BLOB NOT NULL,
    generation      INTEGER NOT NULL,
    version         INTEGER NOT NULL,
    definition      TEXT NOT NULL,
    priority        INTEGER NOT NULL,
    -- the job runs on every instance: such triggers are never claimed
    local           INTEGER NOT NULL,
    state           TEXT NOT NULL,
    -- the trigger's own pause, and the job's
    paused          INTEGER NOT NULL,
    paused_at       INTEGER,
    paused_by       TEXT,
    paused_reason   TEXT,
    paused_until    INTEGER,
    job_paused      INTEGER NOT NULL,
    next_fire_at    INTEGER,
    watermark       INTEGER NOT NULL,
    fired_count     INTEGER NOT NULL,
    claim_node      TEXT,
    claim_token     INTEGER,
    error           TEXT,
    complete_reason TEXT,
    -- what the engine's trigger of one run carries; `manual` ones ignore pauses
    one_time        TEXT,
    manual          INTEGER NOT NULL,
    zone_data       TEXT NOT NULL,
    created_at      INTEGER NOT NULL,
    UNIQUE (job, name)
) STRICT;

-- what can be claimed, in the order of claiming inside one priority
CREATE INDEX triggers_due ON triggers (priority, next_fire_at, job, name)
    WHERE state = 'waiting' AND claim_token IS NULL AND local = 0
    AND (manual = 1 OR (paused = 0 AND job_paused = 0));
CREATE INDEX triggers_armed ON triggers (claim_node) WHERE state = 'waiting' AND claim_token IS NOT NULL;
CREATE INDEX triggers_blocked ON triggers (job) WHERE state = 'blocked';
CREATE INDEX triggers_local ON triggers (job, name)
    WHERE local = 1 AND state = 'waiting' AND one_time IS NULL AND paused = 0 AND job_paused = 0;
CREATE INDEX triggers_paused_until ON triggers (paused_until) WHERE paused_until IS NOT NULL;

-- never pruned: old ranges can always be computed again
CREATE TABLE trigger_generations (
    trigger_uid BLOB NOT NULL,
    generation  INTEGER NOT NULL,
    job         TEXT NOT NULL,
    name        TEXT NOT NULL,
    schedule    TEXT NOT NULL,
    calendar    TEXT NOT NULL,
    zone_data   TEXT NOT NULL,
    from_at     INTEGER NOT NULL,
    to_at       INTEGER,
    PRIMARY KEY (trigger_uid, generation)
) STRICT, WITHOUT ROWID;

CREATE TABLE runs (
    -- the order of insertion, for joins only
    seq                 INTEGER PRIMARY KEY,
    id                  BLOB NOT NULL UNIQUE,
    job                 TEXT NOT NULL,
    trigger_name        TEXT,
    origin_trigger      TEXT,
    trigger_uid         BLOB,
    generation          INTEGER NOT NULL,
    nominal_at          INTEGER,
    -- the node for runs of jobs that run on every instance, else ''
    nominal_node        TEXT NOT NULL,
    scheduled_at        INTEGER NOT NULL,
    dispatched_at       INTEGER NOT NULL,
    started_at          INTEGER,
    finished_at         INTEGER,
    status              TEXT NOT NULL,
    cause               TEXT NOT NULL,
    attempt             INTEGER NOT NULL,
    retry_of            BLOB,
    recovered_from      BLOB,
    data                TEXT NOT NULL,
    node                TEXT NOT NULL,
    token               INTEGER NOT NULL,
    result              TEXT,
    error_code          TEXT,
    error_message       TEXT,
    cancel              TEXT,
    cancel_requested_at INTEGER,
    requested_by        TEXT,
    late_result         TEXT
) STRICT;

-- one run per nominal instant: the ledger's promise, kept by the database as well
CREATE UNIQUE INDEX runs_nominal ON runs (trigger_uid, generation, nominal_at, nominal_node) WHERE cause = 'schedule';
CREATE INDEX runs_time ON runs (scheduled_at, id);
CREATE INDEX runs_job_time ON runs (job, scheduled_at, id);
CREATE INDEX runs_running ON runs (job, node) WHERE status = 'running';
-- few among many: what went wrong is found without reading what went well
CREATE INDEX runs_ended_badly ON runs (status, scheduled_at, id) WHERE status NOT IN ('pending', 'running', 'succeeded');
CREATE INDEX runs_finished ON runs (finished_at, id) WHERE finished_at IS NOT NULL;
CREATE INDEX runs_retry_of ON runs (retry_of) WHERE retry_of IS NOT NULL;
CREATE INDEX runs_recovered_from ON runs (recovered_from) WHERE recovered_from IS NOT NULL;

CREATE TABLE fire_decisions (
    id          INTEGER PRIMARY KEY,
    trigger_uid BLOB NOT NULL,
    generation  INTEGER NOT NULL,
    from_at     INTEGER NOT NULL,
    to_at       INTEGER NOT NULL,
    verdict     TEXT NOT NULL,
    run         BLOB,
    status      TEXT,
    reason      TEXT NOT NULL,
    decided_at  INTEGER NOT NULL
) STRICT;

CREATE INDEX fire_decisions_range ON fire_decisions (trigger_uid, generation, from_at);

CREATE TABLE run_logs (
    run    BLOB NOT NULL,
    number INTEGER NOT NULL,
    at     INTEGER NOT NULL,
    level  TEXT NOT NULL,
    text   TEXT NOT NULL,
    PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE nodes (
    id                  TEXT NOT NULL PRIMARY KEY,
    incarnation         BLOB NOT NULL,
    started_at          INTEGER NOT NULL,
    heartbeat_at        INTEGER NOT NULL,
    running             INTEGER NOT NULL,
    max_concurrent_runs INTEGER NOT NULL,
    version             TEXT NOT NULL,
    job_types           TEXT NOT NULL,
    draining            INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE leases (
    resource   TEXT NOT NULL PRIMARY KEY,
    holder     TEXT NOT NULL,
    term       INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    -- all instants up to here were decided by the holder
    high_water INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE calendars (
    name       TEXT NOT NULL PRIMARY KEY,
    definition TEXT NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- the outbox; AUTOINCREMENT because an id must not come back after its event was pruned
CREATE TABLE events (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    topic   TEXT NOT NULL,
    subject TEXT NOT NULL,
    data    TEXT NOT NULL,
    at      INTEGER NOT NULL
) STRICT;

CREATE INDEX events_at ON events (at);

CREATE TABLE users (
    id            BLOB NOT NULL PRIMARY KEY,
    name          TEXT NOT NULL UNIQUE,
    role          TEXT NOT NULL,
    password_hash TEXT NOT NULL,
    disabled      INTEGER NOT NULL,
    failures      INTEGER NOT NULL,
    locked_until  INTEGER,
    created_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
    id_hash    TEXT NOT NULL PRIMARY KEY,
    user_id    BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    seen_at    INTEGER NOT NULL,
    address    TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_created ON sessions (created_at);
CREATE INDEX sessions_seen ON sessions (seen_at);

CREATE TABLE audit (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    at      INTEGER NOT NULL,
    actor   TEXT NOT NULL,
    address TEXT NOT NULL,
    action  TEXT NOT NULL,
    object  TEXT NOT NULL,
    detail  TEXT NOT NULL,
    outcome TEXT NOT NULL
) STRICT;

CREATE INDEX audit_object ON audit (object, id);

CREATE TABLE settings (
    key   TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
