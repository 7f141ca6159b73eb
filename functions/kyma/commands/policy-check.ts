import { CliError } from "../../../shared/function/command-errors.ts";
import type { Obj } from "../../../shared/function/index.ts";
import type { Configuration } from "../configuration.ts";
import { effectiveOf } from "../decide/modules/index.ts";
import { type Effective, type EffectiveModule, judged, sentenceOf } from "../decide/policy/index.ts";
import { KymaPolicy } from "../kinds/index.ts";
import type { AKyma, APolicy } from "./read.ts";
import { acceptedAs, isOf, writtenIn } from "./written.ts";

const POLICY_WRONG = "CLI_KYMA_POLICY_WRONG";

/** The change that policies make to one Kyma. */
export interface KymaChange {
  readonly namespace: string;
  readonly name: string;
  /** Modules that it gets, loses, or has otherwise than now, one sentence each. */
  readonly modules: readonly string[];
  /** Wishes of its user that are not met, one sentence each. */
  readonly overrides: readonly string[];
}
/** The effect of policies, were they applied. */
export interface PolicyCheck {
  /** Policies whose rules would not hold, and why. */
  readonly faults: readonly { readonly policy: string; readonly fault: string }[];
  readonly changes: readonly KymaChange[];
  /** The Kymas that stay as they are. */
  readonly unchanged: number;
}

/** Reads the KymaPolicies of a file. @throws CliError where it holds something else, or a policy that is wrong */
export function policiesIn(text: string, file: string, namespace: string): readonly APolicy[] {
  const written = writtenIn(text, file, POLICY_WRONG);
  if (written.length === 0)
    throw new CliError(POLICY_WRONG, `${file} holds no KymaPolicy: name a file that does.`);
  for (const one of written) {
    const { object, place } = one;
    if (!isOf(KymaPolicy, one))
      throw new CliError(
        POLICY_WRONG,
        `${place}: it is a ${object.kind} of ${object.apiVersion}, no KymaPolicy: leave it out.`,
      );
    const own = object.metadata.namespace || namespace;
    if (own !== namespace)
      throw new CliError(POLICY_WRONG, `${place}: it is of the namespace ${own}: check it with -n ${own}.`);
  }
  const placed = written.map(({ object, place }) => ({
    object: { ...object, metadata: { ...object.metadata, namespace } },
    place,
  }));
  return acceptedAs(KymaPolicy, placed, POLICY_WRONG);
}

/** The same policies. @throws CliError where two have one name: nobody can say which of them is meant */
export function eachOnce(policies: readonly APolicy[]): readonly APolicy[] {
  const seen = new Set<string>();
  for (const { metadata } of policies) {
    if (seen.has(metadata.name))
      throw new CliError(
        POLICY_WRONG,
        `The KymaPolicy ${metadata.name} is written twice: leave one of them out.`,
      );
    seen.add(metadata.name);
  }
  return policies;
}

/** The age of a policy that is not stored yet. */
const AFTER_ALL = "9999-12-31T23:59:59Z";

/** The change of Kymas where some policies take the place of those of the same name, or are made now. Pure. */
export function checkPolicies(
  kymas: readonly AKyma[],
  stored: readonly APolicy[],
  written: readonly APolicy[],
  config: Pick<Configuration, "target">,
): PolicyCheck {
  const names = new Set(written.map(({ metadata }) => metadata.name));
  const before = new Map(stored.map((policy) => [policy.metadata.name, policy]));
  const after = [
    ...stored.filter(({ metadata }) => !names.has(metadata.name)),
    ...written.map((policy): APolicy => {
      const known = before.get(policy.metadata.name);
      return {
        ...policy,
        // The older one of two that contradict each other holds.
        metadata: { ...policy.metadata, creationTimestamp: known?.metadata.creationTimestamp ?? AFTER_ALL },
        ...(known?.status !== undefined && { status: known.status }),
      };
    }),
  ];
  const [holding, holdingAfter] = [inForce(stored), inForce(after)];
  const changes = kymas.map((kyma) =>
    changeOf(
      kyma,
      effectiveOf(kyma, holding.policies, config),
      effectiveOf(kyma, holdingAfter.policies, config),
    ),
  );
  const changed = changes.filter(({ modules, overrides }) => modules.length + overrides.length > 0);
  const told = new Set(holding.faults.map(({ policy, fault }) => `${policy} ${fault}`));
  const faults = holdingAfter.faults.filter(
    ({ policy, fault }) => names.has(policy) || !told.has(`${policy} ${fault}`),
  );
  return { faults, changes: changed, unchanged: changes.length - changed.length };
}

/** Policies with the rules that hold. */
function inForce(policies: readonly APolicy[]): {
  readonly policies: readonly APolicy[];
  readonly faults: PolicyCheck["faults"];
} {
  const verdicts = new Map(judged(policies).map((verdict) => [verdict.name, verdict]));
  return {
    policies: policies.map((policy) => {
      const accepted = verdicts.get(policy.metadata.name)?.accepted;
      return { ...policy, status: { ...(accepted !== undefined && { accepted }) } } as Obj<typeof KymaPolicy>;
    }),
    faults: [...verdicts.values()].flatMap(({ name, fault }) =>
      fault === undefined ? [] : [{ policy: name, fault }],
    ),
  };
}

function changeOf({ metadata }: AKyma, before: Effective, after: Effective): KymaChange {
  const [had, has] = [modulesBy(before), modulesBy(after)];
  const told = new Set(before.overrides.map(sentenceOf));
  return {
    namespace: metadata.namespace,
    name: metadata.name,
    modules: [...new Set([...had.keys(), ...has.keys()])].flatMap((name) => {
      const [one, other] = [had.get(name), has.get(name)];
      if (one === undefined)
        return [`It gets ${name}${other === undefined ? "" : `, ${wordsOf(other, after)}`}.`];
      if (other === undefined) return [`It loses ${name}.`];
      const [was, is] = [wordsOf(one, before), wordsOf(other, after)];
      return was === is ? [] : [`${name}: ${was} becomes ${is}.`];
    }),
    overrides: after.overrides.map(sentenceOf).filter((sentence) => !told.has(sentence)),
  };
}

const modulesBy = ({ modules }: Effective): ReadonlyMap<string, EffectiveModule> =>
  new Map(modules.map((module) => [module.name, module]));

const wordsOf = (module: EffectiveModule, { channel }: Effective): string =>
  [
    module.version ? `version ${module.version}` : `channel ${module.channel || channel}`,
    // A user's own version may be one that nobody may name.
    ...(module.isVersionEnforced ? ["enforced"] : []),
    ...(module.allowDowngrade ? ["may go back"] : []),
    ...(module.customResourcePolicy === "Ignore" ? ["without its default object"] : []),
    ...(module.managed ? [] : ["left alone"]),
  ].join(", ");

/** The effect of policies, in sentences. */
export function checkText({ faults, changes, unchanged }: PolicyCheck): string {
  return [
    ...faults.map(({ policy, fault }) => `The policy ${policy} would not hold: ${fault}`),
    ...changes.flatMap(({ namespace, name, modules, overrides }) => [
      `${namespace}/${name}`,
      ...[...modules, ...overrides].map((sentence) => `  ${sentence}`),
    ]),
    `${unchanged} ${unchanged === 1 ? "Kyma stays" : "Kymas stay"} as ${unchanged === 1 ? "it is" : "they are"}.`,
  ].join("\n");
}
