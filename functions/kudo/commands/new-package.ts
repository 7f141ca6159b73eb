/** The files of a new package: one that verifies, installs and has something to change. */
export const newPackage = (name: string): ReadonlyMap<string, string> =>
  new Map([
    [
      "operator.yaml",
      `apiVersion: kudo.dev/v1beta1
name: ${JSON.stringify(name)}
operatorVersion: 0.1.0
kubernetesVersion: 1.29.0
tasks:
  - name: app
    kind: Apply
    spec:
      resources:
        - deployment.yaml
plans:
  deploy:
    strategy: serial
    phases:
      - name: main
        strategy: serial
        steps:
          - name: app
            tasks:
              - app
`,
    ],
    [
      "params.yaml",
      `apiVersion: kudo.dev/v1beta1
parameters:
  - name: REPLICAS
    description: How many pods run.
    type: integer
    default: 1
`,
    ],
    [
      "templates/deployment.yaml",
      `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Name }}
spec:
  replicas: {{ .Params.REPLICAS }}
  selector:
    matchLabels:
      app: {{ .Name }}
  template:
    metadata:
      labels:
        app: {{ .Name }}
    spec:
      containers:
        - name: app
          image: registry.k8s.io/pause:3.10
`,
    ],
  ]);
