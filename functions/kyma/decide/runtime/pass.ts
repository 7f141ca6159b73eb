import {
  apply,
  create,
  type Effects,
  inOrder,
  note,
  type Obj,
  patch,
  type Results,
  TerminalError,
  type Time,
  type Wait,
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
  type RuntimeSecret,
  runtimeKymaWait,
} from "../../kinds/index.ts";
import { nothingToSay, tellsOfChanges } from "../conditions/index.ts";
import { isRefused, triedAgain } from "../manifest/index.ts";
import { firstSpec } from "../modules/index.ts";
import {
  conditionsOfRuntime,
  definitionsCopied,
  definitionsRefused,
  definitionsUnread,
  PULL_SECRET,
  reachable,
} from "./conditions.ts";
import { copyOf, DEFINITIONS, definitionWait, isServed } from "./definitions.ts";
import { copiedMetadata } from "./kyma-copy.ts";
import { copiedSecretWaits, copyOfPullSecret, pullSecretVerdict, pullSecretWaits } from "./pull-secret.ts";
import type { RuntimeWorld } from "./world.ts";

type Target =
  | (typeof RuntimeNamespace)["id"]
  | "runtime/CustomResourceDefinition"
  | (typeof RuntimeKyma)["id"]
  | (typeof RuntimeSecret)["id"]
  | "Kyma";

/** The most that a user's spec may take: it is kept in an annotation. */
const MOST_BYTES = 100_000;

/**
 * Decides what a runtime gets besides its modules: a namespace, definitions, the Secret with which images are pulled, and the Kyma of its
 * user (3.8).
 * @param pullSecret the name of that Secret; undefined where none is configured
 */
export function runtimePass(
  self: Obj<typeof Kyma>,
  world: RuntimeWorld,
  pullSecret: string | undefined,
  now: Time,
) {
  const { status: stored } = self;
  if (world.step === "away")
    return {
      status: { conditions: conditionsOfRuntime(stored, pullSecret, [reachable(world.there)], now) },
      waitingFor: [world.there.wait],
    };
  if (world.step === "refused") {
    const { there, refused } = world;
    const verdicts = [reachable(there), definitionsUnread(refused.message)];
    return {
      status: { conditions: conditionsOfRuntime(stored, pullSecret, verdicts, now) },
      waitingFor: [there.wait],
      wakeAt: triedAgain(refused, now),
    };
  }
  const cluster = self.metadata.name;
  const { effects, atHome, verdicts, waitingFor, again } =
    world.step === "local" ? NOTHING_ELSE : copied(self, world);
  const secret = world.pullSecret;
  const copy = copyOfPullSecret(secret, cluster);
  const namespace = namespaceOf(cluster);
  const all: Effects<Target> = inOrder<Target>(namespace, [effects, atHome, copy ?? []]);
  const there = world.step === "there" ? world.there : undefined;
  const isFollowed = there !== undefined && !tellsOfChanges(stored);
  const waits = [
    ...waitingFor,
    ...pullSecretWaits(secret),
    ...(isFollowed ? copiedSecretWaits(secret, cluster) : []),
  ];
  const endingWith = (onSecret: ReturnType<typeof pullSecretVerdict>, onRuntime = verdicts) => {
    const conditions = conditionsOfRuntime(stored, pullSecret, [...onRuntime, ...onSecret], now);
    const said = conditions.length > 0 ? { status: { conditions } } : nothingToSay(stored, [PULL_SECRET]);
    return { ...said, waitingFor: waits, again };
  };
  if (secret === undefined && there === undefined) return { effects: all, ...endingWith([]) };
  return {
    effects: all,
    conclude: (results: Results) => {
      const others = results.failed.filter(({ effect }) => effect !== copy);
      const onSecret = pullSecretVerdict(secret, copy, results);
      const refused = results
        .within([namespace, effects])
        .failed.find(({ error }) => isRefused(error))?.error;
      if (there !== undefined && refused !== undefined)
        return {
          ...endingWith(onSecret, [reachable(there), definitionsRefused(refused.message)]),
          again: false,
          wakeAt: triedAgain(refused, now),
        };
      const [other] = others;
      if (other !== undefined && !other.error.retryable && other.error.object === undefined)
        throw new TerminalError(other.error.message, { code: other.error.code });
      const uncopied = results.failed.find(({ effect, error }) => effect === copy && isRefused(error));
      const later = uncopied === undefined ? { retry: true } : { wakeAt: triedAgain(uncopied.error, now) };
      return { ...endingWith(onSecret), ...later };
    },
  };
}

/** The rest of what a runtime gets, what is to be said of it, and what is waited for. */
interface Copied {
  readonly effects: Effects<Target>;
  readonly atHome: Effects<"Kyma">;
  readonly verdicts: Parameters<typeof conditionsOfRuntime>[2];
  readonly waitingFor: readonly Wait[];
  readonly again: boolean;
}
/** Nothing: where modules go into the control plane's own cluster, definitions and Kyma are there already. */
const NOTHING_ELSE: Copied = { effects: [], atHome: [], verdicts: [], waitingFor: [], again: false };

function copied(self: Obj<typeof Kyma>, world: Extract<RuntimeWorld, { readonly step: "there" }>): Copied {
  const { kyma, definitions, there } = world;
  const { cluster } = there;
  const base = definitions.flatMap((pair) => copyOf(pair, cluster) ?? []);
  const left = definitions.filter((pair) => !isServed(pair)).map(({ name }) => name);
  const verdicts = [reachable(there), definitionsCopied(left)];
  const heard = [there.wait, ...DEFINITIONS.map((name) => definitionWait(name, cluster))];
  if (left.length > 0) return { effects: base, atHome: [], verdicts, waitingFor: heard, again: true };
  const waitingFor = tellsOfChanges(self.status) ? [there.wait] : [...heard, runtimeKymaWait(cluster)];
  if (kyma === undefined) {
    const made = create(RuntimeKyma, {
      metadata: copiedMetadata(self),
      spec: firstSpec(self, world.policies),
    });
    return { effects: inOrder<Target>(base, made), atHome: [], verdicts, waitingFor, again: true };
  }
  const applied = apply(RuntimeKyma, { metadata: copiedMetadata(self) }, { force: true });
  return {
    effects: inOrder<Target>(base, applied),
    atHome: mirrored(self, kyma),
    verdicts,
    waitingFor,
    again: false,
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
  return Buffer.byteLength(text) > MOST_BYTES
    ? note(
        self,
        "Warning",
        "UserSpecTooLong",
        `The spec of the Kyma in the runtime takes more than ${MOST_BYTES} bytes: what it said before counts.`,
      )
    : patch(Kyma, self, { annotations: { [ANNOTATIONS.userSpec]: text } });
}
