import { WAYS, expect, open, test } from "./console";

const address = (ask: Record<string, string>) => `/cron?${new URLSearchParams(ask)}`;

for (const { way, javaScriptEnabled } of WAYS) {
  test.describe(`cron preview ${way}`, () => {
    test.use({ javaScriptEnabled });

    test("S75: the night without 02:30 is shown, and nothing runs then", async ({ page }) => {
      await open(page, address({ expr: "0 30 2 * * *", tz: "Europe/Berlin", from: "2026-03-27T12:00", count: "5" }), javaScriptEnabled);
      const missing = page.locator('tr[data-verdict]:not([data-verdict="runs"])').first();
      await expect(missing).toContainText("02:30");
      await expect(missing).toContainText(/does not exist/i);
      await expect(page.locator('tr[data-fire="2026-03-28T01:30:00Z"]')).toBeVisible();
      await expect(page.locator('tr[data-fire="2026-03-30T00:30:00Z"]')).toBeVisible();
      await expect(page.locator(".sentence")).toContainText("02:30");
    });

    test("A21: the silent hour of a quarter-hourly rule is announced", async ({ page }) => {
      await open(page, address({ expr: "*/15 * * * *", tz: "Europe/Berlin", from: "2026-10-24T22:00", count: "20" }), javaScriptEnabled);
      await expect(page.locator("main")).toContainText(/silent|no fire|nothing runs/i);
      await expect(page.locator("main")).toContainText("25 Oct");
    });

    test("an error stands under its character, with what is allowed", async ({ page }) => {
      await open(page, address({ expr: "70 * * * *", tz: "UTC" }), javaScriptEnabled);
      const fault = page.getByRole("alert");
      await expect(fault).toContainText("70");
      await expect(fault).toContainText("0");
      await expect(fault).toContainText("59");
      await expect(page.getByLabel("Cron expression or schedule")).toHaveValue("70 * * * *");
    });

    test("weekday digits are read beside the other dialects", async ({ page }) => {
      await open(page, address({ expr: "0 0 9 ? * 2-6", tz: "UTC", from: "2026-06-01T00:00" }), javaScriptEnabled);
      await expect(page.locator("main")).toContainText("Quartz");
      await expect(page.locator("main")).toContainText(/Tuesday/);
    });

    test("never is said at once", async ({ page }) => {
      await open(page, address({ expr: "0 0 31 2 *", tz: "UTC" }), javaScriptEnabled);
      await expect(page.locator("main")).toContainText(/never/i);
    });

    test("the newest zone data are in force: Vancouver in December 2026", async ({ page }) => {
      await open(page, address({ expr: "0 9 * * *", tz: "America/Vancouver", from: "2026-12-10T00:00", count: "1" }), javaScriptEnabled);
      await expect(page.locator("tr[data-fire]").first()).toContainText(/[-−]07:00/);
    });

    test("the form leads to the same address", async ({ page }) => {
      await open(page, "/cron", javaScriptEnabled);
      await page.getByLabel("Cron expression or schedule").fill("0 9 * * MON-FRI");
      await page.getByLabel("Time zone").fill("Asia/Shanghai");
      await page.getByRole("button", { name: "Show" }).click();
      await expect(page).toHaveURL(/expr=0\+9|expr=0%209/);
      await expect(page.locator("tr[data-fire]").first()).toContainText("+08:00");
    });
  });
}
