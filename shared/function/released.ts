import { releaseId, releasePublished } from "../../events/release-published.ts";
import { defineEvent } from "./event-type.ts";

/**
 * The event of a release that was published outside the cluster: a webhook, a registry or a CloudEvent told of it. It is a hint; the
 * function reads from the source what is published.
 *
 * @example
 * ```ts
 * import { each, on, released } from "reveille";
 * import { Widget } from "./kinds.ts";
 *
 * export const follow = each(Widget).function({
 *   name: "follow",
 *   wakes: [on(released).toEach<typeof Widget>((widget, release) => release.origin === widget.spec.message)],
 *   reconcile: () => ({}),
 * });
 * ```
 */
export const released = defineEvent(releasePublished.type, releasePublished.data, releaseId);
