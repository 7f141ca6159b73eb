import { apply, type Obj, type Results, type Wait } from "../../../../shared/function/index.ts";
import { whereAdmitted } from "../../../../shared/function/known.ts";
import { isRecord } from "../../../../shared/json/fields.ts";
import {
  CONTROL_PLANE,
  type InjectedSecret,
  LABELS,
  RUNTIME_NAMESPACE,
  RuntimeSecret,
  runtimes,
} from "../../kinds/index.ts";
import { good, lacking, type Verdict } from "../conditions/index.ts";

/** The Secret of the control plane with which pods in runtimes pull their images. */
export type PullSecret = { readonly name: string } & (
  | { readonly state: "missing" }
  /** The configuration lets nobody read it. */
  | { readonly state: "refused" }
  | {
      readonly state: "there";
      /** Undefined: it is written without a type. */
      readonly type: string | undefined;
      readonly data: Readonly<Record<string, string>>;
    }
);

/** Reads that Secret. Undefined where none is configured. */
export async function observePullSecret(
  name: string | undefined,
  secretOf: (name: string) => Promise<Obj<typeof InjectedSecret> | undefined>,
): Promise<PullSecret | undefined> {
  if (name === undefined) return undefined;
  const read = await whereAdmitted(() => secretOf(name));
  if ("refused" in read) return { name, state: "refused" };
  if (read.value === undefined) return { name, state: "missing" };
  const { type, data } = read.value;
  return {
    name,
    state: "there",
    type: typeof type === "string" ? type : undefined,
    data: isRecord(data)
      ? Object.fromEntries(Object.entries(data).map(([key, value]) => [key, String(value)]))
      : {},
  };
}

/** Copies the Secret into a runtime. Its content is in this write, and nowhere else. Undefined where there is nothing to copy. */
export const copyOfPullSecret = (secret: PullSecret | undefined, cluster: string) =>
  secret?.state !== "there"
    ? undefined
    : apply(
        RuntimeSecret,
        {
          metadata: {
            cluster,
            namespace: RUNTIME_NAMESPACE,
            name: secret.name,
            labels: { [LABELS.managedBy]: "kyma" },
          },
          ...(secret.type !== undefined && { type: secret.type }),
          data: secret.data,
        },
        { force: true },
      );

/** The verdict on the copy, after it was written. None where no Secret is configured. */
export function pullSecretVerdict(
  secret: PullSecret | undefined,
  copy: ReturnType<typeof copyOfPullSecret>,
  results: Results,
): readonly Verdict<"SKRImagePullSecretSync">[] {
  if (secret === undefined) return [];
  const at = `the Secret ${CONTROL_PLANE}/${secret.name}`;
  const bad = (message: string) => [lacking("SKRImagePullSecretSync", message)];
  if (secret.state === "refused")
    return bad(
      `Images cannot be pulled with ${at}, which may not be read: add secrets/${secret.name} to injectedSecrets.`,
    );
  const result = copy && results(copy);
  if (result === undefined) return bad(`Waiting for ${at}, with which images are pulled: create it.`);
  if (result.state === "done") return [good("SKRImagePullSecretSync")];
  const why = result.state === "failed" ? result.error.message : "its namespace could not be written.";
  return bad(`The Secret ${RUNTIME_NAMESPACE}/${secret.name} cannot be written into the runtime: ${why}`);
}

const secretAt = (name: string, namespace: string) => ({ apiVersion: "v1", kind: "Secret", name, namespace });

/** The wait for the next content of the Secret. One that may not be read is not followed either: then the configuration has to change. */
export const pullSecretWaits = (secret: PullSecret | undefined): readonly Wait[] =>
  secret === undefined || secret.state === "refused"
    ? []
    : [
        {
          for: `the Secret ${secret.name} in the control plane`,
          object: secretAt(secret.name, CONTROL_PLANE),
        },
      ];

/** The wait for a change of the copy in a runtime. */
export const copiedSecretWaits = (secret: PullSecret | undefined, cluster: string): readonly Wait[] =>
  secret?.state !== "there"
    ? []
    : [
        {
          for: `the Secret ${secret.name} in ${cluster}`,
          object: { ...secretAt(secret.name, RUNTIME_NAMESPACE), cluster: runtimes.named(cluster) },
        },
      ];
