import { basename, dirname, resolve } from "node:path";
import { configuration as schema } from "../../../functions/cluster-version/configuration.ts";
import type { Mode } from "../../../functions/cluster-version/graph/index.ts";
import type { Payload } from "../../../functions/cluster-version/payload/index.ts";
import { lookUpPayload } from "../../../functions/cluster-version/payload-catalog.ts";
import { modeOf, readWork, WORK_RECORD } from "../../../functions/cluster-version/sync/index.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { ConfigMap } from "../../../shared/kube/kinds/index.ts";
import { storedPayloads } from "../../../shared/ports/payloads/adapters/index.ts";
import { CliError } from "../exit.ts";
import type { Work } from "./plan.ts";
import { requireVersion } from "./read.ts";

/** The payload in a folder, an archive or an OCI layout, as a cluster of this configuration sees it. */
export function payloadAt(path: string, configuration: unknown): Promise<Payload> {
  const file = resolve(path);
  const image = basename(file).replace(/\.(tar|tar\.gz|tgz|tar\.zst)$/, "");
  return payloadIn(dirname(file), image, configuration);
}

async function payloadIn(folder: string, image: string, configuration: unknown): Promise<Payload> {
  const look = await lookUpPayload(storedPayloads({ folder }), image, schema.parse(configuration));
  if (look.state === "loaded") return look.payload;
  throw new CliError(
    "CLI_NO_PAYLOAD",
    `${look.message.replace(/\.$/, "")}. Name a payload, or with --config the settings that say where payloads lie.`,
  );
}

/** The payload that a cluster is at or moves to, and how far that is. */
export async function payloadOf(
  client: KubeClient,
  configuration: unknown,
): Promise<{ readonly payload: Payload; readonly mode: Mode; readonly work: Work }> {
  const { metadata, status } = await requireVersion(client);
  const image = status?.desired.image ?? "";
  if (image === "")
    throw new CliError(
      "CLI_NO_PAYLOAD",
      "The cluster was not told yet which release it is to be at: name a payload.",
    );
  const { payloads: folder } = schema.parse(configuration);
  const [payload, record] = await Promise.all([
    payloadIn(folder, image, configuration),
    client.get(resourceOf(ConfigMap), WORK_RECORD),
  ]);
  const found = readWork(record as { readonly data?: Readonly<Record<string, string>> } | undefined);
  const mode = modeOf(status?.history ?? [], image);
  const work = found?.uid === metadata.uid && found.mode === mode ? found : undefined;
  return { payload, mode, work: mode === "Reconciling" && failuresOf(work) === 0 ? "all" : work };
}

const failuresOf = (work: Work): number => (work === undefined || work === "all" ? 0 : work.failures.length);
