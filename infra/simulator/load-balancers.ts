import { behaviourOf, type Outcome } from "./behaviour.ts";
import { isDeleting, type Service, uidOf } from "./objects.ts";
import type { SimulatedCluster } from "./simulated-cluster.ts";

/**
 * Gives a Service of type LoadBalancer an address, unless its outcome says otherwise, and takes it from one of another type. A load
 * balancer of a named class is somebody else's.
 */
export async function playService(
  cluster: SimulatedCluster,
  service: Service,
  outcome: Outcome | undefined,
): Promise<void> {
  const { type, loadBalancerClass, loadBalancerIP } = service.spec;
  if (isDeleting(service) || loadBalancerClass !== undefined) return;
  const has = (service.status?.loadBalancer?.ingress ?? []).length > 0;
  if (type !== "LoadBalancer") {
    if (has) await cluster.setStatus("Service", service, { ...service.status, loadBalancer: {} });
    return;
  }
  const { outcome: ends } = behaviourOf([service], () => outcome, 0);
  if (has || ends !== "ready") return;
  const ip = loadBalancerIP || addressOf(uidOf(service));
  await cluster.setStatus("Service", service, {
    ...service.status,
    loadBalancer: { ingress: [{ ip, ipMode: "VIP" }] },
  });
}

/** An address of 192.0.2.0/24, which is kept for examples: it leads nowhere, and is the same at every look. */
const addressOf = (uid: string): string =>
  `192.0.2.${1 + (Number.parseInt(uid.replaceAll("-", "").slice(0, 4), 16) % 254)}`;
