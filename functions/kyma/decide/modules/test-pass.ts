import assert from "node:assert/strict";
import type { Effects, Obj, Results } from "../../../../shared/function/index.ts";
import { apiVersionOf, type KubeObject } from "../../../../shared/kube/object.ts";
import { parseObject } from "../../../../shared/kube/read.ts";
import { configuration } from "../../configuration.ts";
import {
  Kyma,
  KymaPolicy,
  type KymaPolicySpec,
  LABELS,
  Manifest,
  ModuleReleaseMeta,
  ModuleTemplate,
} from "../../kinds/index.ts";
import type { Description } from "../../ports/components/index.ts";
import { manifestName } from "../manifest/index.ts";
import { kymaPass, observeKyma } from "./index.ts";

export const NOW = "2026-02-03T10:00:00.000Z";
export const NAMESPACE = "kcp-system";
export const COMPONENT = "acme.com/mods/alpha";
export type Tree = Readonly<Record<string, unknown>>;
export const raw = (
  kind: { readonly group: string; readonly version: string; readonly kind: string },
  name: string,
  { metadata, ...rest }: Tree & { readonly metadata?: Tree },
): KubeObject =>
  ({
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: {
      name,
      namespace: NAMESPACE,
      uid: `uid-${name}`,
      resourceVersion: "1",
      generation: 1,
      ...metadata,
    },
    ...rest,
  }) as KubeObject;

export interface World {
  /** The modules of the Kyma's spec. */
  readonly modules?: readonly Tree[];
  readonly annotations?: Readonly<Record<string, string>>;
  /** The version of the channel regular; undefined: there is no release. */
  readonly version?: string | undefined;
  readonly release?: Tree;
  /** More of the ModuleTemplates; null: there are none. */
  readonly template?: (Tree & { readonly metadata?: Tree }) | null;
  /** The version that is installed, and more of its Manifest. */
  readonly installed?: string;
  readonly manifest?: Tree & {
    readonly metadata?: {
      readonly annotations?: Readonly<Record<string, string>>;
      readonly labels?: Readonly<Record<string, string>>;
      readonly deletionTimestamp?: string;
    };
  };
  readonly component?: Description;
  readonly policy?: Partial<KymaPolicySpec>;
  readonly failed?: boolean;
  /** The configuration; absent: modules go into this cluster. */
  readonly configured?: Tree;
  /** The conditions that others have set, and how they stand, or what they say is lacking. */
  readonly conditions?: Readonly<Record<string, "True" | "False" | { readonly message: string }>>;
}
export const described = (version: string): Description => ({
  state: "described",
  component: {
    name: COMPONENT,
    version,
    source: { type: "oci-ref", repo: "r", name: COMPONENT, ref: `sha256:${version}` },
    localizedImages: [],
  },
});

export async function decided(world: World) {
  const { version, installed, modules = [{ name: "alpha" }] } = world;
  const self = parseObject(
    Kyma,
    raw(Kyma, "rt-1", {
      spec: { channel: "regular", modules },
      metadata: { annotations: world.annotations ?? {} },
      status: {
        conditions: Object.entries(world.conditions ?? {}).map(([type, said]) => ({
          ...{ type, reason: "Ready", lastTransitionTime: NOW },
          ...(typeof said === "string"
            ? { status: said, message: said === "True" ? "" : `${type} lacks something.` }
            : { status: "False", message: said.message }),
        })),
      },
    }),
  );
  const release = raw(ModuleReleaseMeta, "alpha", {
    spec: {
      moduleName: "alpha",
      ocmComponentName: COMPONENT,
      channels: [{ channel: "regular", version }],
      ...world.release,
    },
  });
  // Nobody has judged it yet: it holds all the same.
  const policy = raw(KymaPolicy, "central", { spec: { rank: 0, ...world.policy } });
  const config = configuration.parse(world.configured ?? { target: "local" });
  const found = await observeKyma(
    self,
    // The spec is the control plane's: users speak by an annotation.
    { versions: false, target: "secret" },
    {
      components: {
        describe: async (_, asked) => world.component ?? described(asked),
        layer: async () => assert.fail("no artifact is read"),
      },
      releases: async () => (version === undefined ? [] : [parseObject(ModuleReleaseMeta, release)]),
      policies: async () => (world.policy === undefined ? [] : [parseObject(KymaPolicy, policy)]),
      manifests: async () => (installed === undefined ? [] : [manifestOf(installed, world.manifest)]),
      template: async (name) =>
        world.template === null
          ? undefined
          : parseObject(
              ModuleTemplate,
              raw(ModuleTemplate, name, { spec: { descriptor: {} }, ...world.template }),
            ),
      templates: async () => assert.fail("nothing is missed"),
    },
  );
  const outcome = kymaPass(self, found, config, NOW);
  const failure = { code: "KUBE_INVALID", message: "The server refused it.", retryable: false };
  const failed = world.failed ? [{ effect: {} as never, error: failure }] : [];
  const results: Results = Object.assign(() => ({ state: "not run" as const }), {
    ok: failed.length === 0,
    failed,
    // What nobody does cannot fail.
    within: (work: Effects) => {
      const failures = writesOf(work).length === 0 ? [] : failed;
      return { ok: failures.length === 0, failed: failures };
    },
  });
  const ending = outcome.conclude(results);
  return { effects: writesOf(outcome.effects), ending, module: ending.status?.modules?.[0] };
}

export const manifestOf = (version: string, more: World["manifest"] = {}): Obj<typeof Manifest> => {
  const { metadata, ...rest } = more;
  return parseObject(
    Manifest,
    raw(Manifest, manifestName("rt-1", COMPONENT, "alpha"), {
      spec: {
        remote: true,
        version,
        install: { name: "raw-manifest", source: {} },
        customResourcePolicy: "CreateAndDelete",
      },
      status: { state: "Ready" },
      ...rest,
      metadata: {
        labels: { [LABELS.kymaName]: "rt-1", [LABELS.moduleName]: "alpha", [LABELS.channel]: "regular" },
        ...metadata,
      },
    }),
  );
};
/** `apply Manifest 1.0.0`, `remove Manifest`, `patch Manifest name=value`. */
export function writesOf(effects: Effects): readonly string[] {
  if (Array.isArray(effects)) return effects.flatMap(writesOf);
  if ("inOrder" in effects) return writesOf(effects.inOrder);
  if (!("plan" in effects)) return assert.fail("they are lists");
  const { plan } = effects;
  switch (plan.effect) {
    case "apply":
      return [`apply ${plan.kind.kind} ${(plan.body.spec as { readonly version: string }).version}`];
    case "remove":
      return [`remove ${plan.kind.kind}`];
    case "patch":
      return Object.entries(plan.change.annotations ?? {}).map(
        ([name, value]) => `patch ${plan.kind.kind} ${name.split("/")[1]}=${value}`,
      );
    default:
      return assert.fail(plan.effect);
  }
}
