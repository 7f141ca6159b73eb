import assert from "node:assert/strict";
import { afterEach, describe, it } from "vitest";
import { ManualClock } from "../../../infra/testing/manual-clock.ts";
import { startPlayedCluster } from "../../../infra/testing/played-cluster.ts";
import type { KubeClient } from "../client.ts";
import { defineClusters } from "../clusters.ts";
import type { KubeObject } from "../object.ts";
import { ClusterAwayError } from "./cluster-away.ts";
import { OtherClusters } from "./other-clusters.ts";

const resource = {
  group: "example.org",
  version: "v1",
  kind: "Owner",
  plural: "owners",
  scope: "Namespaced",
} as const;
const MARK = "/apis/example.org/v1/namespaces/here/owners/default";
const SECRET = "/api/v1/namespaces/home/secrets/one";
const runtimes = defineClusters("runtime", {
  secret: { namespace: "home", label: "example.org/runtime", key: "config" },
  mark: { resource, namespace: "here", name: "default", annotation: "example.org/of" },
});
const NAMESPACES = {
  group: "",
  version: "v1",
  kind: "Namespace",
  plural: "namespaces",
  scope: "Cluster",
} as const;
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

type Answer = { readonly of?: string | undefined } | { readonly code: number; readonly of?: never };

/** A cluster that answers so when it is asked for its mark, and where the Secret of that uid is its own. */
async function stage(
  first: Answer,
  { secretThere = "another" }: { readonly secretThere?: string | number } = {},
) {
  let answer = first;
  let version = 1;
  const asked: string[] = [];
  const { kubeconfig, stop } = await startPlayedCluster(({ url = "" }, response) => {
    asked.push(url);
    if (url === SECRET && typeof secretThere === "number")
      return void response.writeHead(secretThere).end(statusOf(secretThere));
    if (url === SECRET)
      return void response.end(JSON.stringify({ metadata: { name: "one", uid: secretThere } }));
    if (url !== MARK) return void response.end(url === "/readyz" ? "ok" : '{"metadata":{"name":"one"}}');
    if ("code" in answer) return void response.writeHead(answer.code).end(statusOf(answer.code));
    const annotations = answer.of === undefined ? {} : { "example.org/of": answer.of };
    return void response.end(JSON.stringify({ metadata: { name: "default", annotations } }));
  });
  const secret = (): KubeObject => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      name: "one",
      namespace: "home",
      uid: "one",
      resourceVersion: `${version}`,
      labels: { "example.org/runtime": "rt-1" },
    },
    data: { config: Buffer.from(kubeconfig).toString("base64") },
  });
  const home: Partial<KubeClient> = {
    list: async () => ({ items: [secret()], metadata: { resourceVersion: "1" } }),
    get: async () => secret(),
  };
  const clock = new ManualClock();
  const others = new OtherClusters({ home: home as KubeClient, clock, random: () => 0 });
  ends.push(() => {
    others.close();
    stop();
  });
  const cluster = others.at(runtimes, "rt-1");
  return {
    clock,
    cluster,
    use: () => cluster.client.get(NAMESPACES, { name: "one" }),
    answers: (next: Answer) => {
      answer = next;
    },
    /** Somebody writes the Secret. */
    rotate: () => {
      version += 1;
    },
    marksAsked: () => asked.filter((url) => url === MARK).length,
    used: () => asked.filter((url) => url === "/api/v1/namespaces/one").length,
    secretsAsked: () => asked.filter((url) => url === SECRET).length,
  };
}
const statusOf = (code: number): string =>
  JSON.stringify({
    kind: "Status",
    apiVersion: "v1",
    status: "Failure",
    code,
    reason: code === 403 ? "Forbidden" : code === 404 ? "NotFound" : "InternalError",
    message: "no",
  });

describe("a cluster that bears a mark", () => {
  for (const [what, answer, times] of [
    ["has none", {}, 4],
    ["has that of its own", { of: "home/rt-1" }, 1],
    ["has an empty one", { of: "" }, 4],
    ["does not know the kind", { code: 404 }, 4],
    ["shows it to nobody", { code: 403 }, 1],
  ] as const)
    it(`is used where it ${what}, and asked ${times === 1 ? "once" : "each time until it bears one"}`, async () => {
      const { cluster, use, marksAsked, clock } = await stage(answer);
      await use();
      const isUnmarked = times > 1;
      const standing = { state: "reachable", reason: "", ...(isUnmarked && { isUnmarked }) };
      assert.deepEqual(await cluster.look(), standing);
      clock.advance(61_000);
      cluster.rest();
      await use();
      assert.deepEqual(await cluster.look(), standing);
      assert.equal(marksAsked(), times);
    });

  it("is marked as soon as it is looked at after it was marked", async () => {
    const { cluster, use, answers } = await stage({});
    await use();
    assert.equal((await cluster.look()).isUnmarked, true);
    answers({ of: "home/rt-1" });
    assert.equal((await cluster.look()).isUnmarked, undefined);
    answers({ of: "home/rt-2" });
    assert.equal((await cluster.look()).state, "reachable", "it was its own");
  });

  it("is another's as soon as it is looked at after that one marked it", async () => {
    const { cluster, use, answers } = await stage({});
    await use();
    answers({ of: "home/rt-2" });
    assert.equal((await cluster.look()).state, "unreachable");
  });

  it("is not used any more where another took it after it was asked, and is where it took it itself", async () => {
    const { cluster, use, answers, used, marksAsked } = await stage({});
    await use();
    answers({ of: "home/rt-2" });
    await assert.rejects(use(), /the cluster of "home\/rt-2", and not of home\/rt-1/);
    assert.equal((await cluster.look()).state, "unreachable");
    assert.equal(used(), 1);
    answers({ of: "home/rt-1" });
    await cluster.probe();
    const asked = marksAsked();
    answers({ of: "a user who edits what is ours" });
    await use();
    assert.deepEqual([used(), marksAsked()], [2, asked]);
  });

  it("is not used where that is another's, whoever asks first, until it is taken off", async () => {
    const { cluster, use, answers, used } = await stage({ of: "home/rt-2" });
    await assert.rejects(
      use(),
      (thrown) =>
        thrown instanceof ClusterAwayError &&
        /its Owner here\/default says that it is the cluster of "home\/rt-2", and not of home\/rt-1/.test(
          thrown.message,
        ),
    );
    const standing = await cluster.look();
    assert.equal(standing.state, "unreachable");
    assert.match(standing.reason, /take the annotation example\.org\/of off there/);
    assert.equal(used(), 0);
    answers({});
    assert.equal((await cluster.probe()).state, "reachable");
    await use();
    assert.equal(used(), 1);
  });

  it("is not used as long as it does not say", async () => {
    const { cluster, use, answers, used } = await stage({ code: 500 });
    await assert.rejects(use(), ClusterAwayError);
    assert.match((await cluster.look()).reason, /^it does not say whose it is/);
    assert.equal(used(), 0);
    answers({});
    assert.equal((await cluster.probe()).state, "reachable");
  });

  for (const answer of [{}, { of: "home/rt-1" }])
    it(`is not used where its own Secret lies in it, ${answer.of === undefined ? "and nobody marked it" : "though it bears its mark"}`, async () => {
      const { cluster, use, used } = await stage(answer, { secretThere: "one" });
      await assert.rejects(use(), /the Secret home\/one leads to the very cluster that it lies in/);
      assert.equal((await cluster.look()).state, "unreachable");
      assert.equal(used(), 0);
    });

  for (const secretThere of ["another", 404, 403])
    it(`is asked once whether its Secret lies in it, where it answers ${secretThere}`, async () => {
      const { use, secretsAsked, used } = await stage({}, { secretThere });
      await use();
      await use();
      assert.deepEqual([used(), secretsAsked()], [2, 1]);
    });

  it("is not used as long as it does not say whether its Secret lies in it", async () => {
    const { use, used } = await stage({}, { secretThere: 500 });
    await assert.rejects(use(), /it does not say whose it is/);
    assert.equal(used(), 0);
  });

  it("is asked again where its Secret is another one: that may lead elsewhere", async () => {
    const { use, answers, rotate, used, clock, marksAsked } = await stage({ of: "home/rt-1" });
    await use();
    answers({ of: "home/rt-2" });
    await use();
    assert.deepEqual([used(), marksAsked()], [2, 1]);
    rotate();
    clock.advance(31_000);
    await assert.rejects(use(), ClusterAwayError);
    assert.equal(used(), 2);
  });
});
