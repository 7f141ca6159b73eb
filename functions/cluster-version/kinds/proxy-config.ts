import * as z from "zod";
import { defineKind } from "../../../shared/function/index.ts";
import { loosely } from "../../../shared/kube/kinds/loosely.ts";

/** The proxy that workloads of a cluster are to use: the object `cluster`. Clusters that are no OpenShift have no such kind. */
export class ProxyConfig extends defineKind({
  group: "config.openshift.io",
  version: "v1",
  kind: "Proxy",
  scope: "Cluster",
  external: true,
  plural: "proxies",
  fields: { spec: loosely(z.record(z.string(), z.unknown()).optional()) },
  status: loosely(z.record(z.string(), z.unknown())),
  facts: (it) => ({ version: it.metadata.resourceVersion }),
}) {}
