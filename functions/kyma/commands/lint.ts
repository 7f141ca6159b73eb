import { CliError } from "../../../shared/function/command-errors.ts";
import { schemaFaults } from "../../../shared/kube/validation/schema-faults.ts";
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

/** The versions that are asked for at once, at most: a registry answers others too, and refuses who asks for hundreds. */
const AT_ONCE = 8;

/** Judges each version of each module of a catalog, with the artifacts that it names. @throws CliError where their place gives no answer */
export async function lintCatalog(
  { releases, templates }: StoredCatalog,
  components: Components,
): Promise<readonly LintedModule[]> {
  const names = new Map(releases.map((release) => [release.spec?.moduleName ?? "", release]));
  const unnamed = templates.filter((template) => !isOfVersion(template)).map(unnamedTemplate);
  const judged = templates.filter(isOfVersion);
  const readOne = async (template: StoredCatalog["templates"][number]) => {
    const { moduleName = "", version = "" } = template.spec ?? {};
    const component = names.get(moduleName)?.spec?.ocmComponentName;
    return { template, moduleName, version, answer: await contentIn(component, version, components) };
  };
  const read: Awaited<ReturnType<typeof readOne>>[] = [];
  for (let at = 0; at < judged.length; at += AT_ONCE)
    read.push(...(await Promise.all(judged.slice(at, at + AT_ONCE).map(readOne))));
  // One that fails alone is told of with the others; where none answers, it is their place that is wrong.
  const failures = read.flatMap(({ answer }) => ("unanswered" in answer ? [answer.unanswered] : []));
  if (failures[0] !== undefined && failures.length === read.length) throw unanswered(failures[0]);
  const whole = read.flatMap(({ template: { spec }, moduleName, version, answer }) =>
    spec !== undefined && "content" in answer
      ? [{ moduleName, module: { version, spec, ...answer.content } satisfies ModuleVersion }]
      : [],
  );
  const ofVersions = read.map(({ template, moduleName, version, answer }): LintedModule => {
    const right = templateName(moduleName, version);
    const named: readonly Finding[] = [
      ...schemaFaults(ModuleTemplate, template).map(refused),
      ...(template.metadata.name === right
        ? []
        : [fault(`The ModuleTemplate is called ${template.metadata.name}, and is looked for as ${right}.`)]),
    ];
    const own = whole.find((one) => one.moduleName === moduleName && one.module.version === version)?.module;
    const findings =
      "fault" in answer
        ? [fault(answer.fault)]
        : "unanswered" in answer
          ? [fault(`${answer.unanswered}: it was not judged.`)]
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
      findings: [fault(`${cycleText(cycle)}: make one of these requirements optional.`)],
    }),
  );
  return [
    ...releases.flatMap((release) => lintedRelease(release, templates)),
    ...doubledIn([...releases, ...templates]),
    ...cycles,
    ...unnamed,
    ...ofVersions,
  ];
}

type Written = StoredCatalog["releases"][number] | StoredCatalog["templates"][number];

/** The findings about objects that stand a second time: of two by one name the one that is applied last counts. */
function doubledIn(objects: readonly Written[]): readonly LintedModule[] {
  const seen = new Set<string>();
  return objects.flatMap(({ kind, metadata: { namespace, name }, spec }): readonly LintedModule[] => {
    const key = `${kind} ${namespace}/${name}`;
    const finding = fault(`The ${kind} ${name} stands there twice: leave one of them out.`);
    const isAgain = seen.has(key);
    seen.add(key);
    return isAgain ? [{ module: spec?.moduleName ?? "", version: "", findings: [finding] }] : [];
  });
}

/** The most characters of a label's value: each Manifest has the name of its module in one. */
const LONGEST_LABEL = 63;
const fault = (message: string): Finding => ({ level: "fault", message });
const refused = (why: string): Finding => fault(`${why}: the API server would refuse it.`);

/** True for a template that says of which version of which module it is. */
const isOfVersion = ({ spec }: StoredCatalog["templates"][number]): boolean =>
  Boolean(spec?.moduleName) && Boolean(spec?.version);

/** The findings about a template that does not, as those of channels were. */
const unnamedTemplate = ({ metadata: { name }, spec }: StoredCatalog["templates"][number]): LintedModule => ({
  module: spec?.moduleName ?? "",
  version: spec?.version ?? "",
  findings: [
    fault(
      `The ModuleTemplate ${name} has not both spec.moduleName and spec.version: nobody finds it. Write one of each version, and call it NAME-VERSION.`,
    ),
  ],
});

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

/** The content of a component's artifact, or in words why there is none. */
type Answer =
  | { readonly content: Pick<ModuleVersion, "objects" | "doubled" | "passedOver" | "doubledKeys"> }
  | { readonly fault: string }
  | { readonly unanswered: string };

async function contentIn(
  component: string | undefined,
  version: string,
  components: Components,
): Promise<Answer> {
  if (!component)
    return { fault: "No ModuleReleaseMeta beside it names its component in spec.ocmComponentName." };
  const described = await components.describe(component, version);
  if (described.state === "failed") return { unanswered: described.message };
  if (described.state !== "described") return { fault: described.message };
  const layer = await components.layer(described.component.source);
  if (layer.state === "failed") return { unanswered: layer.message };
  if (layer.state !== "read") return { fault: layer.message };
  const found = layerObjects(layer.documents);
  return "fault" in found
    ? { fault: `The artifact: ${found.fault}.` }
    : {
        content: {
          ...found,
          passedOver: layer.passedOver ?? [],
          doubledKeys: layer.doubledKeys ?? [],
        },
      };
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
    ...schemaFaults(ModuleReleaseMeta, { metadata, spec }).map(refused),
    ...(spec !== undefined && (spec.channels === undefined) === (spec.mandatory === undefined)
      ? [refused("spec has to have either channels or mandatory")]
      : []),
    // The schema is upstream's, and takes one more than the label of a Manifest does.
    ...(module.length === LONGEST_LABEL + 1
      ? [
          fault(
            `spec.moduleName has ${module.length} characters, and labels ${LONGEST_LABEL}: it could not be installed.`,
          ),
        ]
      : []),
    ...(module === metadata.name
      ? []
      : [fault(`The ModuleReleaseMeta is called ${metadata.name}, and is looked for as ${module}.`)]),
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
