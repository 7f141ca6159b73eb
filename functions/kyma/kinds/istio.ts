import * as z from "zod";
import { defineKind } from "../../../shared/function/index.ts";
import { loosely } from "../../../shared/kube/kinds/loosely.ts";

const GROUP = "networking.istio.io";
const VERSIONS = ["v1", "v1beta1"] as const;

/** A gateway of Istio: where requests come in. */
export class Gateway extends defineKind({
  group: GROUP,
  version: VERSIONS,
  kind: "Gateway",
  scope: "Namespaced",
  external: true,
  fields: {
    spec: loosely(z.object({ servers: z.array(z.object({ hosts: z.array(z.string()) })) }).optional()),
  },
  facts: (it) => ({ generation: it.metadata.generation, labels: it.metadata.labels }),
}) {}

const route = z.object({
  match: z.array(z.object({ uri: z.object({ prefix: z.string() }) })),
  route: z.array(
    z.object({ destination: z.object({ host: z.string(), port: z.object({ number: z.number() }) }) }),
  ),
});
/** A route of Istio: requests of a path go to a service. */
export class VirtualService extends defineKind({
  group: GROUP,
  version: VERSIONS,
  kind: "VirtualService",
  scope: "Namespaced",
  external: true,
  fields: {
    spec: loosely(
      z
        .object({ gateways: z.array(z.string()), hosts: z.array(z.string()), http: z.array(route) })
        .optional(),
    ),
  },
}) {}
