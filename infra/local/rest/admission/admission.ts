import type { Kernel } from "../../kernel.ts";
import type { ApiObject } from "../../resource-type.ts";

/** The server's checks against other objects when it takes one. */
export interface Admission {
  /** Before the object is judged by itself: fills in what follows from others. Throws where they forbid it. */
  fill(kernel: Kernel, object: ApiObject): void;
  /** After that. Throws where others have what the object asks for. */
  judge?(kernel: Kernel, object: ApiObject): void;
  /** True where updates are looked at too. */
  readonly updates: boolean;
}
