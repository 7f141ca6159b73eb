import { apiVersionOf } from "../../../shared/kube/object.ts";
import type { ApiRequest, ApiResponse, Registry } from "../resource-type.ts";
import { headerOf, json, tagged } from "./answer.ts";
import { type Discovered, type DiscoveredGroup, type DiscoveredVersion, discover } from "./catalogue.ts";

/** `/`: the paths that there are. */
export function answerRoot(request: ApiRequest, registry: Registry): ApiResponse | undefined {
  if (request.path !== "/" || request.method !== "GET") return undefined;
  const apis = discover(registry)
    .filter(({ group }) => group !== "")
    .flatMap(({ group, versions }) => [
      `/apis/${group}`,
      ...versions.map(({ version }) => `/apis/${group}/${version}`),
    ]);
  const others = [
    "/api",
    "/api/v1",
    "/apis",
    "/healthz",
    "/livez",
    "/openapi/v2",
    "/openapi/v3",
    "/readyz",
    "/version",
  ];
  return json({ paths: [...apis, ...others].sort() });
}

/** `/api`, `/apis`, `/apis/G`, `/api/v1` and `/apis/G/V`; undefined for every other path. */
export function answerDiscovery(request: ApiRequest, registry: Registry): ApiResponse | undefined {
  const [root, ...rest] = request.path.replace(/^\/|\/$/g, "").split("/");
  if (request.method !== "GET" || (root !== "api" && root !== "apis")) return undefined;
  // Most requests are for objects: those are told first.
  if (rest.length > (root === "api" ? 1 : 2)) return undefined;
  const groups = discover(registry).filter(({ group }) => (root === "api") === (group === ""));
  if (rest.length === 0) return root === "api" ? core(request, groups) : allGroups(request, groups);
  const [name, version] = root === "api" ? ["", rest[0]] : rest;
  const group = groups.find((one) => one.group === name);
  if (group === undefined) return undefined;
  if (version === undefined) return json({ kind: "APIGroup", apiVersion: "v1", ...groupOf(group) });
  const found = group.versions.find((one) => one.version === version);
  return found === undefined ? undefined : json(resourceList(group.group, found));
}

function core(request: ApiRequest, groups: readonly DiscoveredGroup[]): ApiResponse {
  const version = aggregatedVersion(request);
  if (version !== undefined) return aggregated(request, groups, version);
  const versions = groups.flatMap((group) => group.versions.map((one) => one.version));
  return tagged(request, json({ kind: "APIVersions", versions, serverAddressByClientCIDRs: [] }));
}

function allGroups(request: ApiRequest, groups: readonly DiscoveredGroup[]): ApiResponse {
  const version = aggregatedVersion(request);
  return version === undefined
    ? tagged(request, json({ kind: "APIGroupList", apiVersion: "v1", groups: groups.map(groupOf) }))
    : aggregated(request, groups, version);
}

function groupOf({ group, versions }: DiscoveredGroup): object {
  const named = versions.map(({ version }) => ({ groupVersion: apiVersionOf({ group, version }), version }));
  return { name: group, versions: named, preferredVersion: named[0] };
}

function resourceList(group: string, { version, resources }: DiscoveredVersion): object {
  return {
    kind: "APIResourceList",
    apiVersion: "v1",
    groupVersion: apiVersionOf({ group, version }),
    resources: resources.flatMap((one) => [
      {
        name: one.plural,
        singularName: one.singular,
        namespaced: one.namespaced,
        kind: one.kind,
        verbs: one.verbs,
        ...lists(one),
      },
      ...one.subresources.map(({ name, kind, verbs, group: ofGroup, version: ofVersion }) => ({
        name: `${one.plural}/${name}`,
        singularName: "",
        namespaced: one.namespaced,
        ...(ofGroup === undefined ? {} : { group: ofGroup, version: ofVersion }),
        kind,
        verbs,
      })),
    ]),
  };
}

const lists = ({ shortNames, categories }: Discovered): object => ({
  ...(shortNames.length > 0 ? { shortNames } : {}),
  ...(categories.length > 0 ? { categories } : {}),
});

/** The version of aggregated discovery that the client takes; undefined = the old form. */
function aggregatedVersion(request: ApiRequest): "v2" | "v2beta1" | undefined {
  for (const accepted of headerOf(request, "accept").split(",")) {
    const parameters = accepted.split(";").map((part) => part.trim());
    if (!parameters.includes("as=APIGroupDiscoveryList")) {
      if (parameters[0] === "application/json") return undefined;
      continue;
    }
    if (parameters.includes("v=v2")) return "v2";
    if (parameters.includes("v=v2beta1")) return "v2beta1";
  }
  return undefined;
}

function aggregated(
  request: ApiRequest,
  groups: readonly DiscoveredGroup[],
  version: "v2" | "v2beta1",
): ApiResponse {
  const body = {
    kind: "APIGroupDiscoveryList",
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: groups.map(({ group, versions }) => ({
      metadata: group === "" ? {} : { name: group },
      versions: versions.map((one) => ({
        version: one.version,
        resources: one.resources.map((resource) => aggregatedResource(group, one.version, resource)),
        freshness: "Current",
      })),
    })),
  };
  const type = `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
  return tagged(request, json(body, 200, type));
}

const aggregatedResource = (group: string, version: string, one: Discovered): object => ({
  resource: one.plural,
  responseKind: { group, version, kind: one.kind },
  scope: one.namespaced ? "Namespaced" : "Cluster",
  singularResource: one.singular,
  verbs: one.verbs,
  ...lists(one),
  ...(one.subresources.length === 0
    ? {}
    : {
        subresources: one.subresources.map((sub) => ({
          subresource: sub.name,
          responseKind: { group: sub.group ?? group, version: sub.version ?? version, kind: sub.kind },
          verbs: sub.verbs,
        })),
      }),
});
