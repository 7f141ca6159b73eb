/**
 * The resources that the real server serves and this one does not: `group/version` → plurals. Their paths are answered with where
 * to get them.
 */
const leftOut: Readonly<Record<string, readonly string[]>> = {
  "/v1": ["bindings", "componentstatuses", "watch"],
  "admissionregistration.k8s.io/v1": [
    "mutatingadmissionpolicies",
    "mutatingadmissionpolicybindings",
    "validatingadmissionpolicies",
    "validatingadmissionpolicybindings",
  ],
  "apiregistration.k8s.io/v1": ["apiservices"],
  "authentication.k8s.io/v1": ["tokenreviews"],
  "certificates.k8s.io/v1": ["certificatesigningrequests"],
  "flowcontrol.apiserver.k8s.io/v1": ["flowschemas", "prioritylevelconfigurations"],
  "networking.k8s.io/v1": ["ipaddresses", "servicecidrs"],
  "node.k8s.io/v1": ["runtimeclasses"],
  "resource.k8s.io/v1": ["deviceclasses", "resourceclaims", "resourceclaimtemplates", "resourceslices"],
  "storage.k8s.io/v1": [
    "csidrivers",
    "csinodes",
    "csistoragecapacities",
    "volumeattachments",
    "volumeattributesclasses",
  ],
};

/** True where a resource is one of the real server's that is left out here. */
export const isLeftOut = (group: string, version: string, plural: string): boolean =>
  leftOut[`${group}/${version}`]?.includes(plural) === true;
