import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { admission, allow, defineSystem } from "../../shared/function/index.ts";
import { ConfigMap } from "../../shared/kube/kinds/index.ts";
import { Toy, Workshop } from "../testing/toy-system.ts";
import { admissionGrants } from "./rbac.ts";
import { emptyConfigurations, webhookConfigurations } from "./webhooks.ts";

const system = defineSystem({
  name: "shops",
  functions: [],
  admissions: [
    admission("shop-hours", Workshop, ["create", "delete"]).function({
      whenDown: "allow",
      admit: () => allow(),
    }),
    admission("toy-check", Toy, ["update"]).function({
      reads: [ConfigMap, Workshop],
      webhook: { configuration: "toys.example.org", type: "Validating", path: "/validate-toy" },
      admit: () => allow(),
    }),
  ],
});

describe("webhook configurations", () => {
  it("follow from the declarations", () => {
    const service = { namespace: "reveille", name: "serve", port: 443 };
    const found = webhookConfigurations([system], {
      at: { service },
      authorities: "pem",
      namespaces: ["b", "a"],
    });
    const caBundle = Buffer.from("pem").toString("base64");
    assert.deepEqual(
      found.map(({ kind, metadata, webhooks }) => [kind, metadata.name, webhooks]),
      [
        [
          "MutatingWebhookConfiguration",
          "reveille-shops",
          [
            {
              name: "shop-hours.shops.reveille.dev",
              admissionReviewVersions: ["v1"],
              clientConfig: { service: { ...service, path: "/admission/shop-hours" }, caBundle },
              failurePolicy: "Ignore",
              matchPolicy: "Equivalent",
              sideEffects: "None",
              timeoutSeconds: 10,
              rules: [
                {
                  apiGroups: ["toys.example.org"],
                  apiVersions: ["v1"],
                  operations: ["CREATE", "DELETE"],
                  resources: ["workshops"],
                  scope: "Cluster",
                },
              ],
            },
          ],
        ],
        [
          "ValidatingWebhookConfiguration",
          "toys.example.org",
          [
            {
              name: "toy-check.shops.reveille.dev",
              admissionReviewVersions: ["v1"],
              clientConfig: { service: { ...service, path: "/validate-toy" }, caBundle },
              failurePolicy: "Fail",
              matchPolicy: "Equivalent",
              sideEffects: "None",
              timeoutSeconds: 10,
              namespaceSelector: {
                matchExpressions: [
                  { key: "kubernetes.io/metadata.name", operator: "In", values: ["a", "b"] },
                ],
              },
              rules: [
                {
                  apiGroups: ["toys.example.org"],
                  apiVersions: ["v1"],
                  operations: ["UPDATE"],
                  resources: ["toys"],
                  scope: "Namespaced",
                },
              ],
            },
          ],
        ],
      ],
    );
  });
  it("are installed with nothing registered", () => {
    assert.deepEqual(
      emptyConfigurations([system]).map((one) => Object.hasOwn(one, "webhooks")),
      [false, false],
    );
  });
  it("need the right on themselves alone, and reads where the decisions are", () => {
    assert.deepEqual(
      admissionGrants([system], undefined).map(({ account, namespace, rules }) => [
        account,
        namespace,
        rules,
      ]),
      [
        [
          "reveille-serve",
          undefined,
          [
            { apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list"] },
            { apiGroups: ["toys.example.org"], resources: ["workshops"], verbs: ["get", "list"] },
          ],
        ],
        [
          "reveille-watcher",
          undefined,
          [
            {
              apiGroups: ["admissionregistration.k8s.io"],
              resources: ["mutatingwebhookconfigurations"],
              resourceNames: ["reveille-shops"],
              verbs: ["patch"],
            },
            {
              apiGroups: ["admissionregistration.k8s.io"],
              resources: ["validatingwebhookconfigurations"],
              resourceNames: ["toys.example.org"],
              verbs: ["patch"],
            },
          ],
        ],
        [
          "reveille-watcher",
          "reveille-system",
          [
            {
              apiGroups: [""],
              resources: ["secrets"],
              resourceNames: ["reveille-webhooks"],
              verbs: ["get", "patch"],
            },
          ],
        ],
      ],
    );
    assert.deepEqual(admissionGrants([], undefined), []);
  });
});
