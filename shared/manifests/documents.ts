import type { ScalarTag, Tags } from "yaml";
import { messageOf } from "../errors.ts";
import { doubledKeys } from "../json/doubled-keys.ts";
import { jsonOf } from "../json/parse.ts";
import { beyondBounds, MOST_MERGED, TOO_LARGE } from "./bounds.ts";
import { canonicalJson } from "./canonical-json.ts";
import { doubledYamlKeys } from "./doubled-keys.ts";
import { mergedKeys } from "./merged-keys.ts";
import { yamlIn } from "./yaml-in.ts";

/** One document of a file that is not empty. */
export interface Document {
  /** Counted from 1, empty ones left out. */
  readonly number: number;
  /** See `Manifest.raw`. */
  readonly raw: string;
  readonly value: unknown;
  /** The paths of keys that stand there twice, of which the last one counts. Undefined: nobody asked for them. */
  readonly doubled?: readonly string[];
}

/** The question of `documentsOf` for what most readers do without. */
interface Asked {
  readonly doubled: boolean;
}

export interface DocumentFault {
  readonly number: number;
  readonly message: string;
}

export interface Documents {
  readonly documents: readonly Document[];
  readonly faults: readonly DocumentFault[];
}

/**
 * Numbers as the YAML library of Kubernetes reads them (sigs.k8s.io/yaml): octal with and without an `o`, underscores between
 * digits, no clock times; what looks like a number and is none stays a text.
 */
const INTEGER: ScalarTag = {
  tag: "tag:yaml.org,2002:int",
  default: true,
  test: /^[-+]?(?:0[xX][0-9a-fA-F_]*[0-9a-fA-F]|0[bB][01_]*[01]|0[oO][0-7][0-7_]*|0[0-7_]*|[1-9][0-9_]*)$/,
  resolve: (text) => {
    const digits = text.replaceAll("_", "").replace(/^[-+]/, "");
    const value = BigInt(digits.replace(/^0(?=[0-7])/, "0o").toLowerCase());
    return text.startsWith("-") ? -value : value;
  },
};
const FLOAT: ScalarTag = {
  tag: "tag:yaml.org,2002:float",
  default: true,
  test: /^(?:\.[0-9]+|[-+]\.[0-9][0-9_]*|[-+]?[0-9][0-9_]*(?:\.[0-9_]*)?)(?:[eE][-+]?[0-9]+)?$/,
  resolve: (text) => Number(text.replaceAll("_", "")),
};

/** The text that base64 stands for. */
const BINARY: ScalarTag = {
  tag: "tag:yaml.org,2002:binary",
  resolve: (text, onError) => {
    const packed = text.replaceAll(/\s/g, "");
    if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(packed))
      onError("!!binary holds no base64");
    return Buffer.from(packed, "base64").toString("utf8");
  },
};

/** YAML 1.1 as Kubernetes reads it: `yes` and `0644` mean something, dates and sets are texts. */
export const KUBERNETES_YAML = {
  version: "1.1",
  schema: "yaml-1.1",
  uniqueKeys: false,
  logLevel: "silent",
  customTags: (tags: Tags): Tags => [
    ...tags.filter(
      (tag) =>
        typeof tag === "string" ||
        !/:(int|float|timestamp|binary|omap|pairs|set)$/.test(tag.tag) ||
        isNoNumber(tag),
    ),
    INTEGER,
    FLOAT,
    BINARY,
  ],
} as const;

/** The tag of infinities and of what is no number, which JSON then refuses. */
const isNoNumber = (tag: Exclude<Tags[number], string>): boolean => tag.test?.test(".inf") === true;

/** The most repetitions of anchors, those within anchors multiplied: more is an attack on memory. */
const MOST_ALIASES = 10_000;

const DIRECTIVE = "it begins with a %YAML directive, which Kubernetes does not read";

function yamlDocuments(text: string, before: number, asked: Asked): Documents {
  const documents: Document[] = [];
  const faults: DocumentFault[] = [];
  const numbered = (): number => before + documents.length + faults.length + 1;
  if (text.includes("\0"))
    return { documents, faults: [{ number: numbered(), message: "it holds a byte 0" }] };
  const parsed = yamlIn(text, KUBERNETES_YAML);
  let next = parsed.next();
  for (let isFirst = true; next.done !== true; isFirst = false, next = parsed.next()) {
    const { document: one, fault: broken } = next.value;
    // What follows `...` belongs to no document until the next `---`.
    if (!isFirst && one.directives?.docStart !== true) continue;
    const number = numbered();
    const fault =
      one.directives?.yaml.explicit === true
        ? DIRECTIVE
        : (broken ?? (mergedKeys(one) > MOST_MERGED ? TOO_LARGE : undefined));
    if (fault !== undefined) {
      faults.push({ number, message: fault });
      continue;
    }
    try {
      const value: unknown = one.toJS({ maxAliasCount: MOST_ALIASES });
      const beyond = beyondBounds(value);
      if (beyond !== undefined) {
        faults.push({ number, message: beyond });
        continue;
      }
      const raw = canonicalJson(value);
      const doubled = asked.doubled ? { doubled: doubledYamlKeys(one.contents) } : {};
      if (raw !== "null") documents.push({ number, raw, value: JSON.parse(raw), ...doubled });
    } catch (error) {
      const message = messageOf(error);
      faults.push({ number, message: message.startsWith("Excessive alias count") ? TOO_LARGE : message });
    }
  }
  if (next.value !== undefined) faults.push({ number: numbered(), message: next.value });
  return { documents, faults };
}

/** The end of the JSON object that starts at `from`, or -1 where it never ends. */
function endOfObject(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === "\\") at++;
    } else if (character === "{") depth++;
    else if (character === "}" && --depth === 0) return at + 1;
  }
  return -1;
}

/**
 * The documents of a manifest file. A text that starts with `{` is JSON, whatever the file's name says; several objects may
 * follow each other. What turns out not to be JSON is read as YAML from there on.
 */
export function documentsOf(text: string, asked: Asked = { doubled: false }): Documents {
  const documents: Document[] = [];
  // Files that were put together bring their byte order marks along.
  let rest = text.replace(/^\uFEFF/gm, "");
  for (;;) {
    rest = rest.trimStart();
    if (rest === "") return { documents, faults: [] };
    const end = rest.startsWith("{") ? endOfObject(rest, 0) : -1;
    const raw = end < 0 ? undefined : rest.slice(0, end);
    const value = raw === undefined ? undefined : jsonOf(raw);
    if (raw === undefined || value === undefined) break;
    const number = documents.length + 1;
    const beyond = beyondBounds(value);
    if (beyond !== undefined) return { documents, faults: [{ number, message: beyond }] };
    const doubled = asked.doubled ? { doubled: doubledKeys(raw) } : {};
    documents.push({ number, raw, value, ...doubled });
    rest = rest.slice(raw.length);
  }
  const { documents: others, faults } = yamlDocuments(rest, documents.length, asked);
  return { documents: [...documents, ...others], faults };
}

/** The documents of a file that somebody is about to apply: a key that stands there twice is a fault, as it is to `kubectl apply`. */
export function strictDocumentsOf(text: string): Documents {
  const { documents, faults } = documentsOf(text, { doubled: true });
  const twofold = documents.flatMap(({ number, doubled: [path] = [] }) =>
    path === undefined ? [] : [{ number, message: `${path} stands there twice: leave one of them out` }],
  );
  return { documents, faults: [...faults, ...twofold].sort((one, other) => one.number - other.number) };
}
