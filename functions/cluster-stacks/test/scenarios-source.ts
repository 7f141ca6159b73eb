import assert from "node:assert/strict";
import type { Scenario } from "../../../infra/testing/system/index.ts";
import { Event, Secret } from "../../../shared/kube/kinds/index.ts";
import { releaseFiles } from "../decide/assets/test-release.ts";
import { CLOSED, type Stage, TEAM, tag } from "./stage.ts";

const synced = async (s: Stage) => (await s.says()).conditions?.find(({ type }) => type === "ReleasesSynced");
const asked = (s: Stage, question: string): number => s.source.asked.filter((one) => one === question).length;

/** Puts a token into the Secret of the closed source; without one the Secret goes. */
async function hold(s: Stage, stringData: Readonly<Record<string, string>> | undefined): Promise<void> {
  const at = { name: CLOSED.secretName, namespace: TEAM };
  if (stringData === undefined) await s.remove(Secret, at);
  else await s.put(Secret, at, { stringData });
  await s.settled();
}

/** The words of a source, and its silence: 6 to 12. */
export const source: readonly Scenario<Stage>[] = [
  {
    number: 6,
    name: "tags that are no releases are told of once, and the newest of each stack is found among the others",
    async run(s) {
      await s.publish("v9", "v10");
      const strays = [
        "",
        "latest",
        "v1",
        "docker-ferrol-1-27",
        "docker-ferrol-1-27-v11-x",
        "docker-ferrol-v12",
      ];
      s.source.lists([...strays, tag("v9"), "docker-ferrol-1-28-v77", "openstack-scs-1-27-v78", tag("v10")]);
      await s.wants({});
      assert.deepEqual(await s.there(), ["v10"]);
      assert.equal((await synced(s))?.status, "True");
      const told = (await s.list(Event)).filter(
        ({ reason }) => reason === "FailedToParseClusterStackRelease",
      );
      assert.equal(told.length, 1);
      assert.match(told[0]?.message ?? "", /^6 tags of the source name no release/);
    },
  },
  {
    number: 7,
    name: "the newest of 250 releases is found, wherever it stands",
    async run(s) {
      await s.publish("v300");
      const others = Array.from({ length: 250 }, (_, index) => tag(`v${index + 1}`));
      s.source.lists([...others.slice(100), ...others.slice(0, 100), tag("v300")]);
      await s.wants({});
      assert.deepEqual(await s.there(), ["v300"]);
    },
  },
  {
    number: 8,
    name: "a list that fails takes nothing away, says why, and is forgotten at the next good one",
    async run(s) {
      await s.publish("v4");
      await s.wants({});
      s.source.put(tag("v5"), { "metadata.yaml": "nonsense" });
      await s.leap(6);
      await s.until("v5 to be there", async () => (await s.there()).includes("v5"));
      s.source.fails({ reason: "unavailable", message: "the source does not answer" });
      await s.leap(6);
      await s.until("the failure to be told", async () => (await synced(s))?.status === "False");
      assert.deepEqual(await s.there(), ["v4", "v5"]);
      const told = await synced(s);
      assert.deepEqual([told?.reason, told?.severity], ["FailedToSync", "Warning"]);
      assert.match(told?.message ?? "", /the source does not answer/);
      s.source.fails();
      await s.leap(6);
      await s.until("the failure to be over", async () => (await synced(s))?.status === "True");
      assert.deepEqual(await s.there(), ["v4", "v5"]);
    },
  },
  {
    number: 9,
    name: "an empty list takes nothing away, and is told as long as it is empty",
    async run(s) {
      await s.publish("v4");
      s.source.put(tag("v5"), { "metadata.yaml": "nonsense" });
      await s.wants({});
      const before = asked(s, "list default");
      s.source.lists([]);
      await s.leap(6);
      await s.until("the source to be asked", async () => asked(s, "list default") > before);
      assert.deepEqual(await s.there(), ["v5"]);
      for (const times of [1, 2]) {
        const told = await synced(s);
        assert.deepEqual([told?.status, told?.reason], ["False", "FailedToSync"], `look ${times}`);
        assert.match(told?.message ?? "", /lists no release .* was docker-ferrol-1-27-v5, which is kept/);
        const last = asked(s, "list default");
        await s.leap(6);
        await s.until("the next look", async () => asked(s, "list default") > last);
      }
      s.source.lists(undefined);
      await s.leap(6);
      await s.until("the doubt to be over", async () => (await synced(s))?.status === "True");
      assert.deepEqual(await s.there(), ["v5"]);
    },
  },
  {
    number: 10,
    name: "five stacks share one list, and a source that wants to be left alone is, until it said",
    async run(s) {
      const before = asked(s, "list default");
      const until = new Date(Math.ceil(s.now() / 1000) * 1000 + 17 * 60_000).toISOString();
      s.source.fails({ reason: "limited", message: "too many requests", notBefore: until });
      await s.wants({});
      for (const name of ["b", "c", "d", "e"]) await s.wants({ name }, name);
      assert.match((await synced(s))?.message ?? "", new RegExp(until.replace(".000Z", "Z")));
      const first = asked(s, "list default");
      assert.ok(first > before && first <= before + 5);
      s.source.fails();
      await s.publish("v1");
      await s.leap(6);
      await s.again();
      assert.equal(asked(s, "list default"), first);
      await s.leap(12);
      await s.until("v1 to be there", async () => (await s.there()).includes("v1"));
      await s.settled();
      assert.equal((await synced(s))?.status, "True");
      const after = asked(s, "list default");
      await s.leap(6);
      await s.until("the next list", async () => asked(s, "list default") > after);
      assert.equal(asked(s, "list default"), after + 1);
    },
  },
  {
    number: 11,
    name: "a version that does not exist is told with tag and source, and goes with the wish for it",
    async run(s) {
      await s.wants({ versions: ["v99"], autoSubscribe: false });
      const release = await s.release("v99");
      const [ready] = release?.status?.conditions ?? [];
      assert.deepEqual([ready?.severity, ready?.reason], ["Error", "IssueWithReleaseAssets"]);
      assert.match(
        ready?.message ?? "",
        /source default has no release docker-ferrol-1-27-v99; attempt 1, the next one at/,
      );
      assert.equal((await s.says()).summary?.[0]?.message, "IssueWithReleaseAssets");
      await s.wants({ versions: [], autoSubscribe: false });
      assert.deepEqual(await s.there(), []);
    },
  },
  {
    number: 11,
    name: "a release that is published later is found at the next look",
    async run(s) {
      await s.wants({ versions: ["v2"], autoSubscribe: false });
      s.source.put(tag("v2"), await releaseFiles(tag("v2")));
      await s.leap(11);
      await s.until("v2 to be ready", async () => (await s.release("v2"))?.status?.ready === true);
      assert.equal((await s.release("v2"))?.status?.attempts, undefined);
    },
  },
  {
    number: 11,
    name: "a stack that names another source takes its releases along, those of before too",
    async run(s) {
      await s.publish("v1");
      s.source.put(tag("v2"), await releaseFiles(tag("v2")), { source: "mirror" });
      await s.wants({ versions: ["v1", "v2"], autoSubscribe: false });
      assert.equal((await s.release("v1"))?.status?.ready, true);
      assert.notEqual((await s.release("v2"))?.status?.ready, true);
      s.source.put(tag("v1"), await releaseFiles(tag("v1")), { source: "mirror" });
      await s.wants({ source: "mirror", versions: ["v1", "v2"], autoSubscribe: false });
      await s.until("v2 to be ready", async () => (await s.release("v2"))?.status?.ready === true);
      for (const version of ["v1", "v2"])
        assert.equal((await s.release(version))?.spec?.source, "mirror", version);
      assert.equal((await s.says()).usableVersions, "v1, v2");
    },
  },
  {
    number: 12,
    name: "a source is asked with the Secret of the namespace, whose lacks are told, and whose change is heard of at once",
    async run(s) {
      const { source } = CLOSED;
      s.source.wants("the-right-token", source);
      s.source.put(tag("v1"), await releaseFiles(tag("v1")), { source });
      const client = async (): Promise<string> => {
        const told = (await s.says()).conditions?.find(({ type }) => type === "AssetsClientAPIAvailable");
        return `${told?.status ?? ""} ${told?.message ?? ""}`.trim();
      };
      const says = (words: RegExp) =>
        s.until(`the stack to say ${words}`, async () => words.test(await client()));
      await s.wants({ source, versions: ["v1"] });
      await says(
        /^False source closed: there is no Secret team-a\/closed-source: make it, with the data token/,
      );
      assert.match(
        (await s.release("v1"))?.status?.conditions?.[0]?.message ?? "",
        /there is no Secret team-a\/closed-source/,
      );
      await hold(s, { password: "the-right-token" });
      await says(/has no token in its data: add it$/);
      await hold(s, { token: "another-token" });
      await says(/refuses the token/);
      await hold(s, { token: "the-right-token" });
      await says(/^True$/);
      await s.until("v1 to be ready", async () => (await s.release("v1"))?.status?.ready === true);
      const everything = JSON.stringify([
        await s.says(),
        await s.release("v1"),
        ...(await s.list(Event)).map(({ message }) => message),
      ]);
      assert.ok(!/-token\b/.test(everything), "no value of the Secret is told");
      await hold(s, undefined);
      await says(/there is no Secret/);
      assert.equal((await s.release("v1"))?.status?.ready, true, "what is applied stands");
    },
  },
  {
    number: 12,
    name: "a release of which only a part could be read is nothing to anybody, and complete after the next try",
    async run(s) {
      await s.publish("v1");
      s.source.fails({ reason: "unavailable", message: "the answer broke off after 2 of 4 assets" });
      await s.wants({ versions: ["v1"], autoSubscribe: false });
      assert.match(
        (await s.release("v1"))?.status?.conditions?.[0]?.message ?? "",
        /broke off after 2 of 4 assets; attempt 1/,
      );
      assert.deepEqual(await s.classes(), []);
      assert.equal((await s.says()).usableVersions ?? "", "");
      s.source.fails();
      await s.leap(11);
      await s.until("v1 to be ready", async () => (await s.release("v1"))?.status?.ready === true);
      assert.deepEqual(await s.classes(), ["ClusterClass v1", "DockerClusterTemplate v1-cluster"]);
    },
  },
];
