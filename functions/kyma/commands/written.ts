import { CliError } from "../../../shared/function/command-errors.ts";
import type { Kind, KindStatics, Obj } from "../../../shared/kube/kind.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { parseObject, UnreadableObjectError } from "../../../shared/kube/read.ts";
import { schemaFaults } from "../../../shared/kube/validation/schema-faults.ts";
import { strictDocumentsOf } from "../../../shared/manifests/documents.ts";
import { objectsOf } from "../../../shared/manifests/objects.ts";

/** An object of a file. */
export interface Written {
  readonly object: KubeObject;
  /** The file, its document, and the item of one that is a list. */
  readonly place: string;
}

/** The objects of a file in YAML. @throws CliError with that code, which names the document */
export function writtenIn(text: string, file: string, code: string): readonly Written[] {
  const { documents, faults } = strictDocumentsOf(text);
  const [broken] = faults;
  const placeOf = (number: number): string => `${file}, document ${number}`;
  if (broken !== undefined) throw new CliError(code, `${placeOf(broken.number)}: ${broken.message}`);
  return documents.flatMap(({ number, value }) =>
    objectsOf([value]).map((object, at, { length }) => {
      const place = length === 1 ? placeOf(number) : `${placeOf(number)}, item ${at + 1}`;
      if (typeof object === "string") throw new CliError(code, `${place}: ${object}`);
      return { object, place };
    }),
  );
}

/** True for an object of a kind, in the version that is served. */
export const isOf = (kind: Kind, { object }: Written): boolean =>
  object.kind === kind.kind && object.apiVersion === `${kind.group}/${kind.version}`;

/** The objects of a kind among them, as they read. @throws CliError with that code, which names the document */
export const readableAs = <K extends Kind>(
  kind: K,
  written: readonly Written[],
  code: string,
): readonly Obj<K>[] =>
  written
    .filter(({ object }) => object.kind === kind.kind)
    .map(({ object, place }) => {
      try {
        return parseObject(kind, { ...object, metadata: { namespace: "default", ...object.metadata } });
      } catch (thrown) {
        if (!(thrown instanceof UnreadableObjectError)) throw thrown;
        throw new CliError(code, `${place}: ${thrown.message}`, { cause: thrown });
      }
    });

/** The same of objects that the server would accept. @throws CliError with that code, which names the document and all that it would refuse */
export function acceptedAs<K extends Kind & KindStatics>(
  kind: K,
  written: readonly Written[],
  code: string,
): readonly Obj<K>[] {
  for (const { object, place } of written.filter((one) => one.object.kind === kind.kind)) {
    const faults = schemaFaults(kind, object);
    if (faults.length > 0)
      throw new CliError(
        code,
        `${place}: ${kind.kind} ${object.metadata.name}: ${faults.join("; ")}: the API server would refuse it.`,
      );
  }
  return readableAs(kind, written, code);
}
