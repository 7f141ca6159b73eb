import * as z from "zod";
import { defineKind } from "../kind.ts";
import { EventSeries, EventSource, ObjectReference } from "../schema/core.ts";
import { loosely } from "./loosely.ts";

/** An event in the life of an object, for people. Kept for an hour on most servers. */
export class Event extends defineKind({
  group: "",
  version: "v1",
  kind: "Event",
  scope: "Namespaced",
  external: true,
  shortNames: ["ev"],
  fields: {
    involvedObject: loosely(ObjectReference),
    related: loosely(ObjectReference).optional(),
    type: z.string().optional(),
    reason: z.string().optional(),
    message: z.string().optional(),
    action: z.string().optional(),
    count: z.int().optional(),
    firstTimestamp: z.string().nullable().optional(),
    lastTimestamp: z.string().nullable().optional(),
    eventTime: z.string().nullable().optional(),
    reportingComponent: z.string().optional(),
    reportingInstance: z.string().optional(),
    series: loosely(EventSeries).optional(),
    source: loosely(EventSource).optional(),
  },
}) {}
