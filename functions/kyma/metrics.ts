import { messageOf } from "../../shared/errors.ts";
import type { MetricDeclaration, MetricSample, SystemMetrics } from "../../shared/function/metrics.ts";
import { isRecord, listOf, textOf } from "../../shared/json/fields.ts";
import type { KubeClient } from "../../shared/kube/client.ts";
import { type Kind, resourceOf } from "../../shared/kube/kind.ts";
import type { KubeObject } from "../../shared/kube/object.ts";
import type { Log } from "../../shared/log/log.ts";
import { Kyma, LABELS, Manifest, ModuleReleaseMeta } from "./kinds/index.ts";
import { type ObjectPlace, watchedCertificates } from "./metrics/certificates.ts";

const OF_KYMA = ["kyma_name", "state", "shoot", "instance_id"];

/** Upstream's metrics by name: what they tell, and their labels. */
const METRICS = {
  lifecycle_mgr_kyma_state: { help: "1 for the state that a Kyma is in", labels: OF_KYMA },
  lifecycle_mgr_module_state: {
    help: "1 for the state that a module of a Kyma is in",
    labels: ["module_name", ...OF_KYMA],
  },
  lifecycle_mgr_mandatory_modules: { help: "The modules that each cluster gets", labels: [] },
  lifecycle_mgr_mandatory_module_state: {
    help: "1 for the state that a module which each cluster gets is in there",
    labels: ["module_name", "kyma_name", "state"],
  },
  lifecycle_mgr_self_signed_cert_not_renew: {
    help: "1 for a Kyma whose runtime's certificate should have been renewed a day ago",
    labels: ["kyma_name"],
  },
  lifecycle_mgr_gateway_secret_server_cert_close_to_expiry: {
    help: "1 where the certificate of the gateway ends within two weeks, else 0",
    labels: [],
  },
  lifecycle_mgr_maintenance_window_config_read_success: {
    help: "1 where the maintenance policy could be read",
    labels: [],
  },
} as const satisfies Readonly<Record<string, MetricDeclaration>>;
type MetricName = keyof typeof METRICS;

/** The labels that upstream's metrics know a runtime by. */
const SHOOT = "kyma-project.io/shoot-name";
const INSTANCE = "kyma-project.io/instance-id";
/** So many objects are held at once: there may be thousands. */
const PAGE = 500;

type Reading = Pick<KubeClient, "list">;

/** The metrics of Kymas and their modules, read from the API server at each scrape and at no other time. */
export const metrics: SystemMetrics<MetricName> = {
  kind: Kyma,
  declared: METRICS,
  open: (client, log, clock) => {
    const certificates = watchedCertificates(client, log);
    return async () => {
      const samples: Record<MetricName, MetricSample[]> = {
        lifecycle_mgr_kyma_state: [],
        lifecycle_mgr_module_state: [],
        lifecycle_mgr_mandatory_modules: [],
        lifecycle_mgr_mandatory_module_state: [],
        lifecycle_mgr_self_signed_cert_not_renew: [],
        lifecycle_mgr_gateway_secret_server_cert_close_to_expiry: [],
        // A worker does not start with a policy that it cannot read.
        lifecycle_mgr_maintenance_window_config_read_success: [{ labels: {}, value: 1 }],
      };
      const kymas: ObjectPlace[] = [];
      const areKymasRead = await each(client, log, Kyma, undefined, (kyma) => {
        kymas.push({ name: kyma.metadata.name, namespace: kyma.metadata.namespace ?? "" });
        const of = {
          kyma_name: kyma.metadata.name,
          shoot: kyma.metadata.labels?.[SHOOT] ?? "",
          instance_id: kyma.metadata.labels?.[INSTANCE] ?? "",
        };
        const status = isRecord(kyma.status) ? kyma.status : {};
        samples.lifecycle_mgr_kyma_state.push(one({ ...of, state: textOf(status.state) }));
        for (const module of listOf(status.modules).filter(isRecord))
          samples.lifecycle_mgr_module_state.push(
            one({ ...of, module_name: textOf(module.name), state: textOf(module.state) }),
          );
      });
      let mandatory = 0;
      const areReleasesRead = await each(client, log, ModuleReleaseMeta, undefined, ({ spec }) => {
        if (isRecord(spec) && spec.mandatory !== undefined) mandatory += 1;
      });
      if (areReleasesRead) samples.lifecycle_mgr_mandatory_modules.push({ labels: {}, value: mandatory });
      const areManifestsRead = await each(
        client,
        log,
        Manifest,
        `${LABELS.mandatoryModule}=true`,
        ({ metadata: { labels }, status }) =>
          samples.lifecycle_mgr_mandatory_module_state.push(
            one({
              module_name: labels?.[LABELS.moduleName] ?? "",
              kyma_name: labels?.[LABELS.kymaName] ?? "",
              state: isRecord(status) ? textOf(status.state) : "",
            }),
          ),
      );
      const { isGatewayClose, overdue, areRead } = await certificates(kymas, clock.now());
      if (isGatewayClose !== undefined)
        samples.lifecycle_mgr_gateway_secret_server_cert_close_to_expiry.push({
          labels: {},
          value: isGatewayClose ? 1 : 0,
        });
      samples.lifecycle_mgr_self_signed_cert_not_renew.push(
        ...overdue.map((kyma_name) => one({ kyma_name })),
      );
      return { samples, isWhole: areKymasRead && areReleasesRead && areManifestsRead && areRead };
    };
  },
};

const one = (labels: Readonly<Record<string, string>>): MetricSample => ({ labels, value: 1 });

/** Reads all objects of a kind; false where the API server does not tell. What was told before that counts. */
async function each(
  client: Reading,
  log: Log,
  kind: Kind,
  labelSelector: string | undefined,
  take: (object: KubeObject) => void,
): Promise<boolean> {
  try {
    let next: string | undefined;
    do {
      const { items, metadata } = await client.list(resourceOf(kind), {
        limit: PAGE,
        ...(labelSelector !== undefined && { labelSelector }),
        ...(next !== undefined && { continue: next }),
      });
      for (const item of items) take(item);
      next = metadata.continue || undefined;
    } while (next !== undefined);
    return true;
  } catch (thrown) {
    log.warn({ error: messageOf(thrown), kind: kind.kind }, "what the metrics tell of could not be read");
    return false;
  }
}
