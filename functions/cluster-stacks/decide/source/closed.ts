import type { FailureReason } from "../../ports/releases/index.ts";

const CLOSED: readonly FailureReason[] = ["unknown source", "refused", "no credentials"];

/** True where a source is closed to whoever asks: somebody has to change a setting or credentials. */
export const isClosed = ({ reason }: { readonly reason: FailureReason }): boolean => CLOSED.includes(reason);
