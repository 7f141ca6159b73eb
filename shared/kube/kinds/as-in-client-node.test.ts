import assert from "node:assert/strict";
import type * as client from "@kubernetes/client-node";
import { test } from "vitest";
import type { Obj } from "../kind.ts";
import * as kinds from "./index.ts";

/** A field as client-node spells it: `from` is `_from`, `x-kubernetes-…` is `x_kubernetes_…`. */
type Spelt<Theirs, Name extends string> = Name extends keyof Theirs
  ? Theirs[Name]
  : `_${Name}` extends keyof Theirs
    ? Theirs[`_${Name}`]
    : Missing;
interface Missing {
  readonly missing: never;
}

/** A quantity is an amount as a number or a text; client-node has texts alone. */
type IsQuantity<Ours, Theirs> = [Ours] extends [string | number]
  ? [string | number] extends [Ours]
    ? [Theirs] extends [string]
      ? true
      : false
    : false
  : false;

/** Whether anything fits, or nothing is there at all. */
type IsUntyped<T> = unknown extends T ? true : [T] extends [never] ? true : false;

/**
 * The paths at which our type has a field that client-node's lacks or types otherwise; `never` where it fits. Times are texts with us, and
 * fields may be left out.
 */
type Misfits<Ours, Theirs, Path extends string> =
  IsUntyped<Ours> extends true
    ? never
    : IsUntyped<Theirs> extends true
      ? never
      : [Theirs] extends [Missing]
        ? `${Path} is not there`
        : [Theirs] extends [Date]
          ? [Ours] extends [string]
            ? never
            : `${Path} is a time`
          : [Ours] extends [string | number | boolean]
            ? [Ours] extends [Theirs]
              ? never
              : IsQuantity<Ours, Theirs> extends true
                ? never
                : `${Path} has another type`
            : Ours extends readonly (infer OurItem)[]
              ? Theirs extends readonly (infer TheirItem)[]
                ? Misfits<NonNullable<OurItem>, NonNullable<TheirItem>, `${Path}[]`>
                : `${Path} is no list`
              : {
                  [Name in keyof Ours & string]: Misfits<
                    NonNullable<Ours[Name]>,
                    NonNullable<Spelt<Theirs, Name>>,
                    `${Path}.${Name}`
                  >;
                }[keyof Ours & string];

/** The parts of an object that are a kind's own. */
type Own<Object> = Omit<Object, "apiVersion" | "kind" | "metadata">;
type Held<Name extends keyof typeof kinds & keyof Theirs> = [
  Misfits<Own<Obj<(typeof kinds)[Name]>>, Theirs[Name], Name>,
] extends [never]
  ? true
  : Misfits<Own<Obj<(typeof kinds)[Name]>>, Theirs[Name], Name>;

interface Theirs {
  readonly ClusterRole: client.V1ClusterRole;
  readonly ClusterRoleBinding: client.V1ClusterRoleBinding;
  readonly ConfigMap: client.V1ConfigMap;
  readonly CronJob: client.V1CronJob;
  readonly CustomResourceDefinition: client.V1CustomResourceDefinition;
  readonly DaemonSet: client.V1DaemonSet;
  readonly Deployment: client.V1Deployment;
  readonly Event: client.CoreV1Event;
  readonly Ingress: client.V1Ingress;
  readonly Job: client.V1Job;
  readonly Lease: client.V1Lease;
  readonly Namespace: client.V1Namespace;
  readonly Node: client.V1Node;
  readonly PersistentVolumeClaim: client.V1PersistentVolumeClaim;
  readonly Pod: client.V1Pod;
  readonly ReplicaSet: client.V1ReplicaSet;
  readonly Role: client.V1Role;
  readonly RoleBinding: client.V1RoleBinding;
  readonly Secret: client.V1Secret;
  readonly Service: client.V1Service;
  readonly ServiceAccount: client.V1ServiceAccount;
  readonly StatefulSet: client.V1StatefulSet;
}

/** A kind whose types do not fit does not compile here: the error names the paths. */
const held: { readonly [Name in keyof typeof kinds]: Held<Name> } = {
  ClusterRole: true,
  ClusterRoleBinding: true,
  ConfigMap: true,
  CronJob: true,
  CustomResourceDefinition: true,
  DaemonSet: true,
  Deployment: true,
  Event: true,
  Ingress: true,
  Job: true,
  Lease: true,
  Namespace: true,
  Node: true,
  PersistentVolumeClaim: true,
  Pod: true,
  ReplicaSet: true,
  Role: true,
  RoleBinding: true,
  Secret: true,
  Service: true,
  ServiceAccount: true,
  StatefulSet: true,
};

/** What the types themselves refuse: else the table above would prove nothing. */
interface Given {
  readonly name: string;
  readonly at: Date;
  readonly sizes: Readonly<Record<string, string>>;
  readonly items: readonly { readonly port: number }[];
  readonly _from: string;
}
const refused: readonly [
  Misfits<{ title: string }, Given, "It">,
  Misfits<{ name: number }, Given, "It">,
  Misfits<{ at: number }, Given, "It">,
  Misfits<{ items: { port: string }[] }, Given, "It">,
  Misfits<{ items: string }, Given, "It">,
] = [
  "It.title is not there",
  "It.name has another type",
  "It.at is a time",
  "It.items[].port has another type",
  "It.items has another type",
];
const taken: [
  Misfits<{ name?: string; at: string; from: string; sizes: Record<string, string | number> }, Given, "It">,
] extends [never]
  ? true
  : false = true;

test("the types of every kind fit client-node's, and what does not fit does not compile", () => {
  assert.deepEqual(Object.keys(held).sort(), Object.keys(kinds).sort());
  assert.equal(new Set(refused).size, refused.length);
  assert.ok(taken);
});
