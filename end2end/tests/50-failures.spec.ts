import { WAYS, expect, open, test } from "./console";

for (const { way, javaScriptEnabled } of WAYS) {
  test.describe(`the failing job, ${way}`, () => {
    test.use({ javaScriptEnabled });

    test("is found from the overview, and its run says why and what was tried", async ({ page }) => {
      await open(page, "/", javaScriptEnabled);
      await expect(page.locator("main")).toContainText("always.failing");
      await open(page, "/runs?job=always.failing&cause=retry", javaScriptEnabled);
      await page.locator("tr[data-run-row] a[href^='/runs/']").first().click();
      await expect(page).toHaveURL(/\/runs\/[0-9a-f-]{36}/);
      await expect(page.locator("main .badge").first()).toHaveText("Failed");
      await expect(page.locator("main")).toContainText(/exit status|status 1/);
      await expect(page.locator("main")).toContainText(/attempt/i);
    });
  });
}
