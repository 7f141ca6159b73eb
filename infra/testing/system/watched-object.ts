/** Called with every field that is read: its path (an item of a list is `[Ready]` by its `type`, else `[*]`) and its value. */
export type NoteRead = (path: readonly string[], value: unknown) => void;

interface Watched {
  readonly target: object;
  readonly path: readonly string[];
  readonly note: NoteRead;
}

const watchedOf = new WeakMap<object, Watched>();
/** The fields that the language itself asks of any object. */
const ASKED_BY_ALL = new Set(["then", "toJSON", "constructor"]);
/** The names of fields: which there are. */
export const NAMES = "*";

/** The same object, which tells of every field that is read of it. One object is always watched by the same one. */
export function watchedObject<T extends object>(object: T, note: NoteRead): T {
  return watch(object, [], note, new WeakMap()) as T;
}

function watch(
  target: object,
  path: readonly string[],
  note: NoteRead,
  made: WeakMap<object, object>,
): object {
  const before = made.get(target);
  if (before !== undefined) return before;
  const below = (name: string): readonly string[] => [...path, segmentOf(target, name)];
  const proxy = new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof name === "symbol" || typeof value === "function") return value;
      if (!Object.hasOwn(target, name) && ASKED_BY_ALL.has(name)) return value;
      if (typeof value === "object" && value !== null) return watch(value, below(name), note, made);
      note(below(name), value);
      return value;
    },
    has(_, name) {
      if (typeof name === "string" && !Array.isArray(target)) note(below(name), Reflect.get(target, name));
      return Reflect.has(target, name);
    },
    ownKeys() {
      note([...path, Array.isArray(target) ? "length" : NAMES], undefined);
      return Reflect.ownKeys(target);
    },
  });
  made.set(target, proxy);
  watchedOf.set(proxy, { target, path, note });
  return proxy;
}

function segmentOf(target: object, name: string): string {
  if (!Array.isArray(target) || name === "length") return name;
  const { type } = (target[Number(name)] ?? {}) as { readonly type?: unknown };
  return typeof type === "string" ? `[${type}]` : "[*]";
}

/**
 * The same value with the objects themselves in place of those that watch them, in arrays and plain objects at any depth. Part of an
 * object that is handed on like this counts as read as a whole; an object itself is only named.
 */
export function unwatchedValue<T>(value: T, seen = new Set<unknown>()): T {
  if (typeof value !== "object" || value === null) return value;
  const watched = watchedOf.get(value);
  if (watched !== undefined) {
    if (watched.path.length > 0) watched.note([...watched.path, NAMES], undefined);
    return watched.target as T;
  }
  if (seen.has(value) || !(Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype))
    return value;
  seen.add(value);
  const fields = value as Record<string, unknown>;
  for (const name of Object.keys(fields)) {
    const plain = unwatchedValue(fields[name], seen);
    if (plain !== fields[name]) fields[name] = plain;
  }
  return value;
}
