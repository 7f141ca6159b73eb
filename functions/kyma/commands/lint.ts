import { CliError } from "../../../shared/function/command-errors.ts";
import { schemaFaults } from "../../../shared/kube/validation/schema-faults.ts";
import { table } from "../../../shared/text.ts";
import { catalogCycles, cycleText } from "../decide/dependencies/index.ts";
import type { Finding } from "../decide/lint/index.ts";
import { templateName } from "../decide/resolution/index.ts";
import { ModuleReleaseMeta, ModuleTemplate } from "../kinds/index.ts";
import type { Components } from "../ports/components/index.ts";
import { fault, type LintedModule, refused } from "./lint-findings.ts";
import { lintedVersions } from "./lint-versions.ts";
import type { StoredCatalog } from "./read.ts";
import { readableAs, writtenIn } from "./written.ts";

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
  const unnamed = templates.filter((template) => !isOfVersion(template)).map(unnamedTemplate);
  const ofVersions = await lintedVersions({ releases, templates: templates.filter(isOfVersion) }, components);
  const there = new Set(templates.map(({ metadata }) => metadata.name));
  const cycles = catalogCycles({ releases, templates }).map(
    (cycle): LintedModule => ({
      module: cycle.way[0] ?? "",
      version: "",
      findings: [fault(`${cycleText(cycle)}: make one of these requirements optional.`)],
    }),
  );
  return [
    ...releases.flatMap((release) => lintedRelease(release, there)),
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

function lintedRelease(
  { metadata, spec }: StoredCatalog["releases"][number],
  there: ReadonlySet<string>,
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
      there.has(templateName(module, version))
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
