import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseAllDocuments } from "yaml";
import * as z from "zod";
import { CliError } from "../../shared/function/command-errors.ts";
import type { KubeClient, Resource } from "../../shared/kube/client.ts";
import { type KubeObject, parseApiVersion } from "../../shared/kube/object.ts";
import { packageRoot } from "./package.ts";

const folderOf = (system: string): string => join(packageRoot, "functions", system, "samples");

/** The sample objects of a system in the order in which they are applied; none where it has no samples. */
export function samplesOf(system: string): readonly KubeObject[] {
  const folder = folderOf(system);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => /\.ya?ml$/.test(file))
    .sort()
    .flatMap((file) => {
      const text = readFileSync(join(folder, file), "utf8");
      return parseAllDocuments(text).flatMap((document) => {
        if (document.errors.length > 0)
          throw new CliError(
            "CLI_SAMPLES_INVALID",
            `functions/${system}/samples/${file}: ${document.errors[0]?.message}`,
          );
        const object = document.toJS() as KubeObject | null;
        return object === null ? [] : [object];
      });
    });
}

/**
 * The configuration with which the samples of these systems run, where it says nothing else itself:
 * `functions/<system>/samples/configuration.json`; `SAMPLES` stands for the folder.
 */
export function withSampleConfiguration(
  systems: readonly string[],
  configuration: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const samples = systems.flatMap((system) => {
    const file = join(folderOf(system), "configuration.json");
    if (!existsSync(file)) return [];
    const text = JSON.stringify(folderOf(system)).slice(1, -1);
    const sample = JSON.parse(readFileSync(file, "utf8").replaceAll("SAMPLES", text)) as object;
    const own = configuration[system];
    return [[system, { ...sample, ...(typeof own === "object" ? own : {}) }] as const];
  });
  return { ...configuration, ...Object.fromEntries(samples) };
}

/** One of other clusters that the samples of a system need: an id of `defineClusters`, and the cluster's name. */
export interface SampleCluster {
  readonly clusters: string;
  readonly name: string;
}

const sampleClusters = z.array(z.strictObject({ clusters: z.string(), name: z.string() }));

/** The other clusters in `functions/<system>/samples/clusters.json`; none where it has no such file. */
export function sampleClustersOf(system: string): readonly SampleCluster[] {
  const file = join(folderOf(system), "clusters.json");
  if (!existsSync(file)) return [];
  const parsed = sampleClusters.safeParse(JSON.parse(readFileSync(file, "utf8")));
  if (parsed.success) return parsed.data;
  throw new CliError(
    "CLI_SAMPLES_INVALID",
    `functions/${system}/samples/clusters.json: ${parsed.error.issues[0]?.message}. It is a list of {"clusters": "<id>", "name": "<name>"}.`,
  );
}

/** Something to try with the samples: what for, and the commands. */
export interface Try {
  readonly what: string;
  readonly how: readonly string[];
}

/**
 * The tries that `functions/<system>/samples/try.txt` proposes: a line `# what for`, then the commands; `SAMPLES` stands for the
 * folder.
 */
export function triesOf(system: string): readonly Try[] {
  const file = join(folderOf(system), "try.txt");
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .replaceAll("SAMPLES", relative(process.cwd(), folderOf(system)))
    .split(/^# /m)
    .flatMap((part) => {
      const [what = "", ...how] = part.trim().split("\n");
      return how.length === 0 ? [] : [{ what, how }];
    });
}

/**
 * Applies objects as `kubectl apply --server-side` would, under its field manager: whoever goes on with kubectl meets no
 * conflict. Namespaces go first, everything else in the given order.
 */
export async function applyObjects(client: KubeClient, objects: readonly KubeObject[]): Promise<void> {
  const known = new Map<string, Promise<readonly Resource[]>>();
  const resourceOf = async ({ apiVersion, kind }: KubeObject): Promise<Resource> => {
    const { group, version } = parseApiVersion(apiVersion);
    const served = known.get(apiVersion) ?? client.discover(group, version);
    known.set(apiVersion, served);
    const found = (await served).find((resource) => resource.kind === kind);
    if (found === undefined)
      throw new CliError(
        "CLI_KIND_MISSING",
        `The samples need the kind ${kind} of ${apiVersion}, which this cluster does not have.`,
      );
    return found;
  };
  const isNamespace = ({ kind }: KubeObject): boolean => kind === "Namespace";
  for (const object of [
    ...objects.filter(isNamespace),
    ...objects.filter((object) => !isNamespace(object)),
  ]) {
    const resource = await resourceOf(object);
    const { name, namespace = resource.scope === "Namespaced" ? "default" : undefined } = object.metadata;
    await client.apply(resource, { name, namespace }, object, { fieldManager: "kubectl", force: true });
  }
}
