import * as z from "zod";
import { ObjectReference } from "../../../../shared/kube/schema/core.ts";
import { atomic, flag, int32, mapOf, oneOf, setOf, text } from "../../../../shared/kube/schema/words.ts";

export const EndpointAddress = z
  .object({
    hostname: text.optional(),
    ip: text,
    nodeName: text.optional(),
    targetRef: ObjectReference.optional(),
  })
  .meta({ "x-kubernetes-map-type": "atomic" });
export type EndpointAddress = z.infer<typeof EndpointAddress>;

export const EndpointPort = z
  .object({
    appProtocol: text.optional(),
    name: text.optional(),
    port: int32,
    protocol: oneOf("SCTP", "TCP", "UDP").optional(),
  })
  .meta({ "x-kubernetes-map-type": "atomic" });
export type EndpointPort = z.infer<typeof EndpointPort>;

export const EndpointSubset = z.object({
  addresses: atomic(EndpointAddress).optional(),
  notReadyAddresses: atomic(EndpointAddress).optional(),
  ports: atomic(EndpointPort).optional(),
});
export type EndpointSubset = z.infer<typeof EndpointSubset>;

export const EndpointConditions = z.object({
  ready: flag.optional(),
  serving: flag.optional(),
  terminating: flag.optional(),
});
export type EndpointConditions = z.infer<typeof EndpointConditions>;

export const ForNode = z.object({
  name: text,
});
export type ForNode = z.infer<typeof ForNode>;

export const ForZone = z.object({
  name: text,
});
export type ForZone = z.infer<typeof ForZone>;

export const EndpointHints = z.object({
  forNodes: atomic(ForNode).optional(),
  forZones: atomic(ForZone).optional(),
});
export type EndpointHints = z.infer<typeof EndpointHints>;

export const Endpoint = z.object({
  addresses: setOf(text),
  conditions: EndpointConditions.optional(),
  deprecatedTopology: mapOf(text).optional(),
  hints: EndpointHints.optional(),
  hostname: text.optional(),
  nodeName: text.optional(),
  targetRef: ObjectReference.optional(),
  zone: text.optional(),
});
export type Endpoint = z.infer<typeof Endpoint>;

export const SlicePort = z
  .object({
    appProtocol: text.optional(),
    name: text.optional(),
    port: int32.optional(),
    protocol: text.optional(),
  })
  .meta({ "x-kubernetes-map-type": "atomic" });
export type SlicePort = z.infer<typeof SlicePort>;
