const mapsOfQuantities = new Set(["requests", "limits", "hard", "capacity"]);
const quantities = new Set(["storage", "sizeLimit"]);

/** True where built-in kinds keep a quantity at this path of field names. */
export const quantityAt = (path: readonly string[]): boolean =>
  quantities.has(path.at(-1) ?? "") || mapsOfQuantities.has(path.at(-2) ?? "");

const podTemplates = [
  ["spec", "template"],
  ["spec", "jobTemplate", "spec", "template"],
];
const inPodTemplate = (path: readonly string[]): boolean =>
  podTemplates.some((template) => template.every((name, index) => path[index] === name));

const listsOfItems = new Set([
  "env",
  "ephemeralContainers",
  "hostAliases",
  "imagePullSecrets",
  "initContainers",
  "ports",
  "topologySpreadConstraints",
  "volumeDevices",
  "volumeMounts",
  "volumes",
]);

/**
 * True where built-in kinds keep a list at this path of field names whose items are owned each by itself: an empty one is not stored and
 * leaves no trace of who applied it. Those of pod templates, which charts render empty.
 */
export const itemsAt = (path: readonly string[]): boolean =>
  listsOfItems.has(path.at(-1) ?? "") && inPodTemplate(path);

const maps = new Set(["annotations", "labels", "limits", "nodeSelector", "requests"]);

/** True where built-in kinds keep a map at this path of field names: an empty one is not stored, as an empty structure may be. */
export const mapAt = (path: readonly string[]): boolean =>
  maps.has(path.at(-1) ?? "")
    ? inPodTemplate(path)
    : path.length === 1 && /^(data|binaryData)$/.test(path[0] ?? "");
