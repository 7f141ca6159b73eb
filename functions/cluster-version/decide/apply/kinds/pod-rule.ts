import { fieldOf, isEmpty } from "../../../../../shared/json/fields.ts";
import { added, exact, fields, ifSaid, items, type Rule, withMissing } from "../rules.ts";

const byName = (item: unknown): unknown => fieldOf(item, "name");
const byPort = (item: unknown): unknown => [fieldOf(item, "containerPort"), fieldOf(item, "protocol")];

/** Exact, but an empty one and none are the same. */
const exactUnlessEmpty: Rule = (wanted, there) => (wanted === undefined && isEmpty(there) ? there : wanted);

/**
 * The rule of a container: the manifest alone says how it starts, is watched and is confined; the rest only where the manifest
 * says it.
 */
const container = fields({
  command: exact,
  args: exact,
  env: exact,
  envFrom: exact,
  resources: exact,
  ports: items(byPort, exact),
  volumeMounts: items((item) => fieldOf(item, "mountPath"), exact),
  livenessProbe: exact,
  readinessProbe: exact,
  startupProbe: exact,
  securityContext: exactUnlessEmpty,
});

const metadata = fields({ labels: added, annotations: added });

const spec = fields({
  containers: items(byName, container),
  initContainers: items(byName, container),
  volumes: items(byName, exact),
  hostNetwork: exact,
  nodeSelector: added,
  tolerations: withMissing,
  securityContext: exactUnlessEmpty,
  priority: exact,
  shareProcessNamespace: exact,
  affinity: fields({ nodeAffinity: exact, podAffinity: exact, podAntiAffinity: exact }),
});

/** A template of pods: containers, ports, volumes and mounts that the manifest does not list go. */
export const podTemplateRule: Rule = fields({ metadata, spec }, ifSaid);
