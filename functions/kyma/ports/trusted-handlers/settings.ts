import * as z from "zod";
import { tokenFile } from "../../../../shared/oci/settings.ts";

/** The schema of a handler's name. */
export const HANDLER_NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** The schema of the handlers that modules may name. */
export const trustedHandlersSettings = z
  .record(
    z.string().regex(HANDLER_NAME, "write a name of small letters, digits and hyphens"),
    z.strictObject({
      url: z
        .url({ protocol: /^https?$/, error: "write an address: https://tenants.example.org/handle" })
        .refine(
          (url) => !URL.canParse(url) || new URL(url).username + new URL(url).password === "",
          "leave credentials out of the address: tokenFile holds them",
        )
        .describe("Where it is asked, by a POST."),
      tokenFile,
      timeoutSeconds: z.int().min(1).max(30).describe("How long an answer may take.").default(10),
    }),
  )
  .describe(
    "The handlers that modules may name: services of the control plane that act outside of it, for a tenant, an account, a registration.",
  )
  .default({});
/** The handlers that modules may name. */
export type TrustedHandlersSettings = z.output<typeof trustedHandlersSettings>;
