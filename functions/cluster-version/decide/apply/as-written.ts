import { isSame } from "../../../../shared/json/differences.ts";
import { fieldOf, isRecord } from "../../../../shared/json/fields.ts";

/** One body twice: as it is written down, and completed with defaults. */
export interface Side {
  readonly raw: unknown;
  readonly complete: unknown;
}

const field = ({ raw, complete }: Side, name: string): Side => ({
  raw: fieldOf(raw, name),
  complete: fieldOf(complete, name),
});
const item = ({ raw, complete }: Side, index: number): Side => ({
  raw: Array.isArray(raw) ? raw[index] : undefined,
  complete: Array.isArray(complete) ? complete[index] : undefined,
});

/**
 * A completed value in the words of those who wrote it: the live object's where it says the same, else the manifest's. Defaults are for
 * comparing; written, they would move a template of pods, and with it the pods, for nothing.
 */
export function asWritten(shall: unknown, live: Side, manifest: Side): unknown {
  if (isSame(shall, live.complete)) return live.raw;
  if (isSame(shall, manifest.complete)) return manifest.raw;
  if (Array.isArray(shall))
    return shall.map(
      (one: unknown, index) => asWritten(one, item(live, index), item(manifest, index)) ?? one,
    );
  if (!isRecord(shall)) return shall;
  const written: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(shall)) {
    const words = asWritten(value, field(live, name), field(manifest, name));
    if (words !== undefined) written[name] = words;
  }
  return written;
}
