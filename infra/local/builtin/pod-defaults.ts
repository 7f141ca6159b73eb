import { isObject, type JsonObject } from "../json.ts";
import { fillIn, objectAt, objectIn, objectsAt, textAt } from "./reading.ts";

/** Fills the server's defaults into a pod spec, in templates too. */
export function defaultPodSpec(spec: JsonObject): void {
  fillIn(spec, {
    dnsPolicy: "ClusterFirst",
    restartPolicy: "Always",
    terminationGracePeriodSeconds: 30,
    schedulerName: "default-scheduler",
    securityContext: {},
  });
  // The older name stays beside the newer one.
  const account = textAt(spec, "serviceAccountName") || textAt(spec, "serviceAccount");
  if (account !== "") Object.assign(spec, { serviceAccountName: account, serviceAccount: account });
  for (const list of ["initContainers", "containers", "ephemeralContainers"])
    for (const container of objectsAt(spec, list)) defaultContainer(container, spec.hostNetwork === true);
  for (const volume of objectsAt(spec, "volumes")) defaultVolume(volume);
}

/** Fills the server's defaults into a template of pods (`spec.template`), which it also makes where it is absent. */
export function defaultPodTemplate(spec: JsonObject): void {
  const template = objectIn(spec, "template");
  // Go holds the template's metadata as a struct with a time that is null where it is not set.
  const metadata = objectIn(template, "metadata");
  delete metadata.creationTimestamp;
  defaultPodSpec(objectIn(template, "spec"));
}

function defaultContainer(container: JsonObject, hostNetwork: boolean): void {
  fillIn(container, {
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
    imagePullPolicy: pullPolicy(textAt(container, "image")),
    resources: {},
  });
  for (const port of objectsAt(container, "ports")) {
    fillIn(port, { protocol: "TCP" });
    if (hostNetwork && port.hostPort === undefined) port.hostPort = port.containerPort;
  }
  for (const name of ["livenessProbe", "readinessProbe", "startupProbe"])
    if (isObject(container[name])) defaultProbe(container[name]);
  for (const hook of Object.values(objectAt(container, "lifecycle"))) if (isObject(hook)) defaultAction(hook);
  for (const variable of objectsAt(container, "env")) fillFieldRef(objectAt(variable, "valueFrom"));
}

/** `Always` where the tag may move: none, or `latest`. */
function pullPolicy(image: string): string {
  const name = image.slice(image.lastIndexOf("/") + 1);
  if (name.includes("@")) return "IfNotPresent";
  const tag = name.includes(":") ? name.slice(name.indexOf(":") + 1) : "latest";
  return tag === "latest" ? "Always" : "IfNotPresent";
}

function defaultProbe(probe: JsonObject): void {
  for (const [name, standard] of Object.entries({
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
  }))
    if (probe[name] === undefined || probe[name] === 0) probe[name] = standard;
  defaultAction(probe);
  if (isObject(probe.grpc) && probe.grpc.service === undefined) probe.grpc.service = "";
}

function defaultAction(action: JsonObject): void {
  if (isObject(action.httpGet)) fillIn(action.httpGet, { path: "/", scheme: "HTTP" });
}

function fillFieldRef(holder: JsonObject): void {
  if (isObject(holder.fieldRef)) fillIn(holder.fieldRef, { apiVersion: "v1" });
  const resource = holder.resourceFieldRef;
  if (isObject(resource)) fillIn(resource, { divisor: "0" });
}

const READABLE = 0o644;

function defaultVolume(volume: JsonObject): void {
  if (Object.keys(volume).every((field) => field === "name")) volume.emptyDir = {};
  for (const source of ["secret", "configMap", "downwardAPI", "projected"])
    if (isObject(volume[source])) fillIn(volume[source], { defaultMode: READABLE });
  for (const item of objectsAt(objectAt(volume, "downwardAPI"), "items")) fillFieldRef(item);
  for (const source of objectsAt(objectAt(volume, "projected"), "sources")) {
    if (isObject(source.serviceAccountToken)) fillIn(source.serviceAccountToken, { expirationSeconds: 3600 });
    for (const item of objectsAt(objectAt(source, "downwardAPI"), "items")) fillFieldRef(item);
  }
  if (isObject(volume.hostPath)) fillIn(volume.hostPath, { type: "" });
  if (isObject(volume.image))
    fillIn(volume.image, { pullPolicy: pullPolicy(textAt(volume.image, "reference")) });
  const template = objectAt(volume, "ephemeral").volumeClaimTemplate;
  if (isObject(template)) {
    objectIn(template, "metadata");
    defaultClaimSpec(objectIn(template, "spec"));
  }
}

/** Fills the server's defaults into a claim, in templates too. */
export function defaultClaimSpec(spec: JsonObject): void {
  fillIn(spec, { volumeMode: "Filesystem", resources: {} });
}

const DEFAULT_TOLERATION_SECONDS = 300;

/** Fills in the defaults of pods themselves, not of templates, by defaulting and by the admission that is always on. */
export function defaultPod(spec: JsonObject): void {
  fillIn(spec, { enableServiceLinks: true, priority: 0, preemptionPolicy: "PreemptLowerPriority" });
  for (const list of ["initContainers", "containers"])
    for (const container of objectsAt(spec, list)) {
      const resources = objectAt(container, "resources");
      const limits = objectAt(resources, "limits");
      if (Object.keys(limits).length > 0)
        resources.requests = { ...limits, ...objectAt(resources, "requests") };
    }
  const tolerations = [...objectsAt(spec, "tolerations")];
  for (const key of ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"]) {
    const tolerated = tolerations.some(
      (one) =>
        (one.key === key || one.key === undefined) &&
        (one.effect === "NoExecute" || one.effect === undefined),
    );
    if (!tolerated)
      tolerations.push({
        key,
        operator: "Exists",
        effect: "NoExecute",
        tolerationSeconds: DEFAULT_TOLERATION_SECONDS,
      });
  }
  spec.tolerations = tolerations;
}
