import { fieldsOf, isRecord, textOf } from "../json/fields.ts";
import { type KubeObject, parseApiVersion } from "../kube/object.ts";

/** The object that a document holds, or in words why it is none. */
export function objectOf(value: unknown): KubeObject | string {
  if (!isRecord(value)) return "it is no object";
  const metadata = fieldsOf(value.metadata);
  const apiVersion = textOf(value.apiVersion);
  const kind = textOf(value.kind);
  const name = textOf(metadata.name);
  const absent = Object.entries({ apiVersion, kind, "metadata.name": name }).flatMap(([field, content]) =>
    content === "" ? [field] : [],
  );
  if (absent.length > 0) return `it has no ${absent.join(", no ")}`;
  if (apiVersion.split("/").length > 2) return `its apiVersion ${apiVersion} has more than one slash`;
  return { ...value, apiVersion, kind, metadata: { ...withTexts(metadata), name } };
}

/** Labels and annotations that are written without a value are empty texts, as the API library reads them. */
function withTexts(metadata: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const maps = (["labels", "annotations"] as const).flatMap((field) => {
    const map = metadata[field];
    if (!isRecord(map) || !Object.values(map).includes(null)) return [];
    return [[field, Object.fromEntries(Object.entries(map).map(([key, text]) => [key, text ?? ""]))]];
  });
  return { ...metadata, ...Object.fromEntries(maps) };
}

/** The identity of the object that a document holds: the same in whichever version of its group it is written. */
export const identityOf = ({ apiVersion, kind, metadata }: KubeObject): string =>
  JSON.stringify([parseApiVersion(apiVersion).group, kind, textOf(metadata.namespace), metadata.name]);
