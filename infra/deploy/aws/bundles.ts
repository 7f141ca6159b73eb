import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import type { FunctionDeclaration } from "../../../shared/function/declaration.ts";
import type { System } from "../../../shared/function/system.ts";
import { declaredClusters } from "../../../shared/runner/rights.ts";
import { SettingsError } from "../../settings/index.ts";
import { knownSystems } from "../../systems/known.ts";
import { isSystem } from "../../systems/load.ts";
import { partFile } from "../../systems/parts.ts";
import { type Bundle, bundle, packagesIn, type Unused } from "../bundle.ts";
import { bundleFolder } from "./functions.ts";
import { type Unit, unitsOf } from "./units.ts";

const root = join(import.meta.dirname, "../../..");

/** A system, and how a module imports it. */
export interface Exported {
  readonly system: System;
  readonly file: string;
  readonly as: string;
  /** The file with the adapters of its ports; undefined where it has none. */
  readonly adapters: string | undefined;
}

/** The systems as the index of each folder of `functions/` exports them. */
export async function exportedSystems(): Promise<readonly Exported[]> {
  const found: Exported[] = [];
  for (const name of knownSystems()) {
    const file = `functions/${name}/index.ts`;
    const module = (await import(pathToFileURL(join(root, file)).href)) as Readonly<Record<string, unknown>>;
    const behind = partFile(name, "adapters");
    const adapters = existsSync(behind) ? relative(root, behind) : undefined;
    for (const [as, value] of Object.entries(module))
      if (isSystem(value)) found.push({ system: value, file, as, adapters });
  }
  return found;
}

/** True for a system that need not be named. */
export const isDeployed = ({ onlyWhenNamed }: System): boolean => onlyWhenNamed === undefined;

/** The variable that names the systems of a deployment, with commas between them; absent: all that need not be named. */
export const SYSTEMS = "REVEILLE_SYSTEMS";

/** Throws a `SettingsError` that names a system which there is not. */
async function deployed({ [SYSTEMS]: asked = "" }: NodeJS.ProcessEnv): Promise<readonly Exported[]> {
  const all = await exportedSystems();
  if (asked === "") return all.filter(({ system }) => isDeployed(system));
  const names = asked.split(",").map((name) => name.trim());
  const known = all.map(({ system }) => system.name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new SettingsError(
      unknown.map((name) => ({
        path: "systems",
        place: SYSTEMS,
        message: `there is no system "${name}"; choose from ${known.join(", ")}`,
      })),
    );
  return all.filter(({ system }) => names.includes(system.name));
}

/** The systems that a deployment runs: those that the environment names. */
export const deployedSystems = async (
  environment: NodeJS.ProcessEnv = process.env,
): Promise<readonly System[]> => (await deployed(environment)).map(({ system }) => system);

/** The systems that one Lambda's code has to know: its own, and those that its events may wake. Commands and timers know all. */
const systemsOf = (unit: Unit, all: readonly Exported[]): readonly Exported[] =>
  unit.sort === "function"
    ? all.filter(
        ({ system }) =>
          system.name === unit.system || system.functions.some(({ name }) => unit.sendsTo.includes(name)),
      )
    : all;

/** The module that a Lambda is bundled from. Adapters of ports go along only where a function uses one. */
function sourceOf(unit: Unit, all: readonly Exported[]): string {
  const systems = systemsOf(unit, all).map(({ system, file, as, adapters }, index) => {
    const name = `s${index}`;
    const imported = `import { ${as} as ${name} } from "./${file}";`;
    const isUsed = unit.system === system.name && unit.declaration?.uses.length !== 0;
    if (adapters === undefined || !isUsed) return { imports: [imported], value: name };
    return {
      imports: [imported, `import { adapters as a${index} } from "./${adapters}";`],
      value: `withAdapters(${name}, a${index})`,
    };
  });
  // Only who names other clusters carries what reaches them.
  const reaches = unit.declaration !== undefined && declaredClusters(unit.declaration).length > 0;
  return [
    'import { lambdaHandler, otherClustersOf, withAdapters } from "./infra/hosts/lambda/index.ts";',
    ...systems.flatMap(({ imports }) => imports),
    `const systems = [${systems.map(({ value }) => value).join(", ")}];`,
    `export const handler = lambdaHandler({ name: ${JSON.stringify(unit.name)}, systems${reaches ? ", otherClusters: otherClustersOf" : ""} });`,
  ].join("\n");
}

const LEFT_OUT = join(root, "infra/hosts/lambda/left-out.ts");
const standIn = (name: string): string => join(root, "infra/hosts/lambda", name);
const EVERYWHERE = {
  "@aws-sdk/client-dynamodb": standIn("aws/client-dynamodb.ts"),
  "@aws-sdk/client-scheduler": standIn("aws/client-scheduler.ts"),
  "@aws-sdk/client-sqs": standIn("aws/client-sqs.ts"),
  "thread-stream": LEFT_OUT,
  "on-exit-leak-free": LEFT_OUT,
  "@pinojs/redact": LEFT_OUT,
  // The same package in the form of which a bundler can leave out what is not used.
  yaml: join(root, "node_modules/yaml/browser/dist/index.js"),
};

/** Parts of packages that nothing there comes to use: pino's other outputs, and the compression of WebSockets, which no API server offers. */
const PARTS = {
  "pino/transport": LEFT_OUT,
  "pino/multistream": LEFT_OUT,
  "ws/permessage-deflate": LEFT_OUT,
};

/** Large packages of decisions: each is left out where only other functions of the system come to use it. */
const OF_DECISIONS = ["re2js", "@marcbachmann/cel-js"];

/** The packages that a Lambda never comes to use: no commands in containers, and of those of decisions what its function does not need. */
async function leftOutOf(
  { declaration }: Unit,
  exported: Exported | undefined,
): Promise<Readonly<Record<string, string>>> {
  const needed = declaration === undefined ? [] : await neededBy(declaration, exported);
  return {
    // Of WebSockets the client alone.
    ws: declaration?.executes === undefined ? LEFT_OUT : join(root, "node_modules/ws/lib/websocket.js"),
    ...Object.fromEntries(
      OF_DECISIONS.filter((name) => !needed.includes(name)).map((name) => [name, LEFT_OUT]),
    ),
  };
}

/** The packages of decisions that a function needs: those that its own file leads to, and the adapters of its ports. */
async function neededBy(
  declaration: FunctionDeclaration,
  exported: Exported | undefined,
): Promise<readonly string[]> {
  const own = exported && (await fileOf(declaration, exported));
  if (exported === undefined || own === undefined) return OF_DECISIONS;
  const { file, as } = own;
  const lines = [`export { ${as} } from "./${file}";`];
  // Every Lambda of the system reads it.
  const configuration = `${dirname(file)}/configuration.ts`;
  if (existsSync(join(root, configuration))) lines.push(`export * from "./${configuration}";`);
  if (exported.adapters !== undefined && declaration.uses.length > 0)
    lines.push(`export { adapters } from "./${exported.adapters}";`);
  return packagesIn(
    { source: lines.join("\n"), from: root },
    EVERYWHERE,
    OF_DECISIONS,
    adaptersNotUsed(declaration, exported),
  );
}

/** The adapters of those of a system's ports that a function does not use: nobody asks for them there. */
function adaptersNotUsed(
  { uses }: FunctionDeclaration,
  { system: { functions }, file, adapters }: Exported,
): Unused | undefined {
  if (adapters === undefined) return undefined;
  const own = new Set(uses.map(({ id }) => id));
  const others = functions.flatMap((one) => one.uses.map(({ id }) => id)).filter((id) => !own.has(id));
  return {
    by: join(root, adapters),
    files: [...new Set(others)].map((id) => join(root, dirname(file), "ports", id, "adapters/index.ts")),
  };
}

/** The file in the root of a system's folder that declares a function, and its name there. */
async function fileOf(
  declaration: FunctionDeclaration,
  { file }: Exported,
): Promise<{ readonly file: string; readonly as: string } | undefined> {
  const folder = dirname(file);
  for (const name of readdirSync(join(root, folder))) {
    if (!name.endsWith(".ts") || name.endsWith(".test.ts")) continue;
    const module = await import(pathToFileURL(join(root, folder, name)).href);
    const found = Object.entries(module).find(([, value]) => value === declaration);
    // The index exports what others declare.
    if (found !== undefined && name !== basename(file)) return { file: `${folder}/${name}`, as: found[0] };
  }
  return undefined;
}

/** Bundles one Lambda as one module; what it loads where its use begins lies beside it. */
export async function buildLambda(unit: Unit, all: readonly Exported[], file: string): Promise<Bundle> {
  const { declaration, system } = unit;
  const exported = all.find((one) => one.system.name === system);
  return bundle(
    { source: sourceOf(unit, all), from: root },
    file,
    { ...EVERYWHERE, ...(await leftOutOf(unit, exported)) },
    PARTS,
    declaration && exported && adaptersNotUsed(declaration, exported),
  );
}

/** Bundles each Lambda below `folder` (default: where serverless.yml expects them), each in a folder of its own. */
export async function buildLambdas(
  folder: string = root,
): Promise<readonly (Bundle & { readonly name: string })[]> {
  const systems = await deployed(process.env);
  const built: (Bundle & { readonly name: string })[] = [];
  for (const unit of unitsOf(systems.map(({ system }) => system))) {
    const file = join(folder, bundleFolder(unit.name), "index.mjs");
    mkdirSync(join(file, ".."), { recursive: true });
    built.push({ name: unit.name, ...(await buildLambda(unit, systems, file)) });
  }
  return built;
}
