// The documentation as a site, opened from the file system. Expects what tools/site has made.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { launch, look, screenshots } from "./pages.js";

const site = join(screenshots, "../site");
const kPages = ["index", "docs/gallery/gene_expression", "docs/methods/cls", "docs/benchmark",
  "docs/cpp", "docs/site/api/tamis", "docs/site/api/tamis.CLS"];

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const on = (name, options, check) => look(browser, join(site, `${name}.html`), options, check);

const shoot = (page, name) =>
  page.screenshot({ path: join(screenshots, `site-${name.replaceAll("/", "-")}.png`) });

const assertFits = async (page) => {
  const overflow = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
  assert.equal(overflow, 0);
};

for (const name of kPages) {
  it(`shows ${name}, with all pictures and nothing from elsewhere`, () =>
    on(name, { viewport: { width: 1408, height: 900 } }, async (page) => {
      await assertFits(page);
      const broken = await page.evaluate(() =>
        [...document.images].filter((image) => image.naturalWidth === 0).map((image) => image.src));
      assert.deepEqual(broken, []);
      await shoot(page, name);
    }));

  it(`fits ${name} on a phone in the dark`, () =>
    on(name, { viewport: { width: 390, height: 800 }, colorScheme: "dark" }, async (page) => {
      await assertFits(page);
      await shoot(page, `${name}-phone`);
    }));
}

it("searches without a server", () =>
  on("index", {}, async (page) => {
    await page.fill("input[name=q]", "laboratories");
    await page.press("input[name=q]", "Enter");
    const first = page.locator("#search-results li a").first();
    await first.waitFor();
    assert.match(await first.innerText(), /Gene expression/);
    await first.click();
    assert.match(page.url(), /gallery\/gene_expression\.html/);
  }));
