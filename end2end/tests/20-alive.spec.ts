import { expect, open, test } from "./console";

test("the list searches while typing and keeps the question in the address", async ({ page }) => {
  await open(page, "/jobs");
  await page.keyboard.press("/");
  await page.keyboard.type("shanghai");
  await expect(page.locator("tr[data-job]")).toHaveCount(1);
  await expect(page).toHaveURL(/\/jobs\?q=shanghai$/);
  await expect(page.getByLabel("Search")).toBeFocused();
  await page.getByLabel("Search").fill("nothing is called so");
  await expect(page.getByText("No job matches")).toBeVisible();
  await page.getByRole("link", { name: "Clear", exact: true }).click();
  await expect(page.getByLabel("Search")).toHaveValue("");
  await expect(page.locator("tr[data-job]").first()).toBeVisible();
});

test("pause and resume in the list, without leaving it", async ({ page }) => {
  await open(page, "/jobs?q=once.later");
  const row = page.locator("tr[data-job='once.later']");
  await row.getByRole("button", { name: "Pause once.later" }).click();
  await expect(row.locator("[data-state]")).toHaveText("Paused");
  await row.getByRole("button", { name: "Resume once.later" }).click();
  await expect(row.locator("[data-state]")).toHaveText("Waiting");
});

test("a running run is canceled", async ({ page }) => {
  await open(page, "/jobs/slow.worker");
  await page.getByRole("button", { name: "Run now" }).click();
  await expect(page).toHaveURL(/\/runs\//);
  await page.getByRole("button", { name: "Cancel this run" }).click();
  await expect(page.locator("main .badge").first()).toHaveText("Canceled", { timeout: 15_000 });
  await expect(page.getByRole("button", { name: "Cancel this run" })).toHaveCount(0);
});

test("a second run of a busy job is refused in words", async ({ page }) => {
  await open(page, "/jobs/slow.worker");
  await page.getByRole("button", { name: "Run now" }).click();
  await expect(page).toHaveURL(/\/runs\//);
  const run = page.url();
  await open(page, "/jobs/slow.worker");
  await page.getByRole("button", { name: "Run now" }).click();
  await expect(page.getByRole("alert")).toContainText("allows only one run at a time");
  await open(page, run);
  await page.getByRole("button", { name: "Cancel this run" }).click();
  await expect(page.locator("main .badge").first()).toHaveText("Canceled", { timeout: 15_000 });
});

test("an operator overrides a code job and restores it", async ({ page }) => {
  await open(page, "/jobs/reports.nightly?tab=edit");
  const schedule = page.locator("[name='triggers[0][schedule]']");
  const before = await schedule.inputValue();
  await schedule.fill("cron 0 0 23 L * ? tz=Asia/Shanghai");
  await page.locator("[name='triggers[2][name]']").fill("noon");
  await page.locator("[name='triggers[2][schedule]']").fill("cron 0 12 * * *");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  await expect(page.locator("main .chip[data-origin]")).toHaveText("overridden");
  // the form shows the new triggers in their order, each with its own schedule
  await expect(page.locator("[data-edit-trigger=noon] [name$='[schedule]']")).toHaveValue("cron 0 12 * * *");
  await expect(page.locator("[data-edit-trigger=workdays] [name$='[schedule]']")).toHaveValue(/MON-FRI/);

  await page.getByRole("link", { name: "Code", exact: true }).click();
  await expect(page.getByText("the next start keeps the change")).toBeVisible();
  await expect(page.locator("tr[data-differs]")).toHaveCount(2);
  await page.getByRole("button", { name: "Restore the code definition" }).click();
  await expect(page.locator("main .chip[data-origin]")).toHaveText("code");
  await open(page, "/jobs/reports.nightly?tab=edit");
  await expect(page.locator("[name='triggers[0][schedule]']")).toHaveValue(before);
});

test("the preview follows the typing, and errors stand at the character", async ({ page }) => {
  await open(page, "/cron");
  await page.keyboard.press("/");
  await page.keyboard.type("0 9 * * FRX");
  await expect(page.locator(".caret mark")).toHaveText("FRX");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("I");
  await expect(page.locator("tr[data-verdict=runs]")).toHaveCount(20);
  await expect(page.getByLabel("Cron expression or schedule")).toHaveValue("0 9 * * FRI");
  await expect(page).toHaveURL(/expr=0%209/);
});

test("job data is text and never markup", async ({ page }) => {
  await open(page, "/jobs/once.later");
  await expect(page.locator("pre.block")).toContainText("<b>not markup</b>");
  await expect(page.locator("pre.block b")).toHaveCount(0);
});
