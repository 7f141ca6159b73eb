/** A path into an object, written as code (`it.spec.size`) and kept as data, with the type of what it leads to. */
export interface Path<V> {
  readonly [value]?: V;
  /** The rule for `ready`: the object is ready while the value at this path equals `expected`. */
  is(expected: NonNullable<V>): ReadyRule;
}
declare const value: unique symbol;

/**
 * Path segments. A plain segment is a field; `[Ready]` is the item whose `type` is Ready; `[*]` is every item.
 * A path that leads nowhere gives undefined.
 */
export type Segments = readonly string[];

/** The rule by which an object is ready: the value at `path` equals `equals`. */
export interface ReadyRule {
  readonly path: Segments;
  readonly equals: unknown;
}

type Optional<T, U> = undefined extends T ? undefined : U;

/** The same shape as `T`, in paths. `of("Ready")` picks a list item by its `type`; `every` goes through a list. */
export type Paths<T, U = never> = Path<T | U> &
  (T extends readonly (infer E)[]
    ? (E extends { type: infer Type } ? { of(type: Type): Paths<E, undefined> } : unknown) & {
        readonly every: EveryPath<E>;
      }
    : T extends object
      ? { readonly [P in keyof T]-?: Paths<NonNullable<T[P]>, Optional<T[P], U>> }
      : unknown);
type EveryPath<E> = E extends object
  ? { readonly [P in keyof E]-?: Path<readonly NonNullable<E[P]>[]> }
  : Path<readonly E[]>;

/** The values at a record of paths. The path of a map's entry is perhaps none to the compiler: its value may be missing. */
export type ValuesOf<P> = {
  readonly [N in keyof P]: NonNullable<P[N]> extends Path<infer V>
    ? V | (undefined extends P[N] ? undefined : never)
    : never;
};

const segmentsOf = new WeakMap<object, Segments>();

function step(segments: Segments): object {
  const made: object = new Proxy(
    {},
    {
      get: (_, name) => {
        if (typeof name !== "string") return undefined;
        if (name === "is") return (equals: unknown): ReadyRule => ({ path: segments, equals });
        if (name === "of") return (type: string) => step([...segments, `[${type}]`]);
        return step([...segments, name === "every" ? "[*]" : name]);
      },
    },
  );
  segmentsOf.set(made, segments);
  return made;
}

/** The beginning of all paths of an object of type `T`. */
export const pathRoot = <T>(): Paths<T> => step([]) as Paths<T>;

/** The segments of each declared path. */
export function segmentsByName(
  declared: Readonly<Record<string, unknown>> | undefined,
): Readonly<Record<string, Segments>> {
  return Object.fromEntries(
    Object.entries(declared ?? {}).map(([name, path]) => {
      const segments = typeof path === "object" && path !== null ? segmentsOf.get(path) : undefined;
      if (segments === undefined) throw new TypeError(`${name} is not a path: write it as it.spec.field`);
      return [name, segments];
    }),
  );
}

/** The value at the path, or undefined. */
export function valueAt(object: unknown, segments: Segments): unknown {
  let at = object;
  for (const [index, segment] of segments.entries()) {
    if (at === undefined || at === null) return undefined;
    if (segment === "[*]") {
      const rest = segments.slice(index + 1);
      return Array.isArray(at)
        ? at.map((item) => valueAt(item, rest)).filter((item) => item !== undefined)
        : undefined;
    }
    if (segment.startsWith("[") && segment.endsWith("]")) {
      const type = segment.slice(1, -1);
      at = Array.isArray(at)
        ? at.find((item) => (item as { type?: unknown } | null)?.type === type)
        : undefined;
    } else
      at =
        typeof at === "object" && Object.hasOwn(at, segment)
          ? (at as Record<string, unknown>)[segment]
          : undefined;
  }
  return at;
}
