import { changed, each } from "../../shared/function/index.ts";
import { whereKnown } from "../../shared/function/known.ts";
import { configuration } from "./configuration.ts";
import { routeDeletion, routePass } from "./decide/watch/index.ts";
import { Gateway, PREDECESSOR_MANAGERS, VirtualService, Watcher } from "./kinds/index.ts";

/** One Watcher: the way of its events, from the gateways that it names to the service that takes them (4.1). */
export const watchers = each(Watcher).function({
  name: "kyma-watchers",
  config: configuration,
  succeeds: PREDECESSOR_MANAGERS,
  wakes: [changed(Gateway).toEvery()],
  owns: [VirtualService],
  verbs: {
    Watcher: ["get", "list", "patch"],
    Gateway: ["list"],
    VirtualService: ["get", "create", "patch", "delete"],
  },
  adopts: { VirtualService: "the route of a Watcher has its name" },
  observe: async ({ self, read, config }) => ({
    gateways: config.watcher === undefined ? undefined : await whereKnown(() => read.list(Gateway)),
    route: (
      await whereKnown(async () => {
        const found = await read.get(VirtualService, self.metadata);
        return found === undefined ? [] : [found];
      })
    )[0],
  }),
  reconcile: ({ self, gateways }, { now }) => (gateways === undefined ? {} : routePass(self, gateways, now)),
  finalizer: {
    name: "operator.kyma-project.io/watcher",
    when: ({ gateways }) => gateways !== undefined,
    finalize: ({ self, route }, { now }) => routeDeletion(self, route, now),
  },
});
