import { isRecord } from "../../json/fields.ts";
import type { ManagedFields } from "../object.ts";

/** A place of an object, with what any of its managers owns inside. */
interface Place {
  readonly inside: Map<string, Place>;
  /** True where somebody owns it as one. */
  whole: boolean;
}

/** The ownership of an object's maps and lists by some managers: of their parts, or of each as a whole. Read once, and only where asked. */
export class Owned {
  readonly #entries: readonly ManagedFields[];
  #root: Place | undefined;
  constructor(entries: readonly ManagedFields[]) {
    this.#entries = entries;
  }

  /** @param trail the way to the map or list, in the names of fieldsV1 */
  by(trail: readonly string[]): { readonly parts: boolean; readonly whole: boolean } {
    this.#root ??= placesOf(this.#entries);
    let place: Place | undefined = this.#root;
    for (const name of trail) place = place?.inside.get(name);
    return { parts: (place?.inside.size ?? 0) > 0, whole: place?.whole === true };
  }
}

function placesOf(entries: readonly ManagedFields[]): Place {
  const root: Place = { inside: new Map(), whole: false };
  // No recursion: the depth is its writers' choice.
  const open: [Place, unknown][] = entries.map(({ fieldsV1 }) => [root, fieldsV1]);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [place, node] = next;
    const names = isRecord(node) ? Object.keys(node).filter((name) => name !== ".") : [];
    if (names.length === 0) place.whole = true;
    for (const name of names) {
      const inner = place.inside.get(name) ?? { inside: new Map(), whole: false };
      place.inside.set(name, inner);
      open.push([inner, (node as Readonly<Record<string, unknown>>)[name]]);
    }
  }
  return root;
}
