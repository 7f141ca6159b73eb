import * as z from "zod";
import type { Reading, Trigger } from "../../shared/function/trigger.ts";
import { faults, released } from "./notice.ts";

const text = z.string().min(1).max(1024);
const tag = z.string().max(256);

const notification = z.object({
  id: text,
  timestamp: z.iso.datetime({ offset: true }),
  action: text,
  target: z.object({
    repository: text,
    digest: z.string().max(256).optional(),
    tag: tag.optional(),
    url: z.string().max(4096).optional(),
  }),
  request: z.object({ host: z.string().max(1024).optional() }).optional(),
});
const envelope = z.object({ events: z.array(notification).max(1000) });

const harbor = z.object({
  type: text,
  /** Seconds since the epoch. */
  occur_at: z.number().min(0).max(8.64e12),
  event_data: z.object({
    resources: z
      .array(z.object({ digest: z.string().max(256).optional(), tag: tag.optional(), resource_url: text }))
      .max(1000),
  }),
});

const PUSHED = "PUSH_ARTIFACT";
const NOTIFICATION = "notification";

/**
 * Notifications of OCI registries: the CNCF distribution registry's envelope, and Harbor's webhooks. Both send a token that one
 * gives them in `Authorization`. A registry repeats a notification until it is taken, so what is of no concern is taken too.
 * https://distribution.github.io/distribution/about/notifications/
 */
export const registry: Trigger = {
  name: "registry",
  proof: "bearer",
  late: "ignore",
  types: [NOTIFICATION, PUSHED],
  typeOf({ body }) {
    if (typeof body !== "object" || body === null) return undefined;
    if ("events" in body) return NOTIFICATION;
    return "type" in body && typeof body.type === "string" ? body.type : undefined;
  },
  read(type, { body }) {
    if (type === NOTIFICATION) {
      const parsed = envelope.safeParse(body);
      return parsed.success ? ofNotifications(parsed.data.events) : faults(parsed.error);
    }
    const parsed = harbor.safeParse(body);
    return parsed.success ? ofHarbor(parsed.data) : faults(parsed.error);
  },
};

function ofNotifications(events: readonly z.output<typeof notification>[]): Reading {
  const notices = events.flatMap(({ action, target, request, timestamp }) => {
    // Blobs, and manifests that only a digest names, belong to what a tag will name.
    if (action !== "push" || !target.tag) return [];
    const host = request?.host ?? hostOf(target.url);
    const origin = host === undefined ? target.repository : `${host}/${target.repository}`;
    return [
      released({
        origin,
        version: target.tag,
        publishedAt: timestamp,
        ...(target.digest !== undefined && { digest: target.digest }),
      }),
    ];
  });
  return notices.length === 0 ? { ignored: "Nothing in it is a pushed tag." } : { notices };
}

const hostOf = (url: string | undefined): string | undefined =>
  url !== undefined && URL.canParse(url) ? new URL(url).host : undefined;

function ofHarbor({ occur_at: at, event_data: { resources } }: z.output<typeof harbor>): Reading {
  const notices = resources.flatMap(({ tag: version, digest, resource_url: url }) => {
    if (!version) return [];
    const origin = url.endsWith(`:${version}`) ? url.slice(0, -version.length - 1) : url;
    return [
      released({
        origin: origin.replace(/^https?:\/\//, ""),
        version,
        publishedAt: new Date(at * 1000).toISOString(),
        ...(digest !== undefined && { digest }),
      }),
    ];
  });
  return notices.length === 0 ? { ignored: "Nothing in it has a tag." } : { notices };
}
