import { randomUUID } from "node:crypto";
import { Kyma, Manifest } from "../../../functions/kyma/kinds/index.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { Secret } from "../../../shared/kube/kinds/index.ts";
import { inParallel } from "../numbers.ts";
import { type Copied, copied } from "./words.ts";

const PARALLEL = 4;
/** The copies that are written in one transaction of etcd, which takes 128 writes. */
const TOGETHER = 10;

/** An entry of etcd, as its JSON gateway shows it: both in base64. */
interface Entry {
  readonly key: string;
  readonly value: string;
}

// One byte is one character, so that Secrets, which are kept in a binary form, stay whole where texts of one length replace others.
const textOf = (base64: string): string => Buffer.from(base64, "base64").toString("latin1");
const base64Of = (text: string): string => Buffer.from(text, "latin1").toString("base64");

/** The copies of a Kyma, by their names, which are as long as the model's: its own objects have other identities in each. */
export async function copiesOf(
  client: KubeClient,
  model: string,
  names: readonly string[],
): Promise<readonly Copied[]> {
  if (names.some(({ length }) => length !== model.length))
    throw new Error(`names of copies that are not as long as ${model}`);
  const uids: string[] = [];
  for (const kind of [Kyma, Manifest, Secret])
    for await (const { items } of client.pages(resourceOf(kind)))
      for (const { metadata } of items)
        if (metadata.name.includes(model) && metadata.uid !== undefined) uids.push(metadata.uid);
  return names.map((name) => ({
    name,
    replaced: [[model, name], ...uids.map((uid) => [uid, randomUUID()] as const)],
  }));
}

/** Writes copies of a Kyma, its Manifests and its Secrets straight into etcd, as a backup that is restored. */
export async function writeCopies(etcd: string, model: string, copies: readonly Copied[]): Promise<void> {
  const ask = async <T>(path: string, body: object): Promise<T> => {
    const answer = await fetch(`${etcd}/v3/kv/${path}`, { method: "POST", body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`etcd answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const everything = { key: base64Of("/registry/"), range_end: base64Of("/registry0") };
  const { kvs } = await ask<{ readonly kvs: readonly Entry[] }>("range", everything);
  const entries = kvs
    .map(({ key, value }) => ({ key: textOf(key), value: textOf(value) }))
    .filter(({ key }) => key.includes(model));
  const together = Array.from({ length: Math.ceil(copies.length / TOGETHER) }, (_, index) =>
    copies.slice(index * TOGETHER, (index + 1) * TOGETHER),
  );
  await inParallel(PARALLEL, together, (some) =>
    ask("txn", {
      success: some.flatMap((copy) =>
        entries.map(({ key, value }) => ({
          request_put: { key: base64Of(copied(key, copy)), value: base64Of(copied(value, copy)) },
        })),
      ),
    }),
  );
}
