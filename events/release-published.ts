import * as z from "zod";
import { defineEventType, type EventOf } from "./envelope.ts";

/** A release of something that is published outside the cluster. */
export const releasePublished = defineEventType({
  type: "release.published",
  meaning: "A release was published where a port or a webhook saw it.",
  data: z.object({
    /** The place where releases of this thing are listed, for example `github.com/owner/repository`. */
    origin: z.string().min(1).max(1024),
    version: z.string().min(1).max(256),
    publishedAt: z.iso.datetime({ offset: true }).optional(),
    digest: z.string().max(256).optional(),
  }),
});
export type ReleasePublished = EventOf<typeof releasePublished>;

/** Names the release that an event tells of. A tag that moves is another release: its digest tells. */
export const releaseId = ({ origin, version, digest }: ReleasePublished["data"]): string =>
  `${origin}@${version}${digest === undefined ? "" : `#${digest}`}`;
