import { expect, test as base, type Page } from "@playwright/test";

/** Where the signed-in session is kept between the files of this folder. */
export const SESSION = "test-results/session.json";
export const ADMIN = { name: "ada", password: "correct horse battery staple" };

/** Both ways of using the console. */
export const WAYS = [
  { way: "with scripts", javaScriptEnabled: true },
  { way: "without scripts", javaScriptEnabled: false },
];

/** A signed-in page whose every error in the console fails the test. */
export const test = base.extend<{ page: Page }>({
  storageState: SESSION,
  page: async ({ page }, use) => {
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    page.on("console", (message) => {
      // the browser itself reports what the server refuses, a page that is not there or a busy job
      if (message.type() === "error" && !/status of 4\d\d/.test(message.text())) {
        errors.push(message.text());
      }
    });
    await use(page);
    expect(errors).toEqual([]);
  },
});

/** Opens an address and waits until the page is alive; without scripts it is as alive as it gets. */
export async function open(page: Page, address: string, scripts: boolean | undefined = true) {
  await page.goto(address);
  if (scripts) await page.waitForSelector("body[data-hydrated]");
}

export { expect };
