import * as z from "zod";
import { messageOf } from "../../../../shared/errors.ts";
import { documentsOf } from "../../../../shared/manifests/documents.ts";
import { parseVersion } from "../../../../shared/versions.ts";
import type { PayloadIssue } from "./errors.ts";
import type { PayloadContents } from "./payload.ts";

export const RELEASE_METADATA = "release-manifests/release-metadata";
export const IMAGE_REFERENCES = "release-manifests/image-references";

const CHANNELS = "io.openshift.upgrades.graph.release.channels";
const ARCHITECTURE = "release.openshift.io/architecture";

const releaseMetadata = z.looseObject({
  kind: z.string().default(""),
  version: z.string().default(""),
  previous: z.array(z.string()).nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});

const imageStream = z.looseObject({
  apiVersion: z.string().default(""),
  kind: z.string().default(""),
  metadata: z.looseObject({ name: z.string().default("") }).default({ name: "" }),
  spec: z
    .looseObject({
      tags: z
        .array(
          z.looseObject({
            name: z.string(),
            from: z.looseObject({ name: z.string().default("") }).nullish(),
          }),
        )
        .nullish(),
    })
    .nullish(),
});

type Described = Pick<PayloadContents, "release" | "major" | "previous" | "warnings">;

/** The fault of a file, thrown inside this folder only. */
export class FileFault extends Error {
  readonly issue: PayloadIssue;
  constructor(file: string, message: string, document?: number) {
    super(message);
    this.issue = { file, message, ...(document !== undefined && { document }) };
  }
}

function checked<Schema extends z.ZodType>(file: string, schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new FileFault(file, `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "unreadable"}`);
}

function json(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new FileFault(file, `it is no JSON: ${messageOf(error)}`);
  }
}

/**
 * `release-metadata`. What is odd about the page and the channels is only told, as upstream does.
 * @throws FileFault
 */
export function describeRelease(text: string, image: string): Described {
  const { kind, version, previous, metadata } = checked(
    RELEASE_METADATA,
    releaseMetadata,
    json(RELEASE_METADATA, text),
  );
  if (kind !== "cincinnati-metadata-v0")
    throw new FileFault(RELEASE_METADATA, `unrecognized Cincinnati metadata kind "${kind}"`);
  if (version === "") throw new FileFault(RELEASE_METADATA, "missing required Cincinnati metadata version");
  const parsed = parseVersion(version);
  if (parsed === undefined)
    throw new FileFault(
      RELEASE_METADATA,
      `invalid Cincinnati metadata version "${version}": no semantic version`,
    );
  const { url, [CHANNELS]: channels, [ARCHITECTURE]: architecture } = metadata ?? {};
  const warnings = [
    ...(url === undefined || (typeof url === "string" && URL.canParse(url, "https://relative.invalid"))
      ? []
      : [`${RELEASE_METADATA}: metadata.url is no address and is left out`]),
    ...(channels === undefined || typeof channels === "string"
      ? []
      : [`${RELEASE_METADATA}: metadata.${CHANNELS} is no text and is left out`]),
    ...(architecture === undefined || architecture === "multi"
      ? []
      : [`${RELEASE_METADATA}: the architecture "${String(architecture)}" is unknown and is left out`]),
  ];
  return {
    release: {
      version,
      image,
      ...(typeof url === "string" && URL.canParse(url, "https://relative.invalid") && { url }),
      ...(typeof channels === "string" && channels !== "" && { channels: channels.split(",").sort() }),
      ...(architecture === "multi" && { architecture: "Multi" as const }),
    },
    major: parsed.major,
    previous: previous ?? [],
    warnings,
  };
}

/**
 * `image-references`: pull spec by tag name. It must be of the same version.
 * @throws FileFault
 */
export function imagesOf(text: string, version: string): Readonly<Record<string, string>> {
  const { documents, faults } = documentsOf(text);
  const [fault] = faults;
  if (fault !== undefined) throw new FileFault(IMAGE_REFERENCES, fault.message);
  const stream = checked(IMAGE_REFERENCES, imageStream, documents[0]?.value);
  if (stream.kind !== "ImageStream" || stream.apiVersion !== "image.openshift.io/v1")
    throw new FileFault(
      IMAGE_REFERENCES,
      `it is a ${stream.apiVersion} ${stream.kind}, not an image.openshift.io/v1 ImageStream`,
    );
  if (stream.metadata.name !== version)
    throw new FileFault(
      IMAGE_REFERENCES,
      `version from image-references (${stream.metadata.name}) differs from release-metadata (${version})`,
    );
  return Object.fromEntries(
    (stream.spec?.tags ?? []).flatMap(({ name, from }) =>
      from === undefined || from === null || from.name === "" ? [] : [[name, from.name]],
    ),
  );
}
