import { defineKind } from "../kind.ts";
import { IngressSpec, IngressStatus } from "../schema/networking.ts";
import { loosely } from "./loosely.ts";

/** HTTP from outside to Services. */
export class Ingress extends defineKind({
  group: "networking.k8s.io",
  version: "v1",
  kind: "Ingress",
  scope: "Namespaced",
  external: true,
  plural: "ingresses",
  shortNames: ["ing"],
  fields: {
    spec: loosely(IngressSpec).optional(),
  },
  status: loosely(IngressStatus),
}) {}
