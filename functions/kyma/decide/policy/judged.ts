import type { Metadata } from "../../../../shared/function/index.ts";
import { sameJson } from "../../../../shared/json/same-json.ts";
import { byAge } from "../../../../shared/kube/objects.ts";
import type { EnforcedModule, KymaPolicySpec } from "../../kinds/index.ts";
import { isNoChannel } from "../resolution/index.ts";
import { emptyTerm, mayMeet, unknownOperator } from "./selectors.ts";

/** A KymaPolicy as it is judged. */
export interface PolicyObject {
  readonly metadata: Pick<Metadata, "name" | "creationTimestamp">;
  readonly spec: KymaPolicySpec;
  readonly status?: { readonly accepted?: KymaPolicySpec | undefined } | undefined;
}
/** A policy as it holds. */
export interface JudgedPolicy {
  readonly name: string;
  /** The rules that hold; undefined: none were ever accepted. */
  readonly accepted: KymaPolicySpec | undefined;
  /** The reason why the rules of its spec do not hold, for people; undefined: they do. */
  readonly fault: string | undefined;
}

/** The rules of each policy that hold. New rules that contradict those that hold wait, and what was accepted last stays. */
export function judged(policies: readonly PolicyObject[]): readonly JudgedPolicy[] {
  const inOrder = policies.toSorted(byAge);
  const holding = new Map(inOrder.map(({ metadata, status }) => [metadata.name, status?.accepted]));
  const fault = (policy: PolicyObject): string | undefined =>
    ownFault(policy.spec) ??
    inOrder
      .filter(({ metadata }) => metadata.name !== policy.metadata.name)
      .map(({ metadata }) => contradiction(policy.spec, holding.get(metadata.name), metadata.name))
      .find((found) => found !== undefined);
  const admit = (): boolean =>
    inOrder.some((policy) => {
      if (sameJson(holding.get(policy.metadata.name), policy.spec) || fault(policy) !== undefined)
        return false;
      holding.set(policy.metadata.name, policy.spec);
      return true;
    });
  // One that gives way makes room for another. Each is admitted once at most.
  while (admit());
  return inOrder.map((policy) => {
    const accepted = holding.get(policy.metadata.name);
    return {
      name: policy.metadata.name,
      accepted,
      fault: sameJson(accepted, policy.spec) ? undefined : fault(policy),
    };
  });
}

/** The reason why rules cannot hold whatever others say. */
function ownFault({
  selector,
  enforce = [],
  deny = [],
  allowChannels,
  defaults = [],
}: KymaPolicySpec): string | undefined {
  const operator = unknownOperator(selector);
  if (operator !== undefined)
    return `spec.selector has the operator ${operator}: write In, NotIn, Exists or DoesNotExist.`;
  const empty = emptyTerm(selector);
  if (empty !== undefined)
    return `spec.selector asks for ${empty} without values, which no Kyma can meet or miss: name some, or write Exists.`;
  const both = enforce.find(({ module }) => deny.includes(module));
  if (both !== undefined) return `It enforces and denies ${both.module}: take it out of one of the two.`;
  const begun = defaults.find(({ module }) => deny.includes(module));
  if (begun !== undefined)
    return `Kymas begin with ${begun.module}, which it denies: take it out of one of the two.`;
  const twofold = [...enforce, ...defaults].find(
    ({ channel, version }) => channel !== undefined && version !== undefined,
  );
  if (twofold !== undefined)
    return `It names ${twofold.module} by a channel and by a version: take one of them out.`;
  const unversioned = [...enforce, ...defaults].find(({ version }) => version === "");
  if (unversioned !== undefined)
    return `It names ${unversioned.module} by an empty version: write one, or take the field out.`;
  if (allowChannels?.length === 0)
    return "It allows no channel at all: name those that users may choose, or take allowChannels out.";
  const channels = [
    ...[...enforce, ...defaults].flatMap(({ channel }) => channel ?? []),
    ...(allowChannels ?? []),
  ];
  const none = channels.find(isNoChannel);
  return none === undefined ? undefined : `"${none}" is no channel: name another one.`;
}

/** The contradiction between new rules and those of another policy of the same rank. Of two ranks the higher counts. */
function contradiction(
  rules: KymaPolicySpec,
  others: KymaPolicySpec | undefined,
  name: string,
): string | undefined {
  if (others === undefined || rules.rank !== others.rank || !mayMeet(rules.selector, others.selector))
    return undefined;
  const mend = `give one of them another rank, or Kymas of its own`;
  const denied = (rules.enforce ?? []).find(({ module }) => others.deny?.includes(module));
  if (denied !== undefined) return `It enforces ${denied.module}, which the policy ${name} denies: ${mend}.`;
  const enforced = (others.enforce ?? []).find(({ module }) => rules.deny?.includes(module));
  if (enforced !== undefined)
    return `It denies ${enforced.module}, which the policy ${name} enforces: ${mend}.`;
  const otherwise = (rules.enforce ?? []).find((one) =>
    others.enforce?.some((other) => one.module === other.module && differ(one, other)),
  );
  if (otherwise !== undefined)
    return `It enforces ${otherwise.module} otherwise than the policy ${name}: ${mend}.`;
  const { allowChannels } = others;
  return rules.allowChannels === undefined ||
    allowChannels === undefined ||
    rules.allowChannels.some((channel) => allowChannels.includes(channel))
    ? undefined
    : `It allows no channel that the policy ${name} allows: ${mend}.`;
}

const differ = (one: EnforcedModule, other: EnforcedModule): boolean => !sameJson({ ...one }, { ...other });
