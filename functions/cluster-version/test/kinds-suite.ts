import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "vitest";
import { skipWithoutControlPlane } from "../../../infra/testing/control-plane.ts";
import { installKinds } from "../../../infra/testing/install-crds.ts";
import { startTestApi, type TestApi } from "../../../infra/testing/test-api.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import { type Kind, resourceOf } from "../../../shared/kube/kind.ts";
import type { KubeObject } from "../../../shared/kube/object.ts";
import { samplesOf } from "../decide/board/index.ts";
import { gate } from "../decide/sync/gate.ts";
import { ClusterOperator, ClusterVersion } from "../kinds/index.ts";
import { type OperatorReport, report, StatusError, type Watched, writeStatus } from "../status/index.ts";
import { endpointOf, type OperatorObject } from "./status-endpoint.ts";

const USER = { fieldManager: "user" } as const;
const operators = resourceOf(ClusterOperator);
const versions = resourceOf(ClusterVersion);
const NOW = "2026-02-01T08:00:00Z";

const operator = (name: string): KubeObject => ({
  apiVersion: "config.openshift.io/v1",
  kind: "ClusterOperator",
  metadata: { name },
  spec: {},
});
const says = (available: string, version = "5.1.9") => ({
  conditions: [{ type: "Available", status: available, lastTransitionTime: NOW }],
  versions: [
    { name: "kube-scheduler", version: "1.33.4" },
    { name: "operator", version },
  ],
});

/** The table that `kubectl get` prints for a kind: headings and, by name, cells. */
async function printed(
  api: TestApi,
  kind: Kind,
): Promise<{ headings: string[]; rows: Record<string, unknown[]> }> {
  const { group, version, plural } = kind;
  const table = (await api.client.raw("GET", `/apis/${group}/${version}/${plural}`, {
    accept: "application/json;as=Table;v=v1;g=meta.k8s.io",
  })) as {
    readonly columnDefinitions: readonly { readonly name: string }[];
    readonly rows: readonly { readonly cells: readonly unknown[]; readonly object: KubeObject }[];
  };
  return {
    headings: table.columnDefinitions.map(({ name }) => name),
    rows: Object.fromEntries(table.rows.map(({ cells, object }) => [object.metadata.name, cells.slice(1)])),
  };
}

/** The two kinds as an API server knows them. */
export function kindsSuite(api: "local" | "real"): void {
  describe(`the kinds of the status board on the ${api} API`, {
    skip: api === "real" && skipWithoutControlPlane() !== false,
  }, () => {
    let server: TestApi;
    beforeAll(async () => {
      server = await startTestApi({ api, controllers: false });
      await installKinds(server.client, [ClusterOperator, ClusterVersion]);
    });
    afterAll(() => server.stop());
    const make = (name: string): Promise<KubeObject> => server.client.create(operators, operator(name), USER);
    const put = (object: KubeObject): Promise<KubeObject> =>
      server.client.replace(operators, object.metadata, object, { ...USER, subresource: "status" });

    it("scenario 5: a ClusterOperator that says nothing yet is taken, is not available, and prints blanks", async () => {
      const made = (await make("silent")) as OperatorObject;
      assert.deepEqual([made.spec, made.status], [{}, undefined]);
      const { headings, rows } = await printed(server, ClusterOperator);
      assert.deepEqual(headings, ["Name", "Version", "Available", "Progressing", "Degraded", "Since"]);
      assert.deepEqual(
        rows.silent?.map((cell) => cell ?? ""),
        ["", "", "", "", ""],
      );
      const manifest = { name: "silent", versions: [{ name: "operator", version: "1" }] };
      for (const mode of ["Initializing", "Updating", "Reconciling"] as const)
        assert.deepEqual(
          gate(manifest, made, { mode, blockOnDegraded: true }).error?.message,
          "Cluster operator silent is not available",
        );
      const samples = samplesOf({ clusterVersion: undefined, operators: [made] });
      assert.deepEqual(
        samples.cluster_operator_up.map(({ labels, value }) => [labels.name, labels.reason, value]),
        [["silent", "NoAvailableCondition", 0]],
      );
    });

    it("prints what the first entry `operator` says, and since when", async () => {
      await put({ ...(await make("printed")), status: says("True") });
      const { rows } = await printed(server, ClusterOperator);
      const [version, available, progressing, degraded, since] = rows.printed ?? [];
      assert.deepEqual([version, available, progressing ?? "", degraded ?? ""], ["5.1.9", "True", "", ""]);
      assert.match(String(since), /^\d+[ydhms]/);
    });

    it("scenario 6: spec and status are written apart, and the generation moves for neither", async () => {
      const made = await put({ ...(await make("apart")), status: says("True") });
      const body = {
        ...made,
        metadata: { ...made.metadata, labels: { a: "b" } },
        status: says("False", "9.9.9"),
      };
      const main = await server.client.replace(operators, { name: "apart" }, body, USER);
      assert.deepEqual(main.status, says("True"));
      assert.equal(main.metadata.generation, 1);
      const later = await put({
        ...main,
        metadata: { ...main.metadata, labels: { a: "c" }, annotations: { d: "e" } },
        spec: { more: true },
        status: says("False"),
      });
      assert.deepEqual(later.metadata.labels, { a: "b" });
      assert.equal(later.metadata.annotations, undefined);
      assert.deepEqual([later.spec, later.status], [{}, says("False")]);
      assert.equal(later.metadata.generation, 1);
    });

    it("is cluster scoped, is one of its name, and has its short name", async () => {
      await make("one");
      await assert.rejects(make("one"), (error) => error instanceof KubeError && error.kind === "exists");
      const inNamespace = "/apis/config.openshift.io/v1/namespaces/default/clusteroperators";
      await assert.rejects(
        server.client.raw("POST", inNamespace, { body: operator("two") }),
        (error) => error instanceof KubeError && error.kind !== "exists",
      );
      const { resources } = (await server.client.raw("GET", "/apis/config.openshift.io/v1")) as {
        readonly resources: readonly { readonly name: string; readonly shortNames?: readonly string[] }[];
      };
      const namesOf = (plural: string) => resources.find(({ name }) => name === plural)?.shortNames;
      assert.deepEqual(namesOf("clusteroperators"), ["co"]);
      assert.equal(namesOf("clusterversions"), undefined);
    });

    it("prints the newest Completed version, and how far the next is", async () => {
      const made = await server.client.create(
        versions,
        {
          apiVersion: "config.openshift.io/v1",
          kind: "ClusterVersion",
          metadata: { name: "version" },
          spec: { clusterID: "6a0f7a52-2f0e-4a53-9d0a-0b9f0a3f7c11" },
        },
        USER,
      );
      const entry = (state: string, version: string) => ({
        state,
        version,
        image: version,
        startedTime: NOW,
        completionTime: state === "Completed" ? NOW : null,
        verified: true,
      });
      const status = {
        desired: { version: "5.2.0", image: "5.2.0" },
        observedGeneration: 1,
        versionHash: "x",
        availableUpdates: null,
        history: [entry("Partial", "5.2.0"), entry("Completed", "5.1.9"), entry("Completed", "5.1.8")],
        conditions: [
          { type: "Available", status: "True", lastTransitionTime: NOW },
          { type: "Progressing", status: "True", message: "Working towards 5.2.0", lastTransitionTime: NOW },
        ],
      };
      const stored = await server.client.replace(
        versions,
        { name: "version" },
        { ...made, status },
        {
          ...USER,
          subresource: "status",
        },
      );
      assert.deepEqual(stored.status, status);
      const { headings, rows } = await printed(server, ClusterVersion);
      assert.deepEqual(headings, ["Name", "Version", "Available", "Progressing", "Since", "Status"]);
      const [version, available, progressing, since, message] = rows.version ?? [];
      assert.deepEqual(
        [version, available, progressing, message],
        ["5.1.9", "True", "True", "Working towards 5.2.0"],
      );
      assert.match(String(since), /^\d+[ydhms]/);
    });

    describe("reporting to it", () => {
      const available = (message: string): OperatorReport => ({
        conditions: [{ type: "Available", status: "True", reason: "AsExpected", message }],
      });
      const tell = (name: string, says: OperatorReport, meanwhile?: () => Promise<unknown>) => {
        let first = true;
        return writeStatus(
          endpointOf(server.client, name, async () => {
            if (first) await meanwhile?.();
            first = false;
          }),
          ({ status }) => report(status, says, NOW),
        );
      };

      it("scenario 3: removing a condition that is not there sends nothing", async () => {
        await tell("reporter", available("It answers"));
        const { replace } = server.client.requests;
        const again = await tell("reporter", { conditions: [], remove: ["Upgradeable"] });
        assert.deepEqual([again.changed, server.client.requests.replace], [false, replace]);
      });

      it("scenario 43: fields of the extension that nobody knows survive; a secret is not sent", async () => {
        const extension = { deep: { of: [{ its: "owner", more: null }] }, count: 3 };
        await tell("extended", { ...available("It answers"), extension });
        const { object } = await tell("extended", available("It still answers"));
        assert.deepEqual(object.status?.extension, extension);
        await assert.rejects(
          tell("extended", {
            conditions: [],
            extension: { client: { kind: "Secret", data: { a: "Yg==" } } },
          }),
          StatusError,
        );
        const stored = (await server.client.get(operators, { name: "extended" })) as Watched & OperatorObject;
        assert.deepEqual(stored.status?.extension, extension);
      });

      it("keeps what somebody wrote meanwhile, and writes once more", async () => {
        await tell("raced", available("It answers"));
        await tell("raced", available("It answers well"), async () => {
          const live = (await server.client.get(operators, { name: "raced" })) ?? assert.fail();
          await put({ ...live, status: { ...says("True"), extension: { by: "another" } } });
        });
        const { status } = (await server.client.get(operators, { name: "raced" })) as OperatorObject;
        assert.deepEqual(status?.extension, { by: "another" });
        assert.equal(status?.conditions?.[0]?.message, "It answers well");
      });

      it("never writes to one that was made anew", async () => {
        await tell("reborn", available("It answers"));
        await assert.rejects(
          tell("reborn", available("It answers well"), async () => {
            await server.client.delete(operators, { name: "reborn" }, { uid: undefined });
            await make("reborn");
          }),
          /^StatusError: cluster operator was deleted and recreated, cannot update status$/,
        );
        assert.equal((await server.client.get(operators, { name: "reborn" }))?.status, undefined);
      });
    });
  });
}
