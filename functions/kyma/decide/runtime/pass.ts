import {
  apply,
  create,
  type Effects,
  inOrder,
  note,
  type Obj,
  patch,
  type Time,
} from "../../../../shared/function/index.ts";
import { jsonOf } from "../../../../shared/json/parse.ts";
import { sameJson } from "../../../../shared/json/same-json.ts";
import {
  ANNOTATIONS,
  Kyma,
  LABELS,
  RUNTIME_NAMESPACE,
  RuntimeKyma,
  RuntimeNamespace,
} from "../../kinds/index.ts";
import { tellsOfChanges } from "../conditions/index.ts";
import { firstSpec } from "../modules/index.ts";
import { conditionsOfRuntime, definitionsCopied, reachable } from "./conditions.ts";
import { copyOf, DEFINITIONS, definitionWait, isServed } from "./definitions.ts";
import { copiedMetadata, runtimeKymaWait } from "./kyma-copy.ts";
import type { RuntimeWorld } from "./world.ts";

type Target =
  | (typeof RuntimeNamespace)["id"]
  | "runtime/CustomResourceDefinition"
  | (typeof RuntimeKyma)["id"]
  | "Kyma";

/** The most that a user's spec may take: it is kept in an annotation. */
const MOST_BYTES = 100_000;

/** Decides what a runtime gets besides its modules: a namespace, definitions, and the Kyma of its user (3.8). */
export function runtimePass(self: Obj<typeof Kyma>, world: RuntimeWorld, now: Time) {
  if (world.step === "local") return { effects: namespaceOf(self.metadata.name) };
  const { status: stored } = self;
  const answers = reachable(world.there);
  if (world.step === "away")
    return {
      status: { conditions: conditionsOfRuntime(stored, [answers], now) },
      waitingFor: [world.there.wait],
    };
  const { kyma, definitions } = world;
  const { cluster } = world.there;
  const base = inOrder<Target>(
    namespaceOf(cluster),
    definitions.flatMap((pair) => copyOf(pair, cluster) ?? []),
  );
  const left = definitions.filter((pair) => !isServed(pair)).map(({ name }) => name);
  const conditions = conditionsOfRuntime(stored, [answers, definitionsCopied(left)], now);
  const heard = [world.there.wait, ...DEFINITIONS.map((name) => definitionWait(name, cluster))];
  if (left.length > 0) return { effects: base, status: { conditions }, waitingFor: heard, again: true };
  const waitingFor = tellsOfChanges(stored) ? [world.there.wait] : [...heard, runtimeKymaWait(cluster)];
  if (kyma === undefined)
    return {
      effects: inOrder<Target>(
        base,
        create(RuntimeKyma, { metadata: copiedMetadata(self), spec: firstSpec(self, world.policies) }),
      ),
      status: { conditions },
      waitingFor,
      again: true,
    };
  return {
    effects: [
      inOrder<Target>(base, apply(RuntimeKyma, { metadata: copiedMetadata(self) }, { force: true })),
      mirrored(self, kyma),
    ],
    status: { conditions },
    waitingFor,
  };
}

/** The namespace of whatever belongs to no module: default configuration objects that name none lie there. */
const namespaceOf = (cluster: string) =>
  apply(
    RuntimeNamespace,
    {
      metadata: {
        cluster,
        name: RUNTIME_NAMESPACE,
        labels: {
          [LABELS.managedBy]: "kyma",
          "istio-injection": "enabled",
          "namespaces.warden.kyma-project.io/validate": "enabled",
        },
      },
    },
    { force: true },
  );

/** Keeps at home what the user wrote in the runtime. */
function mirrored(self: Obj<typeof Kyma>, { spec, metadata }: Obj<typeof RuntimeKyma>): Effects<"Kyma"> {
  const known = self.metadata.annotations[ANNOTATIONS.userSpec];
  if (metadata.deletionTimestamp !== undefined) return [];
  if (known !== undefined && sameJson(jsonOf(known), spec)) return [];
  const text = JSON.stringify(spec ?? {});
  return text.length > MOST_BYTES
    ? note(
        self,
        "Warning",
        "UserSpecTooLong",
        `The spec of the Kyma in the runtime takes more than ${MOST_BYTES} bytes: what it said before counts.`,
      )
    : patch(Kyma, self, { annotations: { [ANNOTATIONS.userSpec]: text } });
}
