import { readFileSync } from "node:fs";
import { isMap, isScalar, LineCounter, type Node, parseDocument } from "yaml";
import { messageOf } from "../../shared/errors.ts";
import { type SettingFault, SettingsError } from "./errors.ts";
import type { SettingPath } from "./outline.ts";
import { isTree, type Tree } from "./tree.ts";

/** A settings file: what it holds, and where. */
export interface SettingsFile {
  readonly tree: Tree;
  /** `reveille.yaml:12`: the nearest there is. */
  placeOf(path: SettingPath): string;
  /** The faults of a file that can be read: names that stand there twice. */
  readonly faults: readonly SettingFault[];
}

/** Reads YAML or JSON, which YAML includes. Throws a `SettingsError` with the line. */
export function readSettingsFile(file: string): SettingsFile {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (thrown) {
    throw new SettingsError(
      [{ path: "", place: file, message: `cannot be read: ${messageOf(thrown)}` }],
      thrown,
    );
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const placeOfOffset = (offset: number): string => `${file}:${lines.linePos(offset).line}`;
  const faults = document.errors.map(
    ({ pos, message }): SettingFault => ({ path: "", place: placeOfOffset(pos[0]), message }),
  );
  if (document.errors.some(({ code }) => code !== "DUPLICATE_KEY")) throw new SettingsError(faults);
  document.errors = [];
  let content: unknown;
  try {
    content = document.toJS() ?? {};
  } catch (thrown) {
    throw new SettingsError([{ path: "", place: file, message: messageOf(thrown) }], thrown);
  }
  if (!isTree(content))
    throw new SettingsError([{ path: "", place: `${file}:1`, message: "settings are names with values" }]);
  return {
    tree: content,
    faults,
    placeOf(path) {
      let node: unknown = document.contents;
      let offset = 0;
      for (const name of path) {
        if (!isMap(node)) break;
        const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === name);
        if (pair === undefined) break;
        offset = (pair.key as Node).range?.[0] ?? offset;
        node = pair.value;
      }
      return placeOfOffset(offset);
    },
  };
}
