import type { AdmissionDeclaration, Change } from "../function/admission-declaration.ts";
import { DeclarationError } from "../function/system.ts";
import { type Fields, fieldOf, fieldsOf, isRecord, listOf } from "../json/fields.ts";
import { sameJson } from "../json/same-json.ts";
import type { PatchOperation } from "../kube/admission-review.ts";
import type { Kind } from "../kube/kind.ts";
import type { Segments } from "../kube/paths.ts";

const FIELDS = ["engine", "defaults", "finalizers", "labels", "entries"];
/** The fields of every object that are no kind's own. */
const COMMON = ["apiVersion", "kind", "metadata", "status"];

/**
 * The JSON patch that makes a change to an object as the API server showed it; none of its steps changes what a user said beyond what the
 * declaration allows. Throws a `DeclarationError` where the change asks for more.
 */
export function admissionPatch(
  { name, kind, admits }: Pick<AdmissionDeclaration, "name" | "kind" | "admits">,
  object: unknown,
  change: Change<Kind>,
): readonly PatchOperation[] {
  const refuse = (why: string): DeclarationError =>
    new DeclarationError("ADMISSION_CHANGE", `${name} may not change that: ${why}`);
  const stray = Object.keys(change).find((field) => !FIELDS.includes(field));
  if (stray !== undefined) throw refuse(`a change has no ${stray}; it has ${FIELDS.join(", ")}.`);
  // Its types hold names of one kind; here every kind is just a kind.
  const { engine, entries: maps, defaults, labels } = change as Fields;
  const patch = new Patch(object);
  for (const [field, value] of Object.entries(fieldsOf(engine))) {
    if (value === undefined) continue;
    const path = kind.engineOwned[field];
    if (path === undefined)
      throw refuse(`${kind.id} declares no engine-owned path ${field}: name it under engineOwned.`);
    patch.set(path, value);
  }
  for (const [map, entries] of Object.entries(fieldsOf(maps))) {
    const path = admits[map];
    if (path === undefined)
      throw refuse(`it does not declare the map ${map}: add admits: (it) => ({ ${map}: it.spec.${map} }).`);
    for (const [entry, value] of Object.entries(fieldsOf(entries)))
      if (value !== undefined) patch.set([...path, entry], value);
  }
  for (const [label, value] of Object.entries(fieldsOf(labels)))
    patch.set(["metadata", "labels", label], value);
  const common = Object.keys(fieldsOf(defaults)).find((field) => COMMON.includes(field));
  if (common !== undefined) throw refuse(`defaults are for the kind's own fields, and ${common} is none.`);
  patch.fill([], fieldsOf(defaults));
  const metadata = fieldOf(object, "metadata");
  // The server would refuse the write for a finalizer that comes after the deletion.
  if (fieldOf(metadata, "deletionTimestamp") === undefined) {
    const there = listOf(fieldOf(metadata, "finalizers"));
    const added = [...new Set(change.finalizers ?? [])].filter((one) => !there.includes(one));
    if (added.length > 0) patch.set(["metadata", "finalizers"], [...there, ...added]);
  }
  return patch.operations;
}

/** The steps so far, and the object with them. */
class Patch {
  readonly operations: PatchOperation[] = [];
  #object: unknown;

  constructor(object: unknown) {
    this.#object = object;
  }

  /** Sets a value, or takes it away where it is null; makes the maps on the way. Nothing where it is already so. */
  set(path: Segments, value: unknown): void {
    let at = this.#object;
    for (const [index, step] of path.slice(0, -1).entries()) {
      const next = isRecord(at) && Object.hasOwn(at, step) ? at[step] : undefined;
      if (!isRecord(next)) {
        // What a user wrote where a map belongs is for the server's own validation to refuse.
        if (next !== undefined && next !== null) return;
        if (value === null) return;
        this.#add(path.slice(0, index + 1), {});
        this.set(path, value);
        return;
      }
      at = next;
    }
    const last = path.at(-1) ?? "";
    const now = isRecord(at) && Object.hasOwn(at, last) ? at[last] : undefined;
    if (value === null) {
      if (now === undefined) return;
      this.operations.push({ op: "remove", path: pointer(path) });
      this.#object = changed(this.#object, path, undefined);
    } else if (!sameJson(now, value)) this.#add(path, value);
  }

  /** Adds each value whose place is empty. */
  fill(path: Segments, values: Readonly<Record<string, unknown>>): void {
    for (const [field, value] of Object.entries(values)) {
      if (value === undefined) continue;
      const at = [...path, field];
      const now = at.reduce<unknown>(fieldOf, this.#object);
      if (now === undefined || now === null) this.set(at, value);
      else if (isRecord(now) && isRecord(value)) this.fill(at, value);
    }
  }

  #add(path: Segments, value: unknown): void {
    this.operations.push({ op: "add", path: pointer(path), value });
    this.#object = changed(this.#object, path, value);
  }
}

const pointer = (path: Segments): string =>
  path.map((step) => `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** A copy with another value at the path; without it where that is undefined. */
function changed(object: unknown, [step = "", ...rest]: Segments, value: unknown): unknown {
  const { [step]: now, ...others } = fieldsOf(object);
  const next = rest.length === 0 ? value : changed(now, rest, value);
  return next === undefined ? others : { ...others, [step]: next };
}
