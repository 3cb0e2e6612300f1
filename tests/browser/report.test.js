// Reports in a real browser: what people see, click, press, save and print.
import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { launch, look, makeReports, screenshots } from "./pages.js";

const kPages = ["ranking", "wide", "experiment", "constraints", "options", "clustering", "empty",
  "program-ranking", "program-judged", "program-experiment"];

let browser;
let folder;
before(async () => {
  folder = makeReports();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  if (folder) rmSync(folder, { recursive: true });
});

const on = (name, options, check) => look(browser, join(folder, `${name}.html`), options, check);

const shoot = (page, name) =>
  page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true });

/** Cells of a CSV text, quotes undone. */
const cellsOf = (text) => {
  const rows = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/g)) {
    rows.at(-1).push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === "\n") rows.push([]);
  }
  return rows.slice(0, -1);
};

const savedBy = async (page, button) => {
  const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), "utf8") };
};

describe("every report", () => {
  for (const name of kPages)
    it(`${name} opens without a complaint, each chart with its marks`, () =>
      on(name, {}, async (page) => {
        const charts = await page.$$eval("figure", (figures) =>
          figures.map((figure) => ({
            marks: figure.querySelectorAll(".mark").length,
            rows: JSON.parse(figure.querySelector("script.data").textContent).rows.length,
            label: figure.querySelector("svg[role=img]").getAttribute("aria-label"),
          })),
        );
        assert.equal(charts.length > 0, name !== "empty");
        for (const { marks, rows, label } of charts) {
          assert.ok(marks > 0 && marks <= rows, label);
          assert.ok(label.length > 10);
        }
        await shoot(page, name);
      }));

  for (const name of kPages)
    it(`${name} fits a phone`, () =>
      on(name, { viewport: { width: 380, height: 800 } }, async (page) => {
        const [content, screen] = await page.evaluate(() => {
          const { scrollWidth, clientWidth } = document.documentElement;
          return [scrollWidth, clientWidth];
        });
        assert.ok(content <= screen, `${content} > ${screen}`);
        const sizes = await page.$$eval("figure svg[role=img] text", (texts) =>
          texts.map((text) => {
            const scale = text.ownerSVGElement.getBoundingClientRect().width / 480;
            return parseFloat(getComputedStyle(text).fontSize) * scale;
          }),
        );
        for (const size of sizes) assert.ok(size >= 9.5, `text of ${size} px`);
        await shoot(page, `${name}-phone`);
      }));

  const kScreens = [1200, 380].flatMap((width) => kPages.map((name) => ({ name, width })));
  for (const { name, width } of kScreens)
    it(`${name} keeps the text of charts inside of them and apart at ${width} px`, () =>
      on(name, { viewport: { width, height: 800 } }, async (page) => {
        const wrong = await page.$$eval("figure svg[role=img]", (charts) =>
          charts.flatMap((chart) => {
            const outer = chart.getBoundingClientRect();
            const boxes = [...chart.querySelectorAll("text")]
              .filter((text) => text.textContent !== "")
              .map((text) => ({ text: text.textContent, box: text.getBoundingClientRect() }));
            const found = boxes
              .filter(({ box }) => box.left < outer.left - 1 || box.right > outer.right + 1)
              .map(({ text }) => `outside: ${text}`);
            boxes.forEach((a, i) =>
              boxes.slice(i + 1).forEach((b) => {
                const across = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
                const down = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
                if (across > 1 && down > 4) found.push(`${a.text} over ${b.text}`);
              }),
            );
            return found;
          }),
        );
        assert.deepEqual(wrong, []);
      }));
});

describe("names", () => {
  it("do no harm and are shown as they are", () =>
    on("ranking", {}, async (page) => {
      assert.equal(await page.evaluate(() => window.hacked), undefined);
      const shown = await page.$$eval("tbody td:nth-child(2)", (cells) =>
        cells.slice(0, 6).map((cell) => cell.textContent),
      );
      assert.equal(shown[0], "<script>alert(1)</script>");
      assert.equal(shown[1], "</script><script>window.hacked = true</script>");
      assert.equal(shown[5], '<img src=x onerror="window.hacked = true">');
    }));

  it("could not run a script if they became one", () =>
    on("ranking", {}, async (page) => {
      const policy = await page.$eval("meta[http-equiv]", (meta) => meta.content);
      assert.match(policy, /default-src 'none'/);
      assert.doesNotMatch(policy, /unsafe/);
    }));
});

describe("tooltips", () => {
  it("appear under the pointer with the numbers of the mark, and go", () =>
    on("ranking", {}, async (page) => {
      const tip = page.locator("#tip");
      await page.locator("figure .mark").nth(2).hover();
      assert.equal(await tip.isVisible(), true);
      assert.match(await tip.textContent(), /rank3feature"quoted" & 'single'score0\.1653/);
      await shoot(page, "tooltip");
      await page.mouse.move(5, 5);
      assert.equal(await tip.isVisible(), false);
    }));

  it("follow the arrow keys", () =>
    on("experiment", {}, async (page) => {
      const chart = page.locator("figure svg[role=img]").first();
      await page.locator("nav a").last().focus();
      for (let presses = 0; presses < 40; ++presses) {
        await page.keyboard.press("Tab");
        if (await chart.evaluate((element) => element === document.activeElement)) break;
      }
      const tip = page.locator("#tip");
      assert.equal(await tip.isVisible(), true, "a chart is reached by keyboard");
      const first = await tip.textContent();
      await page.keyboard.press("ArrowRight");
      assert.notEqual(await tip.textContent(), first);
      await page.keyboard.press("Escape");
      assert.equal(await tip.isVisible(), false);
    }));
});

describe("legends", () => {
  it("hide and show a line", () =>
    on("experiment", {}, async (page) => {
      const figure = page.locator("figure:has(.legend)").first();
      const line = figure.locator("[data-line='1'].line");
      await figure.locator(".legend button").nth(1).click();
      assert.equal(await line.isVisible(), false);
      await figure.locator(".legend button").nth(1).click();
      assert.equal(await line.isVisible(), true);
    }));
});

describe("tables", () => {
  const column = (page, place) =>
    page.$$eval(`table.sortable tbody td:nth-child(${place})`, (cells) =>
      cells.map((cell) => cell.textContent),
    );

  it("sort by number, by name and by keyboard, what is undefined last", () =>
    on("program-ranking", {}, async (page) => {
      const score = page.locator("th button", { hasText: "score" });
      await score.click();
      const up = (await column(page, 4)).map(Number);
      assert.deepEqual(up, [...up].sort((a, b) => a - b));
      await score.focus();
      await page.keyboard.press("Enter");
      assert.deepEqual((await column(page, 4)).map(Number), [...up].reverse());
      assert.equal(
        await page.locator("th[aria-sort]").evaluateAll((heads) => heads.map((h) => h.ariaSort).join()),
        "descending",
      );
      await page.locator("th button", { hasText: "feature" }).click();
      const names = await column(page, 2);
      assert.deepEqual(names, [...names].sort((a, b) => a.localeCompare(b)));
    }));

  it("show 200 of 7000 features and save all", () =>
    on("wide", {}, async (page) => {
      assert.equal((await column(page, 1)).length, 200);
      const { name, text } = await savedBy(page, page.locator(".table button.csv").first());
      const rows = cellsOf(text);
      assert.equal(name, "ranking.csv");
      assert.equal(rows.length, 7001);
      assert.deepEqual(rows[0].slice(0, 6), ["rank", "feature", "column", "score", "draws", "mean"]);
      assert.equal(rows[1][1], "<script>alert(1)</script>");
      assert.equal(rows[4][1], "two\nlines, and a comma");
      assert.equal(rows[7000][3], "", "undefined");
    }));
});

describe("CSV files", () => {
  for (const name of ["ranking", "experiment", "program-experiment"])
    it(`of every chart and table of ${name} equal the data`, () =>
      on(name, { acceptDownloads: true }, async (page) => {
        for (const button of await page.locator("button.csv").all()) {
          const data = JSON.parse(
            await button.evaluate((b) => b.parentElement.querySelector("script.data").textContent),
          );
          await page.waitForTimeout(120); // the browser takes ten downloads per second, no more
          const { name: file, text } = await savedBy(page, button);
          assert.equal(file, data.file);
          const [head, ...rows] = cellsOf(text);
          assert.deepEqual(head, data.columns.map((column) => column.replaceAll(" ", "_")));
          assert.deepEqual(
            rows,
            data.rows.map((row) => row.map((cell) => (cell === null ? "" : String(cell)))),
          );
        }
      }));
});

describe("other looks", () => {
  const luminance = (color) => {
    const [red, green, blue] = color.match(/[\d.]+/g).map((part) => Number(part) / 255);
    return 0.2126 * red ** 2.2 + 0.7152 * green ** 2.2 + 0.0722 * blue ** 2.2;
  };
  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const colors = (page) =>
    page.evaluate(() => {
      const style = (selector) => getComputedStyle(document.querySelector(selector));
      return {
        page: style("body").backgroundColor,
        card: style("figure").backgroundColor,
        ink: style("body").color,
        soft: style("figcaption").color,
        lines: [...document.querySelectorAll("figure:has(.legend) .line")]
          .slice(0, 6)
          .map((line) => getComputedStyle(line.querySelector(".mark")).fill),
      };
    });

  for (const colorScheme of ["light", "dark"])
    it(`${colorScheme}: text and lines stand out`, () =>
      on("experiment", { colorScheme }, async (page) => {
        const { page: back, card, ink, soft, lines } = await colors(page);
        assert.equal(luminance(back) > 0.5, colorScheme === "light");
        assert.ok(contrast(ink, back) >= 7, "text");
        assert.ok(contrast(soft, card) >= 4.5, "captions");
        assert.equal(new Set(lines).size, 6);
        for (const line of lines) assert.ok(contrast(line, card) >= 3, line);
        if (colorScheme === "dark") await shoot(page, "experiment-dark");
      }));

  for (const name of ["ranking", "experiment"])
    it(`${name} prints in black on white, without buttons, on pages of A4`, () =>
      on(name, { colorScheme: "dark" }, async (page) => {
        await page.emulateMedia({ media: "print" });
        const { page: back, ink } = await colors(page);
        assert.equal(back, "rgb(255, 255, 255)");
        assert.equal(ink, "rgb(0, 0, 0)");
        assert.equal(await page.locator("button.csv").first().isVisible(), false);
        assert.equal(await page.locator("nav").isVisible(), false);
        await page.setViewportSize({ width: 700, height: 1000 });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= 700, `${wide} px`);
        await page.pdf({ path: join(screenshots, `${name}.pdf`), format: "A4" });
        await shoot(page, `${name}-print`);
      }));
});
