import { readFileSync } from "node:fs";
import { isMap, isScalar, LineCounter, type Node, parseDocument } from "yaml";
import { messageOf } from "../../shared/errors.ts";
import { SettingsError } from "./errors.ts";
import type { SettingPath } from "./outline.ts";
import { isTree, type Tree } from "./tree.ts";

/** A settings file: what it holds, and where. */
export interface SettingsFile {
  readonly tree: Tree;
  /** `reveille.yaml:12`: the nearest there is. */
  placeOf(path: SettingPath): string;
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
  if (document.errors.length > 0)
    throw new SettingsError(
      document.errors.map(({ pos, message }) => ({ path: "", place: placeOfOffset(pos[0]), message })),
    );
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
