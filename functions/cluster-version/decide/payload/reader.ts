import type { PayloadBundle } from "../../../../shared/ports/payloads/index.ts";
import { readingContents } from "./contents.ts";
import { PayloadError } from "./errors.ts";
import { included } from "./included.ts";
import type { Inclusion } from "./inclusion.ts";
import { DEFAULT_PROFILE, type Payload, type PayloadContents } from "./payload.ts";

/** The properties of the cluster that loading a payload asks for; capabilities and overrides are asked for when it is applied. */
export type LoadOptions = Omit<Inclusion, "capabilities" | "overrides" | "majorVersion">;

export type ReadPayload = (bundle: PayloadBundle, options: LoadOptions) => Promise<Payload>;

/** The current payload, the one that is moved to, and one that is asked for meanwhile. */
const KEPT = 3;

interface Kept {
  readonly contents: Promise<PayloadContents>;
  /** The last selection: between two reads the cluster's gates seldom change. */
  selection?: { readonly key: string; readonly payload: Payload };
}

/** The event loop has its turn after each file: a real payload takes seconds, and a lease is renewed meanwhile. */
async function read(bundle: PayloadBundle, profile: string): Promise<PayloadContents> {
  const reading = readingContents(await bundle.files(), { image: bundle.image, profile });
  for (;;) {
    const step = reading.next();
    if (step.done === true) return step.value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const keyOf = ({ featureGates, ...options }: LoadOptions): string =>
  JSON.stringify([
    Object.entries(options).sort(),
    featureGates === undefined ? null : [...featureGates].sort(),
  ]);

/**
 * Reads payloads, and remembers the last ones: what a fingerprint stands for never changes, so that a pass over a payload that
 * is known costs nothing. A payload that is invalid stays so; one that could not be fetched is asked for again.
 */
export function payloadReader(kept = KEPT): ReadPayload {
  const known = new Map<string, Kept>();
  return async (bundle, options) => {
    const profile = options.profile ?? DEFAULT_PROFILE;
    const key = JSON.stringify([bundle.image, bundle.fingerprint, profile]);
    const one: Kept = known.get(key) ?? { contents: read(bundle, profile) };
    known.delete(key);
    known.set(key, one);
    for (const oldest of [...known.keys()].slice(0, Math.max(0, known.size - kept))) known.delete(oldest);
    let contents: PayloadContents;
    try {
      contents = await one.contents;
    } catch (error) {
      if (!(error instanceof PayloadError) && known.get(key) === one) known.delete(key);
      throw error;
    }
    const asked = keyOf(options);
    if (one.selection?.key !== asked)
      one.selection = { key: asked, payload: included(contents, { ...options, profile }) };
    return one.selection.payload;
  };
}

/** The reader of this program. */
export const readPayload: ReadPayload = payloadReader();
