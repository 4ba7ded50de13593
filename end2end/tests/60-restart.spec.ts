import { execFileSync } from "node:child_process";

import { WAYS, expect, open, test } from "./console";
import { BINARY, DATA, restart } from "./server";

test.describe.configure({ timeout: 120_000 });

for (const { way, javaScriptEnabled } of WAYS) {
  test.describe(`over a restart, ${way}`, () => {
    test.use({ javaScriptEnabled });

    test("S152–S158: an override is kept while the code is unchanged, and restored", async ({ page }) => {
      await open(page, "/jobs/reports.nightly?tab=edit", javaScriptEnabled);
      const schedule = page.locator('[data-edit-trigger="workdays"]').getByLabel("Schedule");
      await schedule.fill("cron 0 30 7 * * MON-FRI tz=Asia/Shanghai");
      await page.getByRole("button", { name: "Save" }).click();
      await expect(page.locator("main .chip[data-origin]")).toHaveText("overridden");
      await open(page, "/jobs?origin=overridden", javaScriptEnabled);
      await expect(page.locator('tr[data-job="reports.nightly"]')).toContainText("overridden");

      await restart();
      await open(page, "/jobs/reports.nightly?tab=code", javaScriptEnabled);
      await expect(page.getByText("the next start keeps the change")).toBeVisible();
      await expect(page.locator("tr[data-differs]")).toContainText("0 0 6");
      await expect(page.locator("tr[data-differs]")).toContainText("0 30 7");

      await page.getByRole("button", { name: "Restore the code definition" }).click();
      await expect(page.locator("main .chip[data-origin]")).toHaveText("code");
    });

    test("S157: a paused job stays paused, says why, and resumes", async ({ page }) => {
      await open(page, "/jobs/interval.minute", javaScriptEnabled);
      await page.getByText("Pause…", { exact: true }).click();
      await page.getByLabel("Reason").fill("month end <i>closing</i>");
      await page.getByRole("button", { name: "Pause", exact: true }).click();
      await expect(page.locator("[data-tone=paused]")).toContainText("month end <i>closing</i>");

      await restart();
      await open(page, "/jobs/interval.minute", javaScriptEnabled);
      await expect(page.locator("[data-tone=paused]")).toContainText("month end <i>closing</i>");
      await expect(page.locator("[data-tone=paused]")).toContainText("ada");
      await page.getByText("Resume…", { exact: true }).click();
      await page.getByRole("button", { name: "Resume", exact: true }).click();
      await expect(page.locator("[data-tone=paused]")).toHaveCount(0);
      await open(page, "/audit", javaScriptEnabled);
      await expect(page.locator("main")).toContainText("interval.minute");
    });
  });
}

test("kill -9 in the middle of runs: they are settled, nothing fires twice, the ledger has no hole", async ({ page }) => {
  await open(page, "/jobs/slow.worker");
  await page.getByRole("button", { name: "Run now" }).click();
  await expect(page).toHaveURL(/\/runs\/[0-9a-f-]{36}/);
  await expect(page.locator("main .badge").first()).toHaveText("Running");
  const run = page.url();

  await restart("SIGKILL");
  await open(page, run);
  await expect(page.locator("main .badge").first()).toHaveText("Lost");

  // work after the crash, then an orderly end: the store is free for the audit
  const after = new Date().toISOString().slice(0, 16);
  await expect(async () => {
    await open(page, `/runs?job=seconds.tick&status=succeeded&from=${after}`);
    await expect(page.locator("tr[data-run-row]")).not.toHaveCount(0, { timeout: 500 });
  }).toPass({ timeout: 20_000 });
  const audit = await restart("SIGTERM", () => execFileSync(BINARY(), ["audit", "--data", DATA()], { encoding: "utf8" }));
  expect(audit.trim().split("\n").pop()).toMatch(/^[1-9]\d* instants, 0 holes, 0 doubles$/);
});
