import { Command } from "commander";
import type { ClusterOptions, StateOption } from "../../../shared/function/command.ts";
import { CliError } from "../../../shared/function/command-errors.ts";
import { PAUSED_FUNCTIONS, pausedFunctionsOf } from "../../../shared/host/commands/index.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import type { Found, Held } from "../install/left-behind.ts";
import { withCluster, withExamples, withState } from "../options.ts";
import { print, say } from "../output.ts";
import type { RunFile } from "../state-directory.ts";

interface UninstallOptions extends ClusterOptions, StateOption {
  readonly crds?: true;
  readonly yes?: true;
}

/** `reveille uninstall`: takes away what Reveille left in a cluster. */
export const uninstall = (): Command =>
  withExamples(
    withState(
      withCluster(
        new Command("uninstall")
          .description(
            "remove what Reveille left in a cluster: finalizers, Lease, pauses, roles; the CRDs only when asked",
          )
          .option("--crds", "also the CRDs that Reveille installed, with all objects of their kinds")
          .option("-y, --yes", "do not ask"),
      ),
    ),
    [
      ["See what there is, then decide", "reveille uninstall --kubeconfig ~/.kube/config"],
      ["Everything, without questions", "reveille uninstall --kubeconfig ~/.kube/config --crds --yes"],
    ],
  ).action(async (options: UninstallOptions) => {
    const [{ openCluster }, { readRunFile, stateDirectory }, left, { ask }] = await Promise.all([
      import("../cluster.ts"),
      import("../state-directory.ts"),
      import("../install/left-behind.ts"),
      import("../dev/consent.ts"),
    ]);
    const directory = stateDirectory(options.data);
    const run = readRunFile(directory);
    const choice = await clusterOf(options, run, directory.path);
    const { client, connection } = openCluster(choice);
    try {
      const known = run?.functions ?? [];
      const held = await left
        .knownObjects(client, run?.kinds ?? [])
        .then((all) => left.heldAmong(all, known, []));
      const found = await left.labelledObjects(client);
      const crds = options.crds === true ? await left.installedCrds(client) : [];
      say(planText(`${connection.cluster} at ${connection.server}`, held, found, crds));
      if (held.length + found.length + crds.length === 0) return;
      if (options.yes !== true) await ask("Remove this?", new AbortController().signal);
      // Nobody answers any more: finalizers could not be taken off.
      for (const { resource, object } of found.filter(left.isWebhook))
        await removeObject(client, resource, object);
      for (const one of held) await left.releaseFinalizers(client, one);
      for (const one of found.filter((each) => !left.isWebhook(each)))
        await removeObject(client, one.resource, one.object);
      for (const crd of crds) {
        const { crdResource } = await import("../install/crds.ts");
        await removeObject(client, crdResource, crd);
      }
      print(`Removed: ${held.length} finalizers released, ${found.length + crds.length} objects deleted`);
    } finally {
      client.close();
    }
  });

async function clusterOf(
  options: UninstallOptions,
  run: RunFile | undefined,
  path: string,
): Promise<ClusterOptions> {
  if (options.kubeconfig !== undefined || options.context !== undefined) return options;
  if (run === undefined || run.api !== "kubeconfig")
    throw new CliError(
      "CLI_NO_CLUSTER",
      `Name the cluster with --kubeconfig. (An API server of our own lives in ${path}: \`reveille dev --reset\` forgets it.)`,
    );
  const [{ isLocked }, { stateDirectory }] = await Promise.all([
    import("../dev/lock.ts"),
    import("../state-directory.ts"),
  ]);
  if (isLocked(stateDirectory(options.data)))
    throw new CliError(
      "CLI_ALREADY_RUNNING",
      `Reveille still runs on this cluster (pid ${run.pid}): stop it first.`,
    );
  return { kubeconfig: run.kubeconfig, ...(run.context === undefined ? {} : { context: run.context }) };
}

const nameOf = ({ kind, metadata }: KubeObject): string =>
  `${kind} ${metadata.namespace === undefined ? "" : `${metadata.namespace}/`}${metadata.name}`;

function planText(
  cluster: string,
  held: readonly Held[],
  found: readonly Found[],
  crds: readonly KubeObject[],
): string {
  if (held.length + found.length + crds.length === 0)
    return `Cluster ${cluster}: nothing of Reveille is there.`;
  return [
    `Cluster ${cluster}:`,
    ...held.map(({ object, finalizers }) => `  release ${finalizers.join(", ")} of ${nameOf(object)}`),
    ...found.map(
      ({ object }) =>
        `  delete ${nameOf(object)}${object.kind === "Namespace" ? " with all that is in it" : pausedIn(object)}`,
    ),
    ...crds.map((crd) => `  delete ${nameOf(crd)} with all objects of its kind`),
  ].join("\n");
}

/** The functions that would be no longer paused. */
function pausedIn(object: KubeObject): string {
  const paused = object.metadata.name === PAUSED_FUNCTIONS ? pausedFunctionsOf(object) : [];
  return paused.length === 0 ? "" : `, which pauses ${paused.map((one) => one.function).join(", ")}`;
}

const removeObject = async (
  client: KubeClient,
  resource: Found["resource"],
  { metadata }: KubeObject,
): Promise<void> => {
  await client.delete(
    resource,
    { name: metadata.name, namespace: metadata.namespace },
    { uid: metadata.uid, propagationPolicy: "Background" },
  );
};
