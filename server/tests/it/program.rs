//! The program `horarium serve`: what it starts, what it refuses, how it ends.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Output, Stdio},
};

use tempfile::TempDir;

fn command(data: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_horarium"));
    command
        .arg("serve")
        .arg("--data")
        .arg(data)
        .args(args)
        .env_clear()
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// A server that is ended with the test.
pub struct Server {
    child: Child,
    lines: BufReader<std::process::ChildStdout>,
    pub address: String,
}

impl Server {
    pub fn start(data: &Path, args: &[&str]) -> Self {
        let args: Vec<&str> = ["--listen", "127.0.0.1:0"]
            .iter()
            .chain(args)
            .copied()
            .collect();
        let mut child = command(data, &args).spawn().expect("the program");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        lines.read_line(&mut line).expect("a line");
        let address = line
            .trim()
            .rsplit("http://")
            .next()
            .expect("an address")
            .to_owned();
        assert!(
            line.contains(" listens on http://127.0.0.1:"),
            "{line}{}",
            rest(&mut child)
        );
        Self {
            child,
            lines,
            address,
        }
    }

    pub fn line(&mut self) -> String {
        let mut line = String::new();
        self.lines.read_line(&mut line).expect("a line");
        line
    }

    pub fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("a connection");
        let host = &self.address;
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        )
        .expect("a request");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("an answer");
        text
    }

    /// Asks it to end and answers its exit status.
    pub fn stop(mut self) -> Option<i32> {
        let pid = self.child.id().to_string();
        let killed = Command::new("kill").args(["-TERM", &pid]).status();
        assert!(killed.expect("kill").success());
        self.child.wait().expect("its end").code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn rest(child: &mut Child) -> String {
    let _ = child.kill();
    let mut text = String::new();
    if let Some(mut stderr) = child.stderr.take() {
        let _ = stderr.read_to_string(&mut text);
    }
    text
}

fn refused(data: &Path, args: &[&str]) -> (Option<i32>, String) {
    let mut child = command(data, args).spawn().expect("the program");
    let mut line = String::new();
    let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    stdout.read_line(&mut line).expect("the end of its output");
    if !line.is_empty() {
        let log = rest(&mut child);
        panic!("it was not refused: {line}{log}");
    }
    let output: Output = child.wait_with_output().expect("its end");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), text)
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

#[test]
fn it_prints_its_address_and_the_first_link_and_ends_with_0() {
    let data = folder();
    let mut server = Server::start(data.path(), &[]);
    let link = server.line();
    assert!(
        link.contains(&format!("http://{}/setup?token=", server.address)),
        "{link}"
    );
    assert!(server.get("/healthz").ends_with("ok\n"));
    assert!(server.get("/jobs").starts_with("HTTP/1.1 401"));
    assert_eq!(server.stop(), Some(0));
    assert!(
        data.path().join("horarium.db").is_file(),
        "the store is in the data folder"
    );
}

#[test]
fn a_broken_configuration_starts_nothing() {
    let data = folder();
    let inner = data.path().join("inner");
    let file = data.path().join("bad.toml");
    std::fs::write(&file, "[server]\nlisten = \"nowhere\"\n[[jobs]]\n").expect("a file");
    let (code, text) = refused(&inner, &["--config", file.to_str().expect("a path")]);
    assert_eq!(code, Some(2));
    assert!(text.contains("bad.toml:2: server.listen"), "{text}");
    assert!(
        text.contains("bad.toml:3: jobs[0].name: is missing"),
        "{text}"
    );
    assert!(!inner.exists(), "nothing was made");
}

#[test]
fn the_data_folders_own_configuration_is_used() {
    let data = folder();
    let file = data.path().join("horarium.toml");
    std::fs::write(&file, "[server]\nlisten = \"127.0.0.1:0\"\nport = 1\n").expect("a file");
    let (code, text) = refused(data.path(), &[]);
    assert_eq!(code, Some(2));
    assert!(text.contains("horarium.toml:3: server.port"), "{text}");
}

#[test]
fn t17_it_serves_this_machine_only() {
    let data = folder();
    for args in [
        &["--listen", "0.0.0.0:0"][..],
        &["--listen", "0.0.0.0:0", "--no-auth"],
    ] {
        let (code, text) = refused(data.path(), args);
        assert_eq!(code, Some(2));
        assert!(
            text.starts_with("horarium: refused to listen on 0.0.0.0:0"),
            "{text}"
        );
    }
    assert!(
        !data.path().join("horarium.db").exists(),
        "nothing was made"
    );
    let server = Server::start(data.path(), &["--no-auth"]);
    assert!(server.get("/jobs").starts_with("HTTP/1.1 200"));
}

#[test]
fn a_taken_address_is_said_in_one_line() {
    let data = folder();
    let other = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = other.local_addr().expect("an address").to_string();
    let (code, text) = refused(data.path(), &["--listen", &address]);
    assert_eq!(code, Some(1));
    assert!(
        text.contains(&format!("cannot listen on {address}")),
        "{text}"
    );
}

#[test]
fn two_processes_do_not_share_a_database_file() {
    let data = folder();
    let server = Server::start(data.path(), &[]);
    let (code, text) = refused(data.path(), &["--listen", "127.0.0.1:0"]);
    assert_eq!(code, Some(1), "{text}");
    let complaint = text.lines().last().expect("a line");
    assert!(complaint.contains("in use by another process"), "{text}");
    assert!(
        server.get("/healthz").ends_with("ok\n"),
        "the first one goes on"
    );
    assert_eq!(server.stop(), Some(0));
    assert_eq!(
        Server::start(data.path(), &[]).stop(),
        Some(0),
        "free again"
    );
}

#[test]
fn a_file_that_is_no_database_is_left_alone() {
    let data = folder();
    let file = data.path().join("horarium.db");
    std::fs::write(&file, "my diary, which is longer than a header").expect("a file");
    let (code, text) = refused(data.path(), &["--listen", "127.0.0.1:0"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("not a SQLite database"), "{text}");
    let kept = std::fs::read_to_string(&file).expect("a file");
    assert_eq!(kept, "my diary, which is longer than a header");
}
