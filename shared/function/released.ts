import { releaseId, releasePublished } from "../../events/release-published.ts";
import { defineEvent } from "./event-type.ts";

/**
 * A release was published outside the cluster: a webhook, a registry or a CloudEvent told of it. What it says is a hint, and what is
 * published is read from its source.
 *
 * @example
 * wakes: [on(released).toEach((chart, release) => release.origin === chart.spec.origin)]
 */
export const released = defineEvent(releasePublished.type, releasePublished.data, releaseId);
