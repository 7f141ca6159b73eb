import { createHash } from "node:crypto";
import type * as z from "zod";
import { type ReleasePublished, releaseId, releasePublished } from "../../events/index.ts";
import type { Notice, Reading } from "../../shared/function/trigger.ts";

/** A `release.published` for something that became visible outside. */
export function released(release: ReleasePublished["data"]): Notice {
  const { origin, version, publishedAt } = release;
  const name = releaseId(release);
  return {
    at: publishedAt,
    event: {
      id: name.length <= 200 ? name : createHash("sha256").update(name).digest("hex"),
      type: releasePublished.type,
      subject: `${origin}@${version}`.slice(0, 1024),
      data: release,
    },
  };
}

/** The faults of a body, each with its path. */
export const faults = (error: z.ZodError): Reading => ({
  issues: error.issues.map(
    ({ path, message }) => `${path.join(".") || "(body)"}: ${message.replace(/^Invalid input: /, "")}`,
  ),
});
