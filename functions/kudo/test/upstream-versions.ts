import type { OperatorVersionSpec } from "../kinds/index.ts";
import { apply, plan } from "./operators.ts";

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: nginx}
spec:
  replicas: {{ .Params.REPLICAS }}
  selector: {matchLabels: {app: nginx}}
  template:
    metadata: {labels: {app: nginx}}
    spec:
      containers:
      - name: nginx
        image: nginx:1.7.9
        ports: [{containerPort: 80}]
        env: [{name: PARAM_ENV, value: "{{ .Params.PARAM }}"}]
`;
const service = `apiVersion: v1
kind: Service
metadata: {name: my-service}
spec:
  ports: [{port: 80}]
  selector: {param: "{{ .Params.Param }}", replicas: "{{ .Params.Replicas }}"}
`;
const settings = `apiVersion: v1
kind: ConfigMap
metadata: {name: test-configmap}
data: {foo: "bar-{{ .Params.PARAM }}"}
`;

/** The versions that upstream's step folders take for installed, in the namespace default: as these folders use them. */
export const UPSTREAM_VERSIONS: Readonly<Record<string, OperatorVersionSpec>> = {
  "test-operator-1.0": {
    version: "1.0",
    parameters: [
      { name: "REPLICAS", default: "3" },
      { name: "PARAM", default: "before" },
    ],
    templates: { "deployment.yaml": deployment },
    tasks: [apply("app", "deployment.yaml")],
    plans: { deploy: plan("app: app") },
  },
  "toy-1.0.0": {
    version: "1.0.0",
    parameters: [
      { name: "Param", default: "before" },
      { name: "Replicas", default: "1", trigger: "scale" },
    ],
    templates: { "service.yaml": service },
    tasks: [apply("app", "service.yaml")],
    plans: { deploy: plan("app: app"), update: plan("app: app"), scale: plan("app: app") },
  },
  "configmap-operator-1.0": {
    version: "1.0",
    parameters: [{ name: "PARAM", default: "before" }],
    templates: { "settings.yaml": settings },
    tasks: [apply("app", "settings.yaml")],
    plans: { deploy: plan("app: app") },
  },
};
