import { CliError } from "../../../shared/function/command-errors.ts";
import type { KubeClient } from "../../../shared/kube/client.ts";
import { KubeError } from "../../../shared/kube/errors.ts";
import { resourceOf } from "../../../shared/kube/kind.ts";
import { isDeleting } from "../../../shared/kube/objects.ts";
import { parseObject } from "../../../shared/kube/read.ts";
import { isMandatory } from "../decide/resolution/index.ts";
import {
  type CustomResourcePolicy,
  Kyma,
  type KymaModule,
  ModuleReleaseMeta,
  ModuleTemplate,
} from "../kinds/index.ts";
import { type AKyma, asked, kubeconfigLine, requireKyma, speaksInRuntime } from "./read.ts";

/** The field manager under which the commands write. */
export const FIELD_MANAGER = "reveille-cli";
/** The tries of a write whose Kyma others change meanwhile: its spec is read anew each time. */
const TRIES = 5;

/** A wish about one module. */
export type ModuleWish =
  | {
      readonly wish: "enable";
      readonly channel?: string | undefined;
      readonly version?: string | undefined;
      readonly customResourcePolicy?: CustomResourcePolicy | undefined;
    }
  | { readonly wish: "disable" | "manage" | "unmanage" };

/** The modules of a Kyma with a wish about one of them; undefined: they are so already. Throws a `CliError` for a wish about a module that is not listed. */
export function withWish(
  { metadata, spec }: AKyma,
  module: string,
  asked: ModuleWish,
): readonly KymaModule[] | undefined {
  const modules = spec?.modules ?? [];
  const before = modules.find(({ name }) => name === module);
  if (asked.wish === "disable")
    return before === undefined ? undefined : modules.filter(({ name }) => name !== module);
  if (asked.wish !== "enable" && before === undefined)
    throw new CliError(
      "CLI_KYMA_MODULE_MISSING",
      `The Kyma ${metadata.namespace}/${metadata.name} has no module ${module}: enable it first.`,
    );
  const after = {
    ...(before ?? { name: module, managed: true, customResourcePolicy: "CreateAndDelete" as const }),
    ...changeOf(asked),
  };
  if (before === undefined) return [...modules, after];
  return sameModule(before, after) ? undefined : modules.map((one) => (one === before ? after : one));
}

function changeOf(asked: Exclude<ModuleWish, { wish: "disable" }>): Partial<KymaModule> {
  if (asked.wish !== "enable") return { managed: asked.wish === "manage" };
  const { channel, version, customResourcePolicy } = asked;
  return {
    // One of the two counts: whoever names either takes the other back.
    ...(channel !== undefined && { channel, version: undefined }),
    ...(version !== undefined && { version, channel: undefined }),
    ...(customResourcePolicy !== undefined && { customResourcePolicy }),
  } as Partial<KymaModule>;
}

const sameModule = (one: KymaModule, other: KymaModule): boolean =>
  (["channel", "version", "customResourcePolicy", "managed"] as const).every(
    (field) => one[field] === other[field],
  );

/** Refuses a Kyma that is being deleted, and one whose user speaks in the runtime: what stands in its own spec counts no longer. */
function requireOwnWord(kyma: AKyma): void {
  if (isDeleting(kyma))
    throw new CliError(
      "CLI_KYMA_DELETING",
      `The Kyma ${kyma.metadata.namespace}/${kyma.metadata.name} is being deleted, with all of its modules: create it anew once it is gone.`,
    );
  if (!speaksInRuntime(kyma)) return;
  const { namespace, name } = kyma.metadata;
  throw new CliError(
    "CLI_KYMA_IN_RUNTIME",
    `What the Kyma ${namespace}/${name} is to have, its user says in its runtime, and nowhere else: type the same with -n kyma-system and --kubeconfig of the runtime (\`${kubeconfigLine(namespace, name)}\` prints it), or have a KymaPolicy say it.`,
  );
}

/** The reasons why nothing will be installed yet for a module that is enabled, as far as they can be seen. */
export async function lacksOf(client: KubeClient, kyma: AKyma, module: string): Promise<readonly string[]> {
  const wish = kyma.spec?.modules?.find(({ name }) => name === module);
  const lack = await catalogLack(client, kyma.metadata.namespace, module, {
    channel: wish?.channel ?? kyma.spec?.channel,
    version: wish?.version,
  });
  const alone = `${module} is left alone: nothing of it changes until \`reveille kyma module manage ${module}\`.`;
  return [...(wish?.managed === false ? [alone] : []), ...(lack === undefined ? [] : [lack])];
}

async function catalogLack(
  client: KubeClient,
  namespace: string,
  module: string,
  { channel, version }: { readonly channel: string | undefined; readonly version: string | undefined },
): Promise<string | undefined> {
  try {
    const raw = await client.get(resourceOf(ModuleReleaseMeta), { namespace, name: module });
    if (raw === undefined)
      return `The catalog in ${namespace} has no module ${module}: nothing is installed until it is released (\`reveille kyma module catalog\` lists those that there are).`;
    const release = parseObject(ModuleReleaseMeta, raw);
    if (isMandatory(release)) return `Each cluster gets ${module}: nothing else is installed for this.`;
    if (version !== undefined) {
      const template = await client.get(resourceOf(ModuleTemplate), {
        namespace,
        name: `${module}-${version}`,
      });
      // The catalog of a runtime holds the versions of channels alone.
      return template === undefined
        ? `The catalog in ${namespace} shows no version ${version} of ${module}: it is installed only where the control plane has it.`
        : undefined;
    }
    const channels = (release.spec?.channels ?? []).map((one) => one.channel);
    return channel === undefined || channels.includes(channel)
      ? undefined
      : `${module} has no channel ${channel}: nothing is installed until it has (there is ${channels.join(", ") || "none"}).`;
  } catch (thrown) {
    // Who may not see the catalog may have a wish all the same.
    if (thrown instanceof KubeError && ["kindMissing", "forbidden"].includes(thrown.kind)) return undefined;
    throw thrown;
  }
}

/** Writes what a user asks of a module into a Kyma that is read anew; false: it was so already. */
export async function writeWish(
  client: KubeClient,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  module: string,
  wish: ModuleWish,
): Promise<{ readonly kyma: AKyma; readonly changed: boolean }> {
  for (let tries = 1; ; tries += 1) {
    const kyma = await requireKyma(client, namespace, name);
    requireOwnWord(kyma);
    const modules = withWish(kyma, module, wish);
    if (modules === undefined) return { kyma, changed: false };
    try {
      const raw = await asked(() =>
        client.patch(
          resourceOf(Kyma),
          { namespace, name },
          "merge",
          { metadata: { resourceVersion: kyma.metadata.resourceVersion }, spec: { modules } },
          { fieldManager: FIELD_MANAGER },
        ),
      );
      return { kyma: parseObject(Kyma, raw), changed: true };
    } catch (thrown) {
      if (!(thrown instanceof KubeError) || thrown.kind !== "stale" || tries === TRIES) throw thrown;
    }
  }
}

/** A wish as the end of a sentence. */
export function wishText(asked: ModuleWish): string {
  if (asked.wish !== "enable")
    return { disable: "removed", manage: "looked after", unmanage: "left alone" }[asked.wish];
  const { channel, version } = asked;
  if (version !== undefined) return `installed in version ${version}`;
  return channel === undefined ? "installed" : `installed from channel ${channel}`;
}
