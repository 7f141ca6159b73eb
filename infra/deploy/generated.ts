import { stringify } from "yaml";
import { natsPermissions, type UserPermissions } from "../../shared/bus/nats/permissions.ts";
import { COMMANDS } from "../../shared/function/commands.ts";
import type { FunctionDeclaration } from "../../shared/function/declaration.ts";
import { type Admitted, awaitedSlots, FOLLOWED_INSTEAD } from "../../shared/function/slots.ts";
import type { System } from "../../shared/function/system.ts";
import { commandRules, pausedFunctionsRules } from "../../shared/host/commands/index.ts";
import { admittedTo } from "../../shared/host/configuration.ts";
import { crdOf } from "../../shared/kube/crd.ts";
import type { Kind } from "../../shared/kube/kind.ts";
import {
  declaredClusters,
  executionRulesOf,
  FOLLOWS,
  type PolicyRule,
  type Questioned,
  questionRules,
  rightsOf,
  rulesOf,
  SECRETS_BY_NAME,
  slotsOf,
  takeOverRulesOf,
} from "../../shared/runner/rights.ts";
import { watchListOf } from "../../shared/runner/watch-list-of.ts";
import { functionsOf, isAsked, ownKindsOf } from "../systems/declared.ts";
import {
  beatRules,
  clusterIdentity,
  formerLeaseRules,
  hearsBeats,
  leaseRules,
  mergedRules,
  presenceRules,
  registrationRules,
  watchRule,
} from "../systems/rbac.ts";
import { emptyConfigurations } from "../systems/webhooks.ts";

/** Rules by where they can be granted: in a namespace, or only in the whole cluster. */
export interface ScopedRules {
  readonly namespaced: readonly PolicyRule[];
  readonly cluster: readonly PolicyRule[];
}

/** The rights that the chart's templates read. */
export interface ChartRights {
  /** The rights of all that serves a system's functions. */
  readonly systems: Readonly<
    Record<
      string,
      {
        /** Set: only where `systems` names it. */
        readonly onlyWhenNamed?: string;
        /** Files of its CRDs. */
        readonly crds: readonly string[];
        readonly watcher: ScopedRules;
        readonly commands: ScopedRules;
        /** The rules by which the watcher follows more in namespaces that somebody names; absent where there are none. */
        readonly followed?: readonly PolicyRule[];
        /** The rights of its admissions and hooks, and the webhook configurations; absent where it has neither. */
        readonly admission?: ChartAdmission;
        /** Set: `serve` remembers who beats. */
        readonly beats?: true;
      }
    >
  >;
  readonly functions: Readonly<
    Record<
      string,
      {
        readonly system: string;
        readonly rules: ScopedRules;
        readonly takeOver: ScopedRules;
        /** The slots for kinds that only the configuration names; absent where there are none. */
        readonly slots?: readonly ChartSlot[];
      }
    >
  >;
  /** The rules for the namespace of the Lease. */
  readonly lease: readonly PolicyRule[];
  /** The rules for its former namespace. */
  readonly formerLease: readonly PolicyRule[];
  /** The rules of `serve` where it remembers who beats, for the namespace of the installation. */
  readonly beats: readonly PolicyRule[];
  /** The rules of hosts that carry out commands, for the namespace of the ConfigMap of paused functions. */
  readonly pausing: readonly PolicyRule[];
  /** The rules of all processes, to know which cluster it is. */
  readonly identity: readonly PolicyRule[];
  /** The rules of every host, for the namespace of the ConfigMap of paused functions. */
  readonly pauses: readonly PolicyRule[];
  /** The names that stand for others among what the watcher may follow. */
  readonly followedInstead: Readonly<Record<string, Admitted>>;
}

/** The part of a system that the API server and other controllers ask. */
export interface ChartAdmission {
  /** The rules of `serve`, which answers. */
  readonly rules: ScopedRules;
  /** The rules of the watcher, which registers. */
  readonly registration: readonly PolicyRule[];
  /** The configurations, as they are installed. */
  readonly configurations: readonly { readonly kind: string; readonly name: string }[];
}

/** The source of a role beside the system's configuration. */
export interface ChartSlot {
  readonly slot: string;
  /** The path in the configuration that lists what it admits. */
  readonly path: readonly string[];
  /** The resources that it admits where the configuration does not say. */
  readonly otherwise: Admitted;
  readonly verbs: readonly string[];
  /** Set: its objects may be waited for, so the watcher may follow them. */
  readonly awaited?: true;
  /** The rules that the function's own role gets too where it admits Pods. */
  readonly withPods?: readonly PolicyRule[];
}

/** The rights of a user of the bus, without its inbox, with `PREFIX` for the installation's prefix. */
export interface BusRights {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** The Lease's name in the rules; the chart puts its own there. */
const LEASE = "reveille-watcher";

/** Splits rules by the scope of their resources: no Role can grant a kind without a namespace. */
function byScope(rules: readonly PolicyRule[], clusterScoped: ReadonlySet<string>): ScopedRules {
  const split = (cluster: boolean): readonly PolicyRule[] =>
    mergedRules(
      rules.flatMap((rule) => {
        const resources = rule.resources.filter(
          (resource) => clusterScoped.has(`${rule.apiGroups[0]}/${resource.split("/")[0]}`) === cluster,
        );
        return resources.length === 0 ? [] : [{ ...rule, resources }];
      }),
    );
  return { namespaced: split(false), cluster: split(true) };
}

const clusterScopedOf = (functions: readonly FunctionDeclaration[]): ReadonlySet<string> =>
  new Set(
    functions.flatMap((declaration) =>
      [...rightsOf(declaration).values()].flatMap(({ kind: { scope, group, plural, clusters } }) =>
        scope === "Cluster" && clusters === undefined ? [`${group}/${plural}`] : [],
      ),
    ),
  );

const isPausing = ({ resources }: PolicyRule): boolean => resources.includes("configmaps");

/** The rights that watcher and commands need for one system. */
function partsOf(system: System): ChartRights["systems"][string] {
  const functions = functionsOf([system]);
  const wide = clusterScopedOf(functions);
  const { kinds } = watchListOf(functions);
  const byName = functions.flatMap(declaredClusters).some(({ secret }) => !("label" in secret));
  const watched = byScope([...kinds.map(watchRule), ...(byName ? [SECRETS_BY_NAME] : [])], wide);
  return {
    ...(system.onlyWhenNamed !== undefined && { onlyWhenNamed: system.onlyWhenNamed }),
    crds: ownKindsOf(functions).map(crdFile),
    watcher: { namespaced: watched.namespaced, cluster: [...watched.cluster, ...presenceRules(kinds)] },
    ...(byName && { followed: [{ ...SECRETS_BY_NAME, verbs: FOLLOWS }] }),
    commands: byScope(
      commandRules(functions).filter((rule) => !isPausing(rule)),
      wide,
    ),
    ...(isAsked(system) && { admission: admissionOf(system) }),
    ...(hearsBeats(system) && { beats: true }),
  };
}

function admissionOf(system: System): ChartAdmission {
  const questions: readonly Questioned[] = [...system.admissions, ...system.hooks];
  const kinds = questions.flatMap(({ reads, writes = [] }) => [...reads, ...writes]);
  const wide = new Set(
    kinds.flatMap(({ scope, group, plural }) => (scope === "Cluster" ? [`${group}/${plural}`] : [])),
  );
  return {
    rules: byScope(questions.flatMap(questionRules), wide),
    registration: registrationRules([system]),
    configurations: emptyConfigurations([system]).map(({ kind, metadata: { name } }) => ({ kind, name })),
  };
}

/** All rights, derived from the declarations. Deterministic. */
function chartRights(systems: readonly System[]): ChartRights {
  const functions = functionsOf(systems);
  const wide = clusterScopedOf(functions);
  return {
    systems: Object.fromEntries(systems.map((system) => [system.name, partsOf(system)])),
    functions: Object.fromEntries(
      systems.flatMap((system) =>
        system.functions.map((declaration) => [
          declaration.name,
          {
            system: system.name,
            rules: byScope(rulesOf(declaration), wide),
            takeOver: byScope(takeOverRulesOf(declaration), wide),
            ...slotsIn(declaration, system),
          },
        ]),
      ),
    ),
    lease: leaseRules(LEASE),
    formerLease: formerLeaseRules(LEASE),
    beats: beatRules,
    pausing: commandRules(functions).filter(isPausing),
    identity: [clusterIdentity],
    pauses: pausedFunctionsRules,
    followedInstead: FOLLOWED_INSTEAD,
  };
}

const crdFile = (kind: Pick<Kind, "plural" | "group">): string =>
  `generated/crds/${kind.plural}.${kind.group}.yaml`;

function slotsIn(
  declaration: FunctionDeclaration,
  system: System,
): { readonly slots?: readonly ChartSlot[] } {
  const otherwise = admittedTo([system])(declaration);
  const slots = slotsOf(declaration).map(({ slot, right }) => ({
    slot,
    path: system.admits[slot] ?? [],
    otherwise: otherwise.get(slot) ?? [],
    verbs: [...right.verbs].sort(),
    ...(awaitedSlots(declaration).includes(slot) && { awaited: true as const }),
    ...(declaration.executesIn === slot && {
      withPods: executionRulesOf(declaration, new Map([[slot, ["pods"]]])),
    }),
  }));
  return slots.length === 0 ? {} : { slots };
}

const PREFIX = "PREFIX";

/** The bus rights of the chart's parts: of each function, and of what serves all of them. */
function chartBusRights(systems: readonly System[]): Readonly<Record<string, BusRights>> {
  const declarations = functionsOf(systems);
  const { watcher, functions, operator } = natsPermissions(declarations, {
    prefix: PREFIX,
    commands: COMMANDS,
  });
  const together = (...users: readonly (UserPermissions | undefined)[]): BusRights => {
    const all = (which: "publish" | "subscribe"): readonly string[] =>
      [...new Set(users.flatMap((user) => user?.[which] ?? []))]
        .filter((subject) => !subject.startsWith("_INBOX."))
        .sort();
    return { publish: all("publish"), subscribe: all("subscribe") };
  };
  return {
    ...Object.fromEntries(declarations.map(({ name }) => [name, together(functions[name])])),
    watcher: together(watcher),
    [COMMANDS]: together(functions[COMMANDS]),
    // It publishes, and answers what came of it.
    serve: together(watcher, operator),
  };
}

/** The chart's generated files by their path in the chart. */
export function generatedFiles(systems: readonly System[]): ReadonlyMap<string, string> {
  const crds = ownKindsOf(functionsOf(systems)).map(
    (kind) => [crdFile(kind), stringify(crdOf(kind), { lineWidth: 0 })] as const,
  );
  const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
  return new Map([
    ...crds,
    ["generated/rights.json", json(chartRights(systems))],
    ["generated/bus-rights.json", json(chartBusRights(systems))],
  ]);
}
