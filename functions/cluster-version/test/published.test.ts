import assert from "node:assert/strict";
import { describe, type TestContext, test } from "vitest";
import { leapingClock } from "../../../infra/testing/leaping-clock.ts";
import { startTestApi } from "../../../infra/testing/test-api.ts";
import { type Webhooks, webhooks } from "../../../infra/testing/webhooks.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { RELEASE_ORIGINS } from "../decide/release/updates/release-origins.ts";
import { ClusterVersion } from "../kinds/index.ts";
import { httpUpdateGraph } from "../ports/update-graph/adapters/index.ts";
import { type Component, imageOf, releaseFiles } from "./releases.ts";
import { allWell, installed, type Stage, startStage } from "./stage.ts";

const RUNS = "5.1.9";
const PATCH = "5.1.10";
const DNS: Component = { name: "dns", level: "70" };
const SERVICE = { upstream: "https://updates.example/graph", channel: "steady-5.1" };
/** The repository that the releases of the scenarios lie in, and the tag of one. */
const repository = imageOf("").replace(/:$/, "");

/** Webhooks, after which all has settled. */
interface Scene extends Webhooks {
  readonly stage: Stage;
  /** Lets the update service, of which answers are remembered for two minutes, offer the patch. */
  offer(): void;
  /** How often the update service was asked. */
  readonly asked: () => number;
  offers(): Promise<readonly string[]>;
}

async function annotate({ stack, settled }: Stage, annotations: Record<string, string>): Promise<void> {
  const kind = { apiVersion: "config.openshift.io/v1", kind: "ClusterVersion" };
  const body = { ...kind, metadata: { name: "version", annotations } };
  await stack.client.apply(resourceOf(ClusterVersion), body.metadata, body, {
    fieldManager: "notes",
    force: true,
  });
  await settled();
}

async function scene(t: TestContext): Promise<Scene> {
  const clock = leapingClock();
  const nodes = [RUNS, PATCH].map((version) => ({ version, payload: imageOf(version) }));
  let edges: readonly (readonly [number, number])[] = [];
  let asked = 0;
  const updates = httpUpdateGraph({
    clock,
    fetch: async () => {
      asked += 1;
      return Response.json({ nodes, edges });
    },
  });
  const stage = await startStage({
    api: await startTestApi({ api: "local", controllers: false }),
    clock,
    updates,
  });
  t.onTestFinished(() => stage.stop());
  const sent = webhooks(stage.stack.engine.bus, clock);
  const answered = async (answer: Promise<number>): Promise<number> => {
    const status = await answer;
    await stage.settled();
    return status;
  };
  await installed(stage, RUNS, [DNS]);
  await stage.ask(SERVICE);
  await stage.settled();
  assert.equal((await stage.says()).conditions.RetrievedUpdates, "True");
  return {
    stage,
    offer: () => {
      edges = [[0, 1]];
    },
    asked: () => asked,
    github: (name, version) => answered(sent.github(name, version)),
    push: (host, name, tag) => answered(sent.push(host, name, tag)),
    offers: async () => ((await stage.says()).status?.availableUpdates ?? []).map(({ version }) => version),
  };
}

describe("a release that is published", () => {
  const [host = "", ...rest] = repository.split("/");
  const path = rest.join("/");

  test("is offered at once where a registry tells that it was pushed to the cluster's own repository", async (t) => {
    const { stage, offer, offers, push, asked } = await scene(t);
    offer();
    // What the service said stands for two minutes; without news nobody would ask before.
    await annotate(stage, { "example.org/note": "a change of its own" });
    assert.deepEqual(await offers(), []);
    const before = asked();
    const at = stage.clock.now();
    assert.equal(await push(host, path, PATCH), 202);
    assert.deepEqual(await offers(), [PATCH]);
    assert.ok(stage.clock.now() - at < 120_000, "before the next turn");
    assert.equal(asked(), before + 1);
    const looks = stage.stack.runs().filter((run) => run.function === "cluster-version-updates");
    assert.ok(looks.some(({ causes }) => causes.some(({ type }) => type === "release.published")));
    await stage.again();
    assert.deepEqual(await offers(), [PATCH]);
  });

  test("of an origin that an administrator names is looked for at once", async (t) => {
    const { stage, offer, offers, github } = await scene(t);
    await annotate(stage, { [RELEASE_ORIGINS]: "registry.example/x, github.com/example/graph-data" });
    offer();
    assert.equal(await github("Example/Graph-Data", "2026-01"), 202);
    assert.deepEqual(await offers(), [PATCH]);
  });

  test("elsewhere wakes nobody", async (t) => {
    const { stage, offer, offers, push, github, asked } = await scene(t);
    offer();
    const decided = () =>
      stage.stack.runs().filter(({ outcome, function: name }) => outcome !== "swept" && name !== "commands");
    const before = [decided().length, asked()];
    assert.equal(await push(host, `${path}-of-another`, PATCH), 202);
    assert.equal(await push(`other.${host}`, path, PATCH), 202);
    assert.equal(await github("example/graph-data", PATCH), 202);
    assert.deepEqual([decided().length, asked()], before);
    assert.deepEqual(await offers(), []);
  });

  test("is taken at once where it is the one that is asked for, and could not be had before", async (t) => {
    const { stage, push } = await scene(t);
    await stage.ask({ ...SERVICE, desiredUpdate: { version: PATCH, image: imageOf(PATCH) } });
    await stage.settled();
    assert.match((await stage.says()).conditions.ReleaseAccepted ?? "", /^False RetrievePayload /);
    stage.payloads.put(imageOf(PATCH), releaseFiles(PATCH, [DNS]));
    const at = stage.clock.now();
    assert.equal(await push(host, path, PATCH), 202);
    assert.match((await stage.says()).conditions.ReleaseAccepted ?? "", /^True /);
    assert.ok(stage.clock.now() - at < 120_000, "before the next turn");
    await allWell(stage, PATCH, ["dns"]);
    assert.equal((await stage.says()).history[0], `${PATCH} Completed`);
  });
});
