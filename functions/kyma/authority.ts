import { allInNamespace, unwatched } from "../../shared/function/index.ts";
import { Secret } from "../../shared/kube/kinds/index.ts";
import { configuration } from "./configuration.ts";
import { AUTHORITY_SECRET, authorityPass, GATEWAY_SECRET } from "./decide/certificates/index.ts";
import { authorityChanged, Watcher } from "./kinds/index.ts";
import { issuer } from "./ports/issuer/index.ts";

/** The authority of the runtimes' certificates and the certificate of the gateway, as long as there is a Watcher (4.6). */
export const authority = allInNamespace(Watcher, { status: [] }).function({
  name: "kyma-authority",
  config: configuration,
  uses: [issuer],
  writes: [unwatched(Secret, "nobody else writes these, and their ends are deadlines")],
  verbs: { Watcher: ["list"], Secret: ["get", "create", "patch"] },
  emits: [authorityChanged],
  adopts: { Secret: "their names are upstream's, whose authority it may still be" },
  observe: async ({ members, read }) => {
    const namespace = members[0]?.metadata.namespace ?? "";
    const secret = async (name: string) =>
      namespace === "" ? undefined : read.get(Secret, { name, namespace });
    return { namespace, authority: await secret(AUTHORITY_SECRET), gateway: await secret(GATEWAY_SECRET) };
  },
  reconcile: ({ members: _, ...world }, { now, config: { watcher } }) =>
    world.namespace === "" || watcher === undefined ? {} : authorityPass(world, watcher, now),
});
