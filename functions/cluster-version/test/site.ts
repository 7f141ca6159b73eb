import type { Stack } from "../../../infra/testing/stack.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { type Kind, type Obj, resourceOf } from "../../../shared/kube/kind.ts";
import { ConfigMap, Job } from "../../../shared/kube/kinds/index.ts";
import { parseObject } from "../../../shared/kube/read.ts";
import { WORK_RECORD } from "../decide/sync/work-record.ts";
import { ClusterOperator, ClusterVersion } from "../kinds/index.ts";
import { type Component, imageOf, NAMESPACE, releaseFiles } from "./releases.ts";

/** A report of an operator on itself. */
export interface Report {
  readonly available?: string;
  readonly degraded?: string;
  readonly progressing?: string;
  readonly upgradeable?: string;
  readonly versions?: Readonly<Record<string, string>>;
}

/** A cluster with the version operator, releases that it can be given, and people who act on it, wherever the operator runs. */
export interface Site {
  readonly stack: Pick<Stack, "client">;
  /** Makes a release that can be asked for. */
  release(version: string, components: readonly Component[]): void;
  /** Lets what is due within this time happen before it is settled again. */
  wait(milliseconds: number): void;
  get<K extends Kind>(kind: K, name: string, namespace?: string): Promise<Obj<K> | undefined>;
  /** Creates the ClusterVersion, or changes what it asks for. */
  ask(spec: Readonly<Record<string, unknown>>): Promise<void>;
  /** Reports as the operator of that name would. */
  report(name: string, says: Report): Promise<void>;
  settled(): Promise<void>;
  /** Every key is resynced. */
  again(): Promise<void>;
  /** Deletes the ClusterVersion, and waits until all is gone that a garbage collector removes with it. */
  uninstall(): Promise<void>;
  /** Takes away what a scenario left, so that the next one begins in an empty cluster. */
  empty(): Promise<void>;
  says(): Promise<Said>;
}

/** The words of the ClusterVersion, a line a condition: `True Reason message`. */
export interface Said {
  readonly conditions: Readonly<Record<string, string>>;
  readonly history: readonly string[];
  readonly status: ClusterVersion["status"];
}

/** The parts of a site: where it lies, and how its operator is waited for. */
export interface SiteParts extends Pick<Site, "again" | "settled" | "wait"> {
  readonly client: KubeClient;
  /** Makes the files of an image available to the operator. */
  readonly put: (image: string, files: Readonly<Record<string, string>>) => void;
}

/** Deeds and views of people in a cluster with the version operator. */
export function siteOf({ client, put, settled, again, wait }: SiteParts): Site {
  const get: Site["get"] = async (kind, name, namespace) => {
    const raw = await client.get(resourceOf(kind), { name, ...(namespace !== undefined && { namespace }) });
    return raw && parseObject(kind, raw);
  };
  return {
    stack: { client },
    get,
    release: (version, components) => put(imageOf(version), releaseFiles(version, components)),
    async ask(spec) {
      await client.apply(
        resourceOf(ClusterVersion),
        { name: "version" },
        {
          apiVersion: "config.openshift.io/v1",
          kind: "ClusterVersion",
          metadata: { name: "version" },
          spec: { clusterID: "6a0f7a52-2f0e-4a53-9d0a-0b9f0a3f7c11", ...spec },
        },
        { fieldManager: "admin", force: true },
      );
    },
    async report(name, { versions = {}, ...said }) {
      const at = new Date().toISOString().replace(/\.\d+Z$/, "Z");
      const conditions = Object.entries(said).map(([type, status]) => ({
        type: type.charAt(0).toUpperCase() + type.slice(1),
        status: status as string,
        lastTransitionTime: at,
      }));
      const body = {
        apiVersion: "config.openshift.io/v1",
        kind: "ClusterOperator",
        metadata: { name },
      };
      await client.apply(
        resourceOf(ClusterOperator),
        { name },
        { ...body, spec: {} },
        { fieldManager: name, force: true },
      );
      await client.apply(
        resourceOf(ClusterOperator),
        { name },
        {
          ...body,
          status: {
            conditions,
            versions: Object.entries(versions).map(([of, version]) => ({ name: of, version })),
          },
        },
        { fieldManager: name, force: true, subresource: "status" },
      );
    },
    settled,
    again,
    wait,
    async uninstall() {
      const found = await get(ClusterVersion, "version");
      if (found !== undefined)
        await client.delete(resourceOf(ClusterVersion), { name: "version" }, { uid: found.metadata.uid });
    },
    async empty() {
      const left: readonly (readonly [Kind, string | undefined])[] = [
        [ClusterVersion, undefined],
        [ClusterOperator, undefined],
        [ConfigMap, NAMESPACE],
        [Job, NAMESPACE],
        [ConfigMap, WORK_RECORD.namespace],
      ];
      for (const [kind, namespace] of left)
        for await (const page of client.pages(resourceOf(kind), { namespace }))
          for (const { metadata } of page.items)
            await client.delete(resourceOf(kind), metadata, { uid: metadata.uid });
      await settled();
    },
    async says() {
      const { status } = (await get(ClusterVersion, "version")) ?? {};
      return {
        status,
        conditions: Object.fromEntries(
          (status?.conditions ?? []).map(({ type, status: is, reason, message }) => [
            type,
            [is, reason, message].filter((part) => part !== undefined && part !== "").join(" "),
          ]),
        ),
        history: (status?.history ?? []).map(({ version, state }) => `${version} ${state}`),
      };
    },
  };
}
