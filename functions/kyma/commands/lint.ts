import { CliError } from "../../../shared/function/command-errors.ts";
import { table } from "../../../shared/text.ts";
import { catalogCycles, cycleText } from "../decide/dependencies/index.ts";
import { type Finding, lintModule, type ModuleVersion } from "../decide/lint/index.ts";
import { layerObjects } from "../decide/manifest/index.ts";
import { templateName, wayBetween } from "../decide/resolution/index.ts";
import { ModuleReleaseMeta, ModuleTemplate } from "../kinds/index.ts";
import type { Components } from "../ports/components/index.ts";
import type { StoredCatalog } from "./read.ts";
import { readableAs, writtenIn } from "./written.ts";

/** The findings about one version of a module, or about its releases where it has no version. */
export interface LintedModule {
  readonly module: string;
  readonly version: string;
  readonly findings: readonly Finding[];
}

/** Reads the releases and templates of a file; other objects are left out. @throws CliError that names the document */
export function catalogIn(text: string, place: string): StoredCatalog {
  const written = writtenIn(text, place, "CLI_KYMA_CATALOG_WRONG");
  const releases = readableAs(ModuleReleaseMeta, written, "CLI_KYMA_CATALOG_WRONG");
  const templates = readableAs(ModuleTemplate, written, "CLI_KYMA_CATALOG_WRONG");
  if (releases.length + templates.length === 0)
    throw new CliError(
      "CLI_KYMA_CATALOG_WRONG",
      `${place} holds no ModuleReleaseMeta and no ModuleTemplate: name a file that does.`,
    );
  return { releases, templates };
}

/** Judges each version of each module of a catalog, with the artifacts that it names. @throws CliError where their place gives no answer */
export async function lintCatalog(
  { releases, templates }: StoredCatalog,
  components: Components,
): Promise<readonly LintedModule[]> {
  const names = new Map(releases.map((release) => [release.spec?.moduleName ?? "", release]));
  const read = await Promise.all(
    templates.map(async (template) => {
      const { moduleName = "", version = "" } = template.spec ?? {};
      const component = names.get(moduleName)?.spec?.ocmComponentName;
      return { template, moduleName, version, answer: await objectsIn(component, version, components) };
    }),
  );
  const whole = read.flatMap(({ template: { spec }, moduleName, version, answer }) =>
    spec !== undefined && typeof answer !== "string"
      ? [{ moduleName, module: { version, spec, objects: answer.objects } satisfies ModuleVersion }]
      : [],
  );
  const ofVersions = read.map(({ template, moduleName, version, answer }): LintedModule => {
    const right = templateName(moduleName, version);
    const named: readonly Finding[] =
      template.metadata.name === right
        ? []
        : [
            {
              level: "fault",
              message: `The ModuleTemplate is called ${template.metadata.name}, and is looked for as ${right}.`,
            },
          ];
    const own = whole.find((one) => one.moduleName === moduleName && one.module.version === version)?.module;
    const findings =
      typeof answer === "string"
        ? [{ level: "fault" as const, message: answer }]
        : own === undefined
          ? []
          : lintModule(
              own,
              predecessor(
                own,
                whole.filter((one) => one.moduleName === moduleName).map((one) => one.module),
              ),
            );
    return { module: moduleName, version, findings: [...named, ...findings] };
  });
  const cycles = catalogCycles({ releases, templates }).map(
    (cycle): LintedModule => ({
      module: cycle.way[0] ?? "",
      version: "",
      findings: [
        { level: "fault", message: `${cycleText(cycle)}: make one of these requirements optional.` },
      ],
    }),
  );
  return [...releases.flatMap((release) => lintedRelease(release, templates)), ...cycles, ...ofVersions];
}

/** The highest version below one. */
const predecessor = (of: ModuleVersion, all: readonly ModuleVersion[]): ModuleVersion | undefined =>
  all
    .filter(({ version }) => isBelow(version, of.version))
    .reduce<ModuleVersion | undefined>(
      (best, one) => (best === undefined || isBelow(best.version, one.version) ? one : best),
      undefined,
    );
/** True where one version is lower than another by more than its pre-release. */
const isBelow = (one: string, other: string): boolean => wayBetween(other, one) === "back";

async function objectsIn(
  component: string | undefined,
  version: string,
  components: Components,
): Promise<{ readonly objects: ModuleVersion["objects"] } | string> {
  if (!component) return "No ModuleReleaseMeta beside it names its component in spec.ocmComponentName.";
  const described = await components.describe(component, version);
  if (described.state === "failed") throw unanswered(described.message);
  if (described.state !== "described") return described.message;
  const layer = await components.layer(described.component.source);
  if (layer.state === "failed") throw unanswered(layer.message);
  if (layer.state !== "read") return layer.message;
  const found = layerObjects(layer.documents);
  return "fault" in found ? `The artifact: ${found.fault}.` : found;
}

/** Nothing can be said of a module whose registry gives no answer. */
const unanswered = (message: string): CliError =>
  new CliError(
    "CLI_KYMA_REGISTRY_FAILED",
    `${message}: look at --folder, or at the configuration's registry.`,
  );

function lintedRelease(
  { metadata, spec }: StoredCatalog["releases"][number],
  templates: StoredCatalog["templates"],
): readonly LintedModule[] {
  const module = spec?.moduleName ?? metadata.name;
  const versions = [
    ...(spec?.channels ?? []).map(({ channel, version }) => ({ of: `The channel ${channel}`, version })),
    ...(spec?.mandatory === undefined
      ? []
      : [{ of: "The rule for all clusters", version: spec.mandatory.version }]),
  ];
  const findings: Finding[] = [
    ...(module === metadata.name
      ? []
      : [
          {
            level: "fault" as const,
            message: `The ModuleReleaseMeta is called ${metadata.name}, and is looked for as ${module}.`,
          },
        ]),
    ...versions.flatMap(({ of, version }): Finding[] =>
      templates.some((template) => template.metadata.name === templateName(module, version))
        ? []
        : [
            {
              level: "warning",
              message: `${of} is at ${version}, of which there is no ModuleTemplate here.`,
            },
          ],
    ),
  ];
  return findings.length === 0 ? [] : [{ module, version: "", findings }];
}

/** The findings as a table; where there are none, a sentence. */
export function lintText(linted: readonly LintedModule[]): string {
  const rows = linted.flatMap(({ module, version, findings }) =>
    findings.map(({ level, message }) => [module, version, level, message]),
  );
  const versions = linted.filter(({ version }) => version !== "").length;
  const judged = `${versions} ${versions === 1 ? "version was" : "versions were"} judged.`;
  return rows.length === 0
    ? `Nothing is wrong: ${judged}`
    : [table(["module", "version", "", "finding"], rows), judged].join("\n");
}
