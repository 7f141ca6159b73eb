import type { Obj } from "../../../../shared/function/index.ts";
import { whereAdmitted } from "../../../../shared/function/known.ts";
import { fieldsOf, isRecord } from "../../../../shared/json/fields.ts";
import type { ApplicableObject } from "../../../../shared/manifests/objects.ts";
import { ANNOTATIONS, CONTROL_PLANE, type InjectedSecret, LABELS, type Manifest } from "../../kinds/index.ts";
import type { ManifestSettings, Need } from "./world.ts";

type Self = Obj<typeof Manifest>;

/** The Secrets of an artifact that get their content from the control plane. */
export interface Injection {
  /** The objects, with that content. It is written into the runtime, and nowhere else. */
  readonly objects: readonly ApplicableObject[];
  /** The Secrets that it comes from. */
  readonly needs: readonly Need[];
  /** The reason why one of them may not be had, in words. */
  readonly refused: string | undefined;
}

/**
 * Fills the Secrets of an artifact that ask for it from those of the same names in the control plane: for modules alone that the configuration
 * names, and from Secrets alone that bear the module's name.
 */
export async function injected(
  { metadata: { labels } }: Self,
  objects: readonly ApplicableObject[],
  { injectingModules = [] }: ManifestSettings,
  secretOf: (name: string) => Promise<Obj<typeof InjectedSecret> | undefined>,
): Promise<Injection> {
  const module = labels[LABELS.moduleName] ?? "";
  if (!injectingModules.includes(module)) return { objects, needs: [], refused: undefined };
  const names = [...new Set(objects.filter(asks).map(({ metadata: { name } }) => name))].sort();
  const answers = new Map(
    await Promise.all(
      names.map(
        async (name) => [name, judged(name, module, await whereAdmitted(() => secretOf(name)))] as const,
      ),
    ),
  );
  const found = [...answers.values()];
  return {
    objects: objects.map((object) => {
      const answer = asks(object) ? answers.get(object.metadata.name) : undefined;
      return answer?.data === undefined ? object : filled(object, answer.data);
    }),
    needs: names.map((name) => needOf(name, answers.get(name)?.isThere === true)),
    refused: found.find(({ refused }) => refused !== undefined)?.refused,
  };
}

const asks = ({ apiVersion, kind, metadata: { annotations } }: ApplicableObject): boolean =>
  apiVersion === "v1" && kind === "Secret" && annotations?.[ANNOTATIONS.injected] === "true";

interface Answer {
  readonly isThere: boolean;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly refused?: string;
}

function judged(
  name: string,
  module: string,
  read: { readonly value: Obj<typeof InjectedSecret> | undefined } | { readonly refused: string },
): Answer {
  const called = `the Secret ${CONTROL_PLANE}/${name}`;
  if ("refused" in read)
    return { isThere: true, refused: `${called} is not admitted: add secrets/${name} to injectedSecrets` };
  const { value } = read;
  if (value === undefined) return { isThere: false };
  const belongsTo = value.metadata.labels[LABELS.moduleName];
  if (belongsTo === module) return { isThere: true, data: isRecord(value.data) ? value.data : {} };
  const label = `the label ${LABELS.moduleName}`;
  return {
    isThere: true,
    refused:
      belongsTo === undefined
        ? `${called} lacks ${label}: set it to ${module} if the module may have its content`
        : `${called} is for the module ${belongsTo}: ${label} says so`,
  };
}

/** The Secret with that content. Text beside it would win over it. */
function filled(object: ApplicableObject, data: Readonly<Record<string, unknown>>): ApplicableObject {
  const { stringData: _, ...rest } = fieldsOf(object);
  return { ...rest, apiVersion: object.apiVersion, kind: object.kind, metadata: object.metadata, data };
}

const needOf = (name: string, isMet: boolean): Need => ({
  what: `the Secret ${name} in the control plane`,
  isMet,
  isHard: true,
  waits: [
    {
      for: `the Secret ${name} in the control plane`,
      of: { apiVersion: "v1", kind: "Secret", name, namespace: CONTROL_PLANE },
      isAtHome: true,
    },
  ],
});
