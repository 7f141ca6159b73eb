import { type AskOptions, askIn } from "../../../../shared/function/asking.ts";
import type { CommandTools, OutputOption } from "../../../../shared/function/command.ts";
import { CliError } from "../../../../shared/function/command-errors.ts";
import { findKyma, manifestsOf } from "../read.ts";
import { carryOut } from "./carry-out.ts";
import { type ForcePlan, forcePlan, planText } from "./plan.ts";

/** The flags of `force-delete`. */
export interface ForceOptions extends AskOptions, OutputOption {
  readonly confirm?: string;
  readonly reason?: string;
}

/** The line to type: about the same cluster, for the same reason. */
function commandFor({ kyma, namespace }: ForcePlan, modules: readonly string[], given: ForceOptions): string {
  const { kubeconfig, context, reason } = given;
  const flags = Object.entries({ kubeconfig, context, reason }).flatMap(([flag, value]) =>
    value === undefined ? [] : [`--${flag} ${shellWord(value)}`],
  );
  return ["reveille kyma force-delete", kyma, ...new Set(modules), "-n", namespace, ...flags].join(" ");
}

/** A text as one word of a shell. */
const shellWord = (text: string): string =>
  /^[\w./:@=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** `force-delete`: tells what would stay behind; with the word that it prints, does it. */
export async function forceDelete(
  tools: CommandTools,
  kyma: string,
  modules: readonly string[],
  given: ForceOptions,
): Promise<void> {
  const format = tools.outputFormat(given.output);
  await askIn(tools, given, async (client, { namespace, confirm, reason = "" }) => {
    const [found, manifests] = await Promise.all([
      findKyma(client, namespace, kyma),
      manifestsOf(client, namespace),
    ]);
    const plan = forcePlan({ namespace, name: kyma }, found, manifests, modules);
    if (confirm === undefined) {
      const command = commandFor(plan, modules, given);
      tools.printAs(format, plan, () => planText(plan, command));
      return;
    }
    if (confirm !== plan.token)
      throw new CliError(
        "CLI_KYMA_FORCE_CHANGED",
        `--confirm ${confirm} is not the word for what there is now: it has changed. Type the command without --confirm, and read what stays behind.`,
      );
    const taken = await carryOut(client, plan, reason);
    tools.printAs(format, taken, () =>
      taken
        .map(({ object, heldBy }) =>
          heldBy.length === 0
            ? `${object} is gone.`
            : `${object} is held by finalizers of others: ${heldBy.join(", ")}`,
        )
        .join("\n"),
    );
    if (taken.some(({ heldBy }) => heldBy.length > 0))
      throw new CliError(
        "CLI_KYMA_FORCE_HELD",
        "Not everything is gone: whoever set the finalizers that are named has to take them off.",
      );
  });
}
