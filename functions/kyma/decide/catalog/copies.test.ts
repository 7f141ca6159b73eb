import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Kind } from "../../../../shared/function/index.ts";
import { apiVersionOf, type KubeObject } from "../../../../shared/kube/object.ts";
import { parseObject } from "../../../../shared/kube/read.ts";
import { ANNOTATIONS, Kyma, LABELS, ModuleReleaseMeta, ModuleTemplate } from "../../kinds/index.ts";
import { copiesFor } from "./copies.ts";

type Tree = Readonly<Record<string, unknown>>;
const object = <K extends Kind>(kind: K, name: string, metadata: Tree, spec: Tree): K["prototype"] =>
  parseObject(kind, {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: { name, namespace: "kcp-system", uid: name, resourceVersion: "1", ...metadata },
    spec,
  } as KubeObject);

interface Row {
  readonly title: string;
  readonly kyma?: Tree;
  readonly release?: Tree;
  readonly releaseMetadata?: Tree;
  /** The metadata of the template of 1.0.0; undefined: there is none. */
  readonly template?: Tree | undefined;
  readonly restricted?: readonly string[];
  /** The objects in the runtime: releases with their channels, then templates. */
  readonly copies: readonly string[];
}

const BETA = { labels: { [LABELS.beta]: "true" } };
const GONE = { deletionTimestamp: "2026-02-03T10:00:00Z" };
const BOTH = ["alpha: regular fast", "alpha-1.0.0", "alpha-2.0.0"];
const FAST = ["alpha: fast", "alpha-2.0.0"];
const ROWS: readonly Row[] = [
  { title: "a module with two channels", copies: BOTH },
  { title: "a channel whose version is for testers", template: BETA, copies: FAST },
  { title: "a channel whose version is for testers, for one", template: BETA, kyma: BETA, copies: BOTH },
  { title: "a channel without a template", template: undefined, copies: FAST },
  { title: "a channel whose template goes", template: GONE, copies: FAST },
  {
    title: "a module for all",
    release: { mandatory: { version: "1.0.0" }, channels: undefined },
    copies: [],
  },
  { title: "a module whose release goes", releaseMetadata: GONE, copies: [] },
  { title: "a restricted module that selects nobody", restricted: ["alpha"], copies: [] },
  {
    title: "a restricted module that selects the Kyma",
    restricted: ["alpha"],
    release: { kymaSelector: { matchLabels: { team: "one" } } },
    kyma: { labels: { team: "one" } },
    copies: BOTH,
  },
];

function copied({ kyma = {}, release = {}, releaseMetadata = {}, restricted = [], ...row }: Row) {
  const version = (number: string, metadata: Tree) =>
    object(ModuleTemplate, `alpha-${number}`, metadata, {
      moduleName: "alpha",
      version: number,
      descriptor: {},
    });
  const channels = [
    { channel: "regular", version: "1.0.0" },
    { channel: "fast", version: "2.0.0" },
  ];
  const first = "template" in row ? row.template : {};
  return copiesFor(
    object(Kyma, "rt-1", kyma, { channel: "regular" }),
    [object(ModuleReleaseMeta, "alpha", releaseMetadata, { moduleName: "alpha", channels, ...release })],
    [...(first === undefined ? [] : [version("1.0.0", first)]), version("2.0.0", {}), version("3.0.0", {})],
    restricted,
  );
}

describe("the catalog of a runtime", () => {
  for (const row of ROWS)
    test(row.title, () => {
      const { releases, templates } = copied(row);
      assert.deepEqual(
        [
          ...releases.map(
            ({ name, spec }) => `${name}: ${spec.channels?.map(({ channel }) => channel).join(" ")}`,
          ),
          ...templates.map(({ name }) => name),
        ],
        row.copies,
      );
    });
  test("bears our mark, and nothing that tools of the control plane noted", () => {
    const noted = {
      "kubectl.kubernetes.io/last-applied-configuration": "{}",
      [ANNOTATIONS.isClusterScoped]: "true",
    };
    const [template] = copied({
      title: "",
      template: { annotations: noted, labels: { a: "b" } },
      copies: [],
    }).templates;
    assert.deepEqual(
      [template?.labels, template?.annotations],
      [{ a: "b", [LABELS.managedBy]: "kyma" }, { [ANNOTATIONS.isClusterScoped]: "true" }],
    );
  });
});
