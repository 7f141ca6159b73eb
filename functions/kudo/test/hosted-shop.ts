import type { HostedStack } from "../../../infra/testing/hosted-stack.ts";
import { userCluster } from "../../../infra/testing/system/index.ts";
import { writtenKinds } from "../../../infra/testing/system/proof.ts";
import type { Resource } from "../../../shared/kube/client.ts";
import { kudo } from "../index.ts";
import { BROUGHT, type Shop, shopOf } from "./shop.ts";

/** All kinds whose objects the functions write in scenarios. */
export const KINDS: readonly Resource[] = writtenKinds({ system: kudo, brings: BROUGHT });

/** A shop whose functions run in processes of their own. */
export function hostedShop({ client, settled, everyKeyOnce: again }: HostedStack): Shop {
  return shopOf(client, userCluster(client, kudo, { settled, again }));
}
