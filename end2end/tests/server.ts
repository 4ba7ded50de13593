import { spawn } from "node:child_process";
import { openSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect } from "@playwright/test";

const env = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; run the tests with: cargo xtask test --only end2end`);
  return value;
};

/** The binary under test and its data, for commands beside the server. */
export const BINARY = () => env("HORARIUM_BIN");
export const DATA = () => env("HORARIUM_DATA");

let pid = Number(process.env.HORARIUM_PID ?? 0);

/** An ended child that nobody has asked about is a zombie, not running. */
function isRunning(id: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${id}/status`, "utf8"));
  } catch {
    return false;
  }
}

async function isReady(): Promise<boolean> {
  try {
    return (await fetch(`${env("HORARIUM_URL")}/readyz`)).ok;
  } catch {
    return false;
  }
}

/**
 * Stops the server as a service manager would, or as a power cut would, and starts it again on the same data. Answers what
 * `down` found out while it was away.
 */
export async function restart(signal: "SIGTERM" | "SIGKILL" = "SIGTERM", down = () => ""): Promise<string> {
  process.kill(pid, signal);
  await expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(false);
  const answer = down();
  const log = openSync(join(DATA(), "restarted.log"), "a");
  const child = spawn(
    BINARY(),
    ["serve", "--config", env("HORARIUM_CONFIG"), "--data", DATA(), "--listen", env("HORARIUM_ADDR")],
    { stdio: ["ignore", log, log], detached: true },
  );
  child.unref();
  pid = child.pid ?? 0;
  await expect.poll(isReady, { timeout: 20_000 }).toBe(true);
  return answer;
}
