import { leapingClock } from "../../../infra/testing/leaping-clock.ts";
import {
  admissionsOf,
  type StackCluster,
  type StageOptions,
  startStackCluster,
} from "../../../infra/testing/system/index.ts";
import { kudo } from "../index.ts";
import { type HookState, hookOf } from "./hook.ts";
import { SHOP, type Shop, shopOf } from "./shop.ts";

export { SHOP } from "./shop.ts";

/** A shop in one process with its test, which has the engine in its hand. */
export type Stage = Shop & Pick<StackCluster, "stack" | "whileAway">;

/** A stage whose API server asks before it stores an Instance. */
export interface AskedStage extends Stage {
  /** Takes down whoever it asks, or brings them up again. */
  hook(state: HookState): Promise<void>;
}

/** KUDO where the API server asks before it stores an Instance. */
export async function startAskedStage(options: StageOptions): Promise<AskedStage> {
  const stage = await startStage(options);
  const admissions = await admissionsOf(stage.stack, kudo);
  const hook = hookOf(stage.stack.client, SHOP);
  let state: HookState = "up";
  const put = async (next: HookState): Promise<void> => {
    await hook(next);
    state = next;
  };
  await put("up");
  return {
    ...stage,
    hook: put,
    empty: async () => {
      if (state !== "up") await put("up");
      await stage.empty();
    },
    stop: async () => {
      await admissions.stop();
      await stage.stop();
    },
  };
}

/** KUDO on the whole stack. */
export async function startStage({ api, ...options }: StageOptions): Promise<Stage> {
  const clock = leapingClock();
  const cluster = await startStackCluster({ system: kudo, api, engine: { clock }, ...options });
  const shop = shopOf(cluster.stack.client, cluster, (time) => clock.leap(Math.max(0, time - clock.now())));
  return {
    ...shop,
    stack: cluster.stack,
    whileAway: (deeds) => cluster.whileAway(deeds),
    stop: async () => {
      await shop.stop();
      await cluster.stop();
    },
  };
}
