import { stringify } from "yaml";
import { COMPONENTS, type Component } from "./components.ts";
import { baseOf, type Generated, jobOf, moreOf, operatorOf } from "./manifests.ts";

/** The number of manifests that a release of a real cluster applies. */
export const REAL_PAYLOAD_TASKS = 862;

export interface GeneratedPayload {
  readonly version: string;
  /** The number of manifests, all of them included; at least what the components need. Default `REAL_PAYLOAD_TASKS`. */
  readonly tasks?: number;
  /** The number of those that define a kind. They cost the API server most. Default: one in ten. */
  readonly definitions?: number;
  /** Components, by name, that bring a Job. Default none: something must run it. */
  readonly jobs?: readonly string[];
  readonly components?: readonly Component[];
}

/** Several manifests to a file, as many components write them. */
const DOCUMENTS_PER_FILE = 3;

function filesOf(
  { level, name }: Component,
  folder: string,
  manifests: readonly Generated[],
): Record<string, string> {
  const files: Record<string, string> = {};
  for (let from = 0; from < manifests.length; from += DOCUMENTS_PER_FILE) {
    const documents = manifests.slice(from, from + DOCUMENTS_PER_FILE);
    const number = String(from / DOCUMENTS_PER_FILE).padStart(3, "0");
    files[`${folder}/0000_${level}_${name}_${number}_${documents[0]?.kind.toLowerCase()}.yaml`] = documents
      .map((document) => stringify(document, { aliasDuplicateObjects: false }))
      .join("---\n");
  }
  return files;
}

/**
 * The files of a payload of our own, by path: as many manifests as asked for, of the kinds, levels and sizes of real ones. Two
 * versions differ in images, in what names the release, and in the versions that operators are expected to report; all else is
 * equal. The same question gives the same files.
 */
export function generatedPayload({
  version,
  tasks = REAL_PAYLOAD_TASKS,
  definitions = Math.floor(tasks / 10),
  jobs = [],
  components = COMPONENTS,
}: GeneratedPayload): Readonly<Record<string, string>> {
  const own = new Map(
    components.map((component) => [
      component,
      [...baseOf(component, version), ...(jobs.includes(component.name) ? [jobOf(component, version)] : [])],
    ]),
  );
  const needed = [...own].reduce(
    (sum, [{ operator }, manifests]) => sum + manifests.length + Number(operator),
    0,
  );
  const missing = tasks - needed;
  if (missing < 0)
    throw new RangeError(`these components alone bring ${needed} manifests, more than ${tasks}`);
  // Turn by turn, the definitions first within a component, as what follows may need them.
  for (let n = 0; n < missing; n++) {
    const component = components[n % components.length];
    const manifests = component === undefined ? undefined : own.get(component);
    if (component !== undefined) manifests?.push(moreOf(component, n, version, n < definitions));
  }
  const tags = components.map((component) => ({
    name: component.name,
    from: { kind: "DockerImage", name: `reg.example/demo/${component.name}:${version}` },
  }));
  const [first, ...others] = components;
  return {
    "release-manifests/release-metadata": JSON.stringify({
      kind: "cincinnati-metadata-v0",
      version,
      previous: [],
    }),
    "release-manifests/image-references": JSON.stringify({
      apiVersion: "image.openshift.io/v1",
      kind: "ImageStream",
      metadata: { name: version },
      spec: { tags },
    }),
    ...(first && filesOf(first, "manifests", complete(first, own.get(first) ?? [], version))),
    ...Object.assign(
      {},
      ...others.map((component) =>
        filesOf(component, "release-manifests", complete(component, own.get(component) ?? [], version)),
      ),
    ),
  };
}

const complete = (
  component: Component,
  manifests: readonly Generated[],
  version: string,
): readonly Generated[] => (component.operator ? [...manifests, operatorOf(component, version)] : manifests);
