import { expect, test } from "./console";

test.use({ javaScriptEnabled: false });

test("a job is paused with a reason and resumed", async ({ page }) => {
  await page.goto("/jobs/reports.nightly");
  await page.getByText("Pause…", { exact: true }).click();
  await page.getByLabel("Reason").fill("moving the archive");
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await expect(page.locator("[data-tone=paused]")).toContainText("moving the archive");
  await expect(page.locator("main .badge").first()).toHaveText("Paused");
  await expect(page.locator(".fire[data-struck]").first()).toContainText("the job is paused");

  await page.getByText("Resume…", { exact: true }).click();
  await expect(page.getByText("missed fires are passed over")).toBeVisible();
  await page.getByRole("button", { name: "Resume", exact: true }).click();
  await expect(page.locator("[data-tone=paused]")).toHaveCount(0);
});

test("bad data comes back with the error and the text", async ({ page }) => {
  await page.goto("/jobs/by.hand");
  await page.getByText("Run with data…").click();
  await page.locator("#run-data").fill('{ "text": }');
  await page.getByRole("button", { name: "Run with this data" }).click();
  await expect(page.getByRole("alert")).toContainText("line 1, column 11");
  await expect(page.locator("#run-data")).toHaveValue('{ "text": }');
});

test("run now leads to the run", async ({ page }) => {
  await page.goto("/jobs/by.hand");
  await page.getByRole("button", { name: "Run now" }).click();
  await expect(page).toHaveURL(/\/runs\/[0-9a-f-]{36}$/);
  await expect(async () => {
    await page.reload();
    await expect(page.locator("main .badge").first()).toHaveText("Succeeded", { timeout: 200 });
  }).toPass();
  await expect(page.getByRole("log")).toContainText("by hand");
});

test("a wrong schedule is shown at the character and nothing typed is lost", async ({ page }) => {
  await page.goto("/jobs/interval.minute?tab=edit");
  await page.getByLabel("Description").fill("typed before the mistake");
  await page.locator("[name='triggers[0][schedule]']").fill("cron 0 99 * * *");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.locator(".caret mark")).toHaveText("99");
  await expect(page.locator("[name='triggers[0][schedule]']")).toHaveValue("cron 0 99 * * *");
  await expect(page.getByLabel("Description")).toHaveValue("typed before the mistake");
});

test("the preview is whole and its form works", async ({ page }) => {
  await page.goto("/cron");
  await page.getByLabel("Cron expression or schedule").fill("0 30 2 * * *");
  await page.getByLabel("Time zone").fill("Europe/Berlin");
  await page.getByLabel("From").fill("2027-03-25T00:00");
  await page.getByRole("button", { name: "Show" }).click();
  await expect(page.locator(".sentence")).toContainText("02:30");
  await expect(page.locator("tr[data-verdict=runs]")).toHaveCount(20);
  await expect(page.locator("tr[data-verdict=missing]")).toContainText("does not exist");
});

test("what is not there answers 404", async ({ page }) => {
  for (const address of ["/nowhere", "/jobs/no-such-job", "/runs/01a22e92-0000-8000-8000-000000000000"]) {
    const answer = await page.goto(address);
    expect(answer?.status(), address).toBe(404);
    await expect(page.getByRole("heading", { name: "Not found" })).toBeVisible();
  }
});

test("preferences are kept and change the times", async ({ page }) => {
  await page.goto("/jobs");
  await page.locator("header details summary").click();
  await page.getByLabel("Colours").selectOption("dark");
  await page.getByLabel("Show times in").fill("Asia/Tokyo");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page).toHaveURL(/\/jobs$/);
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(page.locator("tr[data-job='once.later'] time")).toContainText("2090-01-01 09:00:00 JST");
});
