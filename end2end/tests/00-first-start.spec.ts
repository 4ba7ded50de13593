import { expect, test } from "@playwright/test";
import { ADMIN, SESSION } from "./console";

test.describe("the first start", () => {
  test.use({ javaScriptEnabled: false });

  test("leads nobody in without a name", async ({ page }) => {
    await page.goto("/jobs?state=paused");
    await expect(page).toHaveURL(/\/sign-in\?next=/);
    await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Runs" })).toHaveCount(0);
  });

  test("makes the first administrator from the printed link, without scripts", async ({ page }) => {
    const link = process.env.HORARIUM_SETUP_LINK ?? "";
    expect(link).toContain("/setup?token=");
    const address = new URL(link);
    await page.goto(address.pathname + address.search);
    await page.getByLabel("Name").fill(ADMIN.name);
    await page.getByLabel("Password", { exact: true }).fill(ADMIN.password);
    await page.getByLabel("Password again").fill("something else entirely");
    await page.getByRole("button", { name: "Create administrator" }).click();
    await expect(page.getByRole("alert")).toContainText("not the same");
    await expect(page.getByLabel("Name")).toHaveValue(ADMIN.name);

    await page.getByLabel("Password", { exact: true }).fill(ADMIN.password);
    await page.getByLabel("Password again").fill(ADMIN.password);
    await page.getByRole("button", { name: "Create administrator" }).click();
    await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
    await page.context().storageState({ path: SESSION });
  });

  test("opens that link only once", async ({ page }) => {
    const address = new URL(process.env.HORARIUM_SETUP_LINK ?? "");
    await page.goto(address.pathname + address.search);
    await expect(page.getByLabel("Password again")).toHaveCount(0);
    await page.goto("/jobs");
    await expect(page).toHaveURL(/sign-in/);
  });

  test("ends a session on the server when somebody signs out", async ({ page }) => {
    await page.goto("/sign-in?next=/jobs");
    await page.getByLabel("Name").fill(ADMIN.name);
    await page.getByLabel("Password").fill(ADMIN.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page).toHaveURL("/jobs");
    const cookies = await page.context().cookies();
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect(page).toHaveURL(/sign-in/);
    await page.context().addCookies(cookies);
    await page.goto("/jobs");
    await expect(page).toHaveURL(/sign-in/);
  });

  test("says that a name or password is wrong, and not which", async ({ page }) => {
    await page.goto("/sign-in");
    await page.getByLabel("Name").fill(ADMIN.name);
    await page.getByLabel("Password").fill("wrong wrong wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("alert")).toContainText("The name or the password is not right");
  });
});
