import { type Obj, own, remove, type Time } from "../../../../shared/function/index.ts";
import { setConditions } from "../../../../shared/kube/conditions.ts";
import { matchesLabelSelector } from "../../../../shared/kube/label-selector.ts";
import { compare } from "../../../../shared/kube/objects.ts";
import { isSubdomain } from "../../../../shared/kube/subdomain.ts";
import { type Gateway, LABELS, managerOf, VirtualService, type Watcher } from "../../kinds/index.ts";
import { CONTRACT } from "../../ports/runtime-watcher/index.ts";

type Self = Obj<typeof Watcher>;

/** The gateways that a Watcher names by their labels. */
export const gatewaysOf = (self: Self, all: readonly Obj<typeof Gateway>[]): readonly Obj<typeof Gateway>[] =>
  all
    .filter(({ metadata }) => matchesLabelSelector(self.spec?.gateway.selector, metadata.labels))
    .toSorted((one, other) => compare(nameOf(one), nameOf(other)));
const nameOf = ({ metadata }: Obj<typeof Gateway>): string => `${metadata.namespace}/${metadata.name}`;

/** Leads a Watcher's events from its gateways to its service (4.1). */
export function routePass(self: Self, all: readonly Obj<typeof Gateway>[], now: Time) {
  const { spec } = self;
  const manager = managerOf(self);
  const gateways = gatewaysOf(self, all);
  const hosts = [
    ...new Set(gateways.flatMap((one) => one.spec?.servers.flatMap((server) => server.hosts) ?? [])),
  ];
  if (spec === undefined || manager === "")
    return {
      status: statusOf(
        self,
        "Error",
        `It names no manager: set spec.manager, or the label ${LABELS.managedBy}.`,
        now,
      ),
    };
  if (!isSubdomain(manager))
    return {
      status: statusOf(
        self,
        "Error",
        `"${manager.slice(0, 253)}" is no name for a manager: use lower case letters, digits, dashes and dots. No runtime tells of what it watches.`,
        now,
      ),
    };
  if (hosts.length === 0)
    return {
      status: statusOf(self, "Error", "No gateway with a host has the labels of spec.gateway.selector.", now),
    };
  const { name, namespace, port } = spec.serviceInfo;
  if (port < 1 || port > 65_535)
    return {
      status: statusOf(self, "Error", `spec.serviceInfo.port is ${port}: write one from 1 to 65535.`, now),
    };
  return {
    effects: own(
      self,
      VirtualService,
      {
        metadata: { name: self.metadata.name },
        spec: {
          gateways: gateways.map(nameOf),
          hosts: hosts.toSorted(compare),
          http: [
            {
              match: [{ uri: { prefix: `/${CONTRACT}/${manager}/event` } }],
              route: [
                { destination: { host: `${name}.${namespace}.svc.cluster.local`, port: { number: port } } },
              ],
            },
          ],
        },
      },
      { force: true },
    ),
    status: statusOf(self, "Ready", "", now),
  };
}

/** Takes the route away before its Watcher goes. */
export function routeDeletion(self: Self, route: Obj<typeof VirtualService> | undefined, now: Time) {
  if (route === undefined) return { finalized: true };
  return {
    effects: remove(VirtualService, route),
    status: statusOf(self, "Deleting", "Its route is taken away.", now),
  };
}

function statusOf(self: Self, state: "Ready" | "Error" | "Deleting", message: string, now: Time) {
  const verdict = {
    type: "VirtualService" as const,
    status: state === "Ready" ? ("True" as const) : ("False" as const),
    reason: "Ready",
    message,
  };
  return {
    state,
    conditions: [...setConditions(self.status?.conditions ?? [], [verdict], now)],
    observedGeneration: self.metadata.generation,
  };
}
