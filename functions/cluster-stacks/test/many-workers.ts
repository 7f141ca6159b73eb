import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, test } from "vitest";
import { confusedBus } from "../../../infra/testing/confused-bus.ts";
import { eventually } from "../../../infra/testing/eventually.ts";
import type { Fleet } from "../../../infra/testing/fleet.ts";
import { natsFleet } from "../../../infra/testing/fleets.ts";
import { type NatsServer, skipWithoutNats, startNatsServer } from "../../../infra/testing/nats-server.ts";
import { assertOneAtATime } from "../../../infra/testing/one-at-a-time.ts";
import { seededRandom } from "../../../infra/testing/random.ts";
import type { RemoteCluster } from "../../../infra/testing/remote-cluster.ts";
import { testSeed } from "../../../infra/testing/system/index.ts";
import { writtenKinds } from "../../../infra/testing/system/proof.ts";
import { worldOf } from "../../../infra/testing/world.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { ConfigMap, Secret } from "../../../shared/kube/kinds/index.ts";
import { releaseFiles } from "../decide/assets/test-release.ts";
import { Cluster, ClusterAddon, ClusterStack } from "../kinds/index.ts";
import { map, names } from "./addons.ts";
import { DockerCluster } from "./kinds.ts";
import { proof } from "./proof.ts";
import { type Stage, startStage, TEAM } from "./stage.ts";

/** The numbers of stacks and of Clusters; few of both where a seed asks for a sample. */
const SIZES = testSeed() === undefined ? { stacks: 200, clusters: 500 } : { stacks: 4, clusters: 10 };
const LIMIT_MILLISECONDS = testSeed() === undefined ? 600_000 : 60_000;
/** The number of looks of which one reads: to read hundreds of objects takes the time that workers need. */
const LOOKS = Math.ceil(SIZES.clusters / 10);
const KUBERNETES = "v1.27.3";
const SEED = 40;

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const nameOf = (cluster: number): string => `c${cluster}`;
const stackOf = (cluster: number): number => cluster % SIZES.stacks;
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

const cluster = (s: Stage, number: number, version: string): Promise<void> =>
  s.put(
    Cluster,
    { name: nameOf(number), namespace: TEAM },
    {
      spec: {
        topology: { class: tagOf(stackOf(number), version), version: KUBERNETES },
        infrastructureRef: {
          apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
          kind: "DockerCluster",
          name: nameOf(number),
        },
      },
    },
  );

/** Two releases of each stack. What their addons bring bears the name of the Cluster: one API server stands for all workload clusters. */
async function publish(s: Stage): Promise<void> {
  for (const stack of numbers(SIZES.stacks))
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
async function connect(s: Stage): Promise<RemoteCluster> {
  const there = await s.workload("shared");
  const { data } = await there.secret();
  for (const number of numbers(SIZES.clusters)) {
    await s.put(Secret, { name: `${nameOf(number)}-kubeconfig`, namespace: TEAM }, { data });
    await s.put(
      DockerCluster,
      { name: nameOf(number), namespace: TEAM },
      { spec: { loadBalancer: nameOf(number) } },
    );
  }
  return there;
}

/** Resolves once the addons of these Clusters are those of their versions, and there are no others. */
async function installed(s: Stage, versions: ReadonlyMap<number, string>): Promise<void> {
  let looks = 0;
  await eventually(
    "all addons to be installed",
    async () => {
      looks += 1;
      if (looks % LOOKS !== 0) return false;
      const addons = await s.list(ClusterAddon, TEAM);
      const done = new Map(
        addons.flatMap(({ metadata, spec, status }) =>
          status?.ready === true ? [[metadata.name, spec?.clusterStack]] : [],
        ),
      );
      return (
        addons.length === versions.size &&
        [...versions].every(
          ([number, version]) =>
            done.get(`cluster-addon-${nameOf(number)}`) === tagOf(stackOf(number), version),
        )
      );
    },
    LIMIT_MILLISECONDS,
  );
  // Sweeps for each addon come behind.
  await eventually(
    "no work to be left",
    async () => {
      looks += 1;
      if (looks % LOOKS !== 0) return false;
      const counts = Object.values(await s.stack.engine.bus.counts());
      return counts.every(({ waiting, running }) => waiting + running === 0);
    },
    LIMIT_MILLISECONDS,
  );
  await s.settled();
}

/** Plays all of it, and tells what is there in the end. */
async function play(server: NatsServer, workers: number): Promise<unknown> {
  const random = seededRandom(SEED);
  const fleet: Fleet = { ...natsFleet(server, workers), watchersBus: (bus) => confusedBus(bus, random) };
  const s = await startStage({ api: "local", fleet });
  try {
    await publish(s);
    const there = await connect(s);
    await Promise.all([
      ...numbers(SIZES.stacks).map((stack) => wants(s, stack, ["v1", "v2"])),
      ...numbers(SIZES.clusters).map((number) => cluster(s, number, "v1")),
    ]);
    await installed(s, new Map(numbers(SIZES.clusters).map((number) => [number, "v1"])));
    await Promise.all([
      ...numbers(SIZES.stacks).map((stack) => wants(s, stack, stack % 4 === 0 ? ["v2"] : ["v1", "v2"])),
      ...numbers(SIZES.clusters).map((number) =>
        goes(number)
          ? s.remove(Cluster, { name: nameOf(number), namespace: TEAM })
          : changes(number)
            ? cluster(s, number, "v2")
            : undefined,
      ),
    ]);
    const left = numbers(SIZES.clusters).filter((number) => !goes(number));
    await installed(s, new Map(left.map((number) => [number, changes(number) ? "v2" : "v1"])));
    const maps = await names(there);
    assert.equal(maps.length, 3 * SIZES.clusters);
    for (const number of left.filter(changes)) {
      assert.ok(maps.includes(`${nameOf(number)}-v2`));
      assert.ok(!maps.includes(`${nameOf(number)}-v1`));
    }
    assert.deepEqual(await s.stack.engine.bus.deadLetters.list(), []);
    assertOneAtATime(s.stack.runs());
    const home = await worldOf(s.stack.client, writtenKinds(proof));
    return proof.essence?.({ ...home, there: await worldOf(there.client, [resourceOf(ConfigMap)]) });
  } finally {
    await s.stop();
  }
}

/** Many stacks and addons at once, with events that come twice and in any order, by ever more workers. 40. */
export function manyWorkers(): void {
  describe("many stacks and addons over NATS, with doubled and reordered events", {
    skip: skipWithoutNats() !== false,
  }, () => {
    let server: NatsServer;
    let alone: unknown;
    beforeAll(async () => {
      server = await startNatsServer();
    });
    afterAll(() => server?.stop());

    test("40: one worker brings them all about", { timeout: 4 * LIMIT_MILLISECONDS }, async () => {
      alone = await play(server, 1);
    });
    for (const workers of [4, 16])
      test(`40: ${workers} workers come to the same`, { timeout: 4 * LIMIT_MILLISECONDS }, async () => {
        assert.deepEqual(await play(server, workers), alone);
      });
  });
}
