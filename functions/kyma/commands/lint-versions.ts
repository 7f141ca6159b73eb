import { CliError } from "../../../shared/function/command-errors.ts";
import { schemaFaults } from "../../../shared/kube/validation/schema-faults.ts";
import { lintModule, type ModuleVersion } from "../decide/lint/index.ts";
import { layerObjects } from "../decide/manifest/index.ts";
import { templateName, wayBetween } from "../decide/resolution/index.ts";
import { ModuleTemplate } from "../kinds/index.ts";
import type { Components } from "../ports/components/index.ts";
import { fault, type LintedModule, refused } from "./lint-findings.ts";
import type { StoredCatalog } from "./read.ts";

type Template = StoredCatalog["templates"][number];

/** The versions that are asked for at once, at most: a registry answers others too, and refuses who asks for hundreds. */
const AT_ONCE = 8;

/**
 * Judges each version of each module, in the order of templates, which have both. Artifacts are read from the lowest version of a module to
 * its highest, and kept for no longer than the next version is compared with them. @throws CliError where none of them can be asked for
 */
export async function lintedVersions(
  { releases, templates }: StoredCatalog,
  components: Components,
): Promise<readonly LintedModule[]> {
  const names = new Map(releases.map((release) => [release.spec?.moduleName ?? "", release]));
  const readOne = async (template: Template) => {
    const component = names.get(moduleOf(template))?.spec?.ocmComponentName;
    return { template, answer: await contentIn(component, versionOf(template), components) };
  };
  const linted = new Map<Template, LintedModule>();
  const failures: string[] = [];
  const ascending = inOrder(templates);
  let held: { readonly module: string; readonly versions: readonly ModuleVersion[] } | undefined;
  for (let at = 0; at < ascending.length; at += AT_ONCE)
    for (const { template, answer } of await Promise.all(ascending.slice(at, at + AT_ONCE).map(readOne))) {
      const [module, version] = [moduleOf(template), versionOf(template)];
      const before = held?.module === module ? held.versions : [];
      const { findings, own } = judged(template, answer, before);
      held = { module, versions: own === undefined ? before : stillCompared(before, own) };
      if ("unanswered" in answer) failures.push(answer.unanswered);
      linted.set(template, { module, version, findings: [...ofName(template), ...findings] });
    }
  // One that fails alone is told of with the others; where none answers, it is their place that is wrong.
  if (failures[0] !== undefined && failures.length === templates.length) throw unanswered(failures[0]);
  return templates.flatMap((template) => linted.get(template) ?? []);
}

const moduleOf = ({ spec }: Template): string => spec?.moduleName ?? "";
const versionOf = ({ spec }: Template): string => spec?.version ?? "";

/** Templates module by module, each from its lowest version to its highest; texts that are no versions stand at the end. */
const inOrder = (templates: readonly Template[]): readonly Template[] =>
  [...Map.groupBy(templates, moduleOf).values()].flatMap((ofModule) =>
    ofModule.toSorted((one, other) => {
      const [lower, higher] = [versionOf(one), versionOf(other)];
      const isNone = Number(isNoVersion(lower)) - Number(isNoVersion(higher));
      if (isNone !== 0) return isNone;
      return isBelow(lower, higher) ? -1 : Number(isBelow(higher, lower));
    }),
  );

function judged(
  { spec }: Template,
  answer: Answer,
  before: readonly ModuleVersion[],
): { readonly findings: LintedModule["findings"]; readonly own?: ModuleVersion } {
  if ("fault" in answer) return { findings: [fault(answer.fault)] };
  if ("unanswered" in answer) return { findings: [fault(`${answer.unanswered}: it was not judged.`)] };
  if (spec === undefined) return { findings: [] };
  const own: ModuleVersion = { version: spec.version ?? "", spec, ...answer.content };
  return { findings: lintModule(own, predecessor(own, before)), own };
}

function ofName(template: Template): LintedModule["findings"] {
  const right = templateName(moduleOf(template), versionOf(template));
  return [
    ...schemaFaults(ModuleTemplate, template).map(refused),
    ...(template.metadata.name === right
      ? []
      : [fault(`The ModuleTemplate is called ${template.metadata.name}, and is looked for as ${right}.`)]),
  ];
}

/** The versions that one which is not lower than `own` can take the place of. */
function stillCompared(before: readonly ModuleVersion[], own: ModuleVersion): readonly ModuleVersion[] {
  const best = predecessor(own, before);
  return [...before.filter((one) => one === best || !isBelow(one.version, own.version)), own];
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

const isNoVersion = (text: string): boolean => wayBetween("0.0.0", text) === "unknown";

/** The content of a component's artifact, or in words why there is none. */
type Answer =
  | { readonly content: Pick<ModuleVersion, "objects" | "doubled" | "passedOver" | "doubledKeys" | "images"> }
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
          images: described.component.localizedImages,
        },
      };
}

/** Nothing can be said of a module whose registry gives no answer. */
const unanswered = (message: string): CliError =>
  new CliError(
    "CLI_KYMA_REGISTRY_FAILED",
    `${message}: look at --folder, or at the configuration's registry.`,
  );
