import type { Fields } from "../../../../../shared/json/fields.ts";
import { parseApiVersion } from "../../../../../shared/kube/object.ts";
import { hasInjectedCaBundle } from "../annotations.ts";
import { atField, othersOf } from "../ownership.ts";
import { replaced } from "../replaced.ts";
import { standsIn } from "../stored.ts";
import { withInjectedBundles } from "./injected.ts";
import type { KindRule } from "./kind-rule.ts";

/**
 * Any other kind: each field at the top that the manifest has is the manifest's. While updating, what an earlier release had there goes
 * too; otherwise what stands beside the manifest's goes only where somebody else has written it, so that a server's defaults are left
 * alone.
 */
export function genericRule(
  complete: (body: Fields) => Fields = (body) => body,
  sent?: KindRule["sent"],
): KindRule {
  return {
    others: "go",
    complete,
    ...(sent !== undefined && { sent }),
    shall: (wanted, there, { manifest, live, context }) => {
      const injected = hasInjectedCaBundle(live) || hasInjectedCaBundle(manifest);
      const asked = injected ? withInjectedBundles(wanted, there) : wanted;
      const others = context.mode === "Updating" ? undefined : othersOf(live, context.fieldManagers);
      const stands = standsIn(parseApiVersion(live.apiVersion).group);
      const shall: Record<string, unknown> = { ...there };
      for (const [name, value] of Object.entries(asked))
        shall[name] = replaced(value, there[name], others && atField(others, name), stands, [name]);
      return shall;
    },
  };
}
