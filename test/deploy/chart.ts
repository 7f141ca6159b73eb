import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { helmBinary } from "../../infra/testing/helm.ts";
import type { KubeObject } from "../../shared/kube/object.ts";

export const chartFolder = join(import.meta.dirname, "../../infra/deploy/chart");

/** What a command of helm prints. Throws with what it says where it fails. */
export function helm(...args: readonly string[]): string {
  return execFileSync(helmBinary(), args, {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** An image that nobody pulls: the chart wants one to be named. */
export const IMAGE = "registry.example/reveille";

/** The chart's objects with these values, as helm would send them. */
export function render(
  values: object = {},
  { release = "reveille", namespace = "reveille", chart = chartFolder } = {},
): readonly KubeObject[] {
  const text = helm(
    "template",
    release,
    chart,
    "--namespace",
    namespace,
    ...Object.entries({ "image.repository": IMAGE, ...values }).flatMap(([name, value]) => [
      "--set-json",
      `${name}=${JSON.stringify(value)}`,
    ]),
  );
  return parseAllDocuments(text).flatMap((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw error;
    const object = document.toJS() as KubeObject | null;
    return object === null ? [] : [object];
  });
}
