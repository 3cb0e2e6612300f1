// Reports to look at, and the browser to look with. Expects the release build that ./test has made.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const build = process.env.TAMIS_BUILD ?? join(root, "build/release");
export const screenshots = join(root, "build/browser");
mkdirSync(screenshots, { recursive: true });

/** The folder with the sample reports, and with those that the program makes of generated tables. */
export const makeReports = () => {
  const folder = mkdtempSync(join(tmpdir(), "tamis-browser-"));
  execFileSync(join(build, "tests/tamis_report_probe"), [folder]);
  const tamis = (...words) => execFileSync(join(build, "tamis"), words, { cwd: folder });
  tamis("generate", "wave", "--rows", "200", "-q", "-o", "wave.csv");
  tamis("generate", "blobs", "--rows", "90", "-q", "-o", "blobs.csv");
  const few = ["--labels-per-class", "3", "-q"];
  tamis("rank", "wave.csv", "--method", "ens_cls", ...few, "--report", "program-ranking.html");
  tamis("rank", "wave.csv", ...few, "--top", "auto", "--report", "program-judged.html");
  const experiment = ["--methods", "cls,fisher_score", "--runs", "3", "--top", "1:10"];
  tamis("evaluate", "wave.csv", "blobs.csv", ...experiment, "-q", "-o", "results.jsonl");
  tamis("report", "results.jsonl", "-o", "program-experiment.html");
  return folder;
};

/** Debian's browser. Its sandbox needs rights that root and most containers do not have. */
export const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });

/** Opens a page and collects what goes wrong on it, such as requests to other hosts. */
const open = async (browser, file, options = {}) => {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
  const page = await context.newPage();
  const problems = [];
  page.on("console", (message) => problems.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!/^(file|blob|data):/.test(request.url())) problems.push(`request: ${request.url()}`);
  });
  await page.goto(pathToFileURL(file).href);
  return { page, problems, close: () => context.close() };
};

/** Runs a check on an opened page, which must have no problems at the end. */
export const look = async (browser, file, options, check) => {
  const opened = await open(browser, file, options);
  try {
    await check(opened.page);
    assert.deepEqual(opened.problems, []);
  } finally {
    await opened.close();
  }
};
