import type { ClusterState, Obj } from "../../../../shared/function/index.ts";
import { KubeError } from "../../../../shared/kube/errors.ts";
import type { CustomResourceDefinition } from "../../../../shared/kube/kinds/index.ts";
import type { Configuration } from "../../configuration.ts";
import type { InjectedSecret, KymaPolicy, RuntimeDefinition, RuntimeKyma } from "../../kinds/index.ts";
import { DEFINITIONS } from "./definitions.ts";
import { observePullSecret } from "./pull-secret.ts";
import { unlessRefused } from "./refused-read.ts";
import type { RuntimeWorld } from "./world.ts";

/** The reads that a decision about a runtime needs. */
export interface RuntimeReads {
  there(): Promise<ClusterState>;
  homeDefinition(name: string): Promise<Obj<typeof CustomResourceDefinition> | undefined>;
  definition(name: string): Promise<Obj<typeof RuntimeDefinition> | undefined>;
  kyma(): Promise<Obj<typeof RuntimeKyma> | undefined>;
  policies(): Promise<readonly Obj<typeof KymaPolicy>[]>;
  /** A Secret of the control plane. */
  secret(name: string): Promise<Obj<typeof InjectedSecret> | undefined>;
}

/** Reads what a decision about a runtime rests on. */
export async function observeRuntime(
  { target, imagePullSecret }: Pick<Configuration, "target" | "imagePullSecret">,
  reads: RuntimeReads,
): Promise<RuntimeWorld> {
  const pullSecret = () => observePullSecret(imagePullSecret, reads.secret);
  if (target === "local") return { step: "local", pullSecret: await pullSecret() };
  const there = await reads.there();
  if (there.state !== "reachable") return { step: "away", there };
  const [found, secret, ...homes] = await Promise.all([
    unlessRefused(() =>
      Promise.all([whereServed(reads.kyma), ...DEFINITIONS.map((name) => reads.definition(name))]),
    ),
    pullSecret(),
    ...DEFINITIONS.map((name) => reads.homeDefinition(name)),
  ]);
  if ("refused" in found) return { step: "refused", there, refused: found.refused };
  const [kyma, ...copies] = found.read;
  const definitions = DEFINITIONS.map((name, at) => ({ name, home: homes[at], there: copies[at] }));
  const policies = kyma === undefined ? await reads.policies() : [];
  return { step: "there", there, definitions, kyma, policies, pullSecret: secret };
}

/** Reads an object of a kind that is perhaps not there yet: then it is not there either. */
export async function whereServed<T>(read: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof KubeError && error.kind === "kindMissing") return undefined;
    throw error;
  }
}
