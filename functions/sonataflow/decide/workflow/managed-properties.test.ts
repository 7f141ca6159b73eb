import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { configuration } from "../../configuration.ts";
import { CONFIG, FLOW, workflow } from "../../test/objects.ts";
import { propertiesFile } from "../objects/properties-file.ts";
import { usesTimeouts } from "./flow-timeouts.ts";
import { type ManagedInput, managedProperties } from "./managed-properties.ts";

const self = workflow({ name: "w", namespace: "n", spec: { flow: FLOW } });
const managed = (more: Partial<ManagedInput> = {}) =>
  managedProperties({
    workflow: self,
    profile: "gitops",
    flow: {},
    services: undefined,
    persistent: false,
    config: CONFIG,
    ...more,
  });

const NONE = `kogito.events.grouping=true
kogito.events.grouping.binary=true
kogito.events.processdefinitions.enabled=false
kogito.events.processinstances.enabled=false
kogito.events.usertasks.enabled=false
kogito.service.url=http://w.n
mp.messaging.outgoing.kogito-job-service-job-request-events.connector=quarkus-http
mp.messaging.outgoing.kogito-job-service-job-request-events.url=http://localhost/v2/jobs/events
org.kie.kogito.addons.knative.eventing.health-enabled=false
quarkus.devservices.enabled=false
quarkus.http.host=0.0.0.0
quarkus.http.port=8080
quarkus.kogito.devservices.enabled=false
`;
const BOTH = `kogito.data-index.health-enabled=true
kogito.data-index.url=http://di
kogito.events.grouping=true
kogito.events.grouping.binary=true
kogito.events.processdefinitions.enabled=true
kogito.events.processdefinitions.errors.propagate=true
kogito.events.processinstances.enabled=true
kogito.events.usertasks.enabled=false
kogito.jobs-service.url=http://js
kogito.service.url=http://w.n
mp.messaging.outgoing.kogito-job-service-job-request-events.connector=quarkus-http
mp.messaging.outgoing.kogito-job-service-job-request-events.url=http://js/v2/jobs/events
mp.messaging.outgoing.kogito-processdefinitions-events.url=http://di/definitions
mp.messaging.outgoing.kogito-processinstances-events.url=http://di/processes
org.kie.kogito.addons.knative.eventing.health-enabled=false
quarkus.devservices.enabled=false
quarkus.http.host=0.0.0.0
quarkus.http.port=8080
quarkus.kogito.devservices.enabled=false
`;
const services = { dataIndexRef: { url: "http://di" }, jobServiceRef: { url: "http://js" } };

describe("managed properties", () => {
  test("without services", () => assert.equal(propertiesFile(managed()), NONE));
  test("with both services", () => assert.equal(propertiesFile(managed({ services })), BOTH));
  test("dev has its key, and no grouping", () => {
    const dev = managed({ profile: "dev" });
    assert.equal(dev["quarkus.dev-ui.cors.enabled"], "false");
    assert.equal(dev["kogito.events.grouping"], undefined);
  });
  test("grouping as configured", () => {
    const config = configuration.parse({ eventsGrouping: { enabled: true, binary: false, compress: true } });
    assert.equal(managed({ config })["kogito.events.grouping.binary"], undefined);
    assert.equal(managed({ config })["kogito.events.grouping.compress"], "true");
  });
  test("the platform's properties override the base, never what is fixed or wired", () => {
    const flow = {
      "kogito.events.grouping": "false",
      "quarkus.http.port": "1",
      "kogito.data-index.url": "http://mine",
      mine: "1",
    };
    const with_ = managed({ flow, services });
    assert.deepEqual(
      [
        with_["kogito.events.grouping"],
        with_["quarkus.http.port"],
        with_["kogito.data-index.url"],
        with_.mine,
      ],
      ["false", "8080", "http://di", "1"],
    );
    assert.equal(managed({ flow })["kogito.data-index.url"], "http://mine");
  });
  test("the Jobs Service's health is asked only where there are time-outs", () => {
    const timed = workflow({
      name: "w",
      namespace: "n",
      spec: { flow: { states: [{ name: "S", type: "sleep", duration: "PT1S" }] } },
    });
    assert.equal(managed({ services, workflow: timed })["kogito.jobs-service.health-enabled"], "true");
    assert.equal(managed({ workflow: timed })["kogito.jobs-service.health-enabled"], undefined);
  });
});

describe("time-outs of a flow", () => {
  const sleeping = [{ sleep: { before: "PT1S" } }];
  const state = (type: string, more: object = {}) => ({ states: [{ name: "A", type, ...more }] });
  for (const [name, flow, expected] of [
    ["none", FLOW, false],
    ["of the workflow", { ...FLOW, timeouts: { workflowExecTimeout: { duration: "PT1H" } } }, true],
    ["of its events", { ...FLOW, timeouts: { eventTimeout: "PT1H" } }, true],
    ["of its states only", { ...FLOW, timeouts: { stateExecTimeout: { total: "PT1H" } } }, false],
    ["a sleep state", state("sleep", { duration: "PT1S" }), true],
    ["a switch on events", state("switch", { timeouts: { eventTimeout: "PT1S" } }), true],
    ["a switch", state("switch"), false],
    ["an event state", state("event", { onEvents: [{ actions: sleeping }] }), true],
    ["a callback", state("callback", { action: { sleep: { after: "PT1S" } } }), true],
    ["an action that sleeps", state("operation", { actions: sleeping }), true],
    ["an action that does not", state("operation", { actions: [{ sleep: { before: "" } }] }), false],
    ["a loop", state("foreach", { actions: sleeping }), true],
    ["a branch", state("parallel", { branches: [{ actions: sleeping }] }), true],
    ["as first published", state("operation", { operationState: { actions: sleeping } }), true],
    [
      "an operation's event time-out, which nobody serves",
      state("operation", { timeouts: { eventTimeout: "PT1S" } }),
      false,
    ],
  ] as const)
    test(name, () =>
      assert.equal(usesTimeouts(workflow({ name: "w", namespace: "n", spec: { flow } })), expected),
    );
});
