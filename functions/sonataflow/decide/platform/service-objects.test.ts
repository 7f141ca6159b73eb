import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { CHECKSUM } from "../../kinds/annotations.ts";
import { CONFIG, platform } from "../../test/objects.ts";
import { type ServiceObjects, serviceObjects } from "./service-objects.ts";
import type { ServiceName } from "./services.ts";

const made = (service: ServiceName, spec: object): ServiceObjects => {
  const objects = serviceObjects(platform({ name: "hub", namespace: "wf", spec }), service, CONFIG);
  assert.ok(!("problem" in objects));
  return objects;
};
const DATA_INDEX = made("dataIndex", { services: { dataIndex: {} } });
const JOBS = made("jobService", { services: { jobService: {} } });
const labels = (name: string, container: string) => ({
  app: "hub",
  "app-namespace": "wf",
  "app.kubernetes.io/component": name,
  "app.kubernetes.io/managed-by": "sonataflow-operator",
  "app.kubernetes.io/name": container,
  "app.kubernetes.io/part-of": "hub",
  "sonataflow.org/service": name,
});
const mainOf = ({ deployment }: ServiceObjects) =>
  deployment.spec.template.spec?.containers[0] ?? assert.fail();

describe("the objects of a service", () => {
  for (const [objects, name, container] of [
    [DATA_INDEX, "hub-data-index-service", "data-index-service"],
    [JOBS, "hub-jobs-service", "jobs-service"],
  ] as const)
    test(name, () => {
      const { configMap, deployment, service } = objects;
      assert.deepEqual(configMap.metadata, { name: `${name}-props`, labels: labels(name, container) });
      assert.deepEqual(deployment.metadata, { name, labels: labels(name, container) });
      assert.deepEqual(service.metadata, { name, labels: labels(name, container) });
      assert.deepEqual(deployment.spec.selector, { matchLabels: { "sonataflow.org/service": name } });
      assert.deepEqual(deployment.spec.template.metadata?.labels, labels(name, container));
      assert.deepEqual(service.spec, {
        selector: { "sonataflow.org/service": name },
        ports: [{ name: "http", protocol: "TCP", port: 80, targetPort: 8080 }],
      });
      const main = mainOf(objects);
      assert.equal(main.name, container);
      const timing = {
        initialDelaySeconds: 45,
        timeoutSeconds: 10,
        periodSeconds: 30,
        successThreshold: 1,
        failureThreshold: 4,
      };
      assert.deepEqual(main.readinessProbe, { httpGet: { path: "/q/health/ready", port: 8080 }, ...timing });
      assert.deepEqual(main.livenessProbe, { httpGet: { path: "/q/health/live", port: 8080 }, ...timing });
      assert.deepEqual(main.volumeMounts, [{ name: "application-config", mountPath: "/home/kogito/config" }]);
      assert.deepEqual(deployment.spec.template.spec?.volumes, [
        { name: "application-config", configMap: { name: `${name}-props` } },
      ]);
      assert.match(deployment.spec.template.metadata?.annotations?.[CHECKSUM] ?? "", /^[0-9a-f]{64}$/);
    });

  test("particulars", () => {
    assert.equal(mainOf(DATA_INDEX).image, "docker.io/apache/incubator-kie-kogito-data-index-ephemeral:main");
    assert.deepEqual(mainOf(DATA_INDEX).env, [
      { name: "KOGITO_DATA_INDEX_QUARKUS_PROFILE", value: "http-events-support" },
    ]);
    assert.deepEqual(mainOf(DATA_INDEX).resources, {
      requests: { cpu: "100m", memory: "1Gi" },
      limits: { cpu: "200m", memory: "1Gi" },
    });
    assert.equal(DATA_INDEX.deployment.spec.strategy, undefined);
    assert.equal(mainOf(JOBS).image, "docker.io/apache/incubator-kie-kogito-jobs-service-ephemeral:main");
    assert.equal(mainOf(JOBS).env, undefined);
    assert.deepEqual(mainOf(JOBS).resources, {
      requests: { cpu: "250m", memory: "64Mi" },
      limits: { cpu: "500m", memory: "1Gi" },
    });
    assert.deepEqual(JOBS.deployment.spec.strategy, { type: "Recreate" });
  });

  test("properties of the Data Index", () => {
    assert.equal(
      DATA_INDEX.configMap.data?.["application.properties"],
      [
        "kogito.service.url=http://hub-data-index-service.wf",
        "quarkus.devservices.enabled=false",
        "quarkus.http.host=0.0.0.0",
        "quarkus.http.port=8080",
        "quarkus.kogito.devservices.enabled=false",
        'quarkus.smallrye-health.check."io.quarkus.kafka.client.health.KafkaHealthCheck".enabled=false',
        "",
      ].join("\n"),
    );
  });

  test("properties of the Jobs Service follow the Data Index beside it", () => {
    const file = (spec: object) => made("jobService", spec).configMap.data?.["application.properties"] ?? "";
    const url =
      "mp.messaging.outgoing.kogito-job-service-job-status-events-http.url=http://hub-data-index-service.wf/jobs";
    assert.ok(file({ services: { dataIndex: {}, jobService: {} } }).includes(url));
    assert.ok(!file({ services: { dataIndex: { enabled: false }, jobService: {} } }).includes("job-status"));
    const health =
      'quarkus.smallrye-health.check."org.kie.kogito.jobs.service.management.JobServiceLeaderLivenessHealthCheck".enabled=true';
    assert.ok(file({ services: { jobService: {} } }).includes(health));
  });

  test("another property, another digest: the pod restarts", () => {
    const digest = (spec: object) =>
      made("jobService", spec).deployment.spec.template.metadata?.annotations?.[CHECKSUM];
    assert.notEqual(
      digest({ services: { jobService: {} } }),
      digest({ services: { dataIndex: {}, jobService: {} } }),
    );
  });

  test("an address that is none is a problem", () => {
    const persistence = { postgresql: { secretRef: { name: "s" }, jdbcUrl: "nowhere" } };
    const answer = serviceObjects(
      platform({ name: "hub", namespace: "wf", spec: { services: { jobService: { persistence } } } }),
      "jobService",
      CONFIG,
    );
    assert.ok("problem" in answer);
  });
});
