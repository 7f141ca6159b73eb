/** A version of a stack or of its addons: `v3`, or `v0-sha.a1b2c3d` on the custom channel. */
export interface StackVersion {
  /** The number after the `v`, without zeros in front: it may be too large for a number. */
  readonly major: string;
  /** Absent on the stable channel. */
  readonly custom: { readonly label: string; readonly patch: string } | undefined;
}

const DOTTED = /^v(\d+)(?:-(\w+)\.(\w+))?$/;
const DASHED = /^v(\d+)(?:-(\w+)-(\w+))?$/;
/** Far longer than any version; names of objects end before. */
const MOST_CHARACTERS = 253;

const parsed = (text: string, form: RegExp): StackVersion | undefined => {
  const [, digits, label, patch] = (text.length > MOST_CHARACTERS ? null : form.exec(text)) ?? [];
  if (digits === undefined) return undefined;
  return {
    major: digits.replace(/^0+(?=\d)/, ""),
    custom: label === undefined || patch === undefined ? undefined : { label, patch },
  };
};

/** Reads `v1` or `v1-label.patch`, as specs, metadata, charts and ClusterClasses write it. Undefined: it is none. */
export const dottedVersion = (text: string): StackVersion | undefined => parsed(text, DOTTED);
/** Reads `v1` or `v1-label-patch`, as tags and names of releases write it. Undefined: it is none. */
export const dashedVersion = (text: string): StackVersion | undefined => parsed(text, DASHED);

const written = ({ major, custom }: StackVersion, separator: "." | "-"): string =>
  custom === undefined ? `v${major}` : `v${major}-${custom.label}${separator}${custom.patch}`;

/** `v1-label.patch`. */
export const dottedText = (version: StackVersion): string => written(version, ".");
/** `v1-label-patch`. */
export const dashedText = (version: StackVersion): string => written(version, "-");

/** True for two versions that are the same, however they were written. */
export const sameVersion = (one: StackVersion, other: StackVersion): boolean =>
  dottedText(one) === dottedText(other);
