import {
  base64,
  flag,
  integer,
  intOrString,
  list,
  type Message,
  map,
  one,
  quantity,
  text,
} from "./fields.ts";
import { labelSelector, objectMeta } from "./metadata.ts";
import { workloadMessages } from "./workloads.ts";

const metadata = one("metadata", objectMeta);
const status = one("status", () => undefined);

const rules = list("rules", {
  1: list("verbs", text),
  2: list("apiGroups", text),
  3: list("resources", text),
  4: list("resourceNames", text),
  5: list("nonResourceURLs", text),
});
const binding: Message = {
  1: metadata,
  2: list("subjects", {
    1: one("kind", text),
    2: one("apiGroup", text),
    3: one("name", text),
    4: one("namespace", text),
  }),
  3: one("roleRef", { 1: one("apiGroup", text), 2: one("kind", text), 3: one("name", text) }),
};

const resourceAttributes: Message = {
  1: one("namespace", text),
  2: one("verb", text),
  3: one("group", text),
  4: one("version", text),
  5: one("resource", text),
  6: one("subresource", text),
  7: one("name", text),
};
const nonResourceAttributes: Message = { 1: one("path", text), 2: one("verb", text) };

const servicePort: Message = {
  1: one("name", text),
  2: one("protocol", text),
  3: one("port", integer),
  4: one("targetPort", intOrString),
  5: one("nodePort", integer),
  6: one("appProtocol", text),
};
const ingressBackend: Message = {
  4: one("service", {
    1: one("name", text),
    2: one("port", { 1: one("name", text), 2: one("number", integer) }),
  }),
};

const rbac = "rbac.authorization.k8s.io/v1";
/**
 * `apiVersion/Kind` → message: what kubectl sends as protobuf. Field numbers: the `generated.proto` files of
 * k8s.io/api, which never change for a version that is out.
 */
export const messages: Readonly<Record<string, Message>> = {
  ...workloadMessages,
  "v1/Namespace": { 1: metadata, 2: one("spec", { 1: list("finalizers", text) }), 3: status },
  "v1/ConfigMap": {
    1: metadata,
    2: map("data", text),
    3: map("binaryData", base64),
    4: one("immutable", flag),
  },
  "v1/Secret": {
    1: metadata,
    2: map("data", base64),
    3: one("type", text),
    4: map("stringData", text),
    5: one("immutable", flag),
  },
  "v1/ServiceAccount": {
    1: metadata,
    3: list("imagePullSecrets", { 1: one("name", text) }),
    4: one("automountServiceAccountToken", flag),
  },
  "v1/Service": {
    1: metadata,
    2: one("spec", {
      1: list("ports", servicePort),
      2: map("selector", text),
      3: one("clusterIP", text),
      4: one("type", text),
      5: list("externalIPs", text),
      7: one("sessionAffinity", text),
      8: one("loadBalancerIP", text),
      10: one("externalName", text),
      11: one("externalTrafficPolicy", text),
      12: one("healthCheckNodePort", integer),
      13: one("publishNotReadyAddresses", flag),
    }),
    3: status,
  },
  "v1/ResourceQuota": {
    1: metadata,
    2: one("spec", { 1: map("hard", quantity), 2: list("scopes", text) }),
    3: status,
  },
  "policy/v1/PodDisruptionBudget": {
    1: metadata,
    2: one("spec", {
      1: one("minAvailable", intOrString),
      2: one("selector", labelSelector),
      3: one("maxUnavailable", intOrString),
    }),
    3: status,
  },
  "scheduling.k8s.io/v1/PriorityClass": {
    1: metadata,
    2: one("value", integer),
    3: one("globalDefault", flag),
    4: one("description", text),
    5: one("preemptionPolicy", text),
  },
  "networking.k8s.io/v1/Ingress": {
    1: metadata,
    2: one("spec", {
      1: one("defaultBackend", ingressBackend),
      2: list("tls", { 1: list("hosts", text), 2: one("secretName", text) }),
      3: list("rules", {
        1: one("host", text),
        2: {
          name: "",
          many: "inline",
          decode: one("", {
            1: one("http", {
              1: list("paths", {
                1: one("path", text),
                2: one("backend", ingressBackend),
                3: one("pathType", text),
              }),
            }),
          }).decode,
        },
      }),
      4: one("ingressClassName", text),
    }),
    3: status,
  },
  [`${rbac}/Role`]: { 1: metadata, 2: rules },
  [`${rbac}/ClusterRole`]: {
    1: metadata,
    2: rules,
    3: one("aggregationRule", { 1: list("clusterRoleSelectors", labelSelector) }),
  },
  [`${rbac}/RoleBinding`]: binding,
  [`${rbac}/ClusterRoleBinding`]: binding,
  "authentication.k8s.io/v1/TokenRequest": {
    1: metadata,
    2: one("spec", {
      1: list("audiences", text),
      3: one("boundObjectRef", {
        1: one("kind", text),
        2: one("apiVersion", text),
        3: one("name", text),
        4: one("uid", text),
      }),
      4: one("expirationSeconds", integer),
    }),
    3: status,
  },
  "authentication.k8s.io/v1/SelfSubjectReview": { 1: metadata, 2: status },
  "authorization.k8s.io/v1/SelfSubjectAccessReview": {
    1: metadata,
    2: one("spec", {
      1: one("resourceAttributes", resourceAttributes),
      2: one("nonResourceAttributes", nonResourceAttributes),
    }),
    3: status,
  },
  "authorization.k8s.io/v1/SelfSubjectRulesReview": {
    1: metadata,
    2: one("spec", { 1: one("namespace", text) }),
    3: status,
  },
  "authorization.k8s.io/v1/SubjectAccessReview": {
    1: metadata,
    2: one("spec", {
      1: one("resourceAttributes", resourceAttributes),
      2: one("nonResourceAttributes", nonResourceAttributes),
      3: one("user", text),
      4: list("groups", text),
      6: one("uid", text),
    }),
    3: status,
  },
};
