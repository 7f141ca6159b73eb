import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { System } from "../../../shared/function/system.ts";
import { knownSystems } from "../../systems/known.ts";
import { type Bundle, bundle } from "../bundle.ts";
import { bundleFolder } from "./functions.ts";
import { type Unit, unitsOf } from "./units.ts";

const root = join(import.meta.dirname, "../../..");

/** A system, and how a module imports it. */
interface Exported {
  readonly system: System;
  readonly file: string;
  readonly as: string;
}

const isSystem = (value: unknown): value is System =>
  typeof value === "object" && value !== null && "predecessors" in value && "functions" in value;

/** The systems that need not be named, as the index of each folder of `functions/` exports them. */
async function exportedSystems(): Promise<readonly Exported[]> {
  const found: Exported[] = [];
  for (const name of knownSystems()) {
    const file = `functions/${name}/index.ts`;
    const module = (await import(pathToFileURL(join(root, file)).href)) as Readonly<Record<string, unknown>>;
    for (const [as, value] of Object.entries(module))
      if (isSystem(value) && value.onlyWhenNamed === undefined) found.push({ system: value, file, as });
  }
  return found;
}

/** The systems that a deployment runs. */
export const deployedSystems = async (): Promise<readonly System[]> =>
  (await exportedSystems()).map(({ system }) => system);

/** What one Lambda's code has to know: its own system, and those that what it emits may wake. Commands and timers know all. */
const systemsOf = (unit: Unit, all: readonly Exported[]): readonly Exported[] =>
  unit.sort === "function"
    ? all.filter(
        ({ system }) =>
          system.name === unit.system || system.functions.some(({ name }) => unit.sendsTo.includes(name)),
      )
    : all;

function sourceOf(unit: Unit, systems: readonly Exported[]): string {
  const imports = systems.map(({ file, as }, index) => `import { ${as} as s${index} } from "./${file}";`);
  return [
    'import { lambdaHandler } from "./infra/hosts/lambda/index.ts";',
    ...imports,
    `const systems = [${systems.map((_, index) => `s${index}`).join(", ")}];`,
    `export const handler = lambdaHandler({ name: ${JSON.stringify(unit.name)}, systems });`,
  ].join("\n");
}

const LEFT_OUT = join(root, "infra/hosts/lambda/left-out.ts");
const ALIAS = {
  "@aws-sdk/credential-provider-node": join(root, "infra/hosts/lambda/role-credentials.ts"),
  "thread-stream": LEFT_OUT,
};
/** Those that carry out commands and enqueue timers know every function and run none. */
const ALIAS_WITHOUT_RUNS = { ...ALIAS, "tar-stream": LEFT_OUT };

/** Bundles each Lambda below `folder` (default: where serverless.yml expects them), as one module. */
export async function buildLambdas(
  folder: string = root,
): Promise<readonly (Bundle & { readonly name: string })[]> {
  const systems = await exportedSystems();
  const built: (Bundle & { readonly name: string })[] = [];
  for (const unit of unitsOf(systems.map(({ system }) => system))) {
    const file = join(folder, bundleFolder(unit.name), "index.mjs");
    mkdirSync(join(file, ".."), { recursive: true });
    const alias = unit.sort === "function" ? ALIAS : ALIAS_WITHOUT_RUNS;
    const source = sourceOf(unit, systemsOf(unit, systems));
    built.push({ name: unit.name, ...(await bundle({ source, from: root }, file, alias)) });
  }
  return built;
}
