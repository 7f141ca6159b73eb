import { basename, dirname, resolve } from "node:path";
import { CliError } from "../../../shared/function/command-errors.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { storedPayloads } from "../../../shared/ports/payloads/adapters/index.ts";
import { configuration as schema } from "../configuration.ts";
import type { Mode } from "../decide/graph/index.ts";
import { type ClusterShape, lookUpPayload } from "../decide/payload/catalog.ts";
import type { Payload } from "../decide/payload/index.ts";
import { capabilitiesOf } from "../decide/release/index.ts";
import { modeOf, shapeOf } from "../decide/sync/index.ts";
import type { PlannedCluster, PlannedWork } from "./plan.ts";
import { readFeatureGate, readOperators, readWorkOf, requireVersion } from "./read.ts";

/** The payload in a folder, an archive or an OCI layout, as a cluster of this configuration sees it. */
export function payloadAt(path: string, configuration: unknown): Promise<Payload> {
  const file = resolve(path);
  const image = basename(file).replace(/\.(tar|tar\.gz|tgz|tar\.zst)$/, "");
  return payloadIn(dirname(file), image, configuration);
}

async function payloadIn(
  folder: string,
  image: string,
  configuration: unknown,
  shape?: ClusterShape,
): Promise<Payload> {
  const look = await lookUpPayload(storedPayloads({ folder }), image, shape ?? schema.parse(configuration));
  if (look.state === "loaded") return look.payload;
  throw new CliError(
    "CLI_NO_PAYLOAD",
    `${look.message.replace(/\.$/, "")}. Name a payload, or with --config the settings that say where payloads lie.`,
  );
}

/** The payload that a cluster is at or moves to, how far that is, and what of the cluster it rests on. */
export async function payloadOf(
  client: KubeClient,
  configuration: unknown,
  now: number,
): Promise<{
  readonly payload: Payload;
  readonly mode: Mode;
  readonly work: PlannedWork;
  readonly cluster: PlannedCluster;
}> {
  const [version, operators] = await Promise.all([requireVersion(client), readOperators(client)]);
  const { spec, status } = version;
  const image = status?.desired.image ?? "";
  if (image === "")
    throw new CliError(
      "CLI_NO_PAYLOAD",
      "The cluster was not told yet which release it is to be at: name a payload.",
    );
  const parsed = schema.parse(configuration);
  const { payloads: folder, blockOnDegraded } = parsed;
  const shape = shapeOf(parsed, await readFeatureGate(client), status?.desired.version ?? "");
  const [payload, found] = await Promise.all([
    payloadIn(folder, image, configuration, shape),
    readWorkOf(client, version),
  ]);
  const mode = modeOf(status?.history ?? [], image);
  const work = found?.mode === mode ? found : undefined;
  const { enabled, known } = capabilitiesOf(
    spec.capabilities,
    status?.capabilities?.enabledCapabilities ?? [],
  );
  const inclusion = {
    featureGates: new Set(shape.featureGates),
    capabilities: { enabled: new Set(enabled), known: new Set(known) },
    overrides: spec.overrides ?? [],
  };
  return {
    payload,
    mode,
    work: mode === "Reconciling" && failuresOf(work) === 0 ? "all" : work,
    cluster: { operators, inclusion, blockOnDegraded, now },
  };
}

const failuresOf = (work: PlannedWork): number =>
  work === undefined || work === "all" ? 0 : work.failures.length;
