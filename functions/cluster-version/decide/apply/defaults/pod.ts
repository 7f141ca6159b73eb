import { isRecord, textOf } from "../../../../../shared/json/fields.ts";
import { chain, each, filled } from "./fill.ts";
import { plain } from "./plain.ts";
import { fieldSource, volume } from "./volumes.ts";

/** `Always` where the tag may move: none, or `latest`. */
function pullPolicyOf(image: string): string {
  const name = image.slice(image.lastIndexOf("/") + 1);
  if (name.includes("@")) return "IfNotPresent";
  const tag = name.includes(":") ? name.slice(name.indexOf(":") + 1) : "latest";
  return tag === "latest" ? "Always" : "IfNotPresent";
}

const http = filled({ path: "/", scheme: "HTTP" });
const handler = filled({}, { httpGet: http });
const probe = filled(
  { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 },
  { httpGet: http },
);
/** Zero stands for the standard value, too. */
const withoutZeros = (value: unknown): unknown =>
  isRecord(value) ? Object.fromEntries(Object.entries(value).filter(([, field]) => field !== 0)) : value;
const anyProbe = chain(withoutZeros, probe);

const variable = filled(
  {},
  { valueFrom: filled({}, { ...fieldSource, fileKeyRef: filled({ optional: false }) }) },
);

const container = (hostNetwork: boolean) => {
  const port = (value: unknown): unknown =>
    isRecord(value)
      ? {
          protocol: "TCP",
          ...(hostNetwork && value.containerPort !== undefined && { hostPort: value.containerPort }),
          ...value,
        }
      : value;
  const fill = filled(
    {
      terminationMessagePath: "/dev/termination-log",
      terminationMessagePolicy: "File",
      resources: {},
    },
    {
      ports: each(port),
      env: each(variable),
      livenessProbe: anyProbe,
      readinessProbe: anyProbe,
      startupProbe: anyProbe,
      lifecycle: filled({}, { postStart: handler, preStop: handler }),
    },
  );
  return (value: unknown): unknown =>
    isRecord(value) ? fill({ imagePullPolicy: pullPolicyOf(textOf(value.image)), ...value }) : value;
};

/** The older name stays beside the newer one. */
function withAccount(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const account = textOf(value.serviceAccountName) || textOf(value.serviceAccount);
  return account === "" ? value : { ...value, serviceAccountName: account, serviceAccount: account };
}

function podSpec(value: unknown): unknown {
  const containers = each(container(isRecord(value) && value.hostNetwork === true));
  const fill = filled(
    {
      dnsPolicy: "ClusterFirst",
      restartPolicy: "Always",
      terminationGracePeriodSeconds: 30,
      schedulerName: "default-scheduler",
      securityContext: {},
    },
    { containers, initContainers: containers, volumes: each(volume) },
  );
  return fill(withAccount(value));
}

/** A template of pods as the server stores it. Source: what the real server was seen to fill in. */
export const podTemplate = chain(plain, filled({}, { metadata: withoutTime, spec: podSpec }));

function withoutTime(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const { creationTimestamp: _time, ...metadata } = value;
  return metadata;
}
