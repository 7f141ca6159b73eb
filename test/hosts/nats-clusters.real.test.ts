import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "vitest";
import { releaseFiles } from "../../functions/cluster-stacks/decide/assets/test-release.ts";
import { clusterStacks } from "../../functions/cluster-stacks/index.ts";
import {
  Cluster,
  ClusterAddon,
  ClusterStack,
  workloads,
} from "../../functions/cluster-stacks/kinds/index.ts";
import { map } from "../../functions/cluster-stacks/test/addons.ts";
import { FOREIGN, installForeign } from "../../functions/cluster-stacks/test/kinds.ts";
import { applyCrds, planCrds } from "../../infra/cli/install/crds.ts";
import { functionsOf, ownKindsOf } from "../../infra/systems/declared.ts";
import { eventually } from "../../infra/testing/eventually.ts";
import { skipWithoutNats, startNatsServer } from "../../infra/testing/nats-server.ts";
import { connectTo, startRemoteCluster } from "../../infra/testing/remote-cluster.ts";
import { systemClock } from "../../shared/clock/clock.ts";
import { fieldOf } from "../../shared/json/fields.ts";
import { resourceOf } from "../../shared/kube/kind.ts";
import { ConfigMap, Secret } from "../../shared/kube/kinds/index.ts";
import { parseObject } from "../../shared/kube/read.ts";
import { type HostProcess, Stage } from "./stage.ts";

const LIMIT = 60_000;
const TEAM = "team-a";
const KUBERNETES = "v1.27.3";
const USER = { fieldManager: "user", force: true } as const;
const NAMES = ["one", "two", "three"] as const;
const tag = (version: string): string => `docker-ferrol-1-27-${version}`;

/** A management cluster whose functions run in processes, and one API server that stands for all workload clusters. */
async function open(t: TestContext) {
  const stage = await Stage.open(t);
  const { client, folder } = stage;
  await applyCrds(client, await planCrds(client, ownKindsOf(functionsOf([clusterStacks]))), systemClock);
  for (const kind of FOREIGN) await installForeign(client, kind);
  const releases = join(folder, "releases");
  for (const version of ["v1", "v2"]) {
    const files = await releaseFiles(tag(version), {
      kubernetes: KUBERNETES,
      addons: { "templates/all.yaml": map("of-{{ .Values.host }}", version) },
      values: "values: |\n  host: {{ .Cluster.metadata.name }}\n",
    });
    mkdirSync(join(releases, tag(version)), { recursive: true });
    for (const [name, content] of Object.entries(files))
      writeFileSync(join(releases, tag(version), name), content);
  }
  const nats = await startNatsServer();
  t.onTestFinished(() => nats.stop());
  const remote = await startRemoteCluster(workloads, `${TEAM}/${NAMES[0]}`, {
    api: "local",
    controllers: false,
  });
  t.onTestFinished(() => remote.stop());
  const { data } = await connectTo(client, remote);
  for (const name of NAMES)
    await client.apply(
      resourceOf(Secret),
      { namespace: TEAM, name: `${name}-kubeconfig` },
      { apiVersion: "v1", kind: "Secret", metadata: { namespace: TEAM, name: `${name}-kubeconfig` }, data },
      USER,
    );
  const environment = {
    REVEILLE_BUS_KIND: "nats",
    REVEILLE_BUS_NATS_SERVERS: nats.url,
    REVEILLE_BUS_NATS_LEASE_MILLISECONDS: "3000",
    REVEILLE_RUNS_NETS: "false",
    REVEILLE_CONFIGURATION: JSON.stringify({
      "cluster-stacks": { sources: { default: { folder: releases } } },
    }),
  };
  const host = async (role: "watcher" | "worker"): Promise<HostProcess> => {
    const started = await stage.host([role, "--systems", "cluster-stacks"], environment);
    await started.readyz(200);
    return started;
  };
  const apply = (kind: typeof Cluster | typeof ClusterStack, version: string, name: string, spec: object) =>
    client.apply(
      { ...resourceOf(kind), version },
      { namespace: TEAM, name },
      {
        apiVersion: `${kind.group}/${version}`,
        kind: kind.kind,
        metadata: { namespace: TEAM, name },
        spec,
      },
      USER,
    );
  return {
    remote,
    host,
    offer: () =>
      apply(ClusterStack, "v1alpha1", "ferrol", {
        ...{ provider: "docker", name: "ferrol", kubernetesVersion: "1.27" },
        ...{ noProvider: true, autoSubscribe: false, versions: ["v1", "v2"] },
      }),
    /** Has all Clusters name the class of a version. */
    name: async (version: string): Promise<void> => {
      for (const name of NAMES)
        await apply(Cluster, "v1beta1", name, {
          topology: { class: tag(version), version: KUBERNETES },
          controlPlaneEndpoint: { host: "10.0.0.1", port: 6443 },
        });
    },
    addons: async () =>
      (await client.list(resourceOf(ClusterAddon), { namespace: TEAM })).items.map((raw) =>
        parseObject(ClusterAddon, raw),
      ),
    /** Resolves once each workload cluster has the addons of that version. */
    installed: (version: string): Promise<true> =>
      eventually(
        `${version} is installed everywhere`,
        async () => {
          const { items } = await remote.client.list(resourceOf(ConfigMap), { namespace: "kube-system" });
          return NAMES.every((name) =>
            items.some(
              ({ metadata, data }) => metadata.name === `of-${name}` && fieldOf(data, "value") === version,
            ),
          );
        },
        LIMIT,
      ),
  };
}

describe("other clusters and hosts over NATS JetStream", { skip: skipWithoutNats() !== false }, () => {
  it("keys that wait for a cluster are run by a worker that never saw it, and a killed worker's are taken over", async (t) => {
    const { remote, host, offer, name, addons, installed } = await open(t);
    await host("watcher");
    const first = await host("worker");
    await offer();
    await name("v1");
    await installed("v1");

    await remote.link("refuse");
    await name("v2");
    await eventually(
      "each addon to say that its cluster is away",
      async () =>
        (await addons()).filter(({ status }) =>
          status?.conditions?.some(({ type, status: is }) => type === "ClusterReady" && is === "False"),
        ).length === NAMES.length,
      LIMIT,
    );
    first.child.kill("SIGKILL");
    const second = await host("worker");
    await remote.link("pass");
    await installed("v2");

    await remote.link("stall");
    await name("v1");
    await eventually(
      "its runs to hang",
      async () =>
        ((await second.metric('reveille_items{function="cluster-addons",state="running"}')) ?? 0) > 0,
      LIMIT,
    );
    second.child.kill("SIGKILL");
    const third = await host("worker");
    await remote.link("pass");
    await installed("v1");
    await eventually(
      "each addon to say so",
      async () =>
        (await addons()).every(
          ({ spec, status }) => status?.ready === true && spec?.clusterStack === tag("v1"),
        ),
      LIMIT,
    );
    assert.equal(await third.metric('reveille_items{function="cluster-addons",state="dead"}'), 0);
  });
});
