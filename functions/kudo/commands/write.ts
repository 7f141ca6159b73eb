import { CliError } from "../../../shared/function/command-errors.ts";
import { sameJson } from "../../../shared/json/same-json.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import { type Kind, type Obj, resourceOf } from "../../../shared/kube/kind.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { parseObject } from "../../../shared/kube/read.ts";
import { Instance } from "../kinds/index.ts";
import { type AnInstance, type At, asked, findInstance } from "./read.ts";

/** The field manager under which the commands write. */
export const FIELD_MANAGER = "reveille-cli";

/** The words of a refusal; of admission without those that the server puts before them. */
export const refusalOf = ({ status, message }: KubeError): string => {
  const said = status?.message ?? message;
  return /^admission webhook "[^"]*" denied the request: (.+)$/s.exec(said)?.[1] ?? message;
};

/** Refusals of the server, of admission among them, are told in its words. */
async function writing<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await asked(write);
  } catch (thrown) {
    if (thrown instanceof KubeError && (thrown.kind === "invalid" || thrown.kind === "forbidden"))
      throw new CliError("CLI_KUDO_REFUSED", refusalOf(thrown), { cause: thrown });
    if (thrown instanceof KubeError && thrown.kind === "stale")
      throw new CliError(
        "CLI_KUDO_CHANGED",
        "The Instance was changed meanwhile, so nothing was written: look at it, and ask once more.",
        { cause: thrown },
      );
    throw thrown;
  }
}

/** Creates an object, and gives it back as the server stored it. */
export async function create<K extends Kind>(client: KubeClient, kind: K, body: KubeObject): Promise<Obj<K>> {
  const raw = await writing(() => client.create(resourceOf(kind), body, { fieldManager: FIELD_MANAGER }));
  return parseObject(kind, raw);
}

/** The tries of a write whose Instance only its run changes meanwhile. */
const TRIES = 5;

/**
 * Patches the spec of an Instance that was read: what somebody else asks for meanwhile is not overwritten. What its run writes meanwhile
 * is no reason not to write: where the spec is still as it was read, but for a lock that is not written here, it is tried again.
 */
export async function patchSpec(
  client: KubeClient,
  read: AnInstance,
  spec: Readonly<Record<string, unknown>>,
): Promise<AnInstance> {
  const askedFor = ({ spec: { planExecution, ...rest } = {} }: AnInstance): unknown =>
    "planExecution" in spec ? { ...rest, planExecution } : rest;
  const { namespace, name, uid } = read.metadata;
  const patched = async (on: AnInstance): Promise<AnInstance> => {
    const { resourceVersion } = on.metadata;
    const raw = await client.patch(
      resourceOf(Instance),
      { namespace, name },
      "merge",
      { metadata: { resourceVersion }, spec },
      { fieldManager: FIELD_MANAGER },
    );
    return parseObject(Instance, raw);
  };
  return writing(async () => {
    for (let on = read, tries = 1; ; tries += 1)
      try {
        return await patched(on);
      } catch (thrown) {
        if (!(thrown instanceof KubeError) || thrown.kind !== "stale" || tries === TRIES) throw thrown;
        const now = await findInstance(client, { namespace, name });
        if (now?.metadata.uid !== uid || !sameJson(askedFor(now), askedFor(read))) throw thrown;
        on = now;
      }
  });
}

/** Deletes the Instance that was read; what it owns follows in the background. */
export const deleteInstance = (client: KubeClient, { metadata }: AnInstance): Promise<unknown> =>
  writing(() =>
    client.delete(resourceOf(Instance), metadata satisfies At, {
      uid: metadata.uid,
      propagationPolicy: "Background",
    }),
  );
