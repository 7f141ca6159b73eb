import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { describe, it } from "vitest";
import { program } from "../../infra/cli/program.ts";
import { blocksOf, pages, root, textOf } from "./pages.ts";

/** A command that a page shows. */
interface Shown {
  readonly page: string;
  readonly text: string;
}

const manifest = JSON.parse(textOf("package.json")) as { readonly scripts: Readonly<Record<string, string>> };

/** The lines of shell blocks, and the code within sentences, cut where one command ends and the next begins. */
function shownOn(page: string): readonly Shown[] {
  const blocks = blocksOf(page);
  const lines = blocks.filter(({ language }) => language === "sh").flatMap(({ text }) => text.split("\n"));
  const prose = blocks.reduce((text, block) => text.replace(block.text, ""), textOf(page));
  const spans = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code.replaceAll("\\|", "|"));
  return [...lines, ...spans]
    .flatMap((line) => line.replace(/(^|\s)#.*/, "").split(/&&|;| \| /))
    .map((text) => ({ page, text: text.trim() }));
}

const shown = pages().flatMap(shownOn);

/** The words after `reveille`, where the command is one of ours. `npm start -- …` is `reveille dev …`. */
function wordsOf(text: string): readonly string[] | undefined {
  const own = /^(?:npx )?reveille (?=[a-z])(.*)$/.exec(text)?.[1];
  const start = /^npm start -- (.*)$/.exec(text)?.[1];
  return (own ?? (start === undefined ? undefined : `dev ${start}`))?.split(/\s+/);
}

describe("commands in the documentation", () => {
  const ours = shown.flatMap(({ page, text }) => {
    const words = wordsOf(text);
    return words === undefined ? [] : [{ page, text, words }];
  });
  const ABOVE_OTHERS = [
    "dead-letters",
    "config",
    "command",
    "cluster-version",
    "cluster-stack",
    "kudo",
    "kudo plan",
    "kudo package",
    "kyma",
    "kyma module",
    "kyma policy",
  ];
  const commandOf = (words: readonly string[]): readonly string[] => {
    let depth = 1;
    while (ABOVE_OTHERS.includes(words.slice(0, depth).join(" ")) && /^[a-z-]+$/.test(words[depth] ?? ""))
      depth++;
    return words.slice(0, depth);
  };

  it("shows some", () => assert.ok(ours.length > 30, String(ours.length)));

  it("names only commands and flags that there are", async () => {
    const helps = new Map<string, string>();
    const reveille = await program();
    for (const { page, text, words } of ours) {
      const names = commandOf(words);
      const command = names.reduce<Command | undefined>(
        (above, name) => above?.commands.find((one) => one.name() === name),
        reveille,
      );
      helps.set(
        names.join(" "),
        command?.helpInformation() ?? assert.fail(`${page}: ${text}: no such command`),
      );
    }
    for (const { page, text, words } of ours) {
      const command = commandOf(words);
      const help = helps.get(command.join(" ")) ?? "";
      assert.match(help, new RegExp(`^Usage: reveille ${command.join(" ")}\\b`), `${page}: ${text}`);
      // What follows `kubectl` is kubectl's.
      if (command[0] === "kubectl") continue;
      for (const word of words) {
        const flag = /^--?[a-z][a-z-]*/.exec(word)?.[0];
        if (flag !== undefined)
          assert.match(help, new RegExp(`(^|[\\s,])${flag}\\b`, "m"), `${page}: ${text}: no ${flag}`);
      }
    }
  });

  it("names only scripts of package.json", () => {
    for (const { page, text } of shown) {
      const script = /^npm (?:run )?(start|test|[a-z]+:[a-z]+|(?<=run )[a-z]+)\b/.exec(text)?.[1];
      if (script !== undefined) assert.ok(manifest.scripts[script], `${page}: ${text}`);
    }
  });

  it("names only files that are there, or that the page lets one type", () => {
    for (const { page, text } of shown) {
      // A page names a file that one types before its block.
      const typed = [...textOf(page).matchAll(/`([\w./-]+)`:\n\n```/g)].map(([, name]) => name);
      for (const [, file = ""] of text.matchAll(
        /(?:^| )(?:-f |--test )?((?:samples|examples|shared|test|functions)\/[\w./-]+\.\w+)/g,
      ))
        assert.ok(typed.includes(file) || existsSync(join(root, file)), `${page}: ${text}: no ${file}`);
    }
  });
});
