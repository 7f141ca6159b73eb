import { defineKind } from "../kind.ts";
import { ServiceSpec, ServiceStatus } from "../schema/service.ts";
import { loosely } from "./loosely.ts";

/** A stable address for pods. */
export class Service extends defineKind({
  group: "",
  version: "v1",
  kind: "Service",
  scope: "Namespaced",
  external: true,
  shortNames: ["svc"],
  fields: {
    spec: loosely(ServiceSpec).optional(),
  },
  status: loosely(ServiceStatus),
}) {}
