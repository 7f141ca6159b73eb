import { createHash, type Hash, hash } from "node:crypto";
import { DIGEST_CHARACTERS } from "./digest.ts";

/** A value that is being written: what of it is still to come. */
type Open =
  | { readonly items: readonly unknown[]; at: number }
  | {
      readonly fields: Readonly<Record<string, unknown>>;
      readonly names: readonly string[];
      at: number;
      isEmpty: boolean;
    };

/** A text that grows by small parts takes twenty times its length until it is read: of a long one no more than this grows at a time. */
const PIECE_CHARACTERS = 8_192;

/**
 * Gives the canonical text piece by piece. Without recursion, since the API server takes objects that are nested deeper than a stack
 * reaches. No character is split over two pieces.
 */
function write(value: unknown, take: (piece: string, isLast: boolean) => void): void {
  const open: Open[] = [];
  let text = "";
  let current: unknown = value;
  for (;;) {
    if (text.length >= PIECE_CHARACTERS) {
      take(text, false);
      text = "";
    }
    if (current === null || typeof current !== "object") text += JSON.stringify(current) ?? "null";
    else if (Array.isArray(current)) {
      text += "[";
      open.push({ items: current, at: 0 });
    } else {
      text += "{";
      const fields = current as Readonly<Record<string, unknown>>;
      open.push({ fields, names: Object.keys(fields).sort(), at: 0, isEmpty: true });
    }
    let more = false;
    while (!more) {
      const inner = open.at(-1);
      if (inner === undefined) {
        take(text, true);
        return;
      }
      if ("items" in inner) {
        if (inner.at < inner.items.length) {
          if (inner.at > 0) text += ",";
          current = inner.items[inner.at++];
          more = true;
          continue;
        }
        text += "]";
        open.pop();
        continue;
      }
      const name = inner.names[inner.at++];
      if (name === undefined) {
        text += "}";
        open.pop();
        continue;
      }
      current = inner.fields[name];
      if (current === undefined) continue;
      text += `${inner.isEmpty ? "" : ","}${JSON.stringify(name)}:`;
      inner.isEmpty = false;
      more = true;
    }
  }
}

/** JSON with sorted keys: equal values give equal text, in whatever order a server writes its fields. For values that are short. */
export function canonical(value: unknown): string {
  let text = "";
  write(value, (piece) => {
    text += piece;
  });
  return text;
}

/** The digest of a value's canonical text, and the bytes of that text, which is never held whole. */
export function canonicalDigest(value: unknown): { readonly digest: string; readonly bytes: number } {
  let sum: Hash | undefined;
  let digest = "";
  let bytes = 0;
  write(value, (piece, isLast) => {
    bytes += Buffer.byteLength(piece);
    // Most texts are one piece, whose digest takes half of the time at once.
    if (isLast && sum === undefined) digest = hash("sha256", piece, "base64url");
    else {
      sum ??= createHash("sha256");
      sum.update(piece);
    }
  });
  return { digest: (sum?.digest("base64url") ?? digest).slice(0, DIGEST_CHARACTERS), bytes };
}
