import assert from "node:assert/strict";
import { test } from "vitest";
import type { HostedStack } from "../hosted-stack.ts";
import type { Stage } from "./proof.ts";
import { isInSample, SHARES } from "./sample.ts";
import { type Scenario, titleOf } from "./scenario.ts";

/** The part of a stage that hosts of their own have too. */
type OnHosts = Pick<Stage, "again" | "empty" | "settled">;

/**
 * Scenarios on hosts that run in processes of their own, or a sample of them, one after the other. After each the world is at rest.
 *
 * @param at what the hosts run on, once it has started
 */
export function scenariosOnHosts<Needed>(
  name: string,
  scenarios: readonly Scenario<Needed>[],
  at: () => { readonly site: Needed & OnHosts; readonly stack: Pick<HostedStack, "versions"> },
): void {
  for (const scenario of scenarios)
    test(titleOf(scenario), {
      timeout: 180_000,
      skip: !isInSample(SHARES.hostScenarios, name, scenario.number),
    }, async () => {
      const { site, stack } = at();
      try {
        await scenario.run(site);
        await site.settled();
        const versions = await stack.versions();
        await site.again();
        assert.deepEqual(await stack.versions(), versions);
      } finally {
        await site.empty();
      }
    });
}
