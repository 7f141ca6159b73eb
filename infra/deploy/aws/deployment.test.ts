import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { SettingsError } from "../../settings/index.ts";
import { toySystem } from "../../testing/toy-system.ts";
import { deployedSystems } from "./bundles.ts";
import { clusterRights } from "./cluster-rights.ts";
import { deploymentFaults, deploymentOf, lambdaSettings } from "./deployment.ts";

const text = readFileSync(join(import.meta.dirname, "../../../serverless.yml"), "utf8");
const systems = [toySystem];
const environment = {
  REVEILLE_CLUSTER_NAME: "blue",
  REVEILLE_CLUSTER_AWS_SERVER: "https://api.example",
  REVEILLE_CLUSTER_AWS_CERTIFICATE_AUTHORITY: "LS0t",
  REVEILLE_CLUSTER_AWS_EKS_CLUSTER: "blue",
};
const faults = (words: readonly string[], file = text, set: NodeJS.ProcessEnv = environment) =>
  deploymentFaults(deploymentOf(words, file), file, set, systems);

test("what serverless.yml says by itself is fit to be deployed", async () => {
  assert.deepEqual(
    await deploymentFaults(deploymentOf([], text), text, environment, await deployedSystems()),
    [],
  );
  assert.deepEqual(
    await faults([
      ...["--stage", "prod", "--region", "eu-west-1", "--param=concurrency=8"],
      ...["--param", "vpcSubnets=subnet-1,subnet-2", "--param", "vpcSecurityGroups=sg-1"],
      ...["--param", "permissionsBoundary=arn:aws:iam::123456789012:policy/boundary"],
      ...["--param", "namespaces=team-a,team-b", "--param", "runs={limit: 50s}"],
      ...["--param", "configuration={toys: {patience: 5s}}"],
    ]),
    [],
  );
});

for (const [words, said] of [
  [["--stage", "production"], /--stage production: .*8 at most/],
  [["-s", "Prod"], /--stage Prod/],
  [["--param", "acess=eks"], /param acess \(eks\): there is no such parameter: choose from access, /],
  [["--param", "access=oops"], /param access \(oops\): choose from eks, token, secret$/],
  [["--param", "concurrency=1"], /param concurrency \(1\): write a whole number from 2/],
  [["--param", "vpcSubnets=subnet-1"], /name the security groups too/],
  [["--param", "vpcSecurityGroups=sg-1"], /name the subnets too/],
  [["--param", "permissionsBoundary=boundary"], /write the ARN of a policy/],
  [["--param", "kmsKey=alias/mine"], /write the ARN of a key/],
  [["--param", "configuration={toys: {patienced: 5s}}"], /REVEILLE_CONFIGURATION.*patienced/],
  [["--param", "runs={limt: 5s}"], /REVEILLE_RUNS.*limt/],
] as const)
  test(`${words.join(" ")} is refused before anything is deployed`, async () => {
    const found = await faults(words);
    assert.equal(found.length, 1, found.join("\n"));
    assert.match(found[0] ?? "", said);
  });

test("a parameter without a value is refused by its place", () => {
  assert.throws(() => deploymentOf(["--param", "access"], text), SettingsError);
});

test("parts of serverless.yml that would have no effect are refused, with what to write instead", async () => {
  const file = text.replace(
    "provider:\n",
    "provider:\n  vpc: { subnetIds: [subnet-1] }\n  iam: { role: {} }\n",
  );
  assert.deepEqual(
    (await faults([], file)).map((fault) => fault.split(" would have")[0]),
    ["serverless.yml provider.vpc", "serverless.yml provider.iam"],
  );
});

test("variables that are not set are named all at once, those of EKS only where it is asked for", async () => {
  assert.equal((await faults([], text, {})).length, 4);
  for (const access of ["token", "secret"])
    assert.equal((await faults(["--param", `access=${access}`], text, {})).length, 3);
});

interface Role {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly subjects?: readonly { readonly namespace?: string }[];
}

test("with namespaces a function's namespaced rules lie in those alone, and its account stays at home", async () => {
  const settings = await lambdaSettings(deploymentOf(["--param", "namespaces=team-a,team-b"], text), systems);
  const objects = clusterRights(systems, settings) as readonly Role[];
  const mine = objects.filter(({ metadata }) => metadata.name === "reveille-toys");
  assert.deepEqual(
    mine.filter(({ kind }) => kind === "Role").map(({ metadata }) => metadata.namespace),
    ["team-a", "team-b"],
  );
  assert.equal(mine.filter(({ kind }) => kind === "ClusterRole").length, 1);
  for (const { subjects } of mine.filter(({ kind }) => kind === "RoleBinding"))
    assert.deepEqual([...new Set(subjects?.map(({ namespace }) => namespace ?? "a group"))].sort(), [
      "a group",
      "reveille",
    ]);
});
