import { clone, isObject, type JsonObject, setOwn } from "../json.ts";

/** The value after an RFC 7386 patch: null takes a field away, lists are replaced. The arguments stay as they are. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return clone(patch);
  const out: JsonObject = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete out[name];
    else setOwn(out, name, mergePatch(Object.hasOwn(out, name) ? out[name] : undefined, value));
  }
  return out;
}
