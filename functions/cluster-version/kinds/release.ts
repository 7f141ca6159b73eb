import * as z from "zod";
import { setOf } from "../../../shared/kube/schema/words.ts";

/** A release as the status tells it. */
export const release = z.object({
  version: z.string().describe("Its semantic version. Empty where the image does not say."),
  image: z.string().describe("The image that holds its payload."),
  url: z.string().describe("A page about it.").optional(),
  channels: setOf(z.string()).describe("The channels that it is in.").optional(),
  architecture: z
    .enum(["Multi", ""])
    .describe("Multi: for several architectures. Empty or absent: for one.")
    .optional(),
});
