import type { Metadata } from "../assets/index.ts";
import type { StackVersion } from "../names/index.ts";
import { NODE_IMAGES, type PackedVersions, type ReleaseDraft } from "./pack.ts";

type Files = ReadonlyMap<string, Uint8Array>;
/** A release that was published before, as far as it is compared. */
export interface FormerRelease {
  readonly metadata: Metadata;
  readonly files: Files;
  readonly archives: ReadonlyMap<string, { readonly files: Files } | { readonly fault: string }>;
}

const FIRST: StackVersion = { major: "1", custom: undefined };
const after = ({ major }: StackVersion): StackVersion => ({
  major: String(BigInt(major) + 1n),
  custom: undefined,
});

/** Files of a release that are not compared: they say nothing of its content, or are not read of the one before. */
const ABOUT = ["metadata.yaml", "hashes.json", NODE_IMAGES];

/**
 * The versions of the next stable release: one more than the former's; the addons keep theirs where they are the same. Undefined: nothing
 * changed. `draft` lays out the source with versions.
 */
export function nextVersions(
  former: FormerRelease | undefined,
  draft: (versions: PackedVersions) => ReleaseDraft,
): PackedVersions | undefined {
  if (former === undefined) return { stack: FIRST, addon: FIRST };
  const { stack, addon, kubernetes } = former.metadata;
  const again = draft({ stack, addon });
  const isClass = (name: string): boolean => name.includes("-cluster-class-");
  const same = (isCompared: (name: string) => boolean): boolean =>
    sameFiles(filtered(again.files, isCompared), filtered(former.files, isCompared)) &&
    [...again.archives].every(([name, files]) => {
      const before = former.archives.get(name);
      return (
        !isCompared(name) || (before !== undefined && "files" in before && sameFiles(files, before.files))
      );
    });
  const isSameKubernetes = new TextDecoder()
    .decode(again.files.get("metadata.yaml"))
    .includes(`kubernetes: ${kubernetes}\n`);
  const hasSameAddons = same((name) => !isClass(name));
  if (hasSameAddons && isSameKubernetes && same(isClass)) return undefined;
  return { stack: after(stack), addon: hasSameAddons ? addon : after(addon) };
}

const filtered = (files: Files, isCompared: (name: string) => boolean): Files =>
  new Map([...files].filter(([name]) => !ABOUT.includes(name) && !name.endsWith(".tgz") && isCompared(name)));

const sameFiles = (some: Files, others: Files): boolean =>
  some.size === others.size &&
  [...some].every(([path, content]) => {
    const other = others.get(path);
    return other !== undefined && Buffer.compare(content, other) === 0;
  });
