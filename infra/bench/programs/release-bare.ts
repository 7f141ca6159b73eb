// Applies the manifests of a folder bare: reads them, creates the objects with as many requests at once as are given, and prints
// how many milliseconds that took. Nothing is retried, kept or looked at again.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import type { Resource } from "../../../shared/kube/client.ts";
import { createKubeClient } from "../../../shared/kube/http-client.ts";
import { loadConnection } from "../../../shared/kube/kubeconfig/index.ts";
import { type KubeObject, parseApiVersion } from "../../../shared/kube/object.ts";
import { inParallel } from "../numbers.ts";

const [folder = ".", parallel = "16"] = process.argv.slice(2);
const client = createKubeClient({ connection: loadConnection() });
const resources = new Map<string, Resource>();

async function resourceFor({ apiVersion, kind }: KubeObject): Promise<Resource> {
  const { group, version } = parseApiVersion(apiVersion);
  const known = resources.get(`${apiVersion} ${kind}`);
  const found = known ?? (await client.discover(group, version)).find((resource) => resource.kind === kind);
  if (found === undefined) throw new Error(`the server knows no ${apiVersion} ${kind}`);
  resources.set(`${apiVersion} ${kind}`, found);
  return found;
}

async function create(object: KubeObject): Promise<void> {
  await client.create(await resourceFor(object), object, { fieldManager: "bench" });
}

const began = performance.now();
const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".yaml")).sort();
const texts = await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")));
const objects = texts
  .flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as KubeObject))
  // What operators report to is made by them, and is in neither measure.
  .filter(({ kind }) => kind !== "ClusterOperator");
const isNamespace = ({ kind }: KubeObject): boolean => kind === "Namespace";
await inParallel(Number(parallel), objects.filter(isNamespace), create);
await inParallel(
  Number(parallel),
  objects.filter((object) => !isNamespace(object)),
  create,
);
const milliseconds = performance.now() - began;
client.close();
// It ends when it is told to, so that what it says is heard first.
setInterval(() => undefined, 60_000);
process.stdout.write(`done ${milliseconds}\n`);
