import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { it } from "vitest";
import { pages, root, textOf } from "./pages.ts";

/** How a heading is named in an address. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

const headingsOf = (page: string): readonly string[] =>
  [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => anchorOf(heading));

it("no link leads nowhere", () => {
  for (const page of pages())
    for (const [link, target = ""] of textOf(page).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue;
      const [path = "", anchor] = target.split("#");
      const file = path === "" ? page : join(dirname(page), path);
      assert.ok(existsSync(join(root, file)), `${page}: ${link}`);
      if (anchor !== undefined) assert.ok(headingsOf(file).includes(anchor), `${page}: ${link}`);
    }
});

it("docs/README.md leads to every page", () => {
  const index = textOf("docs/README.md");
  for (const page of pages().filter((one) => /^docs\/[^/]+\.md$/.test(one) && one !== "docs/README.md"))
    assert.ok(index.includes(`(${page.replace("docs/", "")})`), page);
});

it("every decision has a number of its own and says what, why and what was rejected", () => {
  const decisions = pages().filter((page) => page.startsWith("docs/decisions/"));
  const numbers = decisions.map((page) => /\/(\d{4})-[a-z0-9-]+\.md$/.exec(page)?.[1] ?? assert.fail(page));
  assert.equal(new Set(numbers).size, numbers.length);
  for (const [index, page] of decisions.entries()) {
    const text = textOf(page);
    assert.match(text, new RegExp(`^# ${numbers[index]}: `), page);
    assert.match(text, /\*\*What\.\*\*/, page);
    assert.match(text, /\*\*Rejected\.\*\*/, page);
  }
});
