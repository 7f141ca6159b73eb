import { parseArgs } from "node:util";
import { parse } from "yaml";
import type { System } from "../../../shared/function/system.ts";
import { faultText, readSettings, type Settings, SettingsError } from "../../settings/index.ts";
import { LONGEST_STAGE } from "./names.ts";

/** The request to osls, completed by serverless.yml. */
export interface Deployment {
  readonly stage: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The parts of serverless.yml that are looked at. */
interface ServerlessFile {
  readonly params: Readonly<Record<string, Readonly<Record<string, string | number>>>>;
  readonly provider: Readonly<Record<string, unknown>>;
}

const ANY_CLUSTER = [
  "REVEILLE_CLUSTER_NAME",
  "REVEILLE_CLUSTER_AWS_SERVER",
  "REVEILLE_CLUSTER_AWS_CERTIFICATE_AUTHORITY",
];
/** The variables that each way of signing in needs. */
const VARIABLES: ReadonlyMap<string, readonly string[]> = new Map([
  ["eks", [...ANY_CLUSTER, "REVEILLE_CLUSTER_AWS_EKS_CLUSTER"]],
  ["token", ANY_CLUSTER],
  ["secret", ANY_CLUSTER],
]);

/** The options that the template has no place for, and their replacements. */
const IGNORED: Readonly<Record<string, string>> = {
  vpc: "set the params vpcSubnets and vpcSecurityGroups",
  iam: "each Lambda has a role of its own: set the param permissionsBoundary, or add a policy to the roles of the stack",
  role: "each Lambda has a role of its own",
  tracing: "no role here may send to X-Ray: send traces by OTLP",
};

const whole = (text: string, least: number, most: number): boolean =>
  /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most;

/** The check of each parameter: its fault in words, or undefined. */
const CHECKS: Readonly<Record<string, (value: string, all: Deployment["parameters"]) => string | undefined>> =
  {
    access: (value) => (VARIABLES.has(value) ? undefined : `choose from ${[...VARIABLES.keys()].join(", ")}`),
    concurrency: (value) => (whole(value, 2, 1000) ? undefined : "write a whole number from 2 to 1000"),
    concurrentWrites: (value) => (whole(value, 1, 32) ? undefined : "write a whole number from 1 to 32"),
    sweep: (value) => (/^(rate|cron)\(.+\)$/.test(value) ? undefined : "write rate(12 hours) or cron(…)"),
    vpcSubnets: (value, { vpcSecurityGroups = "" }) =>
      value === "" && vpcSecurityGroups !== "" ? "name the subnets too" : listOf("subnet", value),
    vpcSecurityGroups: (value, { vpcSubnets = "" }) =>
      value === "" && vpcSubnets !== "" ? "name the security groups too" : listOf("sg", value),
    permissionsBoundary: (value) =>
      value === "" || /^arn:[^:]+:iam::\d*:policy\/.+$/.test(value)
        ? undefined
        : "write the ARN of a policy: arn:aws:iam::123456789012:policy/boundary",
    kmsKey: (value) =>
      value === "" || /^arn:[^:]+:kms:[^:]+:\d+:key\/.+$/.test(value)
        ? undefined
        : "write the ARN of a key, not of an alias: arn:aws:kms:eu-central-1:123456789012:key/…",
  };

const listOf = (sort: string, value: string): string | undefined =>
  value === "" || value.split(",").every((one) => one.startsWith(`${sort}-`))
    ? undefined
    : `write ${sort}-… with commas between them, and no spaces`;

/**
 * Reads what was asked for, as osls does. Throws where a parameter is not written as `name=value`.
 * @param words what follows `package` or `deploy`
 * @param text serverless.yml
 */
export function deploymentOf(words: readonly string[], text: string): Deployment {
  const { params } = parse(text) as ServerlessFile;
  const { values } = parseArgs({
    args: [...words],
    strict: false,
    allowPositionals: true,
    options: { stage: { type: "string", short: "s" }, param: { type: "string", multiple: true } },
  });
  const stage = typeof values.stage === "string" ? values.stage : "dev";
  const asked = (values.param ?? []).map((one): [string, string] => {
    const [, name, value] = /^(\w+)=(.*)$/s.exec(String(one)) ?? [];
    if (name === undefined || value === undefined)
      throw new SettingsError([
        { path: "", place: `--param ${String(one)}`, message: "write --param name=value" },
      ]);
    return [name, value];
  });
  const written = Object.entries({ ...params.default, ...params[stage] }).map(
    ([name, value]): [string, string] => [name, String(value)],
  );
  return { stage, parameters: Object.fromEntries([...written, ...asked]) };
}

/** The settings that the Lambdas will read from these parameters. Throws a `SettingsError` that names the parameter. */
export async function lambdaSettings(
  { parameters: { namespaces = "", configuration = "", runs = "" } }: Deployment,
  systems: readonly System[],
): Promise<Settings> {
  const environment = {
    ...(namespaces !== "" && { REVEILLE_NAMESPACES: namespaces }),
    ...(configuration !== "" && { REVEILLE_CONFIGURATION: configuration }),
    ...(runs !== "" && { REVEILLE_RUNS: runs }),
  };
  const { settings } = await readSettings({ environment }, async () => ({ systems }));
  return settings;
}

/** Everything that could only fail later, in AWS or in a Lambda, each with what to do. */
export async function deploymentFaults(
  deployment: Deployment,
  text: string,
  environment: NodeJS.ProcessEnv,
  systems: readonly System[],
): Promise<readonly string[]> {
  const { params, provider } = parse(text) as ServerlessFile;
  const { stage, parameters } = deployment;
  const known = Object.keys(params.default ?? {});
  const found: string[] = [];
  if (!new RegExp(`^[a-z][a-z0-9]{0,${LONGEST_STAGE - 1}}$`).test(stage))
    found.push(
      `--stage ${stage}: names of resources begin with it: write a small letter, then letters and digits, ${LONGEST_STAGE} at most`,
    );
  for (const [name, value] of Object.entries(parameters)) {
    const fault = known.includes(name)
      ? CHECKS[name]?.(value, parameters)
      : `there is no such parameter: choose from ${known.join(", ")}`;
    if (fault !== undefined) found.push(`param ${name} (${value}): ${fault}`);
  }
  for (const name of VARIABLES.get(parameters.access ?? "eks") ?? ANY_CLUSTER)
    if ((environment[name] ?? "") === "")
      found.push(`${name} is not set: docs/run-on-aws.md tells its value`);
  for (const [name, instead] of Object.entries(IGNORED))
    if (name in provider) found.push(`serverless.yml provider.${name} would have no effect: ${instead}`);
  try {
    await lambdaSettings(deployment, systems);
  } catch (thrown) {
    if (!(thrown instanceof SettingsError)) throw thrown;
    found.push(...thrown.faults.map(faultText));
  }
  return found;
}
