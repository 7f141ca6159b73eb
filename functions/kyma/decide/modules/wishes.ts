import type { Obj } from "../../../../shared/function/index.ts";
import { jsonOf } from "../../../../shared/json/parse.ts";
import { isDeleting } from "../../../../shared/kube/objects.ts";
import type { Configuration } from "../../configuration.ts";
import {
  ANNOTATIONS,
  type Kyma,
  type KymaPolicy,
  type KymaSpec,
  kymaSpec,
  LABELS,
  type Manifest,
} from "../../kinds/index.ts";
import { isAdvice } from "../dependencies/index.ts";
import { beginning, type Effective, judged, merge, type Rules, rulesFor } from "../policy/index.ts";
import { DEFAULT_CHANNEL, type Wish } from "../resolution/index.ts";
import { isForAll, moduleOf } from "./world.ts";

/** The annotation that keeps the part of a user's wishes which was accepted last. */
export const keptIn = ({ target }: Pick<Configuration, "target">): string =>
  target === "local" ? ANNOTATIONS.acceptedOwnSpec : ANNOTATIONS.acceptedSpec;

/**
 * The modules that a Kyma is to have: its own spec, what its user wrote in the runtime, and policies. In a cluster that looks after
 * itself the user wrote the Kyma, as it would be in a runtime before anybody changes it there.
 */
export function effectiveOf(
  { spec, status, metadata }: Obj<typeof Kyma>,
  policies: readonly Obj<typeof KymaPolicy>[],
  config: Pick<Configuration, "target">,
): Effective {
  const defaults = spec ?? { channel: DEFAULT_CHANNEL };
  const rules = rulesOf(metadata.labels, policies);
  const accepted = storedSpec(metadata.annotations[keptIn(config)]);
  if (config.target !== "local")
    return merge({
      defaults,
      user: storedSpec(metadata.annotations[ANNOTATIONS.userSpec]),
      accepted,
      rules,
    });
  const user = beginning(defaults, rules);
  // Modules that are installed were accepted, though a program before wrote nothing of that down.
  const told = new Set(status?.modules?.flatMap(({ name, version }) => (version ? [name] : [])));
  const installed = { ...user, modules: user.modules?.filter(({ name }) => told.has(name)) ?? [] };
  return merge({ defaults, user, accepted: accepted ?? installed, rules });
}

/** They are judged here as well: a Kyma that is looked at before its policy's status is written may not get what that forbids. */
const rulesOf = (
  labels: Readonly<Record<string, string>>,
  policies: readonly Obj<typeof KymaPolicy>[],
): Rules =>
  rulesFor(
    labels,
    judged(policies).flatMap(({ name, accepted }) =>
      accepted === undefined ? [] : [{ name, rules: accepted }],
    ),
  );

/** The spec with which the Kyma of a runtime is made: what its user last said, else what it begins with. */
export const firstSpec = (
  { spec, metadata }: Obj<typeof Kyma>,
  policies: readonly Obj<typeof KymaPolicy>[],
): KymaSpec =>
  storedSpec(metadata.annotations[ANNOTATIONS.acceptedSpec]) ??
  beginning(spec ?? { channel: DEFAULT_CHANNEL }, rulesOf(metadata.labels, policies));

/** The spec of a Kyma that an annotation keeps; undefined where it keeps none that can be read. */
export function storedSpec(text: string | undefined): KymaSpec | undefined {
  const parsed = kymaSpec.safeParse(text === undefined ? undefined : jsonOf(text));
  return parsed.success ? parsed.data : undefined;
}

/** The wishes that follow the catalog: of modules that are wanted, and those whose removal is blocked, so that they can still be mended. */
export const followed = (
  { modules }: Effective,
  manifests: readonly Obj<typeof Manifest>[],
): readonly Wish[] => [
  ...modules.filter(({ managed }) => managed),
  ...manifests
    .filter((manifest) => isDeleting(manifest) && modules.every(({ name }) => name !== moduleOf(manifest)))
    .map(leaving),
];

/** The wish that a Manifest goes by whose module nobody wants any more: its channel, or the version that it was pinned to. */
export function leaving(manifest: Obj<typeof Manifest>): Wish {
  const name = moduleOf(manifest);
  const channel = manifest.metadata.labels[LABELS.channel];
  if (channel !== undefined) return { name, channel };
  const version = manifest.spec?.version;
  // Its installation asked whether users may pin versions.
  return version === undefined || isForAll(manifest) ? { name } : { name, version, isVersionEnforced: true };
}

/** True where a Kyma lists a module, or one of its modules lacks what any other may provide: its release and templates concern it. */
export const isConcernedBy = (kyma: Obj<typeof Kyma>, module: string): boolean =>
  lists(kyma, module) || kyma.status?.modules?.some(({ message }) => isAdvice(message)) === true;

/** True where a Kyma waits for a module that it has in no version yet, or for what its release may provide. */
export const isWaitingFor = (kyma: Obj<typeof Kyma>, module: string): boolean =>
  isConcernedBy(kyma, module) &&
  kyma.status?.modules?.find(({ name }) => name === module)?.version === undefined;

/** True where a Kyma lists a module. */
export const lists = ({ spec, status, metadata }: Obj<typeof Kyma>, module: string): boolean =>
  [spec?.modules, status?.modules].some((modules) => modules?.some(({ name }) => name === module)) ||
  metadata.annotations[ANNOTATIONS.userSpec]?.includes(`"${module}"`) === true;
