import { defineConfig } from "@playwright/test";

/** Where a test puts pictures meant for people: `page.screenshot({ path: `${SCREENSHOTS}/jobs.png` })`. */
export const SCREENSHOTS = process.env.HORARIUM_SCREENSHOTS ?? "screenshots";

// `cargo xtask test --only end2end` starts the server and sets the HORARIUM_… variables.
const report = process.env.HORARIUM_REPORT;

export default defineConfig({
  testDir: "./tests",
  outputDir: "test-results",
  // one server and one database for all: tests run one after the other, in the order of their file names
  workers: 1,
  fullyParallel: false,
  // a test that fails now and then is a test that fails
  retries: 0,
  forbidOnly: !!process.env.CI,
  timeout: 30_000,
  reporter: report ? [["list"], ["json", { outputFile: report }]] : [["list"]],
  use: {
    baseURL: process.env.HORARIUM_URL ?? "http://127.0.0.1:8787",
    locale: "en-US",
    timezoneId: "UTC",
    viewport: { width: 1280, height: 800 },
    screenshot: "only-on-failure",
    trace: "retain-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
      args: [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  // one browser; a test without scripts says `test.use({ javaScriptEnabled: false })` itself
  projects: [{ name: "chromium" }],
});
