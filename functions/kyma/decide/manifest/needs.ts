import type { Obj } from "../../../../shared/function/index.ts";
import { fieldOf } from "../../../../shared/json/fields.ts";
import { apiVersionOf } from "../../../../shared/kube/object.ts";
import { Manifest, type WrittenRequirement } from "../../kinds/index.ts";
import { keptRequirements, type Provider, providerFault, wordsOf } from "../dependencies/index.ts";
import { kindWait, namedOf } from "./named.ts";
import { isDefinition, isServed, servedVersions } from "./objects.ts";
import type { Live, Need, Waiting } from "./world.ts";

/** The reads that a decision about what a module needs rests on. */
export interface NeedReads {
  /** The definitions of the runtime. */
  definitions(): Promise<readonly Live[]>;
  /** A Manifest of the same Kyma. */
  sibling(name: string): Promise<Provider | undefined>;
}

/** Looks for what a module requires in its runtime, and of the modules beside it. Definitions are listed only where a kind is required. */
export async function observeNeeds(self: Obj<typeof Manifest>, reads: NeedReads): Promise<readonly Need[]> {
  const required = keptRequirements(self);
  const definitions = required.some(({ crd }) => crd !== undefined) ? await reads.definitions() : [];
  return Promise.all(
    required.map((one) =>
      one.crd === undefined ? moduleNeed(self, one, reads) : kindNeed(self, one, one.crd, definitions),
    ),
  );
}

type Crd = NonNullable<WrittenRequirement["crd"]>;
function kindNeed(
  self: Obj<typeof Manifest>,
  required: WrittenRequirement,
  { group, kind, version }: Crd,
  definitions: readonly Live[],
): Need {
  const definition = definitions.find(
    (one) =>
      isDefinition(one) &&
      fieldOf(one.spec, "group") === group &&
      fieldOf(fieldOf(one.spec, "names"), "kind") === kind,
  );
  const isMet =
    definition !== undefined &&
    definition.metadata.deletionTimestamp === undefined &&
    isServed(definition) &&
    servedVersions(definition).includes(version);
  const what = wordsOf(required);
  const wait: Waiting =
    definition === undefined
      ? kindWait({ apiVersion: apiVersionOf({ group, version }), kind, name: self.metadata.name })
      : { for: what, of: namedOf(definition) };
  return { what, isMet, isHard: required.optional !== true, waits: [wait] };
}

async function moduleNeed(
  self: Obj<typeof Manifest>,
  required: WrittenRequirement,
  { sibling }: NeedReads,
): Promise<Need> {
  const names = required.of ?? [];
  const faults = await Promise.all(names.map(async (name) => providerFault(required, await sibling(name))));
  const isMet = faults.includes(undefined);
  const what = wordsOf(required);
  const [first = "which nothing enabled provides"] = faults;
  const { namespace } = self.metadata;
  return {
    what: isMet ? what : `${what}, ${first}`,
    isMet,
    isHard: required.optional !== true,
    waits: names.map((name) => ({
      for: what,
      of: { apiVersion: apiVersionOf(Manifest), kind: Manifest.kind, name, namespace },
      isAtHome: true,
    })),
  };
}
