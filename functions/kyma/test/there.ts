import { worldOf } from "../../../infra/testing/world.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import {
  ConfigMap,
  CustomResourceDefinition,
  Deployment,
  Namespace,
} from "../../../shared/kube/kinds/index.ts";
import { Kyma, ModuleReleaseMeta, ModuleTemplate } from "../kinds/index.ts";

/** In a runtime that nobody has looked at there is no such kind. */
export function noneYet(error: unknown): undefined {
  if (!(error instanceof KubeError && error.kind === "kindMissing")) throw error;
}

/** Objects of the kinds that modules bring, and of ours where a runtime has them. */
export async function worldThere(client: KubeClient): Promise<Readonly<Record<string, unknown>>> {
  const brought = [ConfigMap, CustomResourceDefinition, Deployment, Namespace].map(resourceOf);
  const worlds = [ModuleReleaseMeta, ModuleTemplate, Kyma].map((kind) =>
    worldOf(client, [resourceOf(kind)]).catch(noneYet),
  );
  return Object.assign(await worldOf(client, brought), ...(await Promise.all(worlds)));
}
