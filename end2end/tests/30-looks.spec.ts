import AxeBuilder from "@axe-core/playwright";
import { SCREENSHOTS } from "../playwright.config";
import { type Page } from "@playwright/test";
import { expect, open, test } from "./console";

const PAGES = {
  overview: "/",
  jobs: "/jobs",
  job: "/jobs/reports.nightly",
  triggers: "/jobs/reports.nightly?tab=triggers",
  code: "/jobs/reports.nightly?tab=code",
  edit: "/jobs/reports.nightly?tab=edit",
  runs: "/runs",
  cron: "/cron?expr=0%2030%202%20*%20*%20*&tz=Europe/Berlin&from=2027-03-25T00:00",
  "cron-error": "/cron?expr=0%2099%20*%20*%20*",
  nodes: "/nodes",
  calendars: "/calendars",
  changes: "/audit",
  "job-runs": "/jobs/seconds.tick?tab=runs",
  "jobs-none": "/jobs?q=nothing-is-called-so",
  "cron-empty": "/cron",
  "not-found": "/nowhere",
};

/** The addresses above, and a failed run. */
async function pages(page: Page): Promise<[string, string][]> {
  await open(page, "/runs?job=always.failing&status=failed");
  const run = await page.locator("tr[data-run-row] a[href^='/runs/']").first().getAttribute("href");
  return [...Object.entries(PAGES), ["run", run ?? "/runs"]];
}

for (const width of [375, 1280, 1920]) {
  for (const scheme of ["light", "dark"] as const) {
    test(`every page fits ${width} px, ${scheme}`, async ({ page }) => {
      test.setTimeout(120_000);
      await page.setViewportSize({ width, height: 860 });
      await page.emulateMedia({ colorScheme: scheme });
      for (const [name, address] of await pages(page)) {
        await open(page, address);
        const wider = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(wider, `${name} is wider than the screen`).toBeLessThanOrEqual(0);
        const styled = await page.locator("[style]").count();
        expect(styled, `${name} has style attributes`).toBe(0);
        await page.screenshot({ path: `${SCREENSHOTS}/${name}-${width}-${scheme}.png`, fullPage: true });
      }
    });
  }
}

for (const scheme of ["light", "dark"] as const) {
  test(`every page is accessible, ${scheme}`, async ({ page }) => {
    test.setTimeout(120_000);
    await page.emulateMedia({ colorScheme: scheme });
    for (const [name, address] of await pages(page)) {
      await open(page, address);
      const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21aa"]).analyze();
      const found = violations.map((v) => `${name}: ${v.id} ${v.nodes.map((n) => n.target.join(" ")).slice(0, 3).join(", ")}`);
      expect(found).toEqual([]);
    }
  });
}

for (const scheme of ["light", "dark"] as const) {
  test(`the doors fit and are accessible, ${scheme}`, async ({ browser, baseURL }) => {
    const context = await browser.newContext({ baseURL, colorScheme: scheme, storageState: { cookies: [], origins: [] } });
    const page = await context.newPage();
    for (const [name, address] of [["sign-in", "/sign-in?error=bad_credentials&name=ada"], ["setup", "/setup"]] as const) {
      for (const width of [375, 1280, 1920]) {
        await page.setViewportSize({ width, height: 860 });
        await open(page, address);
        const wider = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(wider, `${name} is wider than the screen`).toBeLessThanOrEqual(0);
        const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21aa"]).analyze();
        expect(violations.map((v) => v.id)).toEqual([]);
        await page.screenshot({ path: `${SCREENSHOTS}/${name}-${width}-${scheme}.png`, fullPage: true });
      }
    }
    await context.close();
  });
}
