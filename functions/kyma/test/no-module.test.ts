// R15: the engine knows no module by its name, and no order among them.
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "vitest";
import { catalogIn } from "../commands/lint.ts";

const system = join(import.meta.dirname, "..");
/** Modules that Kyma's users have. Some are also names of something else: only a whole text counts. */
const OF_USERS = [
  ...["api-gateway", "application-connector", "btp-operator", "cloud-manager", "connectivity-proxy"],
  ...["docker-registry", "eventing", "istio", "keda", "nats", "serverless", "telemetry"],
  ...["template-operator", "transparent-proxy", "warden", "alpha-store", "mesh-core"],
];

it("no code names a module", () => {
  const catalog = readFileSync(join(system, "samples/01-catalog.yaml"), "utf8");
  const ofSamples = catalogIn(catalog, "01-catalog.yaml").releases.map(({ metadata }) => metadata.name);
  assert.equal(ofSamples.length, 4);
  const quoted = new RegExp(`["'\`](${[...OF_USERS, ...ofSamples].join("|")})["'\`]`);
  const files = globSync("**/*.ts", { cwd: system }).filter(
    (file) => !/(^|\/)(test\/|test-)|\.test\.ts$/.test(file),
  );
  assert.ok(files.length > 100, String(files.length));
  const named = files.flatMap((file) =>
    readFileSync(join(system, file), "utf8")
      .split("\n")
      .flatMap((line, index) => (quoted.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );
  assert.deepEqual(named, []);
});
