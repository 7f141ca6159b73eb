import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { eventually } from "../../../infra/testing/eventually.ts";
import type { HostedStack } from "../../../infra/testing/hosted-stack.ts";
import { writtenKinds } from "../../../infra/testing/system/proof.ts";
import type { Resource } from "../../../shared/kube/client.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { ConfigMap, Namespace } from "../../../shared/kube/kinds/index.ts";
import { entryName } from "../../../shared/ports/payloads/adapters/index.ts";
import { clusterVersionSystem } from "../system.ts";
import { NAMESPACE } from "./releases.ts";
import { type Site, siteOf } from "./site.ts";

/** All kinds whose objects the operator writes in scenarios: of what a payload brings, ConfigMaps alone. */
export const KINDS: readonly Resource[] = [
  ...writtenKinds({ system: clusterVersionSystem }),
  resourceOf(ConfigMap),
];

/** A folder of payloads, as hosts of their own read it. */
export interface PayloadFolder {
  /** For `payloads` of their configuration. */
  readonly path: string;
  readonly put: (image: string, files: Readonly<Record<string, string>>) => void;
  remove(): void;
}

export function payloadFolder(): PayloadFolder {
  const path = mkdtempSync(join(tmpdir(), "reveille-payloads-"));
  return {
    path,
    put(image, files) {
      const entry = join(path, entryName(image));
      const next = `${entry}.next`;
      // Without it a folder is no release payload.
      mkdirSync(join(next, "manifests"), { recursive: true });
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(next, name)), { recursive: true });
        writeFileSync(join(next, name), text);
      }
      rmSync(entry, { recursive: true, force: true });
      renameSync(next, entry);
    },
    remove: () => rmSync(path, { recursive: true }),
  };
}

/**
 * A site whose operator runs in processes of their own.
 *
 * @param collected whether a garbage collector removes what a ClusterVersion owned, the releases' namespace among it
 */
export function hostedSite(stack: HostedStack, { put }: PayloadFolder, collected = false): Site {
  const { client, settled, everyKeyOnce: again, wait } = stack;
  const site = siteOf({ client, put, settled, again, wait });
  if (!collected) return site;
  const collect = async (): Promise<void> => {
    const isGone = async (): Promise<boolean> => (await site.get(Namespace, NAMESPACE)) === undefined;
    await eventually(`the namespace ${NAMESPACE} to be gone`, isGone);
  };
  return {
    ...site,
    async uninstall() {
      await site.uninstall();
      await collect();
    },
    async empty() {
      await site.empty();
      await collect();
    },
  };
}
