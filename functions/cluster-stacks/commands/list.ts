import { table } from "../../../shared/text.ts";
import {
  compareVersions,
  dottedText,
  dottedVersion,
  type ReleaseName,
  releaseOfTag,
  tagOf,
} from "../decide/names/index.ts";
import { isOfStack, stackOf, summaryOfRelease } from "../decide/stack/index.ts";
import { usersOf, userText, usesOf } from "../decide/usage/index.ts";
import type { ARelease, AStack, Landscape } from "./read.ts";

/** One version of a stack. */
export interface ListedVersion {
  readonly version: string;
  /** The name of its ClusterStackRelease. */
  readonly release: string;
  readonly kubernetes: string | undefined;
  readonly usable: boolean;
  /** The reason why it is not, for people. */
  readonly reason: string | undefined;
  readonly users: readonly string[];
}

/** One stack with its versions, the oldest first. */
export interface ListedStack {
  readonly namespace: string;
  readonly name: string;
  readonly kubernetes: string;
  readonly channel: string;
  readonly versions: readonly ListedVersion[];
  /** The faults of the stack itself, for people. */
  readonly faults: readonly string[];
}

/** The conditions of a stack that tell of the stack, and not of one version. */
const OWN_CONDITIONS = ["AssetsClientAPIAvailable", "ReleasesSynced", "ProviderClusterStackReleasesSynced"];

/** The versions of a stack that are there or are to be there, the oldest first. */
function namesOf(stack: AStack, releases: readonly ARelease[]): readonly ReleaseName[] {
  const { spec } = stack;
  if (spec === undefined) return [];
  const mine = stackOf(spec);
  const there = releases.flatMap(({ metadata }) => {
    const name = metadata.namespace === stack.metadata.namespace ? releaseOfTag(metadata.name) : undefined;
    return name !== undefined && isOfStack(name, spec) ? [name] : [];
  });
  const wanted = (spec.versions ?? []).flatMap((text) => {
    const version = dottedVersion(text);
    return version === undefined ? [] : [{ ...mine, version }];
  });
  return [...new Map([...there, ...wanted].map((name) => [tagOf(name), name])).values()].sort(
    (one, other) => compareVersions(one, other) ?? (tagOf(one) < tagOf(other) ? -1 : 1),
  );
}

/** The reason why nobody can use a release; undefined where everybody can. */
export function reasonOf(release: ARelease | undefined): string | undefined {
  if (release === undefined) return "not there yet";
  const { metadata, status } = release;
  if (metadata.deletionTimestamp !== undefined) return "it is being deleted";
  if (status?.ready === true) return undefined;
  const { phase } = summaryOfRelease(metadata.name, status?.conditions);
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  const said = ready?.message || ready?.reason || "";
  return (
    [phase === "done" ? "" : phase, said].filter((text) => text !== "").join(": ") || "not looked at yet"
  );
}

/** The stacks with their versions: usable or why not, and in use by whom. Pure. */
export function listedStacks({ stacks, releases, clusters, addons }: Landscape): readonly ListedStack[] {
  const uses = usesOf(clusters, addons);
  return stacks.map((stack) => {
    const { metadata, spec, status } = stack;
    const { namespace, name } = metadata;
    const versions = namesOf(stack, releases).map((one): ListedVersion => {
      const release = releases.find(
        (candidate) => candidate.metadata.name === tagOf(one) && candidate.metadata.namespace === namespace,
      );
      const reason = reasonOf(release);
      return {
        version: dottedText(one.version),
        release: tagOf(one),
        kubernetes: release?.status?.kubernetesVersion,
        usable: reason === undefined,
        reason,
        users: [...new Set(usersOf(uses, one, namespace).map(userText))],
      };
    });
    const faults = OWN_CONDITIONS.flatMap((type) => {
      const found = status?.conditions?.find((condition) => condition.type === type);
      return found?.status === "False" ? [found.message || found.reason || type] : [];
    });
    return {
      namespace,
      name,
      kubernetes: spec?.kubernetesVersion ?? "",
      channel: spec?.channel ?? "",
      versions,
      faults: [...new Set(faults)],
    };
  });
}

/** The stacks as a table, a line for each version; below it what is wrong with stacks themselves. */
export function listText(stacks: readonly ListedStack[]): string {
  if (stacks.length === 0) return "There is no ClusterStack.";
  const rows = stacks.flatMap(({ namespace, name, versions }) =>
    versions.length === 0
      ? [[namespace, name, "none"]]
      : versions.map(({ version, kubernetes, usable, users, reason }) => [
          namespace,
          name,
          version,
          kubernetes,
          usable ? "yes" : "no",
          users.join(", "),
          reason,
        ]),
  );
  const columns = ["namespace", "stack", "version", "kubernetes", "usable", "in use by", "why not"];
  const faults = stacks.flatMap((stack) =>
    stack.faults.map((fault) => `${stack.namespace}/${stack.name}: ${fault}`),
  );
  return [table(columns, rows), ...faults].join("\n");
}
