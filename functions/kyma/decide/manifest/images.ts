import { fieldOf, isRecord, listOf, textOf } from "../../../../shared/json/fields.ts";
import type { ApplicableObject } from "../../../../shared/manifests/objects.ts";
import { isWorkload, withPodSpec } from "./workloads.ts";

const HOST = "(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]+)?/)?";
const PART = "[a-z0-9]+(?:(?:\\.|_{1,2}|-+)[a-z0-9]+)*";
const IMAGE = new RegExp(
  `^${HOST}(?:${PART}/)*(?<name>${PART}):(?<tag>[A-Za-z0-9_][A-Za-z0-9._-]{0,127})(?:@sha256:[0-9a-f]{64})?$`,
);
/** Longer texts are no images; what tenants write is matched in bounded time. */
const MOST = 512;

/** The last word of an image and its tag, `alpha:1.4.2`; undefined for a text that is none, or has no tag. */
export function nameAndTag(text: string): string | undefined {
  const { name, tag } = (text.length > MOST ? undefined : IMAGE.exec(text)?.groups) ?? {};
  return name === undefined ? undefined : `${name}:${tag}`;
}

/**
 * Has the containers of workloads take their images from where a component says that they are to be had: `image`, and variables that
 * name one.
 */
export function localized(object: ApplicableObject, images: ReadonlyMap<string, string>): ApplicableObject {
  if (images.size === 0 || !isWorkload(object)) return object;
  const elsewhere = (text: unknown): unknown => images.get(nameAndTag(textOf(text)) ?? "") ?? text;
  const container = (one: unknown): unknown => {
    if (!isRecord(one)) return one;
    const env = listOf(one.env).map((variable) =>
      isRecord(variable) && "value" in variable
        ? { ...variable, value: elsewhere(variable.value) }
        : variable,
    );
    return {
      ...one,
      ...("image" in one && { image: elsewhere(one.image) }),
      ...("env" in one && { env }),
    };
  };
  return withPodSpec(object, (spec) => ({
    ...spec,
    ...Object.fromEntries(
      (["containers", "initContainers"] as const).flatMap((field) =>
        field in spec ? [[field, listOf(fieldOf(spec, field)).map(container)]] : [],
      ),
    ),
  }));
}

/** Localized images by their last word and tag. Two that share these are left out: nobody can say which of them is meant. */
export function imagesByName(references: readonly string[] = []): ReadonlyMap<string, string> {
  const found = new Map<string, string | undefined>();
  for (const reference of references) {
    const key = nameAndTag(reference);
    if (key === undefined) continue;
    found.set(key, !found.has(key) || found.get(key) === reference ? reference : undefined);
  }
  return new Map(
    [...found].flatMap(([key, reference]) => (reference === undefined ? [] : [[key, reference]])),
  );
}

/** Pairs of different images with one last word and tag. */
export function alikeImages(
  references: readonly string[],
): readonly (readonly [one: string, other: string])[] {
  const first = new Map<string, string>();
  return references.flatMap((reference) => {
    const key = nameAndTag(reference);
    if (key === undefined) return [];
    const known = first.get(key);
    if (known === undefined) first.set(key, reference);
    return known === undefined || known === reference ? [] : [[known, reference] as const];
  });
}
