// `npm run rights:aws -- --param namespaces=a,b`: the rights in the cluster that these parameters need, to be applied by kubectl.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { faultText, SettingsError } from "../../settings/index.ts";
import { deployedSystems } from "./bundles.ts";
import { clusterRights } from "./cluster-rights.ts";
import { deploymentOf, lambdaSettings } from "./deployment.ts";

try {
  const text = readFileSync(join(import.meta.dirname, "../../../serverless.yml"), "utf8");
  const systems = await deployedSystems();
  const settings = await lambdaSettings(deploymentOf(process.argv.slice(2), text), systems);
  for (const object of clusterRights(systems, settings))
    process.stdout.write(`---\n${stringify(object, { lineWidth: 0 })}`);
} catch (thrown) {
  if (!(thrown instanceof SettingsError)) throw thrown;
  for (const fault of thrown.faults) process.stderr.write(`${faultText(fault)}\n`);
  process.exitCode = 1;
}
