import * as z from "zod";
import { askedBy, reason } from "./command-fields.ts";
import { defineEventType } from "./envelope.ts";
import { releasePublished } from "./release-published.ts";

const { origin, version } = releasePublished.data.shape;

/** Somebody asks that whoever uses a release looks at it once more. */
export const commandRecheckRelease = defineEventType({
  type: "command.recheck-release",
  meaning: "Look at a release once more: whoever a publication of it would wake is woken.",
  data: z.strictObject({ origin, version, askedBy, reason }),
});
