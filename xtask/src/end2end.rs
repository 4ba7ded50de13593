//! The browser tests: a server of their own on a free port, Playwright, and an end to the server whatever happens.

use crate::{
    counts::{Tally, playwright_report, setup_link},
    serve::SITE_ROOT,
    sh::{Result, find, line, root, say, succeeds, target_dir, tool},
    system,
};
use std::{
    fs,
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

const CONFIG: &str = "end2end/horarium.test.toml";
const START: Duration = Duration::from_secs(60);

/// Tests this binary; `site` is where its site is, unless it carries one inside.
pub fn run(binary: &Path, site: Option<&Path>, args: &[&str]) -> Result<Tally> {
    let chromium = system::chromium().ok_or("there is no Chromium; name one in CHROMIUM")?;
    let work = target_dir()?.join("end2end");
    let data = work.join("data");
    let _ = fs::remove_dir_all(&work);
    fs::create_dir_all(&data)?;
    // nothing can take the port in between but another program at that very moment
    let addr = TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string();
    let config = root().join(CONFIG);

    let mut server = Server::start(
        binary,
        site,
        &config,
        &data,
        &addr,
        &work.join("server.log"),
    )?;
    let link = server.wait_until_ready(&addr)?;
    let report = work.join("report.json");
    let mut playwright = dying_with_us(&root().join("end2end/node_modules/.bin/playwright"));
    playwright
        .arg("test")
        .args(args)
        .current_dir(root().join("end2end"))
        .env("HORARIUM_URL", format!("http://{addr}"))
        .env("HORARIUM_SETUP_LINK", link.unwrap_or_default())
        // enough to stop the server and start it again, as a test of a restart does
        .env("HORARIUM_BIN", binary)
        .env("HORARIUM_DATA", &data)
        .env("HORARIUM_ADDR", &addr)
        .env("HORARIUM_CONFIG", &config)
        .env("HORARIUM_PID", server.child.id().to_string())
        .env("HORARIUM_REPORT", &report)
        .env("CHROMIUM", chromium);
    if let Some(site) = site {
        playwright.env(SITE_ROOT, site);
    }
    let status = playwright.status()?;
    server.stop();
    // a test that started the server again may have left it running
    stop_strays(&data);

    let mut tally =
        playwright_report(&fs::read_to_string(&report).unwrap_or_default()).unwrap_or_default();
    if !status.success() {
        say(format!(
            "failed ({status}): {}; the server's log: {}",
            line(&playwright),
            server.log.display()
        ));
        say("pictures and traces of the failures: end2end/test-results");
        // it failed outside any test, such as in a file that cannot be read
        tally.failed = tally.failed.max(1);
    }
    Ok(tally)
}

struct Server {
    child: Child,
    log: PathBuf,
}

impl Server {
    fn start(
        binary: &Path,
        site: Option<&Path>,
        config: &Path,
        data: &Path,
        addr: &str,
        log: &Path,
    ) -> Result<Self> {
        let file = fs::File::create(log)?;
        let mut c = dying_with_us(binary);
        c.arg("serve")
            .arg("--config")
            .arg(config)
            .arg("--data")
            .arg(data)
            .args(["--listen", addr]);
        if let Some(site) = site {
            c.env(SITE_ROOT, site);
        }
        c.stdin(Stdio::null())
            .stdout(file.try_clone()?)
            .stderr(file);
        let child = c.spawn().map_err(|e| format!("{}: {e}", line(&c)))?;
        Ok(Self {
            child,
            log: log.to_owned(),
        })
    }

    /// Waits until it answers; it returns the one-time link that it has printed.
    fn wait_until_ready(&mut self, addr: &str) -> Result<Option<String>> {
        let deadline = Instant::now() + START;
        while !healthy(addr) {
            let ended = self.child.try_wait()?;
            if ended.is_some() || Instant::now() > deadline {
                let what = match ended {
                    Some(status) => format!("the server ended at its start ({status})"),
                    None => format!(
                        "the server did not answer /healthz within {} s",
                        START.as_secs()
                    ),
                };
                eprintln!(
                    "{}",
                    tail(&fs::read_to_string(&self.log).unwrap_or_default(), 40)
                );
                return Err(format!(
                    "{what}; the end of its log is above, all of it in {}",
                    self.log.display()
                )
                .into());
            }
            sleep(Duration::from_millis(50));
        }
        let deadline = Instant::now() + Duration::from_secs(5);
        loop {
            let printed = fs::read_to_string(&self.log)?;
            if let Some(link) = setup_link(&printed) {
                return Ok(Some(link.to_owned()));
            }
            if Instant::now() > deadline {
                say("the server printed no set-up link; HORARIUM_SETUP_LINK is empty");
                return Ok(None);
            }
            sleep(Duration::from_millis(50));
        }
    }

    /// Asks it to end, as a service manager does, and ends it when it does not.
    fn stop(&mut self) {
        if !matches!(self.child.try_wait(), Ok(None)) {
            return;
        }
        terminate(self.child.id());
        let deadline = Instant::now() + Duration::from_secs(10);
        while Instant::now() < deadline {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            sleep(Duration::from_millis(50));
        }
        say("the server did not end within 10 s of SIGTERM; it is killed");
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Linux ends it when this program ends, even when nobody could tell this program beforehand.
///
/// Ctrl-C in a terminal reaches both anyway; this is for a signal to this program alone.
fn dying_with_us(program: &Path) -> Command {
    if cfg!(target_os = "linux")
        && find("setpriv").is_some_and(|_| succeeds(&mut setpriv(Path::new("true"))))
    {
        setpriv(program)
    } else {
        tool(program)
    }
}

fn setpriv(program: &Path) -> Command {
    let mut c = tool("setpriv");
    c.args(["--pdeathsig", "TERM", "--"]).arg(program);
    c
}

fn terminate(pid: u32) {
    // the shell has a `kill` where there is no program of that name
    succeeds(Command::new("sh").args(["-c", &format!("kill -TERM {pid}")]));
}

/// Ends what still runs on this data folder, found by its arguments; it needs Linux' /proc and does nothing elsewhere.
fn stop_strays(data: &Path) {
    let data = data.to_string_lossy().into_owned();
    for process in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = process
            .file_name()
            .to_str()
            .and_then(|name| name.parse().ok())
        else {
            continue;
        };
        let arguments = fs::read(process.path().join("cmdline")).unwrap_or_default();
        if arguments
            .split(|byte| *byte == 0)
            .any(|argument| argument == data.as_bytes())
        {
            say(format!(
                "a test left a server running; it is stopped (process {pid})"
            ));
            terminate(pid);
        }
    }
}

/// A whole HTTP request by hand: no client is worth compiling for this.
fn healthy(addr: &str) -> bool {
    let ask = || -> std::io::Result<bool> {
        let mut stream = TcpStream::connect(addr)?;
        stream.set_read_timeout(Some(Duration::from_secs(2)))?;
        // in one piece: a server that answers after the first piece would reset the connection under the rest
        let request = format!("GET /healthz HTTP/1.1\r\nHost: {addr}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes())?;
        // all of it: closing with something unread would look like a fault to the server
        let mut answer = Vec::new();
        stream.take(64 * 1024).read_to_end(&mut answer)?;
        Ok(answer.starts_with(b"HTTP/1.1 200"))
    };
    ask().unwrap_or(false)
}

fn tail(text: &str, lines: usize) -> String {
    let all: Vec<&str> = text.lines().collect();
    all[all.len().saturating_sub(lines)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::{healthy, tail};
    use std::{
        io::{Read, Write},
        net::TcpListener,
        thread,
    };

    #[test]
    fn the_end_of_a_log() {
        assert_eq!(tail("a\nb\nc\n", 2), "b\nc");
        assert_eq!(tail("a", 2), "a");
        assert_eq!(tail("", 2), "");
    }

    #[test]
    fn health_is_status_200() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let addr = listener.local_addr().expect("an address").to_string();
        let answers = thread::spawn(move || {
            for status in ["503 Service Unavailable", "200 OK"] {
                let (mut stream, _) = listener.accept().expect("a client");
                let mut request = [0; 512];
                let read = stream.read(&mut request).expect("a request");
                assert!(request[..read].starts_with(b"GET /healthz HTTP/1.1\r\n"));
                let answer = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n");
                stream.write_all(answer.as_bytes()).expect("an answer");
            }
        });
        assert!(!healthy(&addr));
        assert!(healthy(&addr));
        answers.join().expect("both answers");
        assert!(!healthy(&addr), "nobody listens");
    }
}
