import assert from "node:assert/strict";
import { confusedBus } from "../../../infra/testing/confused-bus.ts";
import { eventually } from "../../../infra/testing/eventually.ts";
import type { Fleet } from "../../../infra/testing/fleet.ts";
import { natsFleet } from "../../../infra/testing/fleets.ts";
import type { NatsServer } from "../../../infra/testing/nats-server.ts";
import { seededRandom } from "../../../infra/testing/random.ts";
import type { RemoteCluster } from "../../../infra/testing/remote-cluster.ts";
import { writtenKinds } from "../../../infra/testing/system/proof.ts";
import { worldOf } from "../../../infra/testing/world.ts";
import type { RunRecord } from "../../../shared/bus/run-record.ts";
import { isTrue } from "../../../shared/kube/conditions.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { ConfigMap, Secret } from "../../../shared/kube/kinds/index.ts";
import { releaseFiles } from "../decide/assets/test-release.ts";
import { Cluster, ClusterAddon, ClusterStack } from "../kinds/index.ts";
import { map, names } from "./addons.ts";
import { DockerCluster } from "./kinds.ts";
import { proof } from "./proof.ts";
import { type Stage, startStage, TEAM } from "./stage.ts";

/** The number of stacks, of Clusters, and of the workers that serve them. */
export interface Many {
  readonly stacks: number;
  readonly clusters: number;
  readonly workers: number;
  /** The time in which all of them are to be installed, and then changed. */
  readonly limitMilliseconds: number;
}

const KUBERNETES = "v1.27.3";
const SEED = 40;

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const nameOf = (cluster: number): string => `c${cluster}`;
const tagOf = (stack: number, version: string): string => `docker-s${stack}-1-27-${version}`;
/** Those that change their class, and those that go. */
const changes = (cluster: number): boolean => cluster % 3 === 0;
const goes = (cluster: number): boolean => cluster % 7 === 1;

const wants = (s: Stage, stack: number, versions: readonly string[]): Promise<void> =>
  s.put(
    ClusterStack,
    { name: `s${stack}`, namespace: TEAM },
    {
      spec: {
        ...{ provider: "docker", name: `s${stack}`, kubernetesVersion: "1.27" },
        ...{ noProvider: true, autoSubscribe: false, versions },
      },
    },
  );

/** Two releases of each stack. What their addons bring bears the name of the Cluster: one API server stands for all workload clusters. */
async function publish(s: Stage, { stacks }: Many): Promise<void> {
  for (const stack of numbers(stacks))
    for (const version of ["v1", "v2"])
      s.source.put(
        tagOf(stack, version),
        await releaseFiles(tagOf(stack, version), {
          kubernetes: KUBERNETES,
          addons: {
            "templates/all.yaml": [
              map("{{ .Values.host }}-same"),
              map("{{ .Values.host }}-changed", version),
              map(`{{ .Values.host }}-${version}`),
            ].join("---\n"),
          },
          values: "values: |\n  host: {{ .Cluster.metadata.name }}\n",
        }),
      );
}

/** Gives each Cluster the kubeconfig of the one server. */
async function connect(s: Stage, { clusters }: Many): Promise<RemoteCluster> {
  const there = await s.workload("shared");
  const { data } = await there.secret();
  for (const number of numbers(clusters)) {
    await s.put(Secret, { name: `${nameOf(number)}-kubeconfig`, namespace: TEAM }, { data });
    await s.put(
      DockerCluster,
      { name: nameOf(number), namespace: TEAM },
      { spec: { loadBalancer: nameOf(number) } },
    );
  }
  return there;
}

/** Creates a Cluster of a version of its stack, or has it take up another one. */
const take = (s: Stage, number: number, version: string, { stacks }: Many): Promise<void> =>
  s.put(
    Cluster,
    { name: nameOf(number), namespace: TEAM },
    {
      spec: {
        topology: { class: tagOf(number % stacks, version), version: KUBERNETES },
        infrastructureRef: {
          apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
          kind: "DockerCluster",
          name: nameOf(number),
        },
      },
    },
  );

/** Resolves once the addons of these Clusters are those of their versions, and there are no others. */
async function installed(s: Stage, versions: ReadonlyMap<number, string>, many: Many): Promise<void> {
  // To read hundreds of objects takes the time that workers need.
  const each = Math.ceil(many.clusters / 10);
  const seldom = (what: string, look: () => Promise<boolean>): Promise<unknown> => {
    let looks = 0;
    return eventually(
      what,
      async () => {
        looks += 1;
        return looks % each === 0 && (await look());
      },
      many.limitMilliseconds,
    );
  };
  await seldom("all addons to be installed", async () => {
    const addons = await s.list(ClusterAddon, TEAM);
    const done = new Map(
      addons.flatMap(({ metadata, spec, status }) =>
        // A cluster that a busy thread let wait for its answer is told as away, until it is heard again.
        status?.ready === true && isTrue(status.conditions, "Ready")
          ? [[metadata.name, spec?.clusterStack]]
          : [],
      ),
    );
    return (
      addons.length === versions.size &&
      [...versions].every(
        ([number, version]) =>
          done.get(`cluster-addon-${nameOf(number)}`) === tagOf(number % many.stacks, version),
      )
    );
  });
  // Sweeps for each addon come behind.
  await seldom("no work to be left", async () => {
    const counts = Object.values(await s.stack.engine.bus.counts());
    return counts.every(({ waiting, running }) => waiting + running === 0);
  });
  await s.settled();
}

/** Installs addons in all Clusters, has many take up another class or go, and tells what is there in the end, and what was run for it. */
export async function playMany(
  server: NatsServer,
  many: Many,
): Promise<{ readonly world: unknown; readonly runs: readonly RunRecord[] }> {
  const random = seededRandom(SEED);
  const fleet: Fleet = {
    ...natsFleet(server, many.workers),
    watchersBus: (bus) => confusedBus(bus, random),
  };
  const s = await startStage({ api: "local", fleet });
  try {
    await publish(s, many);
    const there = await connect(s, many);
    const [stacks, clusters] = [numbers(many.stacks), numbers(many.clusters)];
    await Promise.all([
      ...stacks.map((stack) => wants(s, stack, ["v1", "v2"])),
      ...clusters.map((number) => take(s, number, "v1", many)),
    ]);
    await installed(s, new Map(clusters.map((number) => [number, "v1"])), many);
    await Promise.all([
      ...stacks.map((stack) => wants(s, stack, stack % 4 === 0 ? ["v2"] : ["v1", "v2"])),
      ...clusters.map((number) =>
        goes(number)
          ? s.remove(Cluster, { name: nameOf(number), namespace: TEAM })
          : changes(number)
            ? take(s, number, "v2", many)
            : undefined,
      ),
    ]);
    const left = clusters.filter((number) => !goes(number));
    await installed(s, new Map(left.map((number) => [number, changes(number) ? "v2" : "v1"])), many);
    const maps = await names(there);
    assert.equal(maps.length, 3 * many.clusters);
    for (const number of left.filter(changes)) {
      assert.ok(maps.includes(`${nameOf(number)}-v2`));
      assert.ok(!maps.includes(`${nameOf(number)}-v1`));
    }
    assert.deepEqual(await s.stack.engine.bus.deadLetters.list(), []);
    const home = await worldOf(s.stack.client, writtenKinds(proof));
    const world = proof.essence?.({ ...home, there: await worldOf(there.client, [resourceOf(ConfigMap)]) });
    return { world, runs: s.stack.runs() };
  } finally {
    await s.stop();
  }
}
