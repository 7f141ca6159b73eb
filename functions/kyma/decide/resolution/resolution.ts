import type { Time } from "../../../../shared/function/index.ts";
import type { Template } from "./catalog.ts";
import type { WishFault } from "./channel.ts";

/** The reason why a module is not brought to what is wished, in one word for programs. */
export type Reason =
  | WishFault["reason"]
  | "NoRelease"
  | "MandatoryModule"
  | "Restricted"
  | "ChannelUnknown"
  | "TemplateMissing"
  | "ComponentUnknown"
  | "NotVisible"
  | "Downgrade"
  | "VersionUnreadable"
  | "NoMaintenanceWindow"
  | "MaintenanceWindowClosed";

/** The verdict on one module of a Kyma. */
export type Resolution =
  /** It is to be installed so. */
  | {
      readonly verdict: "install";
      /** Undefined: it is pinned to its version. */
      readonly channel: string | undefined;
      readonly version: string;
      readonly ocmComponentName: string;
      readonly template: Template;
    }
  /** It stays as it is, installed or not. */
  | {
      readonly verdict: "keep";
      /** The state that this gives the module. Undefined: that of what is installed. */
      readonly state: "Error" | "Warning" | undefined;
      readonly reason: Reason;
      readonly message: string;
      /** The time at which an upgrade that waits for its maintenance window may begin. */
      readonly opensAt?: Time | undefined;
      /** The name of the ModuleTemplate that the catalog lacks. */
      readonly awaits?: string | undefined;
    }
  /** The Kyma may not have it: what is installed is deleted. */
  | {
      readonly verdict: "withdraw";
      readonly state: "Error";
      readonly reason: Reason;
      readonly message: string;
      readonly awaits?: never;
    };

/** A module that stays as it is, with an error. */
export const keptWithError = (
  reason: Reason,
  message: string,
): Extract<Resolution, { readonly verdict: "keep" }> => ({
  verdict: "keep",
  state: "Error",
  reason,
  message,
});
/** A module that stays as it is, with a warning. */
export const keptWithWarning = (reason: Reason, message: string): Resolution => ({
  verdict: "keep",
  state: "Warning",
  reason,
  message,
});
/** A module that a Kyma may not have. */
export const withdrawn = (reason: Reason, message: string): Resolution => ({
  verdict: "withdraw",
  state: "Error",
  reason,
  message,
});
